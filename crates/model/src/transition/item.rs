//! Steps shared by several rules.

use redrive_core::{Category, Failure, Fingerprint, PolicySource, Status, Time};

use super::{QueueRules, Schedule};
use crate::{Attempt, FailureSummary, Item, Letter, LetterFlags, OpContext, Phase, Stamp, StampSource};

impl Item {
    /// Gives the item a new id. A plain item keeps the stamp of its first delivery, which identifies the work over all
    /// attempts.
    pub(super) fn restamp(&mut self, stamp: Stamp) {
        let first = std::mem::replace(&mut self.stamp, stamp);
        if first != stamp && self.deliveries > 0 && self.letter().is_none() {
            self.rare_mut().first.get_or_insert(first);
        }
    }

    /// Applies a schedule to a letter, under a new id: the letter waits for its retry, for space, for its dependencies
    /// or for an operator.
    pub(crate) fn park(&mut self, schedule: Schedule, rules: &QueueRules<'_>, stamp: Stamp, now: Time) {
        self.restamp(stamp);
        // An overflow letter is retried once the queue has space; without a retry it needs no space.
        let is_overflow = schedule.due.is_some() && self.letter().is_some_and(Letter::is_overflow);
        let is_held_back = is_overflow || self.is_blocked();
        (self.phase, self.at) = match schedule.due.filter(|_| !is_held_back) {
            Some(due) => (Phase::Due, due),
            None => (Phase::Ready, Time::MAX),
        };
        if let Some(letter) = self.letter_mut() {
            letter.flags.set(LetterFlags::OVERFLOW, is_overflow);
            letter.status = schedule.status;
            letter.before = None;
            let since = letter.ended_at.get().unwrap_or(now);
            letter.ended_at = (schedule.status == Status::Exhausted).then_some(since).into();
        }
        if self.phase == Phase::Ready {
            self.at = rules.archived_at(self, now);
        }
    }

    /// Applies the decision of its policy to a letter, under a new id.
    pub(super) fn reschedule(&mut self, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) {
        let stamp = stamps.next(op);
        let schedule = rules.decide(self, op.for_stamp(stamp));
        self.park(schedule, rules, stamp, op.now);
    }

    /// Marks the item as failed permanently: it is delivered for its hand-over only. A plain item does not expire any
    /// more, because until it is handed over it is the only trace of the failure.
    pub(super) fn mark_hand_over_only(&mut self) {
        self.is_hand_over_only = true;
        if self.letter().is_none() {
            self.expires_at = Time::MAX;
        }
    }

    /// Takes back the charged attempt of a delivery.
    pub(super) fn uncharge_attempt(&mut self) {
        self.attempts = self.attempts.saturating_sub(1);
    }

    /// Whether a plain item expired while it was leased: it dies when the lease ends.
    pub(super) fn has_expired(&self, now: Time) -> bool {
        self.letter().is_none() && self.expires_at < now
    }

    /// Records the failure of an attempt; a plain item keeps it for the letter that it may become.
    pub(super) fn record_failure(&mut self, attempt: Option<&Attempt>, now: Time) {
        let Some(attempt) = attempt else { return };
        let fingerprint = attempt.fingerprint.unwrap_or_else(|| Fingerprint::of(&Failure::new(&attempt.error)));
        // A failure without a category is not retried automatically.
        let category = attempt.category.unwrap_or(Category::Permanent);
        if let Some(letter) = self.letter_mut() {
            letter.category = category;
            letter.fingerprint = fingerprint;
            letter.last_failed_at = now;
            return;
        }
        let rare = self.rare_mut();
        let first_at = rare.failed.map_or(now, |failed| failed.first_at);
        rare.failed = Some(FailureSummary { category, fingerprint, first_at, last_at: now });
    }

    /// Counts a failed retry of a letter.
    pub(super) fn count_failed_retry(&mut self, attempt: Option<&Attempt>, charged: bool, now: Time) {
        self.record_failure(attempt, now);
        if !charged {
            self.uncharge_attempt();
        }
        let Some(letter) = self.letter_mut() else { return };
        letter.last_failed_at = now;
        letter.total_attempts = letter.total_attempts.saturating_add(u32::from(charged));
        letter.retries = letter.retries.saturating_add(u32::from(charged));
        // After a charged retry, an overflow letter is scheduled like any other.
        letter.flags.set(LetterFlags::OVERFLOW, letter.is_overflow() && !charged);
        // A derived policy follows the latest failure.
        let category = attempt.and_then(|attempt| attempt.category);
        if let Some(category) = category.filter(|_| letter.policy_source == PolicySource::Derived) {
            letter.policy = category.derived_policy();
        }
    }

    /// Ends the claim of a letter: it returns to its previous status.
    pub(super) fn unclaim(&mut self) {
        if let Some(letter) = self.letter_mut()
            && let Some(before) = letter.before.take()
        {
            letter.status = before.status;
        }
    }
}
