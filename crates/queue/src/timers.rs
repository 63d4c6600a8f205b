//! When something happens by itself.
//!
//! One entry an item at most, since an item waits for one thing at a time. Ordered, so that what is due is
//! found without looking at what is not.

use std::collections::BTreeSet;

use redrive_core::Time;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Timers {
    entries: BTreeSet<(Time, u32)>,
}

impl Timers {
    pub(crate) fn set(&mut self, at: Option<Time>, slot: u32) {
        if let Some(at) = at {
            self.entries.insert((at, slot));
        }
    }

    pub(crate) fn cancel(&mut self, at: Option<Time>, slot: u32) {
        if let Some(at) = at {
            self.entries.remove(&(at, slot));
        }
    }

    /// All of them, the earliest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Time, u32)> {
        self.entries.iter().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}
