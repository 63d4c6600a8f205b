//! The feed of changed letters: one entry per letter, and none without a reader.

use std::collections::BTreeMap;

use redrive_core::{LetterId, QueueName};
use redrive_model::{Cursor, Rejection};

use super::{Expected, Number};

#[derive(Debug, Clone, Default)]
pub struct Feed {
    pub cursors: BTreeMap<String, u64>,
    /// Changes in order, each with its position.
    pub entries: Vec<(u64, Change)>,
    /// The position of the newest change.
    pub last: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Letter(Number),
    LetterGone { queue: QueueName, letter: LetterId },
    QueueGone { queue: QueueName },
}

impl Feed {
    pub fn changed(&mut self, letter: Number) {
        self.forget(letter);
        self.push(Change::Letter(letter));
    }

    pub fn gone(&mut self, number: Number, queue: QueueName, letter: LetterId) {
        self.forget(number);
        self.push(Change::LetterGone { queue, letter });
    }

    /// Replaces the entries of a deleted queue's letters with one entry for the queue.
    pub fn queue_gone(&mut self, queue: QueueName, letters: &[Number]) {
        for letter in letters {
            self.forget(*letter);
        }
        self.push(Change::QueueGone { queue });
    }

    pub(super) fn forget(&mut self, letter: Number) {
        self.entries.retain(|(_, change)| *change != Change::Letter(letter));
    }

    fn push(&mut self, change: Change) {
        if !self.cursors.is_empty() {
            self.last += 1;
            self.entries.push((self.last, change));
        }
    }

    pub fn after(&self, position: u64) -> impl Iterator<Item = &(u64, Change)> {
        self.entries.iter().filter(move |(at, _)| *at > position)
    }

    pub fn apply(&mut self, cursor: &Cursor) -> Result<Expected, Rejection> {
        let position = match cursor {
            Cursor::Register { name } if name.is_empty() => return Err(Rejection::BadCursor { most: 256 }),
            Cursor::Register { name } => *self.cursors.entry(name.clone()).or_insert(self.last),
            Cursor::Advance { name, position } => {
                let today = self.cursors.get_mut(name).ok_or_else(|| Rejection::NoSuchCursor(name.clone()))?;
                if *position > self.last {
                    return Err(Rejection::BadPosition);
                }
                *today = (*today).max(*position);
                *today
            }
            Cursor::Remove { name } => {
                self.cursors.remove(name).ok_or_else(|| Rejection::NoSuchCursor(name.clone()))?;
                0
            }
        };
        // Changes that all readers have read are removed.
        let seen = self.cursors.values().min().copied().unwrap_or(u64::MAX);
        self.entries.retain(|(at, _)| *at > seen);
        Ok(Expected::Position(position))
    }
}
