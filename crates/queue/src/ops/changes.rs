//! Read the feed of changed letters.

use redrive_core::{LetterId, QueueName};

use crate::fact::{Fact, Facts};
use crate::feed::{Change, Feed};
use crate::{ItemInfo, Moment, Refusal, State};

/// Says who reads the feed, and how far they have come.
#[derive(Debug, Clone)]
pub enum Cursor {
    /// From now on, changes are kept for this reader.
    Register { name: String },
    /// The reader has dealt with everything up to this position.
    Advance { name: String, position: u64 },
    /// The reader will not come back.
    Remove { name: String },
}

impl Cursor {
    /// Where the reader stands now.
    pub fn apply(self, state: &mut State, _moment: Moment, facts: &mut Facts) -> Result<u64, Refusal> {
        let (name, position) = match self {
            Self::Register { name } => {
                if name.is_empty() || name.len() > Feed::NAME_BYTES_MAX {
                    return Err(Refusal::BadCursor { most: Feed::NAME_BYTES_MAX });
                }
                if let Some(position) = state.feed.cursor(&name) {
                    return Ok(position);
                }
                if state.feed.cursors().len() >= Feed::CURSORS_MAX {
                    return Err(Refusal::TooManyCursors { most: Feed::CURSORS_MAX });
                }
                (name, Some(state.feed.next() - 1))
            }
            Self::Advance { name, position } => {
                let Some(today) = state.feed.cursor(&name) else { return Err(Refusal::NoSuchCursor(name)) };
                if position >= state.feed.next() {
                    return Err(Refusal::BadPosition);
                }
                if position <= today {
                    return Ok(today);
                }
                (name, Some(position))
            }
            Self::Remove { name } => {
                if state.feed.cursor(&name).is_none() {
                    return Err(Refusal::NoSuchCursor(name));
                }
                (name, None)
            }
        };
        state.record(Fact::Cursor { name, position }, facts);
        Ok(position.unwrap_or_default())
    }
}

/// Changes behind a position.
#[derive(Debug, Clone)]
pub struct Changes {
    pub cursor: String,
    /// Behind this; behind what the reader has dealt with, if nothing is said.
    pub after: Option<u64>,
    pub limit: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangesPage {
    pub changes: Vec<LetterChange>,
    /// What to advance to once these are dealt with.
    pub position: u64,
    /// How many changes wait for some reader.
    pub depth: usize,
}

/// The newest state of a letter, or that it is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LetterChange {
    Now {
        queue: QueueName,
        item: Box<ItemInfo>,
    },
    Gone {
        queue: QueueName,
        letter: LetterId,
    },
    /// A queue is gone with all its letters.
    QueueGone {
        queue: QueueName,
    },
}

impl Changes {
    pub fn view(&self, state: &State) -> Result<ChangesPage, Refusal> {
        let Some(today) = state.feed.cursor(&self.cursor) else {
            return Err(Refusal::NoSuchCursor(self.cursor.clone()));
        };
        let mut position = self.after.unwrap_or(today).max(today);
        let mut changes = Vec::new();
        for (number, change) in state.feed.after(position) {
            if changes.len() >= self.limit {
                break;
            }
            position = number;
            changes.extend(told(state, number, change));
        }
        Ok(ChangesPage { changes, position, depth: state.feed.len() })
    }
}

fn told(state: &State, number: u64, change: &Change) -> Option<LetterChange> {
    Some(match change {
        Change::Letter { slot } => {
            // A letter that went with its queue is told by the queue's end.
            let item = state.live(*slot)?;
            item.letter().filter(|letter| letter.change == number)?;
            let queue = state.queues.get(&item.queue)?.settings.name.clone();
            LetterChange::Now { queue, item: Box::new(ItemInfo::of(*slot, item)) }
        }
        Change::LetterGone { queue, letter } => LetterChange::Gone { queue: queue.clone(), letter: *letter },
        Change::QueueGone { queue } => LetterChange::QueueGone { queue: queue.clone() },
    })
}
