//! Archive or remove letters, each only if it is still as somebody saw it.
//!
//! Whoever acts on many letters has looked at them before, and decided by what there was to see. Only here can nothing
//! change between a second look and the act.

use redrive_core::{LetterId, QueueName};

/// One act on letters that are as they were seen; the others stay as they are.
#[derive(Debug, Clone)]
pub struct ChangeIfUnchanged {
    pub queue: QueueName,
    pub letters: Vec<LetterRevision>,
    pub act: BulkAction,
}

/// A letter as somebody saw it.
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

/// What became of one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BulkResult {
    Done,
    /// It is not as it was seen, and nothing was done.
    Changed,
    /// It was not there any more.
    Gone,
}
