//! Which letters wait for one that is lost: exhausted, archived or gone.
//!
//! It follows from the letters and who waits for whom, so it is no fact and is known again after recovery. It is kept as
//! they change: a letter that changes is looked at, and those that wait for it, of which there are a hundred at most.

use redrive_core::{LetterId, OnLostDependency, Status};
use redrive_model::Item;

use super::State;

impl State {
    /// What letters of a queue get that wait for a lost one.
    pub(crate) fn on_lost_dependency(&self, queue: u32) -> OnLostDependency {
        self.queues.get(&queue).map_or_else(OnLostDependency::default, |queue| queue.letter_settings.on_lost_dependency)
    }

    /// Whether a letter will not be completed unless somebody does something about it.
    fn is_lost(&self, queue: u32, id: LetterId) -> bool {
        let found = self.slot_of_letter(queue, id).map(|(_, letter)| letter.status);
        !matches!(found, Some(Status::Pending | Status::Retrying | Status::Completed))
    }

    /// The lost ones among those that a letter waits for.
    pub(crate) fn lost_dependencies<'s>(&'s self, item: &'s Item) -> impl Iterator<Item = LetterId> + 's {
        item.waits_for().iter().copied().filter(|id| self.is_lost(item.queue, *id))
    }

    /// The item in a slot has changed: it may wait for a lost letter by now, and those that wait for it.
    pub(super) fn weigh(&mut self, slot: u32) {
        let Some(letter) = self.items.get(slot).and_then(Item::letter).map(|letter| letter.id) else { return };
        self.weigh_one(slot);
        self.weigh_dependents(letter);
    }

    /// A letter has changed, or is gone.
    pub(super) fn weigh_dependents(&mut self, letter: LetterId) {
        let Some(waiting) = self.dependents.get(&letter) else { return };
        let waiting: Vec<u32> = waiting.values().copied().collect();
        for slot in waiting {
            self.weigh_one(slot);
        }
    }

    fn weigh_one(&mut self, slot: u32) {
        // One that is delivered for its hand-over alone waits for nobody.
        let waits = |item: &&Item| item.waits_for_others() && !item.is_hand_over_only;
        let Some(item) = self.items.get(slot).filter(waits).and_then(|_| self.live(slot)) else { return };
        let Some((queue, letter)) = item.letter().map(|letter| (item.queue, letter.id)) else { return };
        if self.lost_dependencies(item).next().is_some() {
            self.lost_dependents.entry(queue).or_default().insert(letter, slot);
        } else {
            self.remove_lost_dependent(queue, letter, slot);
        }
    }

    /// An item is taken out of its slot: whatever it waited for.
    pub(super) fn forget_lost_dependencies(&mut self, slot: u32, item: &Item) {
        if let Some(letter) = item.letter().filter(|_| item.is_blocked()) {
            self.remove_lost_dependent(item.queue, letter.id, slot);
        }
    }

    fn remove_lost_dependent(&mut self, queue: u32, letter: LetterId, slot: u32) {
        let Some(letters) = self.lost_dependents.get_mut(&queue) else { return };
        // A letter may be elsewhere by the time at which its old slot is given back.
        if letters.get(&letter) == Some(&slot) {
            letters.remove(&letter);
        }
        if letters.is_empty() {
            self.lost_dependents.remove(&queue);
        }
    }
}
