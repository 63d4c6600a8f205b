//! Edit a letter before its next retry.

use redrive_model::{Edit, ItemInfo, OpContext, Rejection, transition};

use crate::{Apply, Facts, State};

impl Apply for Edit {
    type Reply = Result<ItemInfo, Rejection>;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let missing = Rejection::NoSuchLetter(self.letter);
        let number = state.queue_number(&self.queue)?;
        let (slot, _) = state.slot_of_letter(number, self.letter).ok_or(missing.clone())?;
        let item = state.items.get(slot).cloned().ok_or(missing.clone())?;
        let queue = state.queues.get(&number).ok_or(missing.clone())?;
        let edited = transition::edit(item, &self, &queue.rules(&state.policy), op, &mut state.stamps)?;
        state.commit(slot, edited, op, facts);
        state.items.get(slot).map(|item| ItemInfo::of(slot, item)).ok_or(missing)
    }
}
