//! The caller of a request.

use std::sync::Arc;

/// The user of a request without an API key.
pub(crate) const ANONYMOUS: &str = "anonymous";

/// The caller of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) user: Arc<str>,
    /// The identity of the API key; `None` for anonymous callers.
    pub(crate) key: Option<Arc<KeyIdentity>>,
    /// The edition of users, keys and roles that the request is authorized by. What is looked up may be newer.
    pub(crate) edition: u64,
    /// The number of changes to users, keys and roles that this server had made when the request was authenticated.
    pub(crate) changes: u64,
}

impl Caller {
    /// The namespace that the caller's API key is scoped to, if it is scoped.
    pub(crate) fn scope(&self) -> Option<&str> {
        self.key.as_ref().map(|key| key.scope.as_str()).filter(|scope| !scope.is_empty())
    }
}

/// What an API key stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyIdentity {
    pub(crate) key_id: String,
    pub(crate) user: Arc<str>,
    /// The namespace that the key is scoped to; empty for all.
    pub(crate) scope: String,
    pub(crate) expires_at: Option<redrive_core::Time>,
}
