//! The timers of items.
//!
//! At most one entry per item, since an item waits for one thing at a time. Ordered by time, so that due entries are
//! found without a scan.

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

    /// All timers, the earliest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Time, u32)> {
        self.entries.iter().map(|key| (key.at(), key.slot))
    }

    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }
}
