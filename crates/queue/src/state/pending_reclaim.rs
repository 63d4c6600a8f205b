//! Removed items that still occupy their slots.
//!
//! Clearing or deleting a queue of five million items must not block other requests. So whole orders are detached in
//! one step, and their slots are reclaimed a few at a time.

use std::collections::VecDeque;

use redrive_model::Item;

use crate::queue::{Order, Queue};
use crate::sorted::{LetterOrderKey, RankKey, Sorted};

#[derive(Debug, Default)]
pub(super) struct PendingReclaim {
    orders: VecDeque<DetachedOrder>,
    count: u64,
}

/// A detached order, by its kind of key.
#[derive(Debug)]
enum DetachedOrder {
    Items(Sorted<RankKey>),
    Letters(Sorted<LetterOrderKey>),
}

impl DetachedOrder {
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

    /// Removes an item. Returns whether it was present.
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
        self.push(DetachedOrder::Items(order.into_slots()));
    }

    /// Adds all items of a deleted queue.
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
        // Live letters are in the orders above.
        let [_pending, _retrying, _exhausted, completed, archived] = queue.by_status;
        self.push(DetachedOrder::Letters(completed));
        self.push(DetachedOrder::Letters(archived));
    }

    fn push(&mut self, order: DetachedOrder) {
        self.count += order.len() as u64;
        if order.len() > 0 {
            self.orders.push_back(order);
        }
    }

    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The slots to reclaim next.
    pub(super) fn next(&self, limit: usize) -> Vec<u32> {
        self.orders.iter().flat_map(DetachedOrder::slots).take(limit).collect()
    }

    /// Records that a slot was reclaimed.
    pub(super) fn reclaimed(&mut self, slot: u32, item: &Item) {
        let Some(order) = self.orders.front_mut() else { return };
        self.count -= u64::from(order.remove(slot, item));
        if order.len() == 0 {
            self.orders.pop_front();
        }
    }
}
