//! Assigns requests to partitions.
//!
//! Clients see the partition of a lease and rely on the even distribution of the queue API, including its order of
//! ties. So this is its rule: one list of the partitions, stably sorted by available items after every assignment;
//! produce takes the first partition, lease the last one. Only one entry changes at a time, so it is moved to its
//! position instead of sorting the list.

use std::num::NonZeroU32;

/// The partitions of one queue, in assignment order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placement {
    order: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    partition: u32,
    /// Items that can be leased now, without scheduled ones.
    available: u64,
}

impl Placement {
    /// Empty partitions, in numeric order.
    pub(crate) fn new(partitions: NonZeroU32) -> Self {
        Self { order: (0..partitions.get()).map(|partition| Entry { partition, available: 0 }).collect() }
    }

    /// The partition of the next batch.
    pub(crate) fn first(&self) -> Option<u32> {
        self.order.first().map(|entry| entry.partition)
    }

    /// The partition of the next lease.
    pub(crate) fn last(&self) -> Option<u32> {
        self.order.last().map(|entry| entry.partition)
    }

    /// Records that items of a partition became available.
    pub(crate) fn added(&mut self, partition: u32, items: u64) {
        self.change(partition, |available| available.saturating_add(items));
    }

    /// Records that items of a partition were leased or removed.
    pub(crate) fn taken(&mut self, partition: u32, items: u64) {
        self.change(partition, |available| available.saturating_sub(items));
    }

    /// The partitions in their current order.
    pub(crate) fn partitions(&self) -> impl Iterator<Item = u32> {
        self.order.iter().map(|entry| entry.partition)
    }

    /// Restores the order from before a restart. Partitions that are not listed keep their relative order at the end.
    pub(crate) fn reorder(&mut self, partitions: &[u32]) {
        let rank = |partition| partitions.iter().position(|named| *named == partition).unwrap_or(usize::MAX);
        self.order.sort_by_key(|entry| rank(entry.partition));
    }

    /// Sets the number of available items of a partition.
    pub(crate) fn set_available(&mut self, partition: u32, available: u64) {
        self.change(partition, |_| available);
    }

    /// The number of available items that are counted for a partition; `None` for an unknown partition.
    pub(crate) fn available(&self, partition: u32) -> Option<u64> {
        self.position(partition).map(|at| self.order[at].available)
    }

    fn position(&self, partition: u32) -> Option<usize> {
        self.order.iter().position(|entry| entry.partition == partition)
    }

    /// Changes the entry of a partition and moves it to the position that a stable sort would give it: after its equals if it was
    /// behind them, before them if it was in front of them.
    fn change(&mut self, partition: u32, change: impl FnOnce(u64) -> u64) {
        let Some(at) = self.position(partition) else { return };
        let available = change(self.order[at].available);
        self.order[at].available = available;
        let earlier = self.order[..at].partition_point(|entry| entry.available <= available);
        if earlier < at {
            self.order[earlier..=at].rotate_right(1);
        } else {
            let passed = self.order[at + 1..].partition_point(|entry| entry.available < available);
            self.order[at..=at + passed].rotate_left(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Change = (fn(&mut Placement, u32, u64), fn(u64, u64) -> u64);
    const CHANGES: [Change; 3] = [
        (Placement::added, u64::saturating_add),
        (Placement::taken, u64::saturating_sub),
        (Placement::set_available, |_, available| available),
    ];

    proptest! {
        /// Moving one entry gives the same order as sorting the list again, including ties.
        #[test]
        fn the_order_is_that_of_a_stable_sort(
            partitions in 1..7u32,
            steps in prop::collection::vec((0..3usize, 0..7u32, 0..6u64), 1..60),
        ) {
            let mut placement = Placement::new(NonZeroU32::new(partitions).unwrap());
            let mut model: Vec<(u32, u64)> = (0..partitions).map(|partition| (partition, 0)).collect();
            for (change, partition, items) in steps {
                let (apply, expected) = CHANGES[change];
                apply(&mut placement, partition, items);
                let entries = model.iter_mut().filter(|entry| entry.0 == partition);
                entries.for_each(|entry| entry.1 = expected(entry.1, items));
                model.sort_by_key(|entry| entry.1);
                prop_assert_eq!(placement.partitions().collect::<Vec<_>>(), model.iter().map(|entry| entry.0).collect::<Vec<_>>());
                prop_assert_eq!((placement.first(), placement.last()), (model.first().map(|entry| entry.0), model.last().map(|entry| entry.0)));
            }
        }
    }
}
