//! When something happens by itself.
//!
//! One entry an item at most, since an item waits for one thing at a time. Ordered, so that what is due is
//! found without looking at what is not.

use redrive_core::Time;

use crate::sorted::{Sorted, TimeKey};

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Timers {
    entries: Sorted<TimeKey>,
}

impl Timers {
    pub(crate) fn set(&mut self, at: Option<Time>, slot: u32) {
        if let Some(at) = at {
            self.entries.insert(TimeKey::new(at, slot));
        }
    }

    pub(crate) fn cancel(&mut self, at: Option<Time>, slot: u32) {
        if let Some(at) = at {
            self.entries.remove(&TimeKey::new(at, slot));
        }
    }

    /// All of them, the earliest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Time, u32)> {
        self.entries.iter().map(|key| (key.at(), key.slot))
    }

    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }
}
