//! The letters with a lost dependency: one that is exhausted, archived or deleted.
//!
//! The index is derived from the letters and their dependencies, so it is not recorded as facts; recovery rebuilds it.
//! It is updated with every change of a letter: for the letter and its dependents, of which there are at most a
//! hundred.

use redrive_core::{LetterId, OnLostDependency, Status};
use redrive_model::Item;

use super::State;

impl State {
    /// The setting of a queue for letters with a lost dependency.
    pub(crate) fn on_lost_dependency(&self, queue: u32) -> OnLostDependency {
        self.queues.get(&queue).map_or_else(OnLostDependency::default, |queue| queue.letter_settings.on_lost_dependency)
    }

    /// Whether a letter will not be completed without an operator.
    fn is_lost(&self, queue: u32, id: LetterId) -> bool {
        let found = self.slot_of_letter(queue, id).map(|(_, letter)| letter.status);
        !matches!(found, Some(Status::Pending | Status::Retrying | Status::Completed))
    }

    /// The lost dependencies of a letter.
    pub(crate) fn lost_dependencies<'s>(&'s self, item: &'s Item) -> impl Iterator<Item = LetterId> + 's {
        item.waits_for().iter().copied().filter(|id| self.is_lost(item.queue, *id))
    }

    /// Updates the index for a changed item and its dependents.
    pub(super) fn refresh_lost(&mut self, slot: u32) {
        let Some(letter) = self.items.get(slot).and_then(Item::letter).map(|letter| letter.id) else { return };
        self.refresh_lost_dependent(slot);
        self.refresh_dependents(letter);
    }

    /// Updates the index for the dependents of a changed or removed letter.
    pub(super) fn refresh_dependents(&mut self, letter: LetterId) {
        let Some(waiting) = self.dependents.get(&letter) else { return };
        let waiting: Vec<u32> = waiting.values().copied().collect();
        for slot in waiting {
            self.refresh_lost_dependent(slot);
        }
    }

    fn refresh_lost_dependent(&mut self, slot: u32) {
        // A letter that is delivered for its hand-over only ignores its dependencies.
        let waits = |item: &&Item| item.waits_for_others() && !item.is_hand_over_only;
        let Some(item) = self.items.get(slot).filter(waits).and_then(|_| self.live(slot)) else { return };
        let Some((queue, letter)) = item.letter().map(|letter| (item.queue, letter.id)) else { return };
        if self.lost_dependencies(item).next().is_some() {
            self.lost_dependents.entry(queue).or_default().insert(letter, slot);
        } else {
            self.remove_lost_dependent(queue, letter, slot);
        }
    }

    /// Removes an item that is taken out of its slot from the index.
    pub(super) fn remove_lost_dependencies(&mut self, slot: u32, item: &Item) {
        if let Some(letter) = item.letter().filter(|_| item.is_blocked()) {
            self.remove_lost_dependent(item.queue, letter.id, slot);
        }
    }

    fn remove_lost_dependent(&mut self, queue: u32, letter: LetterId, slot: u32) {
        let Some(letters) = self.lost_dependents.get_mut(&queue) else { return };
        // A letter may have been reinstated in another slot by the time its old slot is reclaimed.
        if letters.get(&letter) == Some(&slot) {
            letters.remove(&letter);
        }
        if letters.is_empty() {
            self.lost_dependents.remove(&queue);
        }
    }
}
