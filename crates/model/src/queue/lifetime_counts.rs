//! What a queue has done in its life, and what its letters are now: counted as it happens, never by looking.

use std::collections::BTreeMap;

use redrive_core::{Category, Fingerprint, RetryPolicy, Status, Time};

use crate::letter::Letter;

/// Why an item is as it is now: what a fact about it is counted under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    Produced,
    Imported,
    /// A letter was captured.
    Captured,
    /// It came from a queue in which it died.
    MovedIn,
    /// It died, and went to the dead queue.
    DeadLettered,
    /// A holder wants it tried again.
    Retried,
    /// Its holder gave it back untried.
    Released,
    /// Its holder gave it back for later.
    Deferred,
    /// It is delivered once more, for the hand-over only.
    RedeliveredForHandOver,
    /// A lease ran out.
    LeaseExpired,
    /// Its time came.
    Promoted,
    /// It died, and its dead queue is missing.
    Stranded,
    /// A letter was claimed.
    Claimed,
    /// A letter's work is done.
    LetterCompleted,
    /// A letter's retry failed.
    RetryFailed,
    /// A letter became exhausted, by whatever.
    Exhausted,
    Archived,
    Restored,
    Edited,
    /// A second failure of the same source id went to the letter that is there.
    Merged,
    Annotated,
    /// A deadline was moved.
    Extended,
    Leased,
    /// There was room for a letter that had been over the size of its queue.
    Admitted,
    /// A letter was put back as it was, from a copy elsewhere.
    Reinstated,

    // What follows is counted of letters beside the above, so that their numbers need no look at them.
    /// A letter came to be in this queue, by whatever way.
    LetterMade,
    /// An attempt began because somebody asked for it.
    RetriedByHand,
    /// Of the retries that succeeded, those that somebody asked for.
    SucceededByHand,
    /// A retry was charged as failed.
    RetryCharged,
    /// Of these, those that somebody asked for.
    ChargedByHand,
    /// An attempt vanished, and nobody knows what it did.
    AttemptLost,
    /// A letter's holder gave it back for later.
    LetterDeferred,
    /// A letter was removed by somebody.
    LetterCleared,
    /// A letter was removed because its time was over.
    LetterForgotten,
    /// A capture was refused, for the queue was full.
    CaptureRejected,

    /// A letter that it waited for was completed, or is not waited for any more.
    Unblocked,
    /// A letter was exhausted because one that it waited for will not be completed.
    DependencyLost,

    // Of the letters that were removed because their time was over:
    /// completed ones,
    CompletedForgotten,
    /// and those that nobody took in the time that their queue gives.
    LetterExpired,

    /// Its record turned out damaged.
    SetAside,
}

impl Event {
    pub const ALL: [Self; 40] = [
        Self::Produced,
        Self::Imported,
        Self::Captured,
        Self::MovedIn,
        Self::DeadLettered,
        Self::Retried,
        Self::Released,
        Self::Deferred,
        Self::RedeliveredForHandOver,
        Self::LeaseExpired,
        Self::Promoted,
        Self::Stranded,
        Self::Claimed,
        Self::LetterCompleted,
        Self::RetryFailed,
        Self::Exhausted,
        Self::Archived,
        Self::Restored,
        Self::Edited,
        Self::Merged,
        Self::Annotated,
        Self::Extended,
        Self::Leased,
        Self::Admitted,
        Self::Reinstated,
        Self::LetterMade,
        Self::RetriedByHand,
        Self::SucceededByHand,
        Self::RetryCharged,
        Self::ChargedByHand,
        Self::AttemptLost,
        Self::LetterDeferred,
        Self::LetterCleared,
        Self::LetterForgotten,
        Self::CaptureRejected,
        Self::Unblocked,
        Self::DependencyLost,
        Self::CompletedForgotten,
        Self::LetterExpired,
        Self::SetAside,
    ];
}

/// How an item ceased to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndReason {
    Completed,
    /// Its time ran out, and there is no dead queue.
    Expired,
    /// It died of spent attempts or was given up, and there is no dead queue.
    Dropped,
    /// It died, and the dead queue has it already.
    Duplicate,
    /// Cleared, deleted or purged by somebody.
    Purged,
    /// An archived letter, whose time was over.
    Forgotten,
}

impl EndReason {
    pub const ALL: [Self; 6] =
        [Self::Completed, Self::Expired, Self::Dropped, Self::Duplicate, Self::Purged, Self::Forgotten];
}

/// How often each thing has happened, since the queue was made.
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
        for (sum, more) in self.events.iter_mut().zip(other.events) {
            *sum += more;
        }
        for (sum, more) in self.ends.iter_mut().zip(other.ends) {
            *sum += more;
        }
    }

    /// What was counted since another time.
    pub fn since(&self, start: &Self) -> Self {
        let mut since = *self;
        for (count, before) in since.events.iter_mut().zip(start.events) {
            *count -= before;
        }
        for (count, before) in since.ends.iter_mut().zip(start.ends) {
            *count -= before;
        }
        since
    }

    /// What came into the store.
    pub fn arrived(&self) -> u64 {
        self.of(Event::Produced) + self.of(Event::Imported) + self.of(Event::Captured) + self.of(Event::Reinstated)
    }

    pub fn ended_in_all(&self) -> u64 {
        self.ends.iter().sum()
    }
}

/// The letters of a queue by what they are now. Categories and policies count the live ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LetterCounts {
    pub by_status: [u64; Status::ALL.len()],
    pub by_category: [u64; Category::ALL.len()],
    pub by_policy: [u64; RetryPolicy::ALL.len()],
    /// Those that wait for room before they are scheduled.
    pub overflow: u64,
    /// Pending ones that wait for others to be completed.
    pub blocked: u64,
}

/// The live letters of one fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureGroup {
    pub count: u64,
    pub first_seen: Time,
    pub last_seen: Time,
}

impl LetterCounts {
    /// Letters that still wait for an outcome.
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

/// The faults of a queue. What was first seen stays while a letter of the fault is live.
pub fn add_to_group(groups: &mut BTreeMap<Fingerprint, FailureGroup>, letter: &Letter) {
    let group = groups.entry(letter.fingerprint).or_insert(FailureGroup {
        count: 0,
        first_seen: letter.first_failed_at,
        last_seen: letter.last_failed_at,
    });
    group.count += 1;
    group.first_seen = group.first_seen.min(letter.first_failed_at);
    group.last_seen = group.last_seen.max(letter.last_failed_at);
}

pub fn remove_from_group(groups: &mut BTreeMap<Fingerprint, FailureGroup>, letter: &Letter) {
    if let Some(group) = groups.get_mut(&letter.fingerprint) {
        group.count -= 1;
        if group.count == 0 {
            groups.remove(&letter.fingerprint);
        }
    }
}
