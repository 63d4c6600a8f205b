//! The schedule of a letter after a decision.

use redrive_core::{Decision, Status, Time};

/// The status of a letter after a decision, and its next retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    pub status: Status,
    /// The time of the automatic retry; `None` for manual retries only.
    pub due: Option<Time>,
}

impl Schedule {
    pub const EXHAUSTED: Self = Self { status: Status::Exhausted, due: None };
    /// Waits for a manual retry.
    pub const PARKED: Self = Self { status: Status::Pending, due: None };

    pub const fn due(at: Time) -> Self {
        Self { status: Status::Pending, due: Some(at) }
    }
}

impl From<Decision> for Schedule {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Retry { at, .. } => Self::due(at),
            Decision::Defer { until } => Self::due(until),
            Decision::DeadLetter { reason } | Decision::Drop { reason, .. } => {
                Self { status: reason.letter_status(), due: None }
            }
        }
    }
}
