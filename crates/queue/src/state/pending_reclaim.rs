//! Items that are gone for everybody, and still lie in their slots.
//!
//! Clearing or deleting a queue of five million items must not stop the others. So whole orders are set aside
//! at once, and their slots are given back a few at a time.

use std::collections::VecDeque;

use redrive_model::Item;

use crate::queue::{Order, Queue};
use crate::sorted::{LetterOrderKey, RankKey, Sorted};

#[derive(Debug, Default)]
pub(super) struct PendingReclaim {
    orders: VecDeque<Aside>,
    count: u64,
}

/// An order that was set aside, by what it is ordered by.
#[derive(Debug)]
enum Aside {
    Items(Sorted<RankKey>),
    Letters(Sorted<LetterOrderKey>),
}

impl Aside {
    fn len(&self) -> usize {
        match self {
            Self::Items(order) => order.len(),
            Self::Letters(order) => order.len(),
        }
    }

    fn slots(&self) -> impl Iterator<Item = u32> {
        let (items, letters) = match self {
            Self::Items(order) => (Some(order.iter()), None),
            Self::Letters(order) => (None, Some(order.iter())),
        };
        let items = items.into_iter().flatten().map(|key| key.slot);
        items.chain(letters.into_iter().flatten().map(|key| key.slot))
    }

    /// Takes an item out; whether it was in.
    fn remove(&mut self, slot: u32, item: &Item) -> bool {
        match self {
            Self::Items(order) => order.remove(&RankKey::new(item.stamp.serial, slot)),
            Self::Letters(order) => {
                item.letter().is_some_and(|letter| order.remove(&LetterOrderKey { id: letter.id, slot }))
            }
        }
    }
}

impl PendingReclaim {
    pub(super) fn add(&mut self, order: Order) {
        self.push(Aside::Items(order.into_slots()));
    }

    /// Everything of a queue that is gone.
    pub(super) fn add_queue(&mut self, queue: Queue) {
        for partition in queue.partitions {
            for order in partition.ready {
                self.add(order);
            }
            self.add(partition.leased);
            self.add(partition.scheduled);
            self.add(partition.stranded);
            self.add(partition.damaged);
        }
        // Letters that wait for something are in the orders above.
        let [_pending, _retrying, _exhausted, completed, archived] = queue.by_status;
        self.push(Aside::Letters(completed));
        self.push(Aside::Letters(archived));
    }

    fn push(&mut self, order: Aside) {
        self.count += order.len() as u64;
        if order.len() > 0 {
            self.orders.push_back(order);
        }
    }

    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The slots that are given back next.
    pub(super) fn next(&self, limit: usize) -> Vec<u32> {
        self.orders.iter().flat_map(Aside::slots).take(limit).collect()
    }

    /// A slot was given back.
    pub(super) fn reclaimed(&mut self, slot: u32, item: &Item) {
        let Some(order) = self.orders.front_mut() else { return };
        self.count -= u64::from(order.remove(slot, item));
        if order.len() == 0 {
            self.orders.pop_front();
        }
    }
}
