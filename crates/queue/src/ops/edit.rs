//! Change a letter before it is tried again.

use std::sync::Arc;

use redrive_core::{LetterId, PolicySource, Priority, QueueName, RetryPolicy, Status};

use super::capture::check_size;
use crate::fact::{Attach, Facts, Tail};
use crate::letter::retries;
use crate::queue::{QueueSettings, Why};
use crate::state::NO_DOCUMENT;
use crate::{Content, ItemInfo, Moment, Refusal, State};

/// Changes what is given. The first content is kept as the original; the letter is settled anew.
#[derive(Debug, Clone)]
pub struct Edit {
    pub queue: QueueName,
    pub letter: LetterId,
    pub content: Option<Arc<Content>>,
    pub policy: Option<RetryPolicy>,
    pub max_retries: Option<u32>,
    pub priority: Option<Priority>,
}

impl Edit {
    /// A letter that is claimed, completed or archived is a conflict.
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<ItemInfo, Refusal> {
        let (number, queue) = state.named(&self.queue)?;
        let (slot, letter) = state.slot_of_letter(number, self.letter).ok_or(Refusal::NoSuchLetter(self.letter))?;
        if !matches!(letter.status, Status::Pending | Status::Exhausted) {
            return Err(Refusal::LetterConflict { letter: self.letter, status: letter.status, verb: "edited" });
        }
        if self.max_retries.is_some_and(|most| most > QueueSettings::MAX_RETRIES_MAX) {
            return Err(Refusal::TooManyRetries);
        }
        let treatment = queue.settings.letters.over(&state.treatment);
        self.policy.map_or(Ok(()), |policy| treatment.check_policy(policy))?;
        if let Some(content) = &self.content {
            content.check()?;
            check_size(content, treatment.letter_bytes_max)?;
        }
        let Some(mut item) = state.items.get(slot).cloned() else {
            return Err(Refusal::NoSuchLetter(self.letter));
        };
        item.priority = self.priority.unwrap_or(item.priority);
        if let Some(letter) = item.letter_mut() {
            letter.max_retries = self.max_retries.map_or(letter.max_retries, retries);
            if let Some(policy) = self.policy {
                letter.policy = policy;
                letter.policy_source = PolicySource::Explicit;
            }
        }
        let settled = state.settle(&item, moment);
        let item = state.parked(item, settled, moment);
        let record = match self.content {
            Some(content) => (Attach::Edited, Tail::Content(content)),
            None => NO_DOCUMENT,
        };
        state.revise(slot, Why::Edited, record, facts, |old| *old = item);
        state.items.get(slot).map(|item| ItemInfo::of(slot, item)).ok_or(Refusal::NoSuchLetter(self.letter))
    }
}
