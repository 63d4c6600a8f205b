//! Counters of a queue over its lifetime, and of the current state of its letters. They are updated with every change,
//! never computed by a scan.

use std::collections::BTreeMap;

use redrive_core::{Category, Fingerprint, RetryPolicy, Status, Time};

use crate::letter::Letter;
use crate::listed::listed;

listed! {
    /// An event of an item: the counter of a fact.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Event {
        Produced,
        Imported,
        /// A letter was captured.
        Captured,
        /// A dead item arrived from its queue.
        MovedIn,
        /// An item died and was moved to the dead queue.
        DeadLettered,
        /// The holder reported a failure, and the item is tried again.
        Retried,
        /// The holder returned the item without an attempt, to be leased again immediately.
        Released,
        /// The holder returned the item without an attempt, to be leased again later.
        Deferred,
        /// The item is delivered again for its hand-over only.
        RedeliveredForHandOver,
        /// A lease expired.
        LeaseExpired,
        /// A scheduled item became ready.
        Promoted,
        /// An item died and its dead queue is missing.
        Stranded,
        /// A letter was claimed.
        Claimed,
        /// A letter was completed.
        LetterCompleted,
        /// A retry of a letter failed.
        RetryFailed,
        /// A letter became exhausted, for any reason.
        Exhausted,
        Archived,
        Restored,
        Edited,
        /// A second failure of the same source id was merged into the existing letter.
        Merged,
        Annotated,
        /// The deadline of a lease was extended.
        Extended,
        Leased,
        /// A letter that had been captured into a full queue was scheduled, because the queue has space again.
        Admitted,
        /// A letter was reinstated from a copy in another store.
        Reinstated,

        // The following events are counted for letters in addition to the above, so that statistics need no scan.
        /// A letter was added to this queue, by a capture, a move or a reinstatement.
        LetterMade,
        /// A manually requested attempt started.
        RetriedByHand,
        /// A manually requested retry succeeded.
        SucceededByHand,
        /// A retry was charged as failed.
        RetryCharged,
        /// A manually requested retry was charged as failed.
        ChargedByHand,
        /// An attempt was lost; its effect is unknown.
        AttemptLost,
        /// The holder returned a letter without an attempt, to be retried later.
        LetterDeferred,
        /// A request removed a letter.
        LetterCleared,
        /// A letter was removed at the end of its retention or lifetime.
        LetterForgotten,
        /// A capture was rejected because the queue was full.
        CaptureRejected,

        /// A dependency of a letter was completed or released.
        Unblocked,
        /// A letter was exhausted because a dependency will not be completed.
        DependencyLost,

        // Subsets of `LetterForgotten`:
        /// A completed letter was removed at the end of its retention.
        CompletedForgotten,
        /// A letter was removed at the queue's `expire_timeout`.
        LetterExpired,

        /// An item was set aside because its record is damaged.
        SetAside,
        /// An exhausted letter got its retries back.
        Resumed,
        /// A holder left notes for the next delivery.
        Noted,
    }
}

listed! {
    /// Why an item no longer exists.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum EndReason {
        Completed,
        /// The item expired and its queue has no dead queue.
        Expired,
        /// The item had no attempts left or was given up, and its queue has no dead queue.
        Dropped,
        /// The item died and the dead queue already holds its source id, or it was handed back and its letter has failed
        /// again.
        Duplicate,
        /// A request cleared, deleted or purged the item.
        Purged,
        /// The retention of an archived letter ended.
        Forgotten,
    }
}

/// The number of events and ends since the queue was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LifetimeCounts {
    pub events: [u64; Event::ALL.len()],
    pub ends: [u64; EndReason::ALL.len()],
}

impl Default for LifetimeCounts {
    fn default() -> Self {
        Self { events: [0; Event::ALL.len()], ends: [0; EndReason::ALL.len()] }
    }
}

impl LifetimeCounts {
    pub fn of(&self, why: Event) -> u64 {
        self.events[why as usize]
    }

    pub fn ended(&self, ending: EndReason) -> u64 {
        self.ends[ending as usize]
    }

    pub fn count(&mut self, why: Event, times: u64) {
        self.events[why as usize] += times;
    }

    pub fn count_end(&mut self, ending: EndReason, times: u64) {
        self.ends[ending as usize] += times;
    }

    pub fn add(&mut self, other: &Self) {
        let events = self.events.iter_mut().zip(other.events);
        for (sum, more) in events.chain(self.ends.iter_mut().zip(other.ends)) {
            *sum += more;
        }
    }

    /// The counts since `start`.
    pub fn since(&self, start: &Self) -> Self {
        let mut since = *self;
        let events = since.events.iter_mut().zip(start.events);
        for (count, before) in events.chain(since.ends.iter_mut().zip(start.ends)) {
            *count -= before;
        }
        since
    }

    /// Items and letters that arrived from outside the store.
    pub fn arrived(&self) -> u64 {
        self.of(Event::Produced) + self.of(Event::Imported) + self.of(Event::Captured) + self.of(Event::Reinstated)
    }

    pub fn ended_in_all(&self) -> u64 {
        self.ends.iter().sum()
    }
}

/// The number of letters of a queue by their current state. Categories and policies count live letters only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LetterCounts {
    pub by_status: [u64; Status::ALL.len()],
    pub by_category: [u64; Category::ALL.len()],
    pub by_policy: [u64; RetryPolicy::ALL.len()],
    /// Letters that wait until the queue has space.
    pub overflow: u64,
    /// Pending letters that wait for their dependencies.
    pub blocked: u64,
}

/// The live letters with one fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureGroup {
    pub counts: LiveCounts,
    pub first_seen: Time,
    pub last_seen: Time,
}

/// The number of live letters by status. A store has at most 2³² items, and a queue may have millions of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LiveCounts {
    pub pending: u32,
    pub retrying: u32,
    pub exhausted: u32,
}

impl LiveCounts {
    pub fn sum(self) -> u64 {
        u64::from(self.pending) + u64::from(self.retrying) + u64::from(self.exhausted)
    }

    /// The count of a status; `None` for one that is not live.
    pub const fn of(&mut self, status: Status) -> Option<&mut u32> {
        match status {
            Status::Pending => Some(&mut self.pending),
            Status::Retrying => Some(&mut self.retrying),
            Status::Exhausted => Some(&mut self.exhausted),
            Status::Completed | Status::Archived => None,
        }
    }
}

impl LetterCounts {
    /// Letters in any status.
    pub fn all(&self) -> u64 {
        self.by_status.iter().sum()
    }

    /// Letters without a final outcome.
    pub fn live(&self) -> u64 {
        Status::ALL.iter().filter(|status| status.is_live()).map(|status| self.by_status[*status as usize]).sum()
    }

    pub fn of(&self, status: Status) -> u64 {
        self.by_status[status as usize]
    }

    pub fn add(&mut self, letter: &Letter) {
        self.by_status[letter.status as usize] += 1;
        if letter.status.is_live() {
            self.by_category[letter.category as usize] += 1;
            self.by_policy[letter.policy as usize] += 1;
        }
    }

    pub fn remove(&mut self, letter: &Letter) {
        self.by_status[letter.status as usize] -= 1;
        if letter.status.is_live() {
            self.by_category[letter.category as usize] -= 1;
            self.by_policy[letter.policy as usize] -= 1;
        }
    }
}

/// Adds a live letter to the group of its fingerprint. `first_seen` is kept while the group has a live letter.
pub fn add_to_group(groups: &mut BTreeMap<Fingerprint, FailureGroup>, letter: &Letter) {
    let group = groups.entry(letter.fingerprint).or_insert(FailureGroup {
        counts: LiveCounts::default(),
        first_seen: letter.first_failed_at,
        last_seen: letter.last_failed_at,
    });
    if let Some(count) = group.counts.of(letter.status) {
        *count += 1;
    }
    group.first_seen = group.first_seen.min(letter.first_failed_at);
    group.last_seen = group.last_seen.max(letter.last_failed_at);
}

pub fn remove_from_group(groups: &mut BTreeMap<Fingerprint, FailureGroup>, letter: &Letter) {
    if let Some(group) = groups.get_mut(&letter.fingerprint) {
        if let Some(count) = group.counts.of(letter.status) {
            *count -= 1;
        }
        if group.counts.sum() == 0 {
            groups.remove(&letter.fingerprint);
        }
    }
}
