//! Purge letters.

use redrive_model::{OpContext, Purge, Rejection, check_count};

use crate::{Apply, Facts, State};

impl Apply for Purge {
    type Reply = Result<u64, Rejection>;

    /// Returns the number of removed letters. Unknown letters are skipped, so that the operation is idempotent.
    fn apply(self, state: &mut State, _: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        let found = self.letters.iter().filter_map(|id| state.slot_of_letter(number, *id));
        let mut slots: Vec<u32> = found.map(|(slot, _)| slot).collect();
        slots.sort_unstable();
        slots.dedup();
        Ok(state.purge_slots(slots, facts))
    }
}
