//! The resolutions of a delivery.

use bytes::Bytes;
use redrive_core::{Category, DeadReason, Failure, Fingerprint, Time};
use redrive_model::Attempt;

/// A delivery and its resolution.
#[derive(Debug, Clone)]
pub struct FinishedDelivery<F> {
    pub fence: F,
    pub resolution: Resolution,
    /// The record of the attempt, if one was made.
    pub attempt: Option<Box<Attempt>>,
}

/// How a delivery is finished.
#[derive(Debug, Clone)]
pub enum Resolution {
    /// The work is done. A source with a caller that waits for a reply passes the result on.
    Ack { result: Option<Bytes> },
    /// The attempt failed and is retried, not before `at`. Of work with named parts, only the parts that the record
    /// names as failed are retried. With `charged: false` the attempt is not counted.
    Retry { at: Time, charged: bool },
    /// The work failed permanently. The letter is durable before the source removes the work.
    DeadLetter(Box<DeadWork>),
    /// The work failed permanently and is removed without a letter.
    Drop,
    /// No attempt was made, and none is made before `until`. No attempt is charged.
    Defer { until: Time },
    /// No attempt was made, and the work is available at once. No attempt is charged.
    Release,
    /// The work failed permanently and its hand-over failed: it is delivered again for the hand-over only, not before
    /// `at`.
    RedeliverForHandOver { at: Time },
}

impl Resolution {
    /// The name in logs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ack { .. } => "ack",
            Self::Retry { .. } => "retry",
            Self::DeadLetter(_) => "dead_letter",
            Self::Drop => "drop",
            Self::Defer { .. } => "defer",
            Self::Release => "release",
            Self::RedeliverForHandOver { .. } => "redeliver_for_hand_over",
        }
    }
}

/// Why work is given up, with the data of its letter.
#[derive(Debug, Clone)]
pub struct DeadWork {
    pub reason: DeadReason,
    pub failure: Failure,
    pub category: Category,
    pub fingerprint: Fingerprint,
}
