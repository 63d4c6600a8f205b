//! Read the feed of changed letters.

use redrive_core::{LetterId, QueueName};
use redrive_model::{Cursor, OpContext, ReadChanges, Rejection};

use crate::fact::Fact;
use crate::feed::{Change, Feed};
use crate::{Apply, Facts, LocatedItem, State, View};

impl Apply for Cursor {
    type Reply = Result<u64, Rejection>;

    /// Returns the new position of the cursor.
    fn apply(self, state: &mut State, _: OpContext, facts: &mut Facts) -> Self::Reply {
        let (name, position) = match self {
            Self::Register { name } => {
                if name.is_empty() || name.len() > Feed::NAME_BYTES_MAX {
                    return Err(Rejection::BadCursor { most: Feed::NAME_BYTES_MAX });
                }
                if let Some(position) = state.feed.cursor(&name) {
                    return Ok(position);
                }
                if state.feed.cursors().len() >= Feed::CURSORS_MAX {
                    return Err(Rejection::TooManyCursors { most: Feed::CURSORS_MAX });
                }
                (name, Some(state.feed.next() - 1))
            }
            Self::Advance { name, position } => {
                let Some(current) = state.feed.cursor(&name) else { return Err(Rejection::NoSuchCursor(name)) };
                if position >= state.feed.next() {
                    return Err(Rejection::BadPosition);
                }
                if position <= current {
                    return Ok(current);
                }
                (name, Some(position))
            }
            Self::Remove { name } => {
                if state.feed.cursor(&name).is_none() {
                    return Err(Rejection::NoSuchCursor(name));
                }
                (name, None)
            }
        };
        state.record(Fact::Cursor { name, position }, facts);
        Ok(position.unwrap_or_default())
    }
}

impl View for ReadChanges {
    type Reply = Result<ChangesPage, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let Some(current) = state.feed.cursor(&self.cursor) else {
            return Err(Rejection::NoSuchCursor(self.cursor.clone()));
        };
        let mut position = self.after.unwrap_or(current).max(current);
        let mut changes = Vec::new();
        for (number, change) in state.feed.after(position) {
            if changes.len() >= self.limit {
                break;
            }
            position = number;
            changes.extend(shown(state, number, change));
        }
        Ok(ChangesPage { changes, position, depth: state.feed.len() })
    }
}

/// A page of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangesPage {
    pub changes: Vec<LetterChange>,
    /// The position to advance to once these changes are processed.
    pub position: u64,
    /// The number of changes that wait for any cursor.
    pub depth: usize,
}

/// The newest state of a letter, or its removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LetterChange {
    Now {
        queue: QueueName,
        item: Box<LocatedItem>,
    },
    Gone {
        queue: QueueName,
        letter: LetterId,
    },
    /// A queue was deleted with all its letters.
    QueueGone {
        queue: QueueName,
    },
}

fn shown(state: &State, number: u64, change: &Change) -> Option<LetterChange> {
    Some(match change {
        Change::Letter { slot } => {
            // A letter that was deleted with its queue is covered by the entry of the queue.
            let item = state.live(*slot)?;
            item.letter().filter(|letter| letter.change == number)?;
            let queue = state.queues.get(&item.queue)?.settings.name.clone();
            LetterChange::Now { queue, item: Box::new(LocatedItem::of(*slot, item)) }
        }
        Change::LetterGone { queue, letter } => LetterChange::Gone { queue: queue.clone(), letter: *letter },
        Change::QueueGone { queue } => LetterChange::QueueGone { queue: queue.clone() },
    })
}
