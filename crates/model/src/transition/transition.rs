//! The result of a rule.

use redrive_core::{LetterId, Status, Time};

use super::{NewDocument, PendingDeath};
use crate::{EndReason, Event, Item};

/// The change of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// The changed item, with its new documents, oldest first.
    Changed { item: Item, event: Event, documents: Vec<NewDocument> },
    /// The item no longer exists.
    Gone(EndReason),
}

/// A transition, or the death of the item: then the store must look up its dead queue and call [`die`](super::die()).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Done(Transition),
    Dies(Item, PendingDeath),
}

impl Transition {
    /// A changed item. A letter gets its next revision: one per transition, for any number of documents.
    pub fn of(mut item: Item, event: Event, now: Time) -> Self {
        if let Some(letter) = item.letter_mut() {
            letter.revision += 1;
            letter.updated_at = now;
        }
        Self::Changed { item, event, documents: Vec::new() }
    }

    /// Adds documents.
    #[must_use]
    pub fn with(mut self, document: impl IntoIterator<Item = NewDocument>) -> Self {
        if let Self::Changed { documents, .. } = &mut self {
            documents.extend(document);
        }
        self
    }

    /// The letter that this transition completed. The store must release the letters that wait for it with
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
