//! Slots in the order of serial numbers, with what is asked of all of them at once.

use std::collections::BTreeMap;

use crate::item::Item;

/// Items in the order of their ids. A tree, because it grows without ever being copied.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    slots: BTreeMap<u64, u32>,
    /// The sum of the times of creation, in microseconds: a mean age without looking at any item.
    created_sum: i128,
}

impl Order {
    pub(crate) fn insert(&mut self, slot: u32, item: &Item) {
        self.slots.insert(item.stamp.serial, slot);
        self.created_sum += i128::from(item.created_at.as_micros());
    }

    pub(crate) fn remove(&mut self, item: &Item) {
        if self.slots.remove(&item.stamp.serial).is_some() {
            self.created_sum -= i128::from(item.created_at.as_micros());
        }
    }

    pub(crate) fn first(&self) -> Option<u32> {
        self.slots.first_key_value().map(|(_, slot)| *slot)
    }

    pub(crate) fn range_from(&self, serial: u64) -> std::collections::btree_map::Range<'_, u64, u32> {
        self.slots.range(serial..)
    }

    pub(crate) fn len(&self) -> u64 {
        self.slots.len() as u64
    }

    pub(crate) const fn created_sum(&self) -> i128 {
        self.created_sum
    }

    pub(crate) fn into_slots(self) -> BTreeMap<u64, u32> {
        self.slots
    }
}
