//! Find letters by their in-memory fields.

use redrive_core::{Category, Fingerprint, LetterId, QueueName, Status};

use crate::ItemInfo;

/// Lists the letters that match all fields, in id order, after `after`. It reads memory only, no documents.
#[derive(Debug, Clone)]
pub struct FindLetters {
    pub queue: QueueName,
    /// Empty for all statuses.
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
    /// Where to continue; `None` at the end. There may be more even if the page is short: the number of visited letters
    /// per page is limited.
    pub next: Option<LetterId>,
}

impl FindLetters {
    /// The maximum number of letters visited for one page: all other requests wait meanwhile.
    pub const VISITS_MAX: usize = 20_000;

    /// All letters of a queue.
    pub const fn all(queue: QueueName, limit: usize) -> Self {
        Self { queue, statuses: Vec::new(), category: None, fingerprint: None, source_id: None, after: None, limit }
    }
}
