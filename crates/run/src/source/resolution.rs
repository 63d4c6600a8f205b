//! How a delivery is finished.

use bytes::Bytes;
use redrive_core::{Category, DeadReason, Failure, Fingerprint, Time};
use redrive_model::Attempt;

/// One delivery, finished by one resolution.
#[derive(Debug, Clone)]
pub struct FinishedDelivery<F> {
    pub fence: F,
    pub resolution: Resolution,
    /// The record of the attempt, where one was made.
    pub attempt: Option<Box<Attempt>>,
}

/// The ways in which a delivery is finished.
#[derive(Debug, Clone)]
pub enum Resolution {
    /// It is done. A source that answers somebody passes the result on.
    Ack { result: Option<Bytes> },
    /// It failed and is tried again, not before `at`; of a work with named parts, only those that the record names as
    /// failed. An attempt that is not charged is given back.
    Retry { at: Time, charged: bool },
    /// It failed for good: the letter is durable before the source lets go of the work.
    DeadLetter(Box<DeadWork>),
    /// It failed for good, and nobody wants the letter.
    Drop,
    /// It was not tried, and is not before `until`. No attempt is spent.
    Defer { until: Time },
    /// It was not tried: somebody else may have it at once. No attempt is spent.
    Release,
    /// It failed for good and its letter was not taken: it is yielded again for the hand-over alone.
    RedeliverForHandOver,
}

impl Resolution {
    /// For logs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ack { .. } => "ack",
            Self::Retry { .. } => "retry",
            Self::DeadLetter(_) => "dead_letter",
            Self::Drop => "drop",
            Self::Defer { .. } => "defer",
            Self::Release => "release",
            Self::RedeliverForHandOver => "redeliver_for_hand_over",
        }
    }
}

/// Why work is given up, with all that a letter says about it.
#[derive(Debug, Clone)]
pub struct DeadWork {
    pub reason: DeadReason,
    pub failure: Failure,
    pub category: Category,
    pub fingerprint: Fingerprint,
}
