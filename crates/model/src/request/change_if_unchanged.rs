//! Archive or purge letters, each only if its revision is unchanged.
//!
//! A caller of a bulk operation has read the letters before and decided by what it read. Only the store can check the
//! revision and act without a change in between.

use redrive_core::{LetterId, QueueName};

/// Applies an action to each letter with an unchanged revision; the others are skipped.
#[derive(Debug, Clone)]
pub struct ChangeIfUnchanged {
    pub queue: QueueName,
    pub letters: Vec<LetterRevision>,
    pub act: BulkAction,
}

/// A letter in a certain revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterRevision {
    pub id: LetterId,
    pub revision: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BulkAction {
    Archive,
    Purge,
}

/// The result for one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BulkResult {
    Done,
    /// The revision differs; nothing was done.
    Changed,
    /// The letter no longer exists.
    Gone,
    /// Not restored: another live item has the source id or the message of the letter.
    Held,
    /// Not resumed: the letter is not exhausted.
    NotExhausted,
    /// Not resumed: the letter is exhausted and its `max_retries` is 0.
    NoRetries,
    /// Not resumed: the record of the letter is damaged.
    Damaged,
}
