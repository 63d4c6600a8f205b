//! Find letters by what the state machine knows of them.

use redrive_core::{Category, Fingerprint, LetterId, QueueName, Status};

use crate::ItemInfo;

/// Letters of which all of this is true, in the order of their ids, behind `after`. Nothing is read for it but memory.
#[derive(Debug, Clone)]
pub struct FindLetters {
    pub queue: QueueName,
    /// None named: all of them.
    pub statuses: Vec<Status>,
    pub category: Option<Category>,
    pub fingerprint: Option<Fingerprint>,
    pub source_id: Option<String>,
    pub after: Option<LetterId>,
    pub limit: usize,
}

/// A page of letters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundLetters {
    pub letters: Vec<ItemInfo>,
    /// Where to go on. There may be more even if the page is short: a question has only so much time.
    pub next: Option<LetterId>,
}

impl FindLetters {
    /// So many letters are looked at for one page: everybody else waits meanwhile.
    pub const LOOKS_MAX: usize = 20_000;

    /// All letters of a queue.
    pub const fn all(queue: QueueName, limit: usize) -> Self {
        Self { queue, statuses: Vec::new(), category: None, fingerprint: None, source_id: None, after: None, limit }
    }
}
