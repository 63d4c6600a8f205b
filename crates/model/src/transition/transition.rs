//! What a rule returns.

use redrive_core::{LetterId, Status};

use super::{NewDocument, PendingDeath};
use crate::{EndReason, Event, Item};

/// What became of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// The item as it is now, with the documents that are new, oldest first.
    Changed { item: Item, event: Event, documents: Vec<NewDocument> },
    /// It no longer exists.
    Gone(EndReason),
}

/// A transition; or the item dies, and the store has to find its dead queue and call [`die`](super::die()).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Done(Transition),
    Dies(Item, PendingDeath),
}

impl Transition {
    /// A changed item. A letter gets its next revision: one per transition, however many documents come with it.
    pub fn of(mut item: Item, event: Event) -> Self {
        if let Some(letter) = item.letter_mut() {
            letter.revision += 1;
        }
        Self::Changed { item, event, documents: Vec::new() }
    }

    /// The same, with one more document.
    #[must_use]
    pub fn with(mut self, document: impl IntoIterator<Item = NewDocument>) -> Self {
        if let Self::Changed { documents, .. } = &mut self {
            documents.extend(document);
        }
        self
    }

    /// The letter that this transition completed: the letters that wait for it are to be released with
    /// [`dependency_completed`](super::dependency_completed).
    pub fn completed(&self) -> Option<LetterId> {
        let Self::Changed { item, event: Event::LetterCompleted | Event::Restored | Event::Reinstated, .. } = self
        else {
            return None;
        };
        item.letter().filter(|letter| letter.status == Status::Completed).map(|letter| letter.id)
    }
}

impl From<Transition> for Step {
    fn from(transition: Transition) -> Self {
        Self::Done(transition)
    }
}
