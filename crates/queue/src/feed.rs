//! The feed of changed letters: an outbox for readers that keep copies.
//!
//! There is one entry per letter: a reader gets the newest state, so a letter that changed ten times is reported once.
//! Without a cursor, no entries are kept.

use std::collections::BTreeMap;

use redrive_core::{LetterId, QueueName};

/// An entry of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Letter { slot: u32 },
    LetterGone { queue: QueueName, letter: LetterId },
    QueueGone { queue: QueueName },
}

/// The changes that at least one cursor has not passed yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Feed {
    /// The position of each cursor.
    cursors: BTreeMap<String, u64>,
    entries: BTreeMap<u64, Change>,
    /// The number of the next change, counted from 1.
    next: u64,
}

impl Default for Feed {
    fn default() -> Self {
        Self { cursors: BTreeMap::new(), entries: BTreeMap::new(), next: 1 }
    }
}

impl Feed {
    pub(crate) const CURSORS_MAX: usize = 64;
    pub(crate) const NAME_BYTES_MAX: usize = 256;

    /// The first of `count` consecutive numbers for changes that are about to be recorded; 0 if there is no cursor.
    pub(crate) fn numbers(&self, count: u64) -> u64 {
        if self.cursors.is_empty() || count == 0 { 0 } else { self.next }
    }

    /// Appends a change. `before` is the number of the entry that it replaces.
    pub(crate) fn put(&mut self, number: u64, before: u64, change: Change) {
        self.entries.remove(&before);
        if self.seen_by_all().is_some_and(|seen| number > seen) {
            self.entries.insert(number, change);
        }
        self.next = self.next.max(number + 1);
    }

    /// Removes a change that another entry covers.
    pub(crate) fn forget(&mut self, number: u64) {
        self.entries.remove(&number);
    }

    pub(crate) fn cursor(&self, name: &str) -> Option<u64> {
        self.cursors.get(name).copied()
    }

    pub(crate) fn cursors(&self) -> &BTreeMap<String, u64> {
        &self.cursors
    }

    pub(crate) fn set_cursor(&mut self, name: String, position: Option<u64>) {
        match position {
            Some(position) => self.cursors.insert(name, position),
            None => self.cursors.remove(&name),
        };
        // Entries that all cursors have passed are no longer needed.
        let seen = self.seen_by_all().unwrap_or(u64::MAX);
        while let Some(entry) = self.entries.first_entry()
            && *entry.key() <= seen
        {
            entry.remove();
        }
    }

    fn seen_by_all(&self) -> Option<u64> {
        self.cursors.values().min().copied()
    }

    pub(crate) fn after(&self, position: u64) -> impl Iterator<Item = (u64, &Change)> {
        self.entries.range(position.saturating_add(1)..).map(|(number, change)| (*number, change))
    }

    pub(crate) const fn next(&self) -> u64 {
        self.next
    }

    pub(crate) fn set_next(&mut self, next: u64) {
        self.next = next;
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}
