//! What a log says of letters: that there is one more, and that one is not retried automatically any more.

use redrive_core::{Category, LetterId, QueueName};
use redrive_model::Event;

/// A turn in the life of a letter. Nothing of what it carries is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterNews {
    pub queue: QueueName,
    pub letter: LetterId,
    pub category: Category,
    pub turn: LetterTurn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterTurn {
    /// A failure was captured, or an item died in its queue.
    Captured,
    Exhausted,
}

impl LetterTurn {
    /// What a count of an event means, where it is news. A letter that was put back from a copy is none.
    pub(super) const fn of(counted: Event, event: Event) -> Option<Self> {
        match (counted, event) {
            (Event::LetterMade, Event::Reinstated) => None,
            (Event::LetterMade, _) => Some(Self::Captured),
            (Event::Exhausted, _) => Some(Self::Exhausted),
            _ => None,
        }
    }
}
