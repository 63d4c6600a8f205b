//! One queue: its settings, and the list of partitions that the queue API describes.

use std::collections::BTreeMap;

use redrive_model::{EndReason, Event, PriorityRotation, QueueSettings};

#[derive(Debug, Clone)]
pub struct Queue {
    pub number: u32,
    pub settings: QueueSettings,
    /// Pairs of partition and number of ready items, in the order in which partitions are chosen.
    pub order: Vec<(u32, u64)>,
    pub rotations: Vec<PriorityRotation>,
    pub due_rotation: PriorityRotation,
    pub events: BTreeMap<Event, u64>,
    pub ends: BTreeMap<EndReason, u64>,
    /// Whether scheduled items were ever cleared.
    pub was_cleared: bool,
    /// The order of the newest id when ready items were last cleared.
    pub ready_cleared: u64,
}

/// The limits of a queue for its letters, and the delays of the policy `custom` in seconds.
#[derive(Debug, Clone)]
pub struct Bounds {
    pub max_attempts: u32,
    pub delays: Option<Vec<u64>>,
}

impl Queue {
    pub fn bounds(&self) -> Bounds {
        let custom = self.settings.letters.custom_backoff.as_ref().map(ToString::to_string);
        let seconds = |text: &str| text.trim_end_matches('s').parse().unwrap();
        let delays = custom.map(|text| text.split(' ').skip(1).map(seconds).collect());
        Bounds { max_attempts: self.settings.max_attempts, delays }
    }

    /// The limits for a letter that was not retried yet: `max_attempts` of the queue does not apply.
    pub fn bounds_of_new(&self) -> Bounds {
        Bounds { max_attempts: 0, ..self.bounds() }
    }

    pub fn new(number: u32, settings: QueueSettings) -> Self {
        let partitions = settings.partitions;
        Self {
            number,
            settings,
            order: (0..partitions).map(|partition| (partition, 0)).collect(),
            rotations: vec![PriorityRotation::default(); partitions as usize],
            due_rotation: PriorityRotation::default(),
            events: BTreeMap::new(),
            ends: BTreeMap::new(),
            was_cleared: false,
            ready_cleared: 0,
        }
    }

    /// The partition for the next batch of items.
    pub fn first(&self) -> u32 {
        self.order.first().map_or(0, |(partition, _)| *partition)
    }

    /// Adds items to a partition, and sorts the list again (stable).
    pub fn added(&mut self, partition: u32, items: u64) {
        self.order.iter_mut().filter(|entry| entry.0 == partition).for_each(|entry| entry.1 += items);
        self.order.sort_by_key(|entry| entry.1);
    }

    pub fn taken(&mut self, partition: u32, items: u64) {
        self.order.iter_mut().filter(|entry| entry.0 == partition).for_each(|entry| entry.1 -= items);
        self.order.sort_by_key(|entry| entry.1);
    }

    /// Assigns a lease to the last partition of the list.
    pub fn assign(&mut self, batch: u64) -> u32 {
        let (partition, available) = self.order.last().copied().unwrap_or_default();
        self.taken(partition, batch.min(available));
        partition
    }

    pub fn count(&mut self, why: Event) {
        *self.events.entry(why).or_default() += 1;
    }

    pub fn count_end(&mut self, ending: EndReason) {
        *self.ends.entry(ending).or_default() += 1;
    }
}
