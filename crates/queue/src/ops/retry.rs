//! An attempt failed, and the item is to be tried again.
//!
//! The limit of the queue stands above its holder's wish: an item whose attempts are spent dies. A letter
//! counts the failed retry and waits as its policy says.

use redrive_core::{Category, Fingerprint, Outcome, PolicySource, RetryPolicy, Status, Time, Trigger};

use super::die;
use super::die::DeathReason;
use super::settle::GiveUp;
use crate::fact::{Attach, Facts, Tail};
use crate::item::{DocKind, Failed, Item, Phase};
use crate::letter::Settled;
use crate::queue::Why;
use crate::state::{attempt_document, document};
use crate::{Attempt, Moment, Parts, State};

impl State {
    pub(super) fn retry(
        &mut self,
        slot: u32,
        at: Option<Time>,
        attempt: Option<&Attempt>,
        charged: bool,
        moment: Moment,
        facts: &mut Facts,
    ) {
        let Some(item) = self.items.get(slot) else { return };
        if item.letter().is_some() {
            return self.retry_letter(slot, at, attempt, charged, moment, facts);
        }
        if charged && self.is_spent(item) {
            self.failed(slot, attempt, moment, facts);
            return self.die(slot, DeathReason::MaxAttempts, moment, facts);
        }
        if item.expires_at < moment.now {
            self.failed(slot, attempt, moment, facts);
            return self.die(slot, DeathReason::Expired, moment, facts);
        }
        let at = at.filter(|at| *at > moment.now);
        // A scheduled item keeps its id, unless that would look like one that was cleared away.
        let stamp = match at {
            Some(_) if !self.is_below_clearing(item) => item.stamp,
            _ => self.stamps.next(moment),
        };
        self.revise(slot, Why::Retried, attempt_document(attempt), facts, |item| {
            item.stamp = stamp;
            (item.phase, item.at) = at.map_or((Phase::Ready, Time::MAX), |at| (Phase::Scheduled, at));
            item.attempts -= u32::from(!charged && item.attempts > 0);
            item.note_failure(attempt, moment.now);
        });
    }

    /// Whether the queue allows no further attempt.
    pub(super) fn is_spent(&self, item: &Item) -> bool {
        let most = self.queues.get(&item.queue).map_or(0, |queue| queue.settings.max_attempts);
        most > 0 && item.attempts >= most
    }

    fn is_below_clearing(&self, item: &Item) -> bool {
        let partition = self.queues.get(&item.queue).and_then(|queue| queue.partition(item.partition));
        partition.is_some_and(|partition| item.stamp.serial <= partition.cleared.scheduled)
    }

    /// Keeps the record of an attempt that an item is about to die of.
    pub(super) fn failed(&mut self, slot: u32, attempt: Option<&Attempt>, moment: Moment, facts: &mut Facts) {
        if attempt.is_some() {
            self.revise(slot, Why::Annotated, attempt_document(attempt), facts, |item| {
                item.note_failure(attempt, moment.now);
            });
        }
    }

    /// Keeps which parts of the work failed: the next attempt gets only those.
    pub(super) fn keep_parts(&mut self, slot: u32, parts: &[String], facts: &mut Facts) {
        let record = document(DocKind::Parts, Parts::document(parts));
        self.revise(slot, Why::Annotated, record, facts, |_| {});
    }

    /// Delivers an item again for its hand-over only.
    pub(super) fn condemn(&mut self, slot: u32, attempt: Option<&Attempt>, moment: Moment, facts: &mut Facts) {
        let stamp = self.stamps.next(moment);
        let record = self.attempt_record(slot, attempt, Outcome::Failure, moment);
        self.revise(slot, Why::Condemned, record, facts, |item| {
            item.stamp = stamp;
            // A letter goes back to those who claim it by themselves, where one of them had it.
            let is_claimed_again = item.letter().is_some_and(|letter| letter.trigger != Trigger::Manual);
            (item.phase, item.at) = if is_claimed_again { (Phase::Due, moment.now) } else { (Phase::Ready, Time::MAX) };
            item.is_condemned = true;
            // It was tried: it waits for its hand-over, and not for room.
            if let Some(letter) = item.letter_mut() {
                letter.is_overflow = false;
            }
            item.count_failure(attempt, true, moment.now);
            item.unclaim();
        });
    }

    fn retry_letter(
        &mut self,
        slot: u32,
        at: Option<Time>,
        attempt: Option<&Attempt>,
        charged: bool,
        moment: Moment,
        facts: &mut Facts,
    ) {
        let Some(mut item) = self.items.get(slot).cloned() else { return };
        item.count_failure(attempt, charged, moment.now);
        let settled = self.settle(&item, moment);
        let later = at.filter(|at| *at > moment.now);
        let item = match (settled.due, later) {
            // Whoever retries it decided by the same policy, with more knowledge: that time holds. Of the queue's own
            // delays they know nothing, but maybe that it asked for a longer one.
            (Some(due), _) => {
                let is_custom = item.letter().is_some_and(|letter| letter.policy == RetryPolicy::Custom);
                let at = at.map(|at| if is_custom { at.max(due) } else { at });
                let due = Some(at.unwrap_or(due).max(moment.now));
                self.parked(item, Settled { due, ..settled }, moment)
            }
            // Nothing retries it by itself; a person wants it offered later.
            (None, Some(later)) => Item { phase: Phase::Scheduled, at: later, ..self.parked(item, settled, moment) },
            (None, None) => self.parked(item, settled, moment),
        };
        let record = match charged {
            true => self.attempt_record(slot, attempt, Outcome::Failure, moment),
            false => attempt_document(attempt),
        };
        self.revise(slot, Why::RetryFailed, record, facts, |old| *old = item);
    }

    /// A letter's holder gave up.
    pub(super) fn give_up_letter(
        &mut self,
        slot: u32,
        attempt: Option<&Attempt>,
        why: GiveUp,
        moment: Moment,
        facts: &mut Facts,
    ) {
        let Some(mut item) = self.items.get(slot).cloned() else { return };
        if why == GiveUp::Spent {
            item.give_attempt_back();
        } else {
            item.count_failure(attempt, true, moment.now);
        }
        let status = match why {
            GiveUp::Exhausted | GiveUp::Spent => Status::Exhausted,
            GiveUp::Permanent => self.settle(&item, moment).status,
        };
        let settled = Settled { status, due: None };
        let item = self.parked(item, settled, moment);
        let record = match why {
            GiveUp::Exhausted | GiveUp::Permanent => self.attempt_record(slot, attempt, Outcome::Failure, moment),
            GiveUp::Spent => attempt_document(attempt),
        };
        self.revise(slot, Why::RetryFailed, record, facts, |old| *old = item);
    }

    /// What is written down of an attempt that counts: its holder's record. Whoever says nothing of an attempt at a letter
    /// leaves one all the same, which says how it ended and when.
    pub(super) fn attempt_record(
        &self,
        slot: u32,
        attempt: Option<&Attempt>,
        outcome: Outcome,
        moment: Moment,
    ) -> (Attach, Tail) {
        let trigger = self.items.get(slot).and_then(Item::letter).map(|letter| letter.trigger);
        match (attempt, trigger) {
            (None, Some(trigger)) => attempt_document(Some(&Attempt::ended(trigger, outcome, moment.now))),
            (attempt, _) => attempt_document(attempt),
        }
    }

    /// A letter's claim ran out, and nobody knows what its attempt did.
    pub(super) fn lose_letter(&mut self, slot: u32, moment: Moment, facts: &mut Facts) {
        let Some(mut item) = self.items.get(slot).cloned() else { return };
        let trigger = item.letter().map_or(Trigger::Manual, |letter| letter.trigger);
        item.count_failure(None, true, moment.now);
        if let Some(letter) = item.letter_mut() {
            letter.is_outcome_unknown = true;
        }
        let settled = self.settle(&item, moment);
        let item = self.parked(item, settled, moment);
        let lost = Attempt::lost(trigger, moment.now);
        self.revise(slot, Why::LeaseExpired, attempt_document(Some(&lost)), facts, |old| *old = item);
    }

    /// What `core` decides about a letter with so many failed retries, and what the queue's own limit adds.
    pub(super) fn settle(&mut self, item: &Item, moment: Moment) -> Settled {
        let Some(letter) = item.letter() else { return Settled { status: Status::Pending, due: None } };
        if letter.retries > 0 && self.is_spent(item) {
            return Settled { status: Status::Exhausted, due: None };
        }
        let (policy, max_retries, retries) = (letter.policy, u32::from(letter.max_retries), letter.retries);
        self.settled(item.queue, policy, (max_retries, retries), moment.of(self.stamps.last().serial))
    }

    /// The same for a letter that is not there yet: its policy in this queue, its retries and how many of them failed.
    pub(super) fn settled(
        &mut self,
        queue: u32,
        policy: RetryPolicy,
        (max_retries, retries): (u32, u32),
        moment: Moment,
    ) -> Settled {
        let settings = self.queues.get(&queue).map(|queue| &queue.settings.letters);
        match settings.and_then(|settings| settings.custom_backoff(&self.treatment)) {
            Some(delays) if policy == RetryPolicy::Custom => {
                self.terms.settle_custom((queue, delays), max_retries, retries, moment)
            }
            _ => self.terms.settle(policy, max_retries, retries, moment),
        }
    }
}

impl Item {
    /// Remembers what an attempt failed with, for the letter that the item may become.
    pub(super) fn note_failure(&mut self, attempt: Option<&Attempt>, now: Time) {
        let Some(attempt) = attempt else { return };
        let (category, fingerprint) = kind_of(attempt);
        if let Some(letter) = self.letter_mut() {
            letter.category = category;
            letter.fingerprint = fingerprint;
            letter.last_failed_at = now;
            return;
        }
        let rare = self.rare_mut();
        let first_at = rare.failed.map_or(now, |failed| failed.first_at);
        rare.failed = Some(Failed { category, fingerprint, first_at, last_at: now });
    }

    /// Counts a retry of a letter that failed.
    fn count_failure(&mut self, attempt: Option<&Attempt>, charged: bool, now: Time) {
        self.note_failure(attempt, now);
        let known = attempt.and_then(|attempt| attempt.category);
        self.attempts -= u32::from(!charged && self.attempts > 0);
        let Some(letter) = self.letter_mut() else { return };
        letter.last_failed_at = now;
        letter.total_attempts = letter.total_attempts.saturating_add(u32::from(charged));
        letter.retries = letter.retries.saturating_add(u32::from(charged));
        // A letter that was tried is scheduled like any other.
        letter.is_overflow &= !charged;
        // A derived policy follows the newest failure.
        if letter.policy_source == PolicySource::Derived
            && let Some(category) = known
        {
            letter.policy = category.derived_policy();
        }
    }

    /// A letter that is no longer claimed is what it was before.
    pub(super) fn unclaim(&mut self) {
        if let Some(letter) = self.letter_mut()
            && let Some(before) = letter.before.take()
        {
            letter.status = before.status;
        }
    }
}

/// What kind of fault an attempt's record tells of. One that nobody classified is of the kind that is not
/// retried blindly.
fn kind_of(attempt: &Attempt) -> (Category, Fingerprint) {
    let fingerprint = attempt.fingerprint.unwrap_or_else(|| die::fingerprint_of(&attempt.error));
    (attempt.category.unwrap_or(Category::Permanent), fingerprint)
}
