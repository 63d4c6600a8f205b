//! Why a connection or a mailbox could not be opened.

use crate::keys::pattern;

/// Why Redis cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RedisError {
    #[error("invalid Redis address: {0}; it has the form redis://host:port or rediss://user:password@host:port")]
    Address(String),
    #[error("invalid namespace '{0}': braces and control characters are not allowed")]
    Namespace(String),
    #[error("Redis cannot be reached: {0}; check the address, the port and the certificates")]
    Unreachable(String),
    #[error("Redis rejected the login: {0}; check user and password")]
    Login(String),
    #[error("Redis {found} is too old; mailboxes need 6.2 or later")]
    TooOld { found: String },
    #[error("the server does not say which version of Redis it is: {0}")]
    NoVersion(String),
    /// `keys` is the pattern of keys that an ACL must permit.
    #[error(
        "the Redis user may not run {}, or not on the keys of mailboxes; extend its ACL, for example by '{keys}' and \
         '+@read +@write +@scripting +@blocking +time +info'",
        commands.join(", ")
    )]
    NotPermitted { keys: String, commands: Vec<String> },
    #[error("Redis answered with an error: {0}")]
    Server(String),
}

impl RedisError {
    /// Maps an error of the client library at the start.
    pub(crate) fn at_start(error: &redis::RedisError, namespace: &str) -> Self {
        use redis::{ErrorKind, ServerErrorKind};
        match error.kind() {
            ErrorKind::InvalidClientConfig => Self::Address(error.to_string()),
            ErrorKind::AuthenticationFailed => Self::Login(error.to_string()),
            ErrorKind::Server(ServerErrorKind::NoPerm) => {
                Self::NotPermitted { keys: pattern(namespace), commands: vec![denied_command(error)] }
            }
            _ if matches!(error.code(), Some("WRONGPASS" | "NOAUTH")) => Self::Login(error.to_string()),
            _ if error.is_io_error() || error.is_timeout() || error.is_connection_dropped() => {
                Self::Unreachable(error.to_string())
            }
            ErrorKind::ClusterConnectionNotFound => Self::Unreachable(error.to_string()),
            _ => Self::Server(error.to_string()),
        }
    }
}

/// The command that an error of the ACL names.
fn denied_command(error: &redis::RedisError) -> String {
    let text = error.to_string();
    text.split('\'').nth(1).map_or_else(|| text.clone(), str::to_owned)
}
