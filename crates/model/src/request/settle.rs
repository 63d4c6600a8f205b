//! Settle leased items: the holder of the lease reports the results.
//!
//! The reply contains a result per item. A result of a letter under a stale id is rejected, but its attempt is recorded
//! on the letter: it may be the only information about that attempt.

use redrive_core::{ItemId, QueueName, Span, Time};

use crate::{Attempt, EndReason, LEASE_MAX, Rejection};

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
    /// The work was not attempted and can be leased again immediately. A plain item has its former place and its former
    /// number of deliveries, under a new id; if the ready items of its queue were cleared meanwhile, it is at the tail.
    Release,
    /// The work was not attempted and can be leased again later.
    Defer { until: Time },
    /// The holder disappeared and the effect of the attempt is unknown: same as an expired claim.
    Lost,
    /// The work failed permanently and the hand-over failed: it is delivered again for the hand-over only, not before
    /// `at`.
    RedeliverForHandOver { at: Time, attempt: Option<Box<Attempt>> },
    /// The holder keeps the item and leaves notes for the next delivery. The lease lasts at least for `lease` from now.
    /// Another action for the same item may follow in the same request.
    Note { lease: Span, notes: Box<DeliveryNotes> },
}

/// What the holder of an item leaves for its next delivery. Each note replaces the earlier one of its kind; a note that is
/// not set keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeliveryNotes {
    /// The text of the latest failure.
    pub error: Option<String>,
    /// The decision that the work failed permanently, in the words of the holder. The item is then delivered for its
    /// hand-over only, and does not expire.
    pub verdict: Option<String>,
    /// The remaining parts of the work. Empty means not set.
    pub parts: Vec<String>,
}

impl DeliveryNotes {
    /// The maximum size of each note: the parts together count as one.
    pub const BYTES_MAX: usize = 64 << 10;

    /// Checks the size of the notes.
    pub fn check(&self) -> Result<(), Rejection> {
        let texts = [&self.error, &self.verdict].into_iter().flatten().map(String::len);
        let parts = self.parts.iter().map(|part| part.len() + 4).sum();
        match texts.chain([parts]).all(|len| len <= Self::BYTES_MAX) {
            true => Ok(()),
            false => Err(Rejection::ValueTooLong { most: Self::BYTES_MAX }),
        }
    }
}

/// When failed work is retried, and whether a policy has already decided. The policy is evaluated only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAt {
    /// The holder evaluated the policy of the work; the store uses this time.
    Decided(Time),
    /// The holder evaluated no policy and requests a retry from this time on, or immediately. An item is requeued so;
    /// for a letter, its policy decides whether it is retried automatically at all.
    Undecided(Option<Time>),
    /// As `Decided`, this long from now by the clock of the store.
    After(Span),
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
    /// The holder keeps the item until this deadline.
    Kept {
        deadline: Time,
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
    pub const fn time(self, now: Time) -> Option<Time> {
        match self {
            Self::Decided(at) => Some(at),
            Self::Undecided(at) => at,
            Self::After(delay) => Some(now.saturating_add(delay)),
        }
    }
}

impl SettleAction {
    /// Checks the limits of the action.
    pub fn check(&self) -> Result<(), Rejection> {
        match self {
            Self::Note { lease, .. } if *lease > LEASE_MAX => Err(Rejection::BadLease { most: LEASE_MAX }),
            Self::Note { notes, .. } => notes.check(),
            _ => Ok(()),
        }
    }

    /// The participle of the action in the text of a rejection.
    pub const fn participle(&self) -> &'static str {
        match self {
            Self::Complete { .. } => "completed",
            Self::Retry { .. } | Self::Dead { .. } => "retried",
            Self::Release => "released",
            Self::Defer { .. } => "deferred",
            Self::Lost => "lost",
            Self::RedeliverForHandOver { .. } => "condemned",
            Self::Note { .. } => "noted",
        }
    }
}

/// The first rejection among the results of a request.
pub fn first_rejection<T>(answers: &[Result<T, Rejection>]) -> Option<&Rejection> {
    answers.iter().find_map(|answer| answer.as_ref().err())
}
