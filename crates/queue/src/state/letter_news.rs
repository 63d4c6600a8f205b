//! Events of letters for the log: captured and exhausted.

use redrive_core::{Category, LetterId, QueueName};
use redrive_model::Event;

/// An event of a letter for the log, without any of its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterLogEvent {
    pub queue: QueueName,
    pub letter: LetterId,
    pub category: Category,
    pub turn: LetterEventKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterEventKind {
    /// A failure was captured, or an item died in its queue.
    Captured,
    Exhausted,
}

impl LetterEventKind {
    /// The log event of a counted event, if there is one. Reinstated letters are not reported as captured.
    pub(super) const fn of(counted: Event, event: Event) -> Option<Self> {
        match (counted, event) {
            (Event::LetterMade, Event::Reinstated) => None,
            (Event::LetterMade, _) => Some(Self::Captured),
            (Event::Exhausted, _) => Some(Self::Exhausted),
            _ => None,
        }
    }
}
