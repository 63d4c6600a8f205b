//! The errors of a source.

/// Why a claim failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Temporary: a later claim may succeed.
    #[error("the source is not available: {0}")]
    Unavailable(String),
    /// Permanent: the source was closed.
    #[error("the source is closed")]
    Closed,
}

/// Why a delivery was not settled or extended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettleError {
    /// The caller no longer holds the claim: it ended, another caller settled the work, or this resolution took effect
    /// before and its answer was lost. The result must be dropped.
    #[error("the claim has ended; drop the result")]
    Stale,
    /// Temporary. The resolution may have taken effect; sending it again is safe.
    #[error("the source is not available: {0}")]
    Unavailable(String),
    /// Permanent: the source does not accept this result. The claim is left to expire.
    #[error("the source refused the result: {0}")]
    Refused(String),
    /// The letter could not be handed over to its dead queue. The claim still holds.
    #[error("the hand-over of the letter failed: {0}")]
    HandOver(String),
}
