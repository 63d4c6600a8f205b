//! Reinstate letters from copies, with all of their documents.
//!
//! A letter keeps its id across stores, so that references to it stay valid. Only its fence is new: an earlier holder
//! may have one from another store.

use redrive_core::QueueName;

use crate::FullLetter;

/// Reinstates letters into a queue.
#[derive(Debug, Clone)]
pub struct Reinstate {
    pub queue: QueueName,
    pub letters: Vec<FullLetter>,
    pub older: OnOlderRevision,
}

/// What happens if the queue holds an older revision of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnOlderRevision {
    /// The older revision is kept, and the newer one is rejected.
    Keep,
    /// The newer revision replaces the older one.
    Replace,
}

/// The result for one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reinstated {
    New,
    /// The letter replaced its older revision.
    Newer,
    /// The queue already holds the letter in the same or a newer revision.
    There,
}

impl Reinstate {
    /// The maximum number of letters in one request.
    pub const LETTERS_MAX: usize = super::ITEMS_MAX;
}
