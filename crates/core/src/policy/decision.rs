//! What happens next, and the reason in words.

use std::fmt;

use crate::{AttemptLimit, Category, Classification, DropReason, Rule, Status, Time};

/// What becomes of a piece of work whose attempt has failed.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Again, not before `at`. An attempt that is not `charged` is given back.
    Retry { at: Time, charged: bool },
    /// Failed for good: a letter, durable, and only then the acknowledgement.
    DeadLetter { reason: DeadReason },
    /// It was not tried: later, and no attempt is spent.
    Defer { until: Time },
    /// Failed for good, and nobody wants the letter. To be counted under `why`.
    Drop { why: DropReason, reason: DeadReason },
}

/// Why there is no further attempt.
#[derive(Debug, Clone, PartialEq)]
pub enum DeadReason {
    /// All attempts are spent.
    Exhausted { attempts: u32, limit: AttemptLimit, category: Category, rule: Rule },
    /// Trying again by itself is pointless: the policy for this failure is never.
    Permanent { category: Category, rule: Rule },
    /// The error is on the list of those that are dead-lettered at once.
    Included { matcher: String, category: Category, rule: Rule },
    /// The next attempt would begin after the deadline.
    Deadline { deadline: Time, category: Category, rule: Rule },
    /// The user's own predicate said so.
    Predicate { category: Category, rule: Rule },
}

impl DeadReason {
    /// A name for counters and records.
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Exhausted { .. } => "exhausted",
            Self::Permanent { .. } => "permanent",
            Self::Included { .. } => "included",
            Self::Deadline { .. } => "deadline",
            Self::Predicate { .. } => "predicate",
        }
    }

    /// The state of a letter that this decision leaves: exhausted, or waiting for a person.
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
                write!(f, "failed as {category} (rule {rule}), which is not retried by itself")
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

/// A decision with the classification that it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided<'f> {
    pub decision: Decision,
    pub classification: Classification<'f>,
}
