//! Who calls.

use std::sync::Arc;

/// The user of whoever shows no key.
pub(crate) const ANONYMOUS: &str = "anonymous";

/// Who calls, as far as the request tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) user: Arc<str>,
    /// The key that was shown.
    pub(crate) key: Option<Arc<Holder>>,
    /// Which edition of users, keys and roles the request is judged by, at least.
    pub(crate) edition: u64,
    /// How often this server had changed who may do what.
    pub(crate) changes: u64,
}

impl Caller {
    /// The only namespace in which the key is good that was shown.
    pub(crate) fn scope(&self) -> Option<&str> {
        self.key.as_ref().map(|key| key.scope.as_str()).filter(|scope| !scope.is_empty())
    }
}

/// What a key says about whoever shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) key_id: String,
    pub(crate) user: Arc<str>,
    /// The only namespace in which the key is good; empty for all.
    pub(crate) scope: String,
    pub(crate) expires_at: Option<redrive_core::Time>,
}
