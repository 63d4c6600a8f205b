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

    /// What is due by now, the earliest first.
    pub(crate) fn due(&self, now: Time) -> impl Iterator<Item = (Time, u32)> {
        self.entries.iter().copied().take_while(move |(at, _)| *at <= now)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn next(&self) -> Option<Time> {
        self.entries.first().map(|(at, _)| *at)
    }
}
