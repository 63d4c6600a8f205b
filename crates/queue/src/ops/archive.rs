//! Put letters away: nothing retries them, and they free their source id.

use redrive_core::{LetterId, QueueName, Status, Time};

use super::check_count;
use crate::fact::Facts;
use crate::item::Phase;
use crate::queue::Why;
use crate::state::NO_DOCUMENT;
use crate::{Before, Moment, Refusal, State};

/// Archives letters in any state. One that is being retried is taken from its holder, whose result comes late.
#[derive(Debug, Clone)]
pub struct Archive {
    pub queue: QueueName,
    pub letters: Vec<LetterId>,
}

impl Archive {
    /// How many were archived; those that were already are not counted, and are no error.
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<u64, Refusal> {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        let slots = state.slots_of_letters(number, &self.letters)?;
        let mut archived = 0;
        for slot in slots {
            archived += u64::from(state.put_away_once(slot, moment, facts));
        }
        Ok(archived)
    }
}

impl State {
    /// Archives a letter that is not archived; says whether it was not.
    pub(super) fn put_away_once(&mut self, slot: u32, moment: Moment, facts: &mut Facts) -> bool {
        let status = self.items.get(slot).and_then(|item| item.letter()).map(|letter| letter.status);
        let is_new = status != Some(Status::Archived);
        if is_new {
            self.put_away(slot, moment, facts);
        }
        is_new
    }

    /// Archives a letter, under a new id: whoever held it holds nothing any more.
    pub(super) fn put_away(&mut self, slot: u32, moment: Moment, facts: &mut Facts) {
        let Some(queue) = self.items.get(slot).and_then(|item| self.queues.get(&item.queue)) else { return };
        let retention = queue.settings.letters.over(&self.treatment).archive_retention;
        let forgotten_at = retention.map_or(Time::MAX, |retention| moment.now.saturating_add(retention));
        let stamp = self.stamps.next(moment);
        self.revise(slot, Why::Archived, NO_DOCUMENT, facts, |item| {
            let due = (item.phase == Phase::Due).then_some(item.at);
            item.stamp = stamp;
            item.phase = Phase::Finished;
            item.at = forgotten_at;
            if let Some(letter) = item.letter_mut() {
                letter.before = Some(Box::new(Before::of(letter, due)));
                letter.status = Status::Archived;
                letter.ended_at = Some(moment.now).into();
            }
        });
    }

    /// The slots of letters, each once; an unknown one refuses all.
    pub(super) fn slots_of_letters(&self, queue: u32, letters: &[LetterId]) -> Result<Vec<u32>, Refusal> {
        let mut slots = Vec::with_capacity(letters.len());
        for id in letters {
            let (slot, _) = self.slot_of_letter(queue, *id).ok_or(Refusal::NoSuchLetter(*id))?;
            slots.push(slot);
        }
        slots.sort_unstable();
        slots.dedup();
        Ok(slots)
    }
}
