//! What happens by itself when time passes.

use super::die::DeathReason;
use crate::fact::{Fact, Facts};
use crate::item::{Item, Phase};
use crate::queue::{Ending, Why};
use crate::state::{NO_DOCUMENT, attempt_document};
use crate::{Attempt, Moment, State};
use redrive_core::{Status, Time, Trigger};

/// Lets everything happen that is due, but no more than so many transitions: the rest comes next time.
#[derive(Debug, Clone, Copy)]
pub struct Tick {
    pub limit: usize,
}

impl Tick {
    /// Whether everything that is due has happened.
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> bool {
        let due = state.moving_timers().take_while(|(at, _)| *at <= moment.now);
        let due: Vec<(Time, u32)> = due.take(self.limit).collect();
        for (at, slot) in &due {
            if state.live(*slot).is_some() {
                state.happen(*slot, moment, facts);
            } else {
                // It was cleared away, and only its slot is left to give back.
                state.timers.cancel(Some(*at), *slot);
            }
        }
        let mut left = self.limit - due.len();
        left -= state.bereave(left, moment, facts);
        left -= state.admit(left, moment, facts);
        let doomed = state.doomed_slots(left);
        if !doomed.is_empty() {
            state.record(Fact::Reclaimed { slots: doomed }, facts);
        }
        state.next_timer().is_none_or(|next| next > moment.now)
    }
}

impl State {
    /// What an item has waited for.
    fn happen(&mut self, slot: u32, moment: Moment, facts: &mut Facts) {
        let Some(item) = self.items.get(slot) else { return };
        match item.phase {
            Phase::Ready if item.at <= item.expires_at => self.put_away(slot, moment, facts),
            Phase::Ready => self.expire(slot, moment, facts),
            Phase::Leased => self.lease_expired(slot, moment, facts),
            // It is over before it begins.
            Phase::Scheduled if item.expires_at < moment.now => self.expire(slot, moment, facts),
            Phase::Scheduled => {
                let rest = self.archived_at(item, moment);
                let stamp = self.stamps.next(moment);
                self.revise(slot, Why::Promoted, NO_DOCUMENT, facts, |item| {
                    item.stamp = stamp;
                    item.phase = Phase::Ready;
                    item.at = rest;
                });
            }
            Phase::Stranded => {
                let reason = item.rare().death;
                self.die(slot, reason.unwrap_or(DeathReason::GivenUp), moment, facts);
            }
            Phase::Finished => {
                let is_completed = item.letter().is_some_and(|letter| letter.status == Status::Completed);
                self.end_one(slot, if is_completed { Ending::Completed } else { Ending::Forgotten }, facts);
            }
            // A letter that is due waits for somebody who claims it, not for its time.
            Phase::Due => {}
        }
    }

    /// Nobody took it in time. There is no dead queue behind a dead queue.
    pub(super) fn expire(&mut self, slot: u32, moment: Moment, facts: &mut Facts) {
        let is_letter = self.items.get(slot).is_some_and(|item| item.letter().is_some());
        if is_letter {
            self.end_one(slot, Ending::Expired, facts);
        } else {
            self.die(slot, DeathReason::Expired, moment, facts);
        }
    }

    /// A letter whose own time has run out, too, goes at once: what dies into its queue meanwhile is no duplicate of it.
    fn claim_expired(&mut self, slot: u32, moment: Moment, facts: &mut Facts) {
        self.lose_letter(slot, moment, facts);
        let is_over = |item: &Item| item.phase == Phase::Ready && item.expires_at < moment.now;
        if self.items.get(slot).is_some_and(is_over) {
            self.end_one(slot, Ending::Expired, facts);
        }
    }

    fn lease_expired(&mut self, slot: u32, moment: Moment, facts: &mut Facts) {
        let Some(item) = self.items.get(slot) else { return };
        if item.letter().is_some() {
            return self.claim_expired(slot, moment, facts);
        }
        let (is_spent, has_expired) = (self.is_spent(item), item.expires_at < moment.now);
        let lost = Attempt::lost(Trigger::Automatic, moment.now);
        let lost = attempt_document(Some(&lost));
        if is_spent || has_expired {
            self.revise(slot, Why::Annotated, lost, facts, |_| {});
            let reason = if is_spent { DeathReason::MaxAttempts } else { DeathReason::Expired };
            return self.die(slot, reason, moment, facts);
        }
        let stamp = self.stamps.next(moment);
        self.revise(slot, Why::LeaseExpired, lost, facts, |item| {
            item.stamp = stamp;
            item.phase = Phase::Ready;
            item.at = Time::MAX;
        });
    }
}
