//! Put letters back as they were, with everything that was kept about them.
//!
//! A letter is known by its id, wherever its copy was: it keeps the id, so that references to it stay right. Only its fence
//! is new, since an earlier holder had it in another store.

use redrive_core::QueueName;

use crate::FullLetter;

/// Letters to put back into a queue, each of which was one before.
#[derive(Debug, Clone)]
pub struct Reinstate {
    pub queue: QueueName,
    pub letters: Vec<FullLetter>,
    pub older: OnOlderRevision,
}

/// What becomes of an older revision of a letter that the queue holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnOlderRevision {
    /// It stays, and the newer one is rejected.
    Stays,
    /// The newer one replaces it.
    GoesAway,
}

/// What became of one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reinstated {
    New,
    /// It replaced its older revision.
    Newer,
    /// The queue holds it already, in the same revision or a newer one.
    There,
}

impl Reinstate {
    /// The most letters in one request.
    pub const LETTERS_MAX: usize = super::ITEMS_MAX;
}
