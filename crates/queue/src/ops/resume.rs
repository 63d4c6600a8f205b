//! Give exhausted letters their retries back.

use redrive_model::{BulkResult, OpContext, Phase, Rejection, Resume, check_count, transition};

use crate::{Apply, Facts, State};

impl Apply for Resume {
    type Reply = Result<Vec<BulkResult>, Rejection>;

    /// Returns one result per letter, in order. A letter that is listed twice is resumed once.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        let unconditional = self.letters.iter().filter(|selector| selector.revision.is_none());
        for selector in unconditional {
            state.slot_of_letter(number, selector.id).ok_or(Rejection::NoSuchLetter(selector.id))?;
        }
        let actor = self.actor.as_ref();
        let resumed = self.letters.into_iter().map(|selector| {
            let Some((slot, letter)) = state.slot_of_letter(number, selector.id) else { return BulkResult::Gone };
            let phase = state.items.get(slot).map_or(Phase::Damaged, |item| item.phase);
            let is_changed = selector.revision.is_some_and(|revision| revision != letter.revision);
            let obstacle =
                if is_changed { Some(BulkResult::Changed) } else { transition::resume_obstacle(phase, letter) };
            if obstacle.is_none() {
                state
                    .transit(slot, op, facts, |item, rules, stamps| transition::resume(item, rules, actor, op, stamps));
            }
            obstacle.unwrap_or(BulkResult::Done)
        });
        Ok(resumed.collect())
    }
}
