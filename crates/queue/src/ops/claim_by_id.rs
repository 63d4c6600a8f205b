//! Claim letters by their ids, regardless of their schedule.

use redrive_model::{ClaimById, OpContext, Phase, Rejection, check_count, check_lease, transition};

use crate::{Apply, Facts, LocatedItem, State};

impl Apply for ClaimById {
    type Reply = Result<Vec<LocatedItem>, Rejection>;

    /// Claims all of them, or none: a letter that is claimed, completed or archived is a conflict, and so is a letter
    /// with another revision than the selector has.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        check_lease(self.lease)?;
        let mut slots = Vec::with_capacity(self.letters.len());
        for selector in &self.letters {
            let found = state.slot_of_letter(number, selector.id);
            let (slot, letter) = found.ok_or(Rejection::NoSuchLetter(selector.id))?;
            if slots.contains(&slot) {
                return Err(Rejection::LetterConflict { letter: letter.id, status: letter.status, verb: "retried" });
            }
            let phase = state.items.get(slot).map_or(Phase::Ready, |item| item.phase);
            transition::claimable(phase, letter, *selector)?;
            slots.push(slot);
        }
        let claimed = slots.into_iter().filter_map(|slot| {
            state.transit(slot, op, facts, |item, _, stamps| {
                transition::claim(item, self.trigger, self.lease, op, stamps)
            });
            state.located(slot)
        });
        Ok(claimed.collect())
    }
}
