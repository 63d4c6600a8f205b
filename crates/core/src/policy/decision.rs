//! The decision about failed work, and its reason.

use std::fmt;

use crate::{AttemptLimit, Category, Classification, DropReason, Rule, Status, Time};

/// What happens to a piece of work whose attempt failed.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Retry, not before `at`. If not `charged`, the failed attempt does not count towards the limit.
    Retry { at: Time, charged: bool },
    /// Failed permanently: store a durable letter, then acknowledge the work at its source.
    DeadLetter { reason: DeadReason },
    /// Not attempted: deliver again later, without spending an attempt.
    Defer { until: Time },
    /// Failed permanently, and the strategy creates no letter. Counted under `why`.
    Drop { why: DropReason, reason: DeadReason },
}

/// Why there is no further attempt.
#[derive(Debug, Clone, PartialEq)]
pub enum DeadReason {
    /// All attempts are spent.
    Exhausted { attempts: u32, limit: AttemptLimit, category: Category, rule: Rule },
    /// The backoff for this failure is `never`.
    Permanent { category: Category, rule: Rule },
    /// The error is on the include list, which dead-letters immediately.
    Included { matcher: String, category: Category, rule: Rule },
    /// The next attempt would start after the deadline.
    Deadline { deadline: Time, category: Category, rule: Rule },
    /// The user's predicate returned a dead letter.
    Predicate { category: Category, rule: Rule },
}

impl DeadReason {
    /// The name in metrics and records.
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Exhausted { .. } => "exhausted",
            Self::Permanent { .. } => "permanent",
            Self::Included { .. } => "included",
            Self::Deadline { .. } => "deadline",
            Self::Predicate { .. } => "predicate",
        }
    }

    /// The status of the letter after this decision: exhausted, or pending until a manual retry.
    pub const fn letter_status(&self) -> Status {
        match self {
            Self::Exhausted { .. } => Status::Exhausted,
            Self::Permanent { .. } | Self::Included { .. } | Self::Deadline { .. } | Self::Predicate { .. } => {
                Status::Pending
            }
        }
    }
}

impl fmt::Display for DeadReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted { attempts, limit, category, rule } => {
                write!(f, "attempt {attempts} of {limit} failed, the last one as {category} (rule {rule})")
            }
            Self::Permanent { category, rule } => {
                write!(f, "failed as {category} (rule {rule}), which is not retried automatically")
            }
            Self::Included { matcher, category, rule } => {
                write!(f, "failed as {category} (rule {rule}); '{matcher}' is dead-lettered at once")
            }
            Self::Deadline { deadline, category, rule } => {
                write!(
                    f,
                    "failed as {category} (rule {rule}); the next attempt would begin after the deadline, {deadline}"
                )
            }
            Self::Predicate { category, rule } => {
                write!(f, "failed as {category} (rule {rule}); the policy's predicate ended it")
            }
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Retry { at, charged: true } => write!(f, "retry at {at}"),
            Self::Retry { at, charged: false } => write!(f, "retry at {at}, no attempt spent"),
            Self::DeadLetter { reason } => write!(f, "dead-letter: {reason}"),
            Self::Defer { until } => write!(f, "not tried; deferred until {until}, no attempt spent"),
            Self::Drop { why, reason } => write!(f, "dropped without a letter ({why}): {reason}"),
        }
    }
}

/// A decision and the classification it is based on.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided<'f> {
    pub decision: Decision,
    pub classification: Classification<'f>,
    /// When the work is retried without a charge if its destination turns out to be to blame, and not the work: set if
    /// the failure may pass with time and neither an answer nor an error list has decided.
    pub spared_until: Option<Time>,
}
