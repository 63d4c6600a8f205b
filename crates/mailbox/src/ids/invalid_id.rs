//! The error of names and ids.

/// A name or an id that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid {what} '{}': allowed are {allowed}", value.escape_debug())]
pub struct InvalidId {
    pub what: &'static str,
    pub value: String,
    pub allowed: &'static str,
}
