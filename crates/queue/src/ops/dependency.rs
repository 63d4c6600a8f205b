//! Dependencies between letters.
//!
//! The completion of a letter releases, in the same step, the dependents that have no other dependency. A captured
//! letter can only depend on existing letters, so it cannot close a cycle; a reinstated one is checked for cycles. If a
//! dependency is exhausted, archived or purged, `on_lost_dependency` of the queue applies to its dependents. The tick
//! processes them, a bounded number at a time, because an exhausted dependent may have dependents, and so on.

use std::collections::{BTreeMap, BTreeSet};

use redrive_core::{ItemId, LetterId, OnLostDependency, Status};
use redrive_model::{DEPENDENTS_MAX, Item, OpContext, Rejection, Stamp, transition};

use crate::{Facts, State};

/// The maximum number of letters visited by the check for cycles. With a longer cycle, the letter waits for an
/// operator.
const VISITS_MAX: usize = 10_000;

impl State {
    /// Checks the dependencies of a reinstated letter; they may be reinstated later than the letter.
    pub(super) fn check_dependencies(&self, item: &Item) -> Result<(), Rejection> {
        let Some(id) = item.letter().map(|letter| letter.id) else { return Ok(()) };
        if let Some(letter) = item.waits_for().iter().find(|id| self.waiting_for(**id) >= DEPENDENTS_MAX) {
            return Err(Rejection::TooManyDependents { letter: *letter, most: DEPENDENTS_MAX });
        }
        let mut seen: BTreeSet<LetterId> = BTreeSet::new();
        let mut ahead: Vec<LetterId> = item.waits_for().to_vec();
        while let Some(next) = ahead.pop().filter(|_| seen.len() < VISITS_MAX) {
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

    /// The number of letters that wait for the letter with this item id.
    pub fn waiting_for_item(&self, id: ItemId) -> usize {
        let (_, slot) = Stamp::split(id.ksuid());
        let letter = self.items.get(slot).and_then(Item::letter);
        letter.map_or(0, |letter| self.waiting_for(letter.id))
    }

    /// The number of letters that wait for this letter.
    pub fn waiting_for(&self, id: LetterId) -> usize {
        self.dependents.get(&id).map_or(0, BTreeMap::len)
    }

    /// Removes a completed letter from the dependencies of other letters, which schedules those without a remaining
    /// one.
    pub(crate) fn release_dependents(&mut self, done: LetterId, op: OpContext, facts: &mut Facts) {
        let waiting: Vec<u32> =
            self.dependents.get(&done).into_iter().flat_map(|slots| slots.values().copied()).collect();
        for slot in waiting {
            self.remove_dependencies(slot, &[done], op, facts);
        }
    }

    /// Removes the dependencies of a reinstated letter that are already completed in this store.
    pub(super) fn release_from_completed(&mut self, slot: u32, op: OpContext, facts: &mut Facts) {
        let Some(item) = self.items.get(slot) else { return };
        let is_completed = |id: &LetterId| {
            let letter = self.slot_of_letter(item.queue, *id).map(|(_, letter)| letter.status);
            letter == Some(Status::Completed)
        };
        let done: Vec<LetterId> = item.waits_for().iter().copied().filter(is_completed).collect();
        if !done.is_empty() {
            self.remove_dependencies(slot, &done, op, facts);
        }
    }

    fn remove_dependencies(&mut self, slot: u32, done: &[LetterId], op: OpContext, facts: &mut Facts) {
        if self.live(slot).is_some() {
            self.transit(slot, op, facts, |item, rules, stamps| {
                transition::dependency_completed(item, rules, done, op, stamps)
            });
        }
    }

    /// Releases or exhausts letters with a lost dependency, and then their dependents, up to `limit`. Returns their
    /// number.
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
                OnLostDependency::Release => self.remove_dependencies(*slot, &lost, op, facts),
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
