//! Add a note to a letter.

use redrive_model::{Annotate, OpContext, Rejection, transition};

use crate::{Apply, Facts, State};

impl Apply for Annotate {
    type Reply = Result<(), Rejection>;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        let (slot, _) = state.slot_of_letter(number, self.letter).ok_or(Rejection::NoSuchLetter(self.letter))?;
        self.check()?;
        state.transit(slot, op, facts, |item, _, _| transition::annotate(item, self.note, op));
        Ok(())
    }
}
