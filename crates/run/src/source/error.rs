//! What a source answers when it does not do what it was asked to.

/// Why nothing was claimed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Not now. Asking again later may help.
    #[error("the source is not available: {0}")]
    Unavailable(String),
    /// It was closed, and stays so.
    #[error("the source is closed")]
    Closed,
}

/// Why a delivery was not finished or extended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettleError {
    /// The claim is no longer the caller's: it ended, somebody else decided, or this resolution took effect before and its
    /// answer was lost. The result is to be dropped.
    #[error("the claim has ended; drop the result")]
    Stale,
    /// Not now. It may even have taken effect: asking again is safe.
    #[error("the source is not available: {0}")]
    Unavailable(String),
    /// Never: the source does not take it as it is. The claim is left to run out.
    #[error("the source refused the result: {0}")]
    Refused(String),
    /// The letter was not taken by where it should go; the claim still holds.
    #[error("the letter was not taken: {0}")]
    HandOver(String),
}
