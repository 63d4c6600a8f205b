//! Hand letters back to a queue of the same store.
//!
//! The letter is completed and its work produced in one step: it is never in both places and never in none. The item
//! remembers its letter: if it dies, the letter has failed again.

use std::sync::Arc;

use redrive_core::{ItemId, QueueName};

use super::LetterRevision;
use crate::{NewItem, Rejection, check_count, check_source_id};

/// Hands back each letter with an unchanged revision; the others are skipped.
#[derive(Debug, Clone)]
pub struct HandBackLetters {
    /// The dead queue.
    pub queue: QueueName,
    pub letters: Vec<HandBackLetter>,
    /// The user who asked for it.
    pub actor: Option<Arc<str>>,
}

#[derive(Debug, Clone)]
pub struct HandBackLetter {
    /// The item was made of this revision.
    pub letter: LetterRevision,
    pub to: QueueName,
    pub item: NewItem,
}

/// The result for one letter. Nothing was done unless it is `Done`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandBackResult {
    /// The id of the item.
    Done(ItemId),
    /// The letter has another revision, or is being retried, completed or archived.
    Changed,
    /// The letter no longer exists.
    Gone,
    /// The letter is held.
    Held,
    /// The record of the letter is damaged.
    Damaged,
    /// The queue that it is handed back to does not exist.
    NoQueue,
    QueuePaused,
    QueueFull,
    /// The queue holds, or remembers, an item with the same message id; its id.
    Duplicate(ItemId),
}

impl HandBackLetters {
    /// Checks the limits that are independent of the queues.
    pub fn check(&self) -> Result<(), Rejection> {
        check_count("letters", self.letters.len())?;
        self.letters.iter().try_for_each(|HandBackLetter { item, .. }| {
            item.content.check()?;
            item.message_id.as_deref().map_or(Ok(()), check_source_id)
        })
    }
}
