//! How many letters wait longer than they should.
//!
//! Letters become overdue by time alone, and nothing happens to them then. So they are counted when somebody asks:
//! each letter is passed once on the way from the last time of asking to this one.

use redrive_core::Time;

use super::queue::DueOrder;

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
    pub(crate) fn moved<'o>(self, now: Time, orders: impl Iterator<Item = &'o DueOrder>) -> Self {
        let (from, to) = (self.at.min(now), self.at.max(now));
        let between: usize = orders.map(|order| order.range((from, u64::MAX)..=(to, u64::MAX)).count()).sum();
        let between = between as u64;
        let count = if now < self.at { self.count - between } else { self.count + between };
        Self { at: now, count }
    }

    pub(crate) const fn count(self) -> u64 {
        self.count
    }
}
