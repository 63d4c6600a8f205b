//! Assigns requests to partitions.
//!
//! Clients see the partition of a lease and rely on the even distribution of the queue API, including its order of
//! ties. So this is its rule: one list of the partitions, stably sorted by failures and by available items after every
//! assignment; produce takes the first partition, lease the last one without failures. Only one entry changes at a
//! time, so it is moved to its position instead of sorting the list.

use std::num::NonZeroU32;

/// The partitions of one queue, in assignment order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    order: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    partition: u32,
    failures: u32,
    /// Items that can be leased now, without scheduled ones.
    available: u64,
}

impl Entry {
    fn rank(&self) -> (u32, u64) {
        (self.failures, self.available)
    }
}

impl Placement {
    /// Empty partitions, in numeric order.
    pub fn new(partitions: NonZeroU32) -> Self {
        let entry = |partition| Entry { partition, failures: 0, available: 0 };
        Self { order: (0..partitions.get()).map(entry).collect() }
    }

    /// Assigns a batch with `available` items that can be leased immediately; `None` if every partition fails.
    pub fn produce(&mut self, available: u64) -> Option<u32> {
        let first = self.order.first().filter(|entry| entry.failures == 0)?.partition;
        self.change(0, |entry| entry.available = entry.available.saturating_add(available));
        Some(first)
    }

    /// Assigns a lease of at most `batch` items; `None` if every partition fails.
    pub fn lease(&mut self, batch: u64) -> Option<u32> {
        let at = self.order.iter().rposition(|entry| entry.failures == 0)?;
        let partition = self.order[at].partition;
        self.change(at, |entry| entry.available -= batch.min(entry.available));
        Some(partition)
    }

    /// The partition of the next batch; `None` if every partition fails.
    pub fn first(&self) -> Option<u32> {
        self.order.first().filter(|entry| entry.failures == 0).map(|entry| entry.partition)
    }

    /// The partition of the next lease; `None` if every partition fails.
    pub fn last(&self) -> Option<u32> {
        self.order.iter().rfind(|entry| entry.failures == 0).map(|entry| entry.partition)
    }

    /// Records that items of a partition became available.
    pub fn added(&mut self, partition: u32, items: u64) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.available = entry.available.saturating_add(items));
        }
    }

    /// Records that items of a partition were leased or removed.
    pub fn taken(&mut self, partition: u32, items: u64) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.available = entry.available.saturating_sub(items));
        }
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
    pub fn set_available(&mut self, partition: u32, available: u64) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.available = available);
        }
    }

    /// Records a failure of a partition: it is skipped until it works again.
    pub fn failed(&mut self, partition: u32) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.failures = entry.failures.saturating_add(1));
        }
    }

    /// Records that a partition works again.
    pub fn healed(&mut self, partition: u32) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.failures = 0);
        }
    }

    /// The number of available items that are counted for a partition; `None` for an unknown partition.
    pub fn available(&self, partition: u32) -> Option<u64> {
        self.position(partition).map(|at| self.order[at].available)
    }

    fn position(&self, partition: u32) -> Option<usize> {
        self.order.iter().position(|entry| entry.partition == partition)
    }

    /// Changes one entry and moves it to the position that a stable sort would give it: after its equals if it was
    /// behind them, before them if it was in front of them.
    fn change(&mut self, at: usize, change: impl FnOnce(&mut Entry)) {
        change(&mut self.order[at]);
        let rank = self.order[at].rank();
        let earlier = self.order[..at].partition_point(|entry| entry.rank() <= rank);
        if earlier < at {
            self.order[earlier..=at].rotate_right(1);
        } else {
            let passed = self.order[at + 1..].partition_point(|entry| entry.rank() < rank);
            self.order[at..=at + passed].rotate_left(1);
        }
    }
}
