//! The holder gives an item back untried: no attempt is spent.

use redrive_core::{Time, Trigger};

use super::die::DeathReason;
use crate::fact::Facts;
use crate::item::{Item, Phase};
use crate::queue::Why;
use crate::state::NO_DOCUMENT;
use crate::{Moment, State};

impl State {
    /// Somebody else may have it at once.
    pub(super) fn release(&mut self, slot: u32, moment: Moment, facts: &mut Facts) {
        if self.has_expired(slot, moment) {
            return self.die(slot, DeathReason::Expired, moment, facts);
        }
        let (stamp, rest) = (self.stamps.next(moment), self.rest_of(slot, moment));
        self.revise(slot, Why::Released, NO_DOCUMENT, facts, |item| {
            item.stamp = stamp;
            item.give_attempt_back();
            let due = item.letter().and_then(|letter| letter.before.as_ref()?.due).filter(|_| !item.is_blocked());
            (item.phase, item.at) = due.map_or((Phase::Ready, rest), |due| (Phase::Due, due));
            item.unclaim();
        });
    }

    /// Nobody may have it before `until`. A letter that a person had claimed goes back to its old schedule.
    pub(super) fn defer(&mut self, slot: u32, until: Time, moment: Moment, facts: &mut Facts) {
        if self.has_expired(slot, moment) {
            return self.die(slot, DeathReason::Expired, moment, facts);
        }
        let (stamp, rest) = (self.stamps.next(moment), self.rest_of(slot, moment));
        self.revise(slot, Why::Deferred, NO_DOCUMENT, facts, |item| {
            item.stamp = stamp;
            item.give_attempt_back();
            let old = item.letter().and_then(|letter| letter.before.as_ref()?.due);
            let is_overflow = item.letter().is_some_and(|letter| letter.is_overflow);
            let is_blocked = item.is_blocked();
            (item.phase, item.at) = match item.letter().map(|letter| letter.trigger) {
                // It goes back to those who wait for room, or for others.
                Some(_) if is_overflow || is_blocked => (Phase::Ready, rest),
                Some(Trigger::Manual) => old.map_or((Phase::Ready, rest), |due| (Phase::Due, due)),
                Some(Trigger::Automatic | Trigger::Replay) => (Phase::Due, until),
                None if until > moment.now => (Phase::Scheduled, until),
                None => (Phase::Ready, Time::MAX),
            };
            item.unclaim();
        });
    }
}

impl State {
    /// The delivery was no attempt, whatever comes now.
    pub(super) fn give_attempt_back(&mut self, slot: u32, facts: &mut Facts) {
        self.revise(slot, Why::Annotated, NO_DOCUMENT, facts, Item::give_attempt_back);
    }

    /// The time of what is given back to those who wait to be leased.
    fn rest_of(&self, slot: u32, moment: Moment) -> Time {
        self.items.get(slot).map_or(Time::MAX, |item| self.archived_at(item, moment))
    }

    /// Whether a plain item's time ran out while somebody held it: it dies when the lease ends.
    fn has_expired(&self, slot: u32, moment: Moment) -> bool {
        self.items.get(slot).is_some_and(|item| item.letter().is_none() && item.expires_at < moment.now)
    }
}

impl Item {
    pub(super) fn give_attempt_back(&mut self) {
        self.attempts = self.attempts.saturating_sub(1);
    }
}
