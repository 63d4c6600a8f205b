//! The holder of a lease reports what became of the items.
//!
//! Each item gets its own answer. What is reported of a letter's attempt under a stale id is rejected and kept with the
//! letter all the same: it may be all that is known of that attempt.

use redrive_core::{ItemId, QueueName, Time};

use crate::{Attempt, EndReason, Rejection};

/// What became of leased items, in order.
#[derive(Debug, Clone)]
pub struct Settle {
    pub queue: QueueName,
    /// The partition that the lease named; an id of another one is rejected.
    pub partition: Option<u32>,
    pub items: Vec<Settlement>,
    pub on_rejected: OnRejected,
}

/// What follows where one item is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRejected {
    Continue,
    /// The items after it are not settled, and have no answer. Those before it stay settled.
    Stop,
}

#[derive(Debug, Clone)]
pub struct Settlement {
    pub id: ItemId,
    pub action: SettleAction,
}

/// The ways in which a delivery is finished. Where an attempt was made, its record comes along.
#[derive(Debug, Clone)]
pub enum SettleAction {
    /// It is done.
    Complete { attempt: Option<Box<Attempt>> },
    /// It failed, and is to be tried again. An attempt that is not charged is given back.
    Retry { at: RetryAt, attempt: Option<Box<Attempt>>, charged: bool },
    /// It failed for good.
    Dead { attempt: Option<Box<Attempt>>, why: DeadCause },
    /// It was not tried, and can be leased again at once.
    Release,
    /// It was not tried, and can be leased again later.
    Defer { until: Time },
    /// Its holder is gone, and what the attempt did is unknown: as if the claim had run out.
    Lost,
    /// It failed for good, and could not be handed over: it is delivered again for that alone.
    RedeliverForHandOver { attempt: Option<Box<Attempt>> },
}

/// When failed work is tried again, and who decides it. It is decided once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAt {
    /// The holder asked the work's own policy, and the store keeps this time.
    Decided(Time),
    /// The holder asked no policy, and wants the work offered again from this time on, or at once. An item is; of a letter,
    /// its policy decides whether it is retried automatically at all.
    Undecided(Option<Time>),
}

/// Why work is given up; what a letter becomes by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeadCause {
    /// All attempts are spent.
    Exhausted,
    /// An automatic retry is pointless.
    Permanent,
    /// All attempts were spent before, and this delivery was none: it is given back first.
    Spent,
}

/// What became of one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    Completed,
    /// It is offered again: from `at` on, or now.
    Requeued {
        at: Option<Time>,
    },
    /// A letter without retries left.
    Exhausted,
    /// It died and is a letter of this queue now.
    Moved {
        to: QueueName,
    },
    /// It died, and waits for its missing dead queue.
    Stranded,
    /// It died and no longer exists: its queue has no dead queue, or the dead queue holds its source id already.
    Gone(EndReason),
}

impl Settle {
    /// Settles all items in one way.
    pub fn all(queue: QueueName, partition: Option<u32>, ids: Vec<ItemId>, action: &SettleAction) -> Self {
        let items = ids.into_iter().map(|id| Settlement { id, action: action.clone() }).collect();
        Self { queue, partition, items, on_rejected: OnRejected::Continue }
    }
}

impl RetryAt {
    /// The time, whoever decided it.
    pub const fn time(self) -> Option<Time> {
        match self {
            Self::Decided(at) => Some(at),
            Self::Undecided(at) => at,
        }
    }
}

impl SettleAction {
    /// The action in the words of a rejection.
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

/// The first rejection among the answers of a request.
pub fn first_rejection<T>(answers: &[Result<T, Rejection>]) -> Option<&Rejection> {
    answers.iter().find_map(|answer| answer.as_ref().err())
}
