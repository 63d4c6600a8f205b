//! Letters that wait for others to be completed.
//!
//! The completion of a letter releases those that waited for it alone, in the same step. A captured letter waits only for
//! letters that were there before it, so no circle comes about; a reinstated one is checked for that. A letter that is
//! waited for may be exhausted, archived or purged: then the settings of its queue say what becomes of those that wait. The
//! clock finds them, a bounded number at once: one that is exhausted for that may be waited for itself, and so on.

use std::collections::{BTreeMap, BTreeSet};

use redrive_core::{ItemId, LetterId, OnLostDependency, Status};
use redrive_model::{DEPENDENTS_MAX, Item, OpContext, Rejection, Stamp, transition};

use crate::{Facts, State};

/// How many letters are looked at for a circle. A letter that waits for more than these waits for an operator at worst.
const LOOKS_MAX: usize = 10_000;

impl State {
    /// Whether a reinstated letter may wait for those that it names; they may come after it.
    pub(super) fn check_order(&self, item: &Item) -> Result<(), Rejection> {
        let Some(id) = item.letter().map(|letter| letter.id) else { return Ok(()) };
        if let Some(letter) = item.waits_for().iter().find(|id| self.waiting_for(**id) >= DEPENDENTS_MAX) {
            return Err(Rejection::TooManyDependents { letter: *letter, most: DEPENDENTS_MAX });
        }
        let mut seen: BTreeSet<LetterId> = BTreeSet::new();
        let mut ahead: Vec<LetterId> = item.waits_for().to_vec();
        while let Some(next) = ahead.pop().filter(|_| seen.len() < LOOKS_MAX) {
            if next == id {
                return Err(Rejection::WaitsForItself(id));
            }
            if seen.insert(next) {
                let found = self.letter_anywhere(next).filter(|(_, other)| other.queue == item.queue);
                ahead.extend(found.iter().flat_map(|(_, other)| other.waits_for()));
            }
        }
        Ok(())
    }

    /// How many letters wait for the one that is held under this id.
    pub fn waiting_for_item(&self, id: ItemId) -> usize {
        let (_, slot) = Stamp::split(id.ksuid());
        let letter = self.items.get(slot).and_then(Item::letter);
        letter.map_or(0, |letter| self.waiting_for(letter.id))
    }

    /// How many letters wait for this one.
    pub fn waiting_for(&self, id: LetterId) -> usize {
        self.dependents.get(&id).map_or(0, BTreeMap::len)
    }

    /// A letter was completed: those that waited for it alone get their schedule.
    pub(crate) fn release_dependents(&mut self, done: LetterId, op: OpContext, facts: &mut Facts) {
        let waiting: Vec<u32> =
            self.dependents.get(&done).into_iter().flat_map(|slots| slots.values().copied()).collect();
        for slot in waiting {
            self.wait_no_more(slot, &[done], op, facts);
        }
    }

    /// The letter in this slot was reinstated: what it waits for may have been completed here before.
    pub(super) fn release_from_completed(&mut self, slot: u32, op: OpContext, facts: &mut Facts) {
        let Some(item) = self.items.get(slot) else { return };
        let is_completed = |id: &LetterId| {
            let letter = self.slot_of_letter(item.queue, *id).map(|(_, letter)| letter.status);
            letter == Some(Status::Completed)
        };
        let done: Vec<LetterId> = item.waits_for().iter().copied().filter(is_completed).collect();
        if !done.is_empty() {
            self.wait_no_more(slot, &done, op, facts);
        }
    }

    fn wait_no_more(&mut self, slot: u32, done: &[LetterId], op: OpContext, facts: &mut Facts) {
        if self.live(slot).is_some() {
            self.transit(slot, op, facts, |item, rules, stamps| {
                transition::dependency_completed(item, rules, done, op, stamps)
            });
        }
    }

    /// Releases or exhausts letters that wait for a lost one, and those that wait for these, up to `limit`; gives how many.
    pub(super) fn settle_lost_dependents(&mut self, limit: usize, op: OpContext, facts: &mut Facts) -> usize {
        let mut count = 0;
        while count < limit {
            match self.settle_next_lost(limit - count, op, facts) {
                0 => break,
                more => count += more,
            }
        }
        count
    }

    fn settle_next_lost(&mut self, limit: usize, op: OpContext, facts: &mut Facts) -> usize {
        let mut dependents = Vec::new();
        for (queue, letters) in &self.lost_dependents {
            let then = self.on_lost_dependency(*queue);
            if then != OnLostDependency::Wait {
                dependents.extend(letters.values().take(limit - dependents.len()).map(|slot| (*slot, then)));
            }
        }
        for (slot, then) in &dependents {
            let Some(item) = self.live(*slot) else { continue };
            let lost: Vec<LetterId> = self.lost_dependencies(item).collect();
            let first = lost.first().and_then(|first| self.slot_of_letter(item.queue, *first));
            let status = first.map(|(_, letter)| letter.status);
            match then {
                OnLostDependency::Wait => {}
                OnLostDependency::Release => self.wait_no_more(*slot, &lost, op, facts),
                OnLostDependency::Exhaust => {
                    self.transit(*slot, op, facts, |item, rules, stamps| {
                        transition::dependency_lost(item, rules, &lost, status, op, stamps)
                    });
                }
            }
        }
        dependents.len()
    }
}
