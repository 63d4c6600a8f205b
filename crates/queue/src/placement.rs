//! Which partition the next request goes to.
//!
//! Clients see the partition that a lease came from and expect the same even spread as before, ties
//! included. So this is the queue API's own rule: one list of the partitions, stably sorted by failures and
//! by un-leased items after every assignment; produce takes the first, lease the last that has no failure.
//! Only one entry changes at a time, so it is moved to its place and nothing is sorted.

use std::num::NonZeroU32;

/// The partitions of one queue, in the order in which they are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    order: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    partition: u32,
    failures: u32,
    /// Items that could be leased now; scheduled ones are not counted.
    available: u64,
}

impl Entry {
    fn rank(&self) -> (u32, u64) {
        (self.failures, self.available)
    }
}

impl Placement {
    /// Empty partitions, by their numbers.
    pub fn new(partitions: NonZeroU32) -> Self {
        let entry = |partition| Entry { partition, failures: 0, available: 0 };
        Self { order: (0..partitions.get()).map(entry).collect() }
    }

    /// Where a batch goes, of which this many items can be leased at once; `None` when every partition fails.
    pub fn produce(&mut self, available: u64) -> Option<u32> {
        let first = self.order.first().filter(|entry| entry.failures == 0)?.partition;
        self.change(0, |entry| entry.available = entry.available.saturating_add(available));
        Some(first)
    }

    /// Where a lease of at most this many items looks; `None` when every partition fails.
    pub fn lease(&mut self, batch: u64) -> Option<u32> {
        let at = self.order.iter().rposition(|entry| entry.failures == 0)?;
        let partition = self.order[at].partition;
        self.change(at, |entry| entry.available -= batch.min(entry.available));
        Some(partition)
    }

    /// Where the next batch would go; `None` when every partition fails.
    pub fn first(&self) -> Option<u32> {
        self.order.first().filter(|entry| entry.failures == 0).map(|entry| entry.partition)
    }

    /// Where the next lease would look; `None` when every partition fails.
    pub fn last(&self) -> Option<u32> {
        self.order.iter().rfind(|entry| entry.failures == 0).map(|entry| entry.partition)
    }

    /// Items came to a partition.
    pub fn added(&mut self, partition: u32, items: u64) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.available = entry.available.saturating_add(items));
        }
    }

    /// Items of a partition were leased, or are gone.
    pub fn taken(&mut self, partition: u32, items: u64) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.available = entry.available.saturating_sub(items));
        }
    }

    /// The partitions in today's order.
    pub(crate) fn partitions(&self) -> impl Iterator<Item = u32> {
        self.order.iter().map(|entry| entry.partition)
    }

    /// Puts the partitions into an order that they had before a restart. What is not named keeps its place behind.
    pub(crate) fn reorder(&mut self, partitions: &[u32]) {
        let rank = |partition| partitions.iter().position(|named| *named == partition).unwrap_or(usize::MAX);
        self.order.sort_by_key(|entry| rank(entry.partition));
    }

    /// Sets what a partition really has: what came back, fell due, expired or was cleared.
    pub fn set_available(&mut self, partition: u32, available: u64) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.available = available);
        }
    }

    /// A partition failed once more: it is passed over until it works again.
    pub fn failed(&mut self, partition: u32) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.failures = entry.failures.saturating_add(1));
        }
    }

    /// A partition works again.
    pub fn healed(&mut self, partition: u32) {
        if let Some(at) = self.position(partition) {
            self.change(at, |entry| entry.failures = 0);
        }
    }

    /// What a partition is believed to have; `None` for one that the queue does not have.
    pub fn available(&self, partition: u32) -> Option<u64> {
        self.position(partition).map(|at| self.order[at].available)
    }

    fn position(&self, partition: u32) -> Option<usize> {
        self.order.iter().position(|entry| entry.partition == partition)
    }

    /// Changes one entry and moves it to where a stable sort would put it: behind its equals when it comes
    /// from behind them, before them when it comes from the front.
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
