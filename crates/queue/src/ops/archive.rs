//! Archive letters.

use redrive_core::{LetterId, Status};
use redrive_model::{Archive, Item, OpContext, Rejection, check_count, transition};

use crate::{Apply, Facts, State};

impl Apply for Archive {
    type Reply = Result<u64, Rejection>;

    /// Returns the number of archived letters. Letters that were already archived are not counted and are not an error.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        let slots = state.slots_of_letters(number, &self.letters)?;
        Ok(slots.into_iter().map(|slot| u64::from(state.archive_once(slot, op, facts))).sum())
    }
}

impl State {
    /// Archives a letter unless it is already archived. Returns whether it was archived now.
    pub(super) fn archive_once(&mut self, slot: u32, op: OpContext, facts: &mut Facts) -> bool {
        let status = self.items.get(slot).and_then(Item::letter).map(|letter| letter.status);
        let is_new = status != Some(Status::Archived);
        if is_new {
            self.archive(slot, op, facts);
        }
        is_new
    }

    pub(super) fn archive(&mut self, slot: u32, op: OpContext, facts: &mut Facts) {
        self.transit(slot, op, facts, |item, rules, stamps| transition::archive(item, rules, op, stamps));
    }

    /// The slots of letters, without duplicates. An unknown letter is an error.
    pub(super) fn slots_of_letters(&self, queue: u32, letters: &[LetterId]) -> Result<Vec<u32>, Rejection> {
        let slot_of = |id: &LetterId| self.slot_of_letter(queue, *id).ok_or(Rejection::NoSuchLetter(*id));
        let mut slots: Vec<u32> = letters.iter().map(|id| Ok(slot_of(id)?.0)).collect::<Result<_, _>>()?;
        slots.sort_unstable();
        slots.dedup();
        Ok(slots)
    }
}
