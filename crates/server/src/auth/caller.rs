//! The caller of a request.

use std::fmt;
use std::sync::Arc;

use redrive_core::Time;

/// The user of a request without an API key.
pub(crate) const ANONYMOUS: &str = "anonymous";

/// The caller of a request. Its text names the user and the API key, for error messages.
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

    /// A user and the id of an API key, for records of what the server did in their name. It has no permissions.
    pub(crate) fn recorded(user: &str, user_name: &str, key: Option<&str>) -> Self {
        let identity = |key_id: &str| KeyIdentity {
            key_id: key_id.to_owned(),
            key_name: String::new(),
            prefix: String::new(),
            user: Arc::from(user),
            user_name: user_name.to_owned(),
            scope: String::new(),
            expires_at: None,
        };
        Self { user: Arc::from(user), key: key.map(identity).map(Arc::new), edition: 0, changes: 0 }
    }

    /// The name of the user.
    pub(crate) fn user_name(&self) -> &str {
        self.key.as_ref().map_or(ANONYMOUS, |key| &key.user_name)
    }
}

impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            // Names may contain any character; in a message they must not send commands to a terminal.
            Some(key) => {
                write!(f, "user '{}'", key.user_name.escape_debug())?;
                match key.shown_name() {
                    "" => Ok(()),
                    name => write!(f, " with the API key '{}'", name.escape_debug()),
                }
            }
            None => write!(f, "user '{ANONYMOUS}' (the request has no API key)"),
        }
    }
}

/// What an API key stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyIdentity {
    pub(crate) key_id: String,
    pub(crate) key_name: String,
    /// The first characters of the key, by which people recognise it.
    pub(crate) prefix: String,
    pub(crate) user: Arc<str>,
    pub(crate) user_name: String,
    /// The namespace that the key is scoped to; empty for all.
    pub(crate) scope: String,
    pub(crate) expires_at: Option<Time>,
}

impl KeyIdentity {
    /// The name of the key; its first characters if it has none.
    pub(super) fn shown_name(&self) -> &str {
        if self.key_name.is_empty() { &self.prefix } else { &self.key_name }
    }
}
