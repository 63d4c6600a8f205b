//! One queue: its settings, and the list of partitions that the queue API describes.

use std::collections::BTreeMap;

use redrive_queue::{Ending, QueueSettings, Turns, Why};

#[derive(Debug, Clone)]
pub(crate) struct Queue {
    pub(crate) number: u32,
    pub(crate) settings: QueueSettings,
    /// (partition, un-leased items), in the order in which they are chosen.
    pub(crate) order: Vec<(u32, u64)>,
    pub(crate) turns: Vec<Turns>,
    pub(crate) due_turns: Turns,
    pub(crate) whys: BTreeMap<Why, u64>,
    pub(crate) endings: BTreeMap<Ending, u64>,
    /// Scheduled items were cleared away at some time.
    pub(crate) was_cleared: bool,
}

impl Queue {
    pub(crate) fn new(number: u32, settings: QueueSettings) -> Self {
        let partitions = settings.partitions;
        Self {
            number,
            settings,
            order: (0..partitions).map(|partition| (partition, 0)).collect(),
            turns: vec![Turns::default(); partitions as usize],
            due_turns: Turns::default(),
            whys: BTreeMap::new(),
            endings: BTreeMap::new(),
            was_cleared: false,
        }
    }

    /// Where a batch of items goes.
    pub(crate) fn first(&self) -> u32 {
        self.order.first().map_or(0, |(partition, _)| *partition)
    }

    /// Items came to a partition. The list is sorted anew, and ties keep their order.
    pub(crate) fn added(&mut self, partition: u32, items: u64) {
        self.order.iter_mut().filter(|entry| entry.0 == partition).for_each(|entry| entry.1 += items);
        self.order.sort_by_key(|entry| entry.1);
    }

    pub(crate) fn taken(&mut self, partition: u32, items: u64) {
        self.order.iter_mut().filter(|entry| entry.0 == partition).for_each(|entry| entry.1 -= items);
        self.order.sort_by_key(|entry| entry.1);
    }

    /// Assigns a lease: to the last of the list.
    pub(crate) fn assign(&mut self, batch: u64) -> u32 {
        let (partition, available) = self.order.last().copied().unwrap_or_default();
        self.taken(partition, batch.min(available));
        partition
    }

    pub(crate) fn count(&mut self, why: Why) {
        *self.whys.entry(why).or_default() += 1;
    }

    pub(crate) fn count_end(&mut self, ending: Ending) {
        *self.endings.entry(ending).or_default() += 1;
    }
}
