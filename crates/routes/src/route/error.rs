//! Why a route is invalid, or does not start.

use std::error::Error;

use redrive_core::Invalid;
use redrive_run::RunnerStartError;
use redrive_store::StoreError;

use crate::TargetError;

/// A route that cannot be used as it is written. The text says what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RouteSettingsError {
    #[error("{0}")]
    Malformed(String),
    #[error(transparent)]
    Setting(#[from] Invalid),
    #[error("the property {0} is rejected by the Kafka client; correct its name or its value")]
    Property(String),
    #[error("a route needs exactly one of kafka, queue, mailbox and ingest")]
    Source,
    #[error("a route with a kafka, queue or mailbox source needs a target, and an ingest has none")]
    Target,
    /// It is not defined, or not for the namespace of the route.
    #[error("{what} '{name}' is not defined for the namespace of the route; {}", list(.known))]
    Unknown { what: &'static str, name: String, known: Vec<String> },
    #[error("{setting} {rule}")]
    Combination { setting: &'static str, rule: &'static str },
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none is".to_owned() } else { format!("defined: {}", names.join(", ")) }
}

/// Why a route does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RouteStartError {
    #[error(transparent)]
    Kafka(Box<dyn Error + Send + Sync>),
    #[error("properties.{0} is rejected by the Kafka client; correct its name or its value")]
    Property(String),
    #[error(transparent)]
    Runner(#[from] RunnerStartError),
    #[error(transparent)]
    Setting(#[from] Invalid),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Settings(#[from] RouteSettingsError),
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("the server '{name}' cannot be used: {reason}")]
    Server { name: String, reason: String },
    #[error("the Redis server '{name}' cannot be used: {error}")]
    Redis { name: String, error: Box<dyn Error + Send + Sync> },
    #[error(transparent)]
    Mailbox(Box<dyn Error + Send + Sync>),
    #[error("queue '{0}' has no dead queue, so that work which fails permanently would be lost; set its dead_queue")]
    NoDeadQueue(String),
}

impl RouteStartError {
    /// The text for callers of the API. Paths and variables of the configuration file are only in the log.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Target(_) => "a definition that the route uses is invalid; the server's log says why".to_owned(),
            Self::Redis { name, .. } => {
                format!("the Redis server '{name}' cannot be used; the server's log says why")
            }
            Self::Server { name, .. } => format!("the server '{name}' cannot be used; the server's log says why"),
            error => error.to_string(),
        }
    }
}
