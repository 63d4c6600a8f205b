//! Slots in the order of serial numbers, with aggregates over all of them.

use redrive_model::Item;

use crate::sorted::{RankKey, Sorted};

/// Items in the order of their ids.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    slots: Sorted<RankKey>,
    /// The sum of the creation times in microseconds, from which the mean age is computed without a scan.
    created_sum: i128,
}

impl Order {
    pub(crate) fn insert(&mut self, slot: u32, item: &Item) {
        self.slots.insert(RankKey::new(item.stamp.serial, slot));
        self.created_sum += i128::from(item.created_at.as_micros());
    }

    pub(crate) fn remove(&mut self, slot: u32, item: &Item) {
        if self.slots.remove(&RankKey::new(item.stamp.serial, slot)) {
            self.created_sum -= i128::from(item.created_at.as_micros());
        }
    }

    pub(crate) fn first(&self) -> Option<u32> {
        self.slots.first().map(|key| key.slot)
    }

    /// The items from a serial number on.
    pub(crate) fn range_from(&self, serial: u64) -> impl Iterator<Item = RankKey> {
        self.slots.from(RankKey::new(serial, 0))
    }

    pub(crate) const fn len(&self) -> u64 {
        self.slots.len() as u64
    }

    pub(crate) const fn created_sum(&self) -> i128 {
        self.created_sum
    }

    pub(crate) fn into_slots(self) -> Sorted<RankKey> {
        self.slots
    }
}
