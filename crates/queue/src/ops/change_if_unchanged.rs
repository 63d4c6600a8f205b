//! Archive or purge letters, each only if its revision is unchanged.

use std::collections::HashSet;

use redrive_model::{BulkAction, BulkResult, ChangeIfUnchanged, OpContext, Rejection, check_count};

use crate::{Apply, Facts, State};

impl Apply for ChangeIfUnchanged {
    type Reply = Result<Vec<BulkResult>, Rejection>;

    /// Returns one result per letter, in order.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        // Purged letters are recorded as one fact at the end, so a letter that is listed twice is detected here.
        let mut removed = Vec::new();
        let mut is_removed = HashSet::new();
        let results = self.letters.into_iter().map(|seen| match (state.slot_of_letter(number, seen.id), self.act) {
            (None, _) => BulkResult::Gone,
            (Some((slot, _)), _) if is_removed.contains(&slot) => BulkResult::Gone,
            (Some((_, letter)), _) if letter.revision != seen.revision => BulkResult::Changed,
            (Some((slot, _)), BulkAction::Archive) => {
                state.archive_once(slot, op, facts);
                BulkResult::Done
            }
            (Some((slot, _)), BulkAction::Purge) => {
                removed.push(slot);
                is_removed.insert(slot);
                BulkResult::Done
            }
        });
        let results = results.collect();
        state.purge_slots(removed, facts);
        Ok(results)
    }
}
