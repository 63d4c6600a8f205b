//! What becomes of letters that wait for one which is exhausted, archived or gone.
//!
//! Whoever loses a letter does not look who waits for it: one that is exhausted for that may be waited for itself, and so
//! on. Time finds them, a bounded number at once, like those who wait for room.

use redrive_core::{Cause, LetterId, Outcome, Status, Time, Trigger};

use crate::fact::Facts;
use crate::letter::Settled;
use crate::queue::Why;
use crate::state::attempt_document;
use crate::{Attempt, Moment, OnLostDependency, State};

impl State {
    /// Releases or exhausts those who wait for a lost letter, and those who wait for these, no more than so many; gives how
    /// many.
    pub(super) fn bereave(&mut self, limit: usize, moment: Moment, facts: &mut Facts) -> usize {
        let mut count = 0;
        while count < limit {
            match self.bereave_next(limit - count, moment, facts) {
                0 => break,
                more => count += more,
            }
        }
        count
    }

    fn bereave_next(&mut self, limit: usize, moment: Moment, facts: &mut Facts) -> usize {
        let mut bereft = Vec::new();
        for (queue, letters) in &self.bereft {
            let then = self.on_lost_dependency(*queue);
            if then != OnLostDependency::Wait {
                bereft.extend(letters.values().take(limit - bereft.len()).map(|slot| (*slot, then)));
            }
        }
        for (slot, then) in &bereft {
            let lost: Vec<LetterId> =
                self.live(*slot).map_or_else(Vec::new, |item| self.lost_dependencies(item).collect());
            match then {
                OnLostDependency::Wait => {}
                OnLostDependency::Release => self.wait_no_more(*slot, &lost, moment, facts),
                OnLostDependency::Exhaust => self.exhaust_for(*slot, &lost, moment, facts),
            }
        }
        bereft.len()
    }

    /// Exhausts a letter for others that are lost. It does not wait for these any more: whoever retries or edits it knows
    /// of them.
    fn exhaust_for(&mut self, slot: u32, lost: &[LetterId], moment: Moment, facts: &mut Facts) {
        let Some(mut item) = self.live(slot).cloned() else { return };
        let Some(first) = lost.first() else { return };
        let status = self.slot_of_letter(item.queue, *first).map(|(_, letter)| letter.status);
        let record = Attempt::bereft(*first, status, moment.now);
        let left = item.waits_for().iter().copied().filter(|id| !lost.contains(id)).collect();
        item.wait_for(left);
        let item = self.parked(item, Settled { status: Status::Exhausted, due: None }, moment);
        self.revise(slot, Why::Bereft, attempt_document(Some(&record)), facts, |old| *old = item);
    }
}

impl Attempt {
    /// Why a letter is exhausted that was not tried: another one, which it waited for, is in this status or gone.
    fn bereft(lost: LetterId, status: Option<Status>, now: Time) -> Self {
        let became = status.map_or_else(|| "gone".to_owned(), |status| status.to_string());
        Self {
            cause: Some(Cause::LostDependency),
            ended_at: Some(now),
            error: format!("letter {lost}, which it waited for, is {became}"),
            ..Self::new(Trigger::Automatic, Outcome::Failure)
        }
    }
}
