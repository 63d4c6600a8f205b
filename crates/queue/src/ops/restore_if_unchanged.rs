//! Restore archived letters, each only if its revision is unchanged.

use redrive_core::Status;
use redrive_model::{BulkResult, OpContext, Rejection, RestoreIfUnchanged, check_count, transition};

use crate::{Apply, Facts, State};

impl Apply for RestoreIfUnchanged {
    type Reply = Result<Vec<BulkResult>, Rejection>;

    /// Returns one result per letter, in order. Of two letters that cannot both be live, the first is restored.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        let restored = self.letters.into_iter().map(|seen| {
            let Some((slot, letter)) = state.slot_of_letter(number, seen.id) else { return BulkResult::Gone };
            if letter.revision != seen.revision {
                BulkResult::Changed
            } else if letter.status != Status::Archived {
                BulkResult::Done
            } else if state.check_restorable(number, slot, &[]).is_err() {
                BulkResult::Held
            } else {
                state.transit(slot, op, facts, |item, rules, stamps| transition::restore(item, rules, op, stamps));
                BulkResult::Done
            }
        });
        Ok(restored.collect())
    }
}
