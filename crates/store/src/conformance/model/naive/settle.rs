//! Settling items.

use redrive_core::{Outcome, PolicySource, RetryPolicy, Span, Status, Time, Trigger};
use redrive_model::{
    Attempt, DeadCause, DeathReason, DeliveryNotes, EndReason, Event, ItemState, OnRejected, Rejection, RetryAt,
    Settle, SettleAction, Settled, Settlement,
};

use super::item::{Document, Item, Number};
use super::queue::Bounds;
use super::{Expected, Model};

impl Model {
    /// Settles items in the order of the request, each with a separate result. With `OnRejected::Stop` the first
    /// rejected id ends it.
    pub fn settle(&mut self, settle: &Settle, now: Time) -> Result<Expected, Rejection> {
        let queue = self.with_partition(&settle.queue, settle.partition)?.number;
        if settle.items.is_empty() {
            return Err(Rejection::Empty { what: "items" });
        }
        let mut answers = Vec::new();
        for settlement in &settle.items {
            let participle = match settlement.action {
                SettleAction::Complete { .. } => "completed",
                SettleAction::Retry { .. } | SettleAction::Dead { .. } => "retried",
                SettleAction::Release => "released",
                SettleAction::Defer { .. } => "deferred",
                SettleAction::Lost => "lost",
                SettleAction::RedeliverForHandOver { .. } => "condemned",
                SettleAction::Note { .. } => "noted",
            };
            match self.held(queue, settle.partition, settlement.id, participle) {
                Ok(number) => {
                    self.settle_one(number, &settlement.action, now);
                    answers.push(Ok(self.became(number, queue)));
                }
                Err(rejection) => {
                    self.keep_late(queue, settlement, now);
                    answers.push(Err(rejection));
                    if settle.on_rejected == OnRejected::Stop {
                        break;
                    }
                }
            }
        }
        Ok(Expected::Settled(answers))
    }

    /// The result for the holder of an item that was in this queue.
    fn became(&self, number: Number, queue: u32) -> Settled {
        let Some(item) = self.items.iter().find(|item| item.number == number) else {
            return match self.last_ending {
                Some(EndReason::Duplicate) if self.taken_to.is_some() => {
                    Settled::Moved { to: self.taken_to.clone().unwrap() }
                }
                Some(EndReason::Completed) => Settled::Completed,
                ending => Settled::Gone(ending.unwrap()),
            };
        };
        if item.queue != queue {
            return Settled::Moved { to: self.queue(item.queue).settings.name.clone() };
        }
        match (item.info.state, item.letter().map(|letter| letter.status)) {
            (_, Some(Status::Completed)) => Settled::Completed,
            (_, Some(Status::Exhausted)) => Settled::Exhausted,
            (ItemState::Stranded, _) => Settled::Stranded,
            (ItemState::Leased { deadline }, _) => Settled::Kept { deadline },
            (ItemState::Scheduled { at } | ItemState::Due { at }, _) => Settled::Requeued { at: Some(at) },
            _ => Settled::Requeued { at: None },
        }
    }

    /// A late result of a former holder changes nothing, but the attempt is recorded.
    fn keep_late(&mut self, queue: u32, Settlement { id, action: verb }: &Settlement, now: Time) {
        let is_it = |item: &&Item| item.queue == queue && item.own_ids.contains(id);
        let Some(item) = self.items.iter().find(is_it) else { return };
        // The newest known id is the current one, unless the current request has changed it.
        if *id == item.id() && item.known_order == item.order {
            return;
        }
        let letter = item.letter().unwrap();
        let reported = match verb {
            SettleAction::Complete { attempt: None } => {
                Attempt { ended_at: Some(now), ..Attempt::new(letter.trigger, Outcome::Success) }
            }
            SettleAction::Complete { attempt: Some(attempt) }
            | SettleAction::Retry { attempt: Some(attempt), .. }
            | SettleAction::Dead { attempt: Some(attempt), .. } => (**attempt).clone(),
            _ => return,
        };
        let number = item.number;
        let late = Attempt { cause: Some(redrive_model::Cause::Late), ..reported };
        self.record_rule(if self.item(number).is_finished() { "late for a finished letter" } else { "late" });
        self.change(number, Event::Annotated, now, |item| item.keep_attempt(Some(&late)));
    }

    pub(super) fn settle_one(&mut self, number: Number, verb: &SettleAction, now: Time) {
        self.note(number, |item| item.fresh.clear());
        self.taken_to = None;
        let is_letter = self.item(number).letter().is_some();
        let (SettleAction::Retry { attempt: failed, .. }
        | SettleAction::Dead { attempt: failed, .. }
        | SettleAction::RedeliverForHandOver { attempt: failed, .. }) = verb
        else {
            return self.settle_whole(number, verb, now);
        };
        if let Some(failed) = failed.as_ref().filter(|failed| !failed.failed_parts.is_empty()) {
            let parts = Document::Parts(failed.failed_parts.clone());
            self.record_rule("failed in part");
            self.note(number, |item| item.keep(parts));
        }
        match verb {
            SettleAction::Retry { at, attempt, charged } if is_letter => {
                self.retry_letter(number, *at, attempt.as_deref(), *charged, now);
            }
            SettleAction::Retry { at, attempt, charged } => {
                self.retry_item(number, at.time(now), attempt.as_deref(), *charged, now);
            }
            SettleAction::Dead { attempt, why } if is_letter => {
                self.give_letter_up(number, attempt.as_deref(), *why, now);
            }
            SettleAction::Dead { attempt, why } => {
                if *why == DeadCause::Spent {
                    self.note(number, |item| {
                        item.info.attempts = item.info.attempts.saturating_sub(1);
                    });
                }
                self.failed(number, attempt.as_deref(), *why != DeadCause::Spent, now);
                self.die(number, DeathReason::GivenUp, now);
            }
            SettleAction::RedeliverForHandOver { at, attempt } => {
                self.redeliver_for_hand_over(number, *at, attempt.as_deref(), now);
            }
            _ => {}
        }
    }

    /// Settles an item whose action is not a failure.
    fn settle_whole(&mut self, number: Number, verb: &SettleAction, now: Time) {
        match verb {
            SettleAction::Complete { attempt } if self.item(number).letter().is_some() => {
                self.complete_letter(number, attempt.as_deref(), now);
            }
            SettleAction::Complete { .. } => self.end(number, EndReason::Completed),
            SettleAction::Release => self.release(number, Event::Released, None, now),
            SettleAction::Defer { until } => self.release(number, Event::Deferred, Some(*until), now),
            SettleAction::Lost => self.lose(number, now),
            SettleAction::Note { lease, notes } => self.leave_notes(number, *lease, notes, now),
            SettleAction::Retry { .. } | SettleAction::Dead { .. } | SettleAction::RedeliverForHandOver { .. } => {
                unreachable!("these actions are failures")
            }
        }
    }

    pub(super) fn complete_letter(&mut self, number: Number, attempt: Option<&Attempt>, now: Time) {
        let retention =
            self.queue(self.item(number).queue).settings.letters.completed_retention.unwrap_or(Span::from_days(7));
        let done = self.item(number).letter_id().unwrap();
        if self.item(number).letter().and_then(|letter| letter.before).is_some_and(|before| before.has_failed_again) {
            return self.complete_too_late(number, attempt, now);
        }
        self.change(number, Event::LetterCompleted, now, |item| {
            item.keep_ended(attempt, Outcome::Success, now);
            item.info.state = ItemState::Finished;
            item.until = Some(now.saturating_add(retention));
            let Some(letter) = item.letter_mut() else { return };
            letter.status = Status::Completed;
            letter.total_attempts += 1;
            letter.ended_at = Some(now);
            letter.before = None;
            letter.is_overflow = false;
            item.wait_for(Vec::new());
        });
        self.unblock(done, now);
    }

    /// The attempt handed the work back, and the work has failed again: the retry has failed.
    fn complete_too_late(&mut self, number: Number, attempt: Option<&Attempt>, now: Time) {
        self.record_rule("handed back, and failed again already");
        let order = self.issue();
        let most = self.bounds(number);
        self.change(number, Event::RetryFailed, now, |item| {
            item.keep_ended(attempt, Outcome::Success, now);
            item.order = order;
            let letter = item.letter_mut().unwrap();
            letter.retries += 1;
            letter.total_attempts += 1;
            letter.is_overflow = false;
            item.settle(&most, now);
        });
    }

    fn retry_item(&mut self, number: Number, at: Option<Time>, attempt: Option<&Attempt>, charged: bool, now: Time) {
        if charged && self.is_spent(number) {
            self.failed(number, attempt, charged, now);
            return self.die(number, DeathReason::MaxAttempts, now);
        }
        if self.has_expired(number, now) {
            self.failed(number, attempt, charged, now);
            return self.die(number, DeathReason::Expired, now);
        }
        let later = at.filter(|at| *at > now);
        let was_cleared = self.queue(self.item(number).queue).was_cleared;
        // A scheduled retry keeps its id. In a queue that was cleared it may get a new one, since the old id may look
        // like that of a cleared item.
        let order = if later.is_none() || was_cleared { Some(self.issue()) } else { None };
        let is_kept = charged && self.queue(self.item(number).queue).settings.dead_queue.is_some();
        self.change(number, Event::Retried, now, |item| {
            item.may_keep = later.filter(|_| was_cleared).map(|_| item.order);
            item.order = order.unwrap_or(item.order);
            item.info.state = later.map_or(ItemState::Ready, |at| ItemState::Scheduled { at });
            item.info.attempts -= u32::from(!charged && item.info.attempts > 0);
            if is_kept {
                item.keep_ended(attempt, Outcome::Failure, now);
            } else {
                item.keep_attempt(attempt);
            }
            item.note_failure(attempt, now);
        });
    }

    /// The policy decides whether the letter is retried automatically; the holder may set a later time. If it is not
    /// retried automatically, the holder's time delays the next lease.
    fn retry_letter(&mut self, number: Number, at: RetryAt, attempt: Option<&Attempt>, charged: bool, now: Time) {
        if self.item(number).is_over() {
            self.record_rule(if charged { "failed, and left the line" } else { "not charged, and back in line" });
        }
        let order = self.issue();
        let most = self.bounds(number);
        self.change(number, Event::RetryFailed, now, |item| {
            // An uncharged retry is not an attempt, unless the holder reports one.
            if charged {
                item.keep_ended(attempt, Outcome::Failure, now);
            } else {
                item.keep_attempt(attempt);
            }
            item.count_failure(attempt, charged, now);
            item.order = order;
            let (status, due) = match at {
                RetryAt::Decided(_) | RetryAt::After(_) if item.is_spent(&most) => (Status::Exhausted, None),
                RetryAt::Decided(at) => (Status::Pending, Some(at.max(now))),
                RetryAt::After(delay) => (Status::Pending, Some(now.saturating_add(delay))),
                RetryAt::Undecided(_) if charged => item.verdict(&most, now),
                RetryAt::Undecided(_) => item.verdict_after_free_failure(&most, now),
            };
            let has_retry = due.is_some();
            item.park_in_place(status, due, now);
            if item.is_waiting_overflow() || has_retry && item.is_blocked() {
                return;
            }
            if let RetryAt::Undecided(at) = at {
                item.info.state = match (item.due(), at) {
                    (Some(due), at) => ItemState::Due { at: at.unwrap_or(due).max(now) },
                    (None, Some(at)) if at > now => ItemState::Scheduled { at },
                    (None, _) => ItemState::Ready,
                };
            }
        });
    }

    fn give_letter_up(&mut self, number: Number, attempt: Option<&Attempt>, why: DeadCause, now: Time) {
        let order = self.issue();
        let most = self.bounds(number);
        self.change(number, Event::RetryFailed, now, |item| {
            if why == DeadCause::Spent {
                item.keep_attempt(attempt);
                item.info.attempts = item.info.attempts.saturating_sub(1);
                // An exhausted letter is not overflow.
                item.letter_mut().into_iter().for_each(|letter| letter.is_overflow = false);
            } else {
                item.keep_ended(attempt, Outcome::Failure, now);
                item.count_failure(attempt, true, now);
            }
            item.order = order;
            let status = match why {
                DeadCause::Exhausted | DeadCause::Spent => Status::Exhausted,
                DeadCause::Permanent => item.verdict(&most, now).0,
            };
            item.park(status, None, now);
        });
    }

    /// Handles a lease or claim that ended without a result: the attempt counts, and its outcome is unknown.
    pub(super) fn lose(&mut self, number: Number, now: Time) {
        if self.item(number).letter().is_some() {
            return self.lose_letter(number, now);
        }
        let lost = lost(Trigger::Automatic, now);
        if self.is_spent(number) || self.has_expired(number, now) {
            let reason = if self.is_spent(number) { DeathReason::MaxAttempts } else { DeathReason::Expired };
            self.note(number, |item| item.keep_attempt(Some(&lost)));
            return self.die(number, reason, now);
        }
        let order = self.issue();
        self.change(number, Event::LeaseExpired, now, |item| {
            item.keep_attempt(Some(&lost));
            item.order = order;
            item.info.state = ItemState::Ready;
        });
    }

    pub(super) fn lose_letter(&mut self, number: Number, now: Time) {
        if self.item(number).is_over() {
            self.record_rule("lost, and left the line");
        }
        let order = self.issue();
        let most = self.bounds(number);
        self.change(number, Event::LeaseExpired, now, |item| {
            let trigger = item.letter().map(|letter| letter.trigger).unwrap();
            item.keep_attempt(Some(&lost(trigger, now)));
            item.count_failure(None, true, now);
            item.order = order;
            if let Some(letter) = item.letter_mut() {
                letter.is_outcome_unknown = true;
            }
            item.settle(&most, now);
        });
    }

    /// Releases an item: the attempt is not counted, and a letter has its state from before the claim.
    fn release(&mut self, number: Number, why: Event, until: Option<Time>, now: Time) {
        if self.has_expired(number, now) {
            return self.die(number, DeathReason::Expired, now);
        }
        if self.item(number).is_over() {
            self.record_rule("not tried, and back in line");
        }
        // A plain item that is released is as before its delivery, except for its id. If the ready items of its queue were
        // cleared meanwhile, its former place would be among them.
        let item = self.item(number);
        let is_undone = why == Event::Released && item.letter().is_none();
        let keeps_place = is_undone && item.order > self.queue(item.queue).ready_cleared;
        let order = if keeps_place { None } else { Some(self.issue()) };
        self.change(number, why, now, |item| {
            match order {
                Some(order) => item.order = order,
                None => item.renew(),
            }
            if is_undone {
                item.keeps_first |= item.info.deliveries > 0;
                item.info.deliveries = item.info.deliveries.saturating_sub(1);
                item.info.first_received_at = item.info.first_received_at.filter(|_| item.info.deliveries > 0);
            }
            item.info.attempts = item.info.attempts.saturating_sub(1);
            let old = item.letter().and_then(|letter| letter.before).and_then(|before| before.due);
            let due = match (item.letter().map(|letter| letter.trigger), until) {
                // A deferral of an automatic retry sets the due time; a manual one leaves the schedule unchanged.
                (Some(Trigger::Automatic | Trigger::Replay), Some(until)) => Some(until),
                _ => old,
            };
            item.info.state = match until {
                _ if item.is_over() || item.is_blocked() => ItemState::Ready,
                Some(at) if item.letter().is_none() && at > now => ItemState::Scheduled { at },
                _ => due.map_or(ItemState::Ready, |at| ItemState::Due { at }),
            };
            item.unclaim();
        });
    }

    fn redeliver_for_hand_over(&mut self, number: Number, at: Time, attempt: Option<&Attempt>, now: Time) {
        let order = self.issue();
        self.change(number, Event::RedeliveredForHandOver, now, |item| {
            item.order = order;
            // After an automatic retry it is due at that time; after a manual one it can be leased.
            let is_claimed_again = item.letter().is_some_and(|letter| letter.trigger != Trigger::Manual);
            item.info.state = match is_claimed_again {
                true => ItemState::Due { at: at.max(now) },
                false if at > now => ItemState::Scheduled { at },
                false => ItemState::Ready,
            };
            item.mark_hand_over_only();
            // A letter that was tried waits for its hand-over and is not overflow.
            item.letter_mut().into_iter().for_each(|letter| letter.is_overflow = false);
            item.keep_ended(attempt, Outcome::Failure, now);
            item.count_failure(attempt, true, now);
            item.unclaim();
        });
    }

    /// The holder keeps the item: its lease may only become longer.
    fn leave_notes(&mut self, number: Number, lease: Span, notes: &DeliveryNotes, now: Time) {
        self.change(number, Event::Noted, now, |item| {
            if let ItemState::Leased { deadline } = &mut item.info.state {
                *deadline = (*deadline).max(now.saturating_add(lease));
            }
            if let Some(error) = &notes.error {
                item.keep(Document::LastError(error.clone()));
            }
            if let Some(verdict) = &notes.verdict {
                item.keep(Document::Verdict(verdict.clone()));
                item.mark_hand_over_only();
            }
            if !notes.parts.is_empty() {
                item.keep(Document::Parts(notes.parts.clone()));
            }
        });
    }

    /// Records the attempt after which an item dies. One that counts is recorded even if nothing was reported about it.
    fn failed(&mut self, number: Number, attempt: Option<&Attempt>, charged: bool, now: Time) {
        self.note(number, |item| {
            if charged {
                item.keep_ended(attempt, Outcome::Failure, now);
            } else {
                item.keep_attempt(attempt);
            }
            item.note_failure(attempt, now);
        });
    }

    /// Whether a plain item expired while it was leased: it dies when the lease ends.
    fn has_expired(&self, number: Number, now: Time) -> bool {
        let item = self.item(number);
        item.letter().is_none() && item.info.expires_at.is_some_and(|at| at < now)
    }

    pub(super) fn max_attempts(&self, number: Number) -> u32 {
        self.queue(self.item(number).queue).settings.max_attempts
    }

    pub(super) fn bounds(&self, number: Number) -> Bounds {
        self.queue(self.item(number).queue).bounds()
    }

    /// Whether the current settings of the queue allow no further attempt.
    pub(super) fn is_spent(&self, number: Number) -> bool {
        let most = self.max_attempts(number);
        most > 0 && self.item(number).info.attempts >= most
    }
}

impl Item {
    /// It is delivered for its hand-over only, and a plain item does not expire any more.
    fn mark_hand_over_only(&mut self) {
        self.info.is_hand_over_only = true;
        if self.letter().is_none() {
            self.info.expires_at = None;
        }
    }

    /// Records an attempt that counts, even if the holder reported no details.
    fn keep_ended(&mut self, attempt: Option<&Attempt>, outcome: Outcome, now: Time) {
        let trigger = self.letter().map_or(Trigger::Automatic, |letter| letter.trigger);
        let ended = Attempt { ended_at: Some(now), ..Attempt::new(trigger, outcome) };
        self.keep_attempt(Some(attempt.unwrap_or(&ended)));
    }

    fn count_failure(&mut self, attempt: Option<&Attempt>, charged: bool, now: Time) {
        self.note_failure(attempt, now);
        self.info.attempts -= u32::from(!charged && self.info.attempts > 0);
        let Some(letter) = self.letter_mut() else { return };
        letter.last_failed_at = now;
        letter.retries += u32::from(charged);
        letter.total_attempts += u32::from(charged);
        // After a failed retry it has a regular schedule.
        letter.is_overflow &= !charged;
        let known = attempt.and_then(|attempt| attempt.category);
        if let Some(category) = known.filter(|_| letter.policy_source == PolicySource::Derived) {
            letter.policy = category.derived_policy();
        }
    }

    /// Whether the letter was retried and the limit of its queue allows no further attempt.
    fn is_spent(&self, bounds: &Bounds) -> bool {
        let most = bounds.max_attempts;
        self.letter().is_some_and(|letter| letter.retries > 0) && most > 0 && self.info.attempts >= most
    }

    pub(super) fn verdict(&self, bounds: &Bounds, now: Time) -> (Status, Option<Time>) {
        let letter = self.letter().unwrap();
        if letter.retries >= letter.max_retries || self.is_spent(bounds) {
            return (Status::Exhausted, None);
        }
        let retries = u64::from(letter.retries);
        let seconds = match (letter.policy, &bounds.delays) {
            // A letter whose queue has no delays any more waits for an operator.
            (RetryPolicy::Never, _) | (RetryPolicy::Custom, None) => return (Status::Pending, None),
            (RetryPolicy::Custom, Some(delays)) => delays[delays.len().min(letter.retries as usize + 1) - 1],
            // At once, and then once per cycle of the retry processor.
            (RetryPolicy::Immediate, _) if retries == 0 => 0,
            (RetryPolicy::Immediate, _) => 60,
            (RetryPolicy::Linear, _) => 60 * 5 * (retries + 1),
            (RetryPolicy::Exponential, _) if retries >= 6 => 60 * 60,
            (RetryPolicy::Exponential, _) => 60 << retries,
        };
        (Status::Pending, Some(now.saturating_add(Span::from_secs(seconds))))
    }

    /// After an uncharged failure the letter is not retried at once.
    fn verdict_after_free_failure(&self, bounds: &Bounds, now: Time) -> (Status, Option<Time>) {
        let is_immediate = self.letter().is_some_and(|letter| letter.policy == RetryPolicy::Immediate);
        let (status, due) = self.verdict(bounds, now);
        (status, due.map(|due| if is_immediate { now.saturating_add(Span::from_secs(60)) } else { due }))
    }

    pub(super) fn settle(&mut self, bounds: &Bounds, now: Time) {
        let (status, due) = self.verdict(bounds, now);
        self.park(status, due, now);
    }

    /// Reschedules a letter that was not tried: an overflow letter stays overflow as long as it has a retry to wait
    /// for.
    pub(super) fn settle_in_place(&mut self, bounds: &Bounds, now: Time) {
        let (status, due) = self.verdict(bounds, now);
        self.park_in_place(status, due, now);
    }

    fn park_in_place(&mut self, status: Status, due: Option<Time>, now: Time) {
        let was_over = self.is_over();
        self.park(status, due, now);
        if was_over && due.is_some() {
            self.return_to_overflow();
        } else if let Some(letter) = self.letter_mut() {
            letter.is_overflow = false;
        }
    }

    pub(super) fn return_to_overflow(&mut self) {
        self.info.state = ItemState::Ready;
        if let Some(letter) = self.letter_mut() {
            letter.is_overflow = true;
        }
    }

    /// Sets the status and due time of a letter that waits for its retry or for an operator.
    pub(super) fn park(&mut self, status: Status, due: Option<Time>, now: Time) {
        let due = due.filter(|_| !self.is_blocked());
        self.info.state = due.map_or(ItemState::Ready, |at| ItemState::Due { at });
        let Some(letter) = self.letter_mut() else { return };
        letter.status = status;
        letter.before = None;
        letter.ended_at = match status {
            Status::Exhausted => Some(letter.ended_at.unwrap_or(now)),
            _ => None,
        };
    }

    /// Restores the state of a letter from before its claim.
    fn unclaim(&mut self) {
        let Some(letter) = self.letter_mut() else { return };
        if let Some(before) = letter.before.take() {
            letter.status = before.status;
        }
    }
}

/// The record of a lost attempt, whose outcome is unknown.
pub(super) fn lost(trigger: Trigger, now: Time) -> Attempt {
    Attempt { cause: Some(redrive_model::Cause::Lost), ended_at: Some(now), ..Attempt::new(trigger, Outcome::Failure) }
}
