//! How many letters wait longer than they should.
//!
//! Letters become overdue by time alone, and nothing happens to them then. So they are counted when somebody asks:
//! what lies between the last time of asking and this one is passed once, a few hundred at a step.

use redrive_core::Time;

use crate::sorted::{DueKey, Sorted};

/// The letters that were due at a time.
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
    /// A letter is due at a time now.
    pub(crate) fn add(&mut self, due: Time) {
        self.count += u64::from(due <= self.at);
    }

    /// A letter is no longer due at a time.
    pub(crate) fn remove(&mut self, due: Time) {
        self.count -= u64::from(due <= self.at);
    }

    /// The same at another time; clocks may go back.
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
