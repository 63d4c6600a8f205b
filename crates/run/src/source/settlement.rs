//! How a delivery is finished.

use bytes::Bytes;
use redrive_core::{Category, DeadReason, Failure, Fingerprint, Time};
use redrive_queue::Attempt;

/// One delivery, finished by one verb.
#[derive(Debug, Clone)]
pub struct Settlement<F> {
    pub fence: F,
    pub verb: Verb,
    /// The record of the attempt, where one was made.
    pub attempt: Option<Box<Attempt>>,
}

/// The ways in which a delivery is finished.
#[derive(Debug, Clone)]
pub enum Verb {
    /// It is done. A source that answers somebody passes the result on.
    Ack { result: Option<Bytes> },
    /// It failed and is tried again, not before `at`; of a work with named parts, only those that the record names as
    /// failed. An attempt that is not charged is given back.
    Retry { at: Time, charged: bool },
    /// It failed for good: the letter is durable before the source lets go of the work.
    DeadLetter(Box<Dead>),
    /// It failed for good, and nobody wants the letter.
    Drop,
    /// It was not tried, and is not before `until`. No attempt is spent.
    Defer { until: Time },
    /// It was not tried: somebody else may have it at once. No attempt is spent.
    Release,
    /// It failed for good and its letter was not taken: it is yielded again for the hand-over alone.
    Condemn,
}

impl Verb {
    /// For logs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ack { .. } => "ack",
            Self::Retry { .. } => "retry",
            Self::DeadLetter(_) => "dead_letter",
            Self::Drop => "drop",
            Self::Defer { .. } => "defer",
            Self::Release => "release",
            Self::Condemn => "condemn",
        }
    }
}

/// Why work is given up, with all that a letter says about it.
#[derive(Debug, Clone)]
pub struct Dead {
    pub reason: DeadReason,
    pub failure: Failure,
    pub category: Category,
    pub fingerprint: Fingerprint,
}
