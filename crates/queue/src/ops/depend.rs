//! Letters that wait for others to be completed.
//!
//! Whoever completes a letter frees those that waited for it alone, in the same step: nothing is looked for. A captured
//! letter waits only for letters that were there before it, so that nobody waits in a circle; one that is put back from a
//! copy is looked at for that. What a letter waits for may be exhausted, archived or purged: then its queue says what becomes
//! of it, in `bereave.rs`.

use std::collections::{BTreeMap, BTreeSet};

use redrive_core::{ItemId, LetterId, Status};

use super::WholeLetter;
use crate::fact::Facts;
use crate::item::{Item, Phase};
use crate::letter::Settled;
use crate::queue::Why;
use crate::stamp::Stamp;
use crate::state::NO_DOCUMENT;
use crate::{Moment, Refusal, State};

/// So many letters a letter may wait for: they are in each of its records.
pub(super) const DEPENDENCIES_MAX: usize = 32;
/// So many may wait for one: its completion frees them all at once, in the room that the smallest file has.
const DEPENDENTS_MAX: usize = 100;
/// So many letters are looked at for a circle. Whoever waits for more than these waits for a person in the worst case.
const LOOKS_MAX: usize = 10_000;

impl State {
    /// Whether a new letter may wait for these, where so many more will wait for them before it.
    pub(super) fn check_dependencies(
        &self,
        queue: u32,
        depends_on: &[LetterId],
        before: &BTreeMap<LetterId, usize>,
    ) -> Result<(), Refusal> {
        check_dependencies_count(depends_on)?;
        for id in depends_on {
            self.slot_of_letter(queue, *id).ok_or(Refusal::NoSuchDependency(*id))?;
        }
        self.check_dependents(depends_on, before)
    }

    /// Whether a letter that is put back may wait for these; they may come after it.
    pub(super) fn check_order(&self, item: &Item) -> Result<(), Refusal> {
        let Some(id) = item.letter().map(|letter| letter.id) else { return Ok(()) };
        self.check_dependents(item.waits_for(), &BTreeMap::new())?;
        let mut seen: BTreeSet<LetterId> = BTreeSet::new();
        let mut ahead: Vec<LetterId> = item.waits_for().to_vec();
        while let Some(next) = ahead.pop().filter(|_| seen.len() < LOOKS_MAX) {
            if next == id {
                return Err(Refusal::WaitsForItself(id));
            }
            if seen.insert(next) {
                let found = self.letter_anywhere(next).filter(|(_, other)| other.queue == item.queue);
                ahead.extend(found.iter().flat_map(|(_, other)| other.waits_for()));
            }
        }
        Ok(())
    }

    fn check_dependents(&self, ids: &[LetterId], before: &BTreeMap<LetterId, usize>) -> Result<(), Refusal> {
        let more = |id: &LetterId| before.get(id).copied().unwrap_or(0);
        let is_full = |id: &&LetterId| self.waiting_for(**id) + more(id) >= DEPENDENTS_MAX;
        match ids.iter().find(is_full) {
            Some(id) => Err(Refusal::TooManyDependents { letter: *id, most: DEPENDENTS_MAX }),
            None => Ok(()),
        }
    }

    /// Those of the letters that are not completed, each once.
    pub(super) fn unfinished(&self, queue: u32, depends_on: &[LetterId]) -> Vec<LetterId> {
        let mut unfinished = each_once(depends_on);
        unfinished.retain(|id| !self.is_completed(queue, *id));
        unfinished
    }

    fn is_completed(&self, queue: u32, id: LetterId) -> bool {
        self.slot_of_letter(queue, id).is_some_and(|(_, letter)| letter.status == Status::Completed)
    }

    /// How many letters wait for the one that somebody holds under this id.
    pub fn waiting_for_item(&self, id: ItemId) -> usize {
        let (_, slot) = Stamp::split(id.ksuid());
        let letter = self.items.get(slot).and_then(Item::letter);
        letter.map_or(0, |letter| self.waiting_for(letter.id))
    }

    /// How many letters wait for this one.
    pub fn waiting_for(&self, id: LetterId) -> usize {
        self.dependents.get(&id).map_or(0, BTreeMap::len)
    }

    /// The letter in this slot may be completed by now: then those that waited for it alone get their schedule.
    pub(super) fn unblock(&mut self, slot: u32, moment: Moment, facts: &mut Facts) {
        let letter = self.items.get(slot).and_then(Item::letter);
        let Some(done) = letter.filter(|letter| letter.status == Status::Completed).map(|letter| letter.id) else {
            return;
        };
        let waiting: Vec<u32> =
            self.dependents.get(&done).into_iter().flat_map(|slots| slots.values().copied()).collect();
        for slot in waiting {
            self.wait_no_more(slot, &[done], moment, facts);
        }
    }

    /// The letter in this slot was put back: what it waits for may have been completed here before.
    pub(super) fn look_around(&mut self, slot: u32, moment: Moment, facts: &mut Facts) {
        let Some(item) = self.items.get(slot) else { return };
        let done: Vec<LetterId> =
            item.waits_for().iter().copied().filter(|id| self.is_completed(item.queue, *id)).collect();
        if !done.is_empty() {
            self.wait_no_more(slot, &done, moment, facts);
        }
    }

    pub(super) fn wait_no_more(&mut self, slot: u32, done: &[LetterId], moment: Moment, facts: &mut Facts) {
        let Some(mut item) = self.live(slot).cloned() else { return };
        let left: Vec<LetterId> = item.waits_for().iter().copied().filter(|id| !done.contains(id)).collect();
        let is_free = left.is_empty();
        item.wait_for(left);
        if is_free && item.letter().is_some_and(|letter| !letter.is_overflow) {
            item = self.freed(item, moment);
        }
        self.revise(slot, Why::Unblocked, NO_DOCUMENT, facts, |old| *old = item);
    }

    /// A letter that waits for nothing any more, with the schedule that it would have had.
    fn freed(&mut self, mut item: Item, moment: Moment) -> Item {
        let settled = self.settle(&item, moment);
        let since = item.letter().map_or(moment.now, |letter| letter.last_failed_at.min(moment.now));
        let due = settled.due.map(|due| since.saturating_add(due.since(moment.now)).max(moment.now));
        if item.phase == Phase::Ready && item.letter().is_some_and(|letter| letter.status == Status::Pending) {
            return self.parked(item, Settled { due, ..settled }, moment);
        }
        // Somebody has it, or put it away: it finds its schedule when it comes back.
        if let Some(before) = item.letter_mut().and_then(|letter| letter.before.as_mut())
            && before.status == Status::Pending
        {
            before.due = before.due.or(due);
        }
        item
    }
}

impl WholeLetter {
    /// What the letter waited for where it was, each once.
    pub(super) fn waited_for(&self) -> Vec<LetterId> {
        let is_blocked = self.info.letter.as_ref().is_some_and(|letter| letter.is_blocked);
        self.dossier.as_ref().filter(|_| is_blocked).map_or_else(Vec::new, |dossier| each_once(&dossier.depends_on))
    }
}

pub(super) fn check_dependencies_count(depends_on: &[LetterId]) -> Result<(), Refusal> {
    let (count, most) = (depends_on.len(), DEPENDENCIES_MAX);
    if count > most { Err(Refusal::TooMany { what: "depends_on", count, most }) } else { Ok(()) }
}

fn each_once(letters: &[LetterId]) -> Vec<LetterId> {
    letters.iter().copied().collect::<BTreeSet<LetterId>>().into_iter().collect()
}
