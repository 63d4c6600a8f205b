//! One queue with its indexes and counters.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use redrive_core::{Fingerprint, Policy, Priority, Status, Time};
use redrive_model::{
    Destination, Event, FailureGroup, Item, LetterCounts, LetterSettings, LifetimeCounts, Phase, PriorityRotation,
    QueueRules, QueueSettings, RateEvent, RecentRates, add_to_group, remove_from_group,
};

use super::Partition;
use super::failure_index::FailureIndex;
use super::overdue::Overdue;
use crate::placement::Placement;
use crate::sorted::{DueKey, LetterOrderKey, Sorted};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Queue {
    pub(crate) settings: QueueSettings,
    /// The effective letter settings: the overrides of the queue over the defaults of the store.
    pub(crate) letter_settings: Arc<LetterSettings>,
    /// Changes with every change of the settings.
    pub(crate) revision: u64,
    pub(crate) partitions: Vec<Partition>,
    pub(crate) placement: Placement,
    pub(crate) counts: LifetimeCounts,
    /// The counters when the store was opened.
    pub(crate) counts_at_start: LifetimeCounts,
    pub(crate) rates: RecentRates,
    pub(crate) letters: LetterCounts,
    /// Letters among the scheduled items of the partitions.
    pub(crate) scheduled_letters: u64,
    pub(crate) groups: BTreeMap<Fingerprint, FailureGroup>,
    /// Captured letters that began a group, since the store was opened.
    pub(crate) new_groups: u64,
    /// The destinations with the number of their letters, which share the name.
    pub(crate) destinations: BTreeMap<Arc<str>, (Destination, u64)>,
    /// Letters that wait for an automatic retry, by destination, because a claim may exclude destinations.
    pub(crate) due: BTreeMap<Arc<str>, [Sorted<DueKey>; Priority::ALL.len()]>,
    pub(crate) due_rotation: PriorityRotation,
    pub(crate) overdue: Overdue,
    /// The number of letters whose due time is before the second in their id. Usually 0: a letter is retried after its
    /// capture. A clock that steps back and letters of another store are the exceptions.
    pub(crate) due_before_capture: u64,
    pub(crate) by_status: [Sorted<LetterOrderKey>; Status::ALL.len()],
    pub(crate) failures: FailureIndex,
    /// Letters that wait until the queue has space.
    pub(crate) overflow: Sorted<LetterOrderKey>,
}

impl Queue {
    pub(crate) fn new(settings: QueueSettings, store: &LetterSettings) -> Self {
        let partitions = NonZeroU32::new(settings.partitions).unwrap_or(NonZeroU32::MIN);
        Self {
            partitions: (0..partitions.get()).map(|_| Partition::default()).collect(),
            placement: Placement::new(partitions),
            letter_settings: Arc::new(settings.letters.over(store)),
            revision: 0,
            settings,
            counts: LifetimeCounts::default(),
            counts_at_start: LifetimeCounts::default(),
            rates: RecentRates::default(),
            letters: LetterCounts::default(),
            scheduled_letters: 0,
            groups: BTreeMap::new(),
            new_groups: 0,
            destinations: BTreeMap::new(),
            due: BTreeMap::new(),
            due_rotation: PriorityRotation::default(),
            overdue: Overdue::default(),
            due_before_capture: 0,
            by_status: Default::default(),
            failures: FailureIndex::default(),
            overflow: Sorted::default(),
        }
    }

    pub(crate) fn partition(&self, partition: u32) -> Option<&Partition> {
        self.partitions.get(partition as usize)
    }

    pub(crate) fn partition_mut(&mut self, partition: u32) -> Option<&mut Partition> {
        self.partitions.get_mut(partition as usize)
    }

    /// Adds an item to all indexes. The placement is not updated: the caller does that.
    pub(crate) fn add(&mut self, slot: u32, item: &mut Item) {
        if let Some(letter) = item.letter_mut() {
            self.share_destination(&mut letter.destination);
        }
        if let Some(partition) = self.partition_mut(item.partition) {
            partition.add(slot, item);
        }
        let Some(letter) = item.letter() else { return };
        self.letters.add(letter);
        self.by_status[letter.status as usize].insert(LetterOrderKey { id: letter.id, slot });
        self.failures.add(slot, letter);
        if letter.status.is_live() {
            add_to_group(&mut self.groups, letter);
        }
        self.letters.blocked += u64::from(item.waits_for_others());
        self.scheduled_letters += u64::from(is_scheduled(item.phase));
        if item.waits_for_room() {
            self.letters.overflow += 1;
            self.overflow.insert(LetterOrderKey { id: letter.id, slot });
        }
        if item.phase == Phase::Due {
            let orders = self.due.entry(Arc::clone(letter.destination.name())).or_default();
            orders[item.priority as usize].insert(DueKey::new(item.at, item.stamp.serial, slot));
            self.overdue.add(item.at);
            self.due_before_capture += u64::from(item.at < letter.id.ksuid().time());
        }
    }

    /// Removes an item from all indexes to which [`Queue::add`] added it.
    pub(crate) fn remove(&mut self, slot: u32, item: &Item) {
        if let Some(partition) = self.partition_mut(item.partition) {
            partition.remove(slot, item);
        }
        let Some(letter) = item.letter() else { return };
        self.release_destination(&letter.destination);
        self.letters.remove(letter);
        self.by_status[letter.status as usize].remove(&LetterOrderKey { id: letter.id, slot });
        self.failures.remove(slot, letter);
        if letter.status.is_live() {
            remove_from_group(&mut self.groups, letter);
        }
        self.letters.blocked -= u64::from(item.waits_for_others());
        self.scheduled_letters -= u64::from(is_scheduled(item.phase));
        if item.waits_for_room() {
            self.letters.overflow -= 1;
            self.overflow.remove(&LetterOrderKey { id: letter.id, slot });
        }
        if item.phase == Phase::Due
            && let Some(orders) = self.due.get_mut(letter.destination.name())
        {
            orders[item.priority as usize].remove(&DueKey::new(item.at, item.stamp.serial, slot));
            self.overdue.remove(item.at);
            self.due_before_capture -= u64::from(item.at < letter.id.ksuid().time());
            if orders.iter().all(Sorted::is_empty) {
                self.due.remove(letter.destination.name());
            }
        }
    }

    /// Lets a letter share the destination name of other letters.
    fn share_destination(&mut self, destination: &mut Destination) {
        if let Some((shared, count)) = self.destinations.get_mut(&**destination) {
            *destination = shared.clone();
            *count += 1;
        } else {
            self.destinations.insert(Arc::clone(destination.name()), (destination.clone(), 1));
        }
    }

    fn release_destination(&mut self, destination: &str) {
        if let Some((_, count)) = self.destinations.get_mut(destination) {
            *count -= 1;
            if *count == 0 {
                self.destinations.remove(destination);
            }
        }
    }

    pub(crate) fn available(&self) -> u64 {
        self.partitions.iter().map(Partition::available).sum()
    }

    /// The number of items in all states but damaged, letters included.
    pub(crate) fn items(&self) -> u64 {
        self.partitions.iter().map(|partition| partition.total() + partition.scheduled.len()).sum()
    }

    /// The number of overflow letters that can be admitted. Overflow letters are live but do not count against
    /// `max_size` here.
    pub(crate) fn room(&self) -> u64 {
        let taken = self.letters.live().saturating_sub(self.letters.overflow);
        self.letter_settings.max_size.map_or(u64::MAX, |most| most.saturating_sub(taken))
    }

    /// The settings for the rules.
    pub(crate) fn rules<'q>(&'q self, policy: &'q Policy) -> QueueRules<'q> {
        QueueRules { settings: &self.settings, letters: &self.letter_settings, policy }
    }

    /// Counts an event at a time.
    pub(crate) fn count(&mut self, why: Event, at: Time) {
        self.counts.count(why, 1);
        if let Some(event) = RateEvent::of(why) {
            self.rates.count(event, 1, at);
        }
    }

    /// The number of letters that are due at `now`.
    pub(crate) fn overdue_at(&self, now: Time) -> Overdue {
        self.overdue.moved(now, self.due.values().flatten())
    }

    /// The earliest due time of an automatic retry; may be in the past.
    pub(crate) fn next_due(&self) -> Option<Time> {
        let firsts = self.due.values().flatten().filter_map(Sorted::first);
        firsts.map(DueKey::at).min()
    }
}

const fn is_scheduled(phase: Phase) -> bool {
    matches!(phase, Phase::Scheduled | Phase::Due)
}
