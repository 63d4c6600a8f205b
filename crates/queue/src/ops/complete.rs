//! A letter's work is done. (A plain item that is done simply ceases to be.)

use redrive_core::{Outcome, Status};

use crate::fact::Facts;
use crate::item::Phase;
use crate::queue::Why;
use crate::{Attempt, Moment, State};

impl State {
    /// Completes a letter; it is kept for a while, so that a late telling of the same failure is known.
    pub(super) fn complete_letter(&mut self, slot: u32, attempt: Option<&Attempt>, moment: Moment, facts: &mut Facts) {
        let Some(queue) = self.items.get(slot).and_then(|item| self.queues.get(&item.queue)) else { return };
        let forgotten_at = moment.now.saturating_add(queue.settings.letters.over(&self.treatment).completed_retention);
        let record = self.attempt_record(slot, attempt, Outcome::Success, moment);
        self.revise(slot, Why::LetterCompleted, record, facts, |item| {
            item.phase = Phase::Finished;
            item.at = forgotten_at;
            item.wait_for(Vec::new());
            if let Some(letter) = item.letter_mut() {
                letter.status = Status::Completed;
                letter.total_attempts = letter.total_attempts.saturating_add(1);
                letter.ended_at = Some(moment.now).into();
                letter.before = None;
                letter.is_overflow = false;
            }
        });
        self.unblock(slot, moment, facts);
    }
}
