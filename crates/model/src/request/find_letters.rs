//! Find letters by their in-memory fields.

use redrive_core::{Category, Fingerprint, ItemId, Ksuid, LetterId, QueueName, Status, Time};

use crate::ItemInfo;

/// Lists the letters that match all fields, in an order. It reads memory only, no documents.
#[derive(Debug, Clone)]
pub struct FindLetters {
    pub queue: QueueName,
    /// Empty for all statuses.
    pub statuses: Vec<Status>,
    pub category: Option<Category>,
    pub fingerprint: Option<Fingerprint>,
    pub source_id: Option<String>,
    pub captured: CaptureTimes,
    pub order: LetterOrder,
    /// Starts after this letter. In due order: after this one of the letters without a due time.
    pub after: Option<LetterId>,
    /// In due order, starts after this position. Ignored if `after` is set.
    pub after_due: Option<DuePosition>,
    pub limit: usize,
}

/// The order of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LetterOrder {
    /// By letter id, which is the order of capture.
    #[default]
    OldestFirst,
    NewestFirst,
    /// By the time of the next automatic retry, then by item id. Letters without one follow, the newest first.
    DueFirst,
    /// As `DueFirst`, with the latest time first. Letters without one follow, the newest first.
    DueLast,
}

/// The position of a letter with a due time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DuePosition {
    pub at: Time,
    pub item: ItemId,
}

/// When letters were captured: the time in their ids, in whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CaptureTimes {
    /// In this second or later.
    pub since: Option<Time>,
    /// Before this second.
    pub until: Option<Time>,
}

/// A page of letters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundLetters {
    pub letters: Vec<ItemInfo>,
    /// Where to continue; `None` at the end. There may be more even if the page is short: the number of visited letters
    /// per page is limited.
    pub next: Option<LetterId>,
    /// In due order, where to continue among the letters with a due time.
    pub next_due: Option<DuePosition>,
    /// The number of all letters that match, on any page. `None` if they would have to be visited to be counted.
    pub total: Option<u64>,
}

impl FindLetters {
    /// The maximum number of letters visited for one page: all other requests wait meanwhile.
    pub const VISITS_MAX: usize = 20_000;

    /// All letters of a queue, the oldest first.
    pub const fn all(queue: QueueName, limit: usize) -> Self {
        Self {
            queue,
            statuses: Vec::new(),
            category: None,
            fingerprint: None,
            source_id: None,
            captured: CaptureTimes { since: None, until: None },
            order: LetterOrder::OldestFirst,
            after: None,
            after_due: None,
            limit,
        }
    }
}

impl FoundLetters {
    /// Whether there may be more letters.
    pub const fn has_more(&self) -> bool {
        self.next.is_some() || self.next_due.is_some()
    }
}

impl CaptureTimes {
    /// Only letters with a greater id were captured late enough.
    pub fn above(&self) -> Option<LetterId> {
        self.since.and_then(Ksuid::last_before).map(LetterId::new)
    }

    /// Only letters with this or a lesser id were captured early enough; `Some(None)` if there are none.
    pub fn up_to(&self) -> Option<Option<LetterId>> {
        self.until.map(|until| Ksuid::last_before(until).map(LetterId::new))
    }

    /// Whether a letter was captured at one of these times.
    pub fn contains(&self, letter: LetterId) -> bool {
        self.above().is_none_or(|above| letter > above)
            && self.up_to().is_none_or(|up_to| up_to.is_some_and(|up_to| letter <= up_to))
    }
}
