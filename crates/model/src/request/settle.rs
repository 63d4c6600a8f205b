//! Settle leased items: the holder of the lease reports the results.
//!
//! The reply contains a result per item. A result of a letter under a stale id is rejected, but its attempt is recorded
//! on the letter: it may be the only information about that attempt.

use redrive_core::{ItemId, QueueName, Time};

use crate::{Attempt, EndReason, Rejection};

/// Settles leased items, in order.
#[derive(Debug, Clone)]
pub struct Settle {
    pub queue: QueueName,
    /// The partition of the lease; ids of other partitions are rejected.
    pub partition: Option<u32>,
    pub items: Vec<Settlement>,
    pub on_rejected: OnRejected,
}

/// What happens after a rejected item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRejected {
    Continue,
    /// The items after it are not settled and have no result. Those before it stay settled.
    Stop,
}

#[derive(Debug, Clone)]
pub struct Settlement {
    pub id: ItemId,
    pub action: SettleAction,
}

/// The result of a delivery, with the record of the attempt if there was one.
#[derive(Debug, Clone)]
pub enum SettleAction {
    /// The work is done.
    Complete { attempt: Option<Box<Attempt>> },
    /// The attempt failed and is retried. If not `charged`, it does not count towards the limit.
    Retry { at: RetryAt, attempt: Option<Box<Attempt>>, charged: bool },
    /// The work failed permanently.
    Dead { attempt: Option<Box<Attempt>>, why: DeadCause },
    /// The work was not attempted and can be leased again immediately.
    Release,
    /// The work was not attempted and can be leased again later.
    Defer { until: Time },
    /// The holder disappeared and the effect of the attempt is unknown: same as an expired claim.
    Lost,
    /// The work failed permanently and the hand-over failed: it is delivered again for the hand-over only, not before
    /// `at`.
    RedeliverForHandOver { at: Time, attempt: Option<Box<Attempt>> },
}

/// When failed work is retried, and whether a policy has already decided. The policy is evaluated only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAt {
    /// The holder evaluated the policy of the work; the store uses this time.
    Decided(Time),
    /// The holder evaluated no policy and requests a retry from this time on, or immediately. An item is requeued so;
    /// for a letter, its policy decides whether it is retried automatically at all.
    Undecided(Option<Time>),
}

/// Why work failed permanently. It determines the status of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeadCause {
    /// All attempts are spent.
    Exhausted,
    /// The failure is not retried automatically.
    Permanent,
    /// All attempts were spent before this delivery, which was no attempt and is not charged.
    Spent,
}

/// The result for one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    Completed,
    /// The item was requeued: from `at` on, or now.
    Requeued {
        at: Option<Time>,
    },
    /// A letter without retries left.
    Exhausted,
    /// The item died and is now a letter of this queue.
    Moved {
        to: QueueName,
    },
    /// The item died and waits for its missing dead queue.
    Stranded,
    /// The item died and no longer exists: its queue has no dead queue, or the dead queue already holds its source id.
    Gone(EndReason),
}

impl Settle {
    /// Settles all items with the same action.
    pub fn all(queue: QueueName, partition: Option<u32>, ids: Vec<ItemId>, action: &SettleAction) -> Self {
        let items = ids.into_iter().map(|id| Settlement { id, action: action.clone() }).collect();
        Self { queue, partition, items, on_rejected: OnRejected::Continue }
    }
}

impl RetryAt {
    /// The time, decided or not.
    pub const fn time(self) -> Option<Time> {
        match self {
            Self::Decided(at) => Some(at),
            Self::Undecided(at) => at,
        }
    }
}

impl SettleAction {
    /// The participle of the action in the text of a rejection.
    pub const fn participle(&self) -> &'static str {
        match self {
            Self::Complete { .. } => "completed",
            Self::Retry { .. } | Self::Dead { .. } => "retried",
            Self::Release => "released",
            Self::Defer { .. } => "deferred",
            Self::Lost => "lost",
            Self::RedeliverForHandOver { .. } => "condemned",
        }
    }
}

/// The first rejection among the results of a request.
pub fn first_rejection<T>(answers: &[Result<T, Rejection>]) -> Option<&Rejection> {
    answers.iter().find_map(|answer| answer.as_ref().err())
}
