//! The number of overdue letters.
//!
//! Letters become overdue by time alone, without a change of the state. So they are counted on request: the letters
//! that became due since the previous count are visited once, in chunks of a few hundred.

use redrive_core::Time;

use crate::sorted::{DueKey, Sorted};

/// The number of letters that are due at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overdue {
    at: Time,
    count: u64,
}

impl Default for Overdue {
    fn default() -> Self {
        Self { at: Time::MIN, count: 0 }
    }
}

impl Overdue {
    /// Records that a letter is due at a time.
    pub(crate) fn add(&mut self, due: Time) {
        self.count += u64::from(due <= self.at);
    }

    /// Records that a letter is no longer due at a time.
    pub(crate) fn remove(&mut self, due: Time) {
        self.count -= u64::from(due <= self.at);
    }

    /// The count at another time, which may be earlier.
    #[must_use]
    pub(crate) fn moved<'o>(self, now: Time, orders: impl Iterator<Item = &'o Sorted<DueKey>>) -> Self {
        let (from, to) = (self.at.min(now), self.at.max(now));
        let (from, to) = (DueKey::end_of(from), DueKey::end_of(to));
        let between: u64 = orders.map(|order| order.count_between(from, to) as u64).sum();
        let count = if now < self.at { self.count - between } else { self.count + between };
        Self { at: now, count }
    }

    pub(crate) const fn count(self) -> u64 {
        self.count
    }
}
