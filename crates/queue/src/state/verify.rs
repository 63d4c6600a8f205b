//! Checks the consistency of the state.
//!
//! All orders, counters, timers and indexes are derived from the items. So they can be rebuilt from the items and
//! compared: by tests after every step, and by the doctor on a store.

use std::collections::BTreeMap;

use redrive_core::LetterId;
use redrive_model::{DocumentRef, Item, ItemInfo};

use super::State;
use crate::answers::RememberedAnswer;
use crate::fact::{Fact, ItemImage};
use crate::feed::Change;
use crate::queue::Queue;

/// A difference between two values that should be equal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} is inconsistent: {found} instead of {expected}")]
pub struct Mismatch {
    pub what: String,
    pub found: String,
    pub expected: String,
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), Mismatch> {
    if found == expected {
        return Ok(());
    }
    Err(Mismatch { what: what.to_owned(), found: format!("{found:?}"), expected: format!("{expected:?}") })
}

impl State {
    /// Checks that every index matches the items and that no item was lost. Visits all items.
    pub fn verify(&self) -> Result<(), Mismatch> {
        let sum = self.conservation();
        same("arrived", &sum.arrived, &(sum.present + sum.ended))?;
        let mut rebuilt = Self::recovering();
        for (number, queue) in &self.queues {
            let settings = Box::new(queue.settings.clone());
            rebuilt.rebuild(Fact::QueueSet { queue: *number, settings })?;
        }
        for (slot, item) in self.live_items() {
            let image = ItemImage { slot, item: item.clone(), place: item.place, docs: item.docs().collect() };
            rebuilt.rebuild(Fact::Images { images: vec![image] })?;
        }
        for (number, queue) in &self.queues {
            let expected = rebuilt.queues.get(number);
            let expected = expected.map(derived).unwrap_or_default();
            same(queue.settings.name.as_str(), &derived(queue), &expected)?;
        }
        same("the set of queues with overflow letters", &self.overflowing, &rebuilt.overflowing)?;
        let mut displaced = self.displaced_letters.clone();
        displaced.retain(|_, slot| self.live(*slot).is_some());
        same("the index of displaced letters", &displaced, &rebuilt.displaced_letters)?;
        same("the index of dependents", &self.live_dependents(), &rebuilt.live_dependents())?;
        same("the index of lost dependencies", &self.lost_dependents, &rebuilt.lost_dependents)?;
        same("the usage of segment_usage", &rebuilt.segment_usage, &self.live_shelves())?;
        same("the number of timers", &self.live_timers(), &rebuilt.timers.len())
    }

    /// Checks that two states are indistinguishable by requests.
    pub fn same_as(&self, other: &Self) -> Result<(), Mismatch> {
        let infos = |state: &Self| -> BTreeMap<u32, (u32, ItemInfo)> {
            state.live_items().map(|(slot, item)| (slot, (item.queue, ItemInfo::of(slot, item)))).collect()
        };
        same("the items", &infos(self), &infos(other))?;
        same("the names", &self.names, &other.names)?;
        for (number, queue) in &self.queues {
            let other = other.queues.get(number);
            same("the settings", &Some(&queue.settings), &other.map(|other| &other.settings))?;
            same("the counts", &Some(queue.counts), &other.map(|other| other.counts))?;
            same("the placement", &Some(&queue.placement), &other.map(|other| &other.placement))?;
            let rotations =
                |queue: &Queue| -> Vec<_> { queue.partitions.iter().map(|partition| partition.rotation).collect() };
            same("the rotations", &Some(rotations(queue)), &other.map(rotations))?;
            same("the rotation of letters", &Some(queue.due_rotation), &other.map(|other| other.due_rotation))?;
        }
        same("the index of dependents", &self.live_dependents(), &other.live_dependents())?;
        same("the index of lost dependencies", &self.lost_dependents, &other.lost_dependents)?;
        same("the answers", &self.live_answers(), &other.live_answers())?;
        same("the keys", &self.keys, &other.keys)?;
        same("the cursors", &self.feed.cursors(), &other.feed.cursors())?;
        same("the next change", &self.feed.next(), &other.feed.next())?;
        same("the feed", &self.live_changes(), &other.live_changes())?;
        same("the sum of deleted queues", &self.past, &other.past)?;
        same("the last serial number", &self.stamps.last().serial, &other.stamps.last().serial)
    }

    pub(super) fn live_items(&self) -> impl Iterator<Item = (u32, &Item)> {
        self.items.slots(0).filter_map(|slot| self.live(slot).map(|item| (slot, item)))
    }

    /// The stored answers of existing queues.
    fn live_answers(&self) -> Vec<(u64, &RememberedAnswer)> {
        self.answers.after(0).filter(|(_, answer)| self.queues.contains_key(&answer.queue)).collect()
    }

    fn live_dependents(&self) -> BTreeMap<LetterId, BTreeMap<LetterId, u32>> {
        let mut dependents = self.dependents.clone();
        for waiting in dependents.values_mut() {
            waiting.retain(|_, slot| self.live(*slot).is_some());
        }
        dependents.retain(|_, waiting| !waiting.is_empty());
        dependents
    }

    /// The feed without letters that were deleted with their queue.
    fn live_changes(&self) -> Vec<(u64, &Change)> {
        let is_live = |(_, change): &(u64, &Change)| match change {
            Change::Letter { slot } => self.live(*slot).is_some(),
            Change::LetterGone { .. } | Change::QueueGone { .. } => true,
        };
        self.feed.after(0).filter(is_live).collect()
    }

    fn live_timers(&self) -> usize {
        let all = self.timers.all();
        all.filter(|(at, slot)| self.live(*slot).is_some_and(|item| item.timer() == Some(*at))).count()
    }

    fn live_shelves(&self) -> BTreeMap<u32, u64> {
        let mut segment_usage = self.segment_usage.clone();
        let removed = self.items.slots(0).filter(|slot| self.live(*slot).is_none());
        let places = removed.filter_map(|slot| self.items.get(slot)).flat_map(Item::places);
        for place in places.filter(|place: &DocumentRef| place.is_kept()) {
            if let Some(used) = segment_usage.get_mut(&place.segment) {
                *used = used.saturating_sub(u64::from(place.len));
            }
        }
        segment_usage.retain(|_, used| *used > 0);
        segment_usage
    }

    fn rebuild(&mut self, fact: Fact) -> Result<(), Mismatch> {
        self.apply(fact, DocumentRef::NONE).map_err(|broken| Mismatch {
            what: "the state".to_owned(),
            found: broken.to_string(),
            expected: "a state that can be rebuilt".to_owned(),
        })
    }
}

/// The part of a queue that is derived from its items.
fn derived(queue: &Queue) -> String {
    let orders: Vec<_> = queue
        .partitions
        .iter()
        .zip(0..)
        .map(|(partition, number)| {
            let placed = queue.placement.available(number);
            (&partition.ready, &partition.leased, &partition.scheduled, &partition.stranded, &partition.damaged, placed)
        })
        .collect();
    let groups: Vec<_> = queue.groups.iter().map(|(fingerprint, group)| (fingerprint, group.counts)).collect();
    let due = (&queue.due, queue.due_before_capture, queue.scheduled_letters);
    format!("{orders:?} {:?} {groups:?} {due:?} {:?} {:?}", queue.letters, queue.by_status, queue.overflow)
}
