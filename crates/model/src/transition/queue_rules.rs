//! What a queue's settings say about one of its items.

use redrive_core::{
    AttemptLimit, Attempts, DeathReason, LetterDelays, LetterTerms, OnFull, Policy, RetryPolicy, Span, Status, Time,
};

use super::Schedule;
use crate::{Item, Letter, LetterSettings, OpContext, QueueSettings, Rejection};

/// The settings that rules look at. It only borrows, so it costs nothing per item.
#[derive(Debug, Clone, Copy)]
pub struct QueueRules<'q> {
    pub settings: &'q QueueSettings,
    /// The effective settings: those of the queue over those of the store.
    pub letters: &'q LetterSettings,
    /// The store's own policy, with its jitter.
    pub policy: &'q Policy,
}

impl QueueRules<'_> {
    /// Whether the queue allows no further attempt at an item.
    pub const fn is_spent(&self, item: &Item) -> bool {
        let most = self.settings.max_attempts;
        most > 0 && item.attempts >= most
    }

    /// The same for a letter that was retried: attempts that ended with a crash are bounded, too, and no policy saw them.
    pub(super) fn is_letter_spent(&self, item: &Item) -> bool {
        item.letter().is_some_and(|letter| letter.retries > 0) && self.is_spent(item)
    }

    /// Why a plain item dies at the end of an attempt, where it does: its attempts are spent, or its time is.
    pub(super) fn death_after_attempt(&self, item: &Item, charged: bool, now: Time) -> Option<DeathReason> {
        if charged && self.is_spent(item) {
            return Some(DeathReason::MaxAttempts);
        }
        item.has_expired(now).then_some(DeathReason::Expired)
    }

    /// Where a letter goes after its failed retries so far: what its policy decides, within the queue's own limit.
    pub fn decide(&self, item: &Item, op: OpContext) -> Schedule {
        self.decide_after_free(item, 0, op)
    }

    /// The same after `free` retries that failed and do not count: they bring no limit nearer, but `immediate` is not at
    /// once after them.
    pub(super) fn decide_after_free(&self, item: &Item, free: u32, op: OpContext) -> Schedule {
        let Some(letter) = item.letter() else { return Schedule::PARKED };
        if self.is_letter_spent(item) {
            return Schedule::EXHAUSTED;
        }
        // The failure that made it a letter was the first attempt.
        let charged = letter.retries.saturating_add(1);
        let attempts = Attempts { deliveries: charged.saturating_add(free), ..Attempts::charged(charged, op.now) };
        self.schedule(letter.policy, u32::from(letter.max_retries), attempts, op)
    }

    /// The same for a letter with this policy and limit, after these attempts.
    pub fn schedule(&self, policy: RetryPolicy, max_retries: u32, attempts: Attempts, op: OpContext) -> Schedule {
        // A number out of range was rejected when the letter was captured or edited.
        let Ok(limit) = AttemptLimit::of_letter(max_retries) else { return Schedule::EXHAUSTED };
        let delays = LetterDelays::named(policy, self.letters.custom_backoff());
        let terms = LetterTerms { delays, limit, retry_interval: self.letters.retry_interval };
        self.policy.decide_unseen(terms, attempts, op.now, op.random).into()
    }

    /// When a letter that is exhausted, or was before it was claimed, is archived automatically; [`Time::MAX`] for never.
    ///
    /// A letter whose time has passed was claimed or restored since: it gets the whole time again, so that an operator can
    /// look at it. With a time of zero it is not archived automatically again.
    pub fn archived_at(&self, item: &Item, now: Time) -> Time {
        let is_exhausted = |letter: &&Letter| {
            let before = letter.before.as_ref().map(|before| before.status);
            letter.status == Status::Exhausted || before == Some(Status::Exhausted)
        };
        let Some(letter) = item.letter().filter(is_exhausted) else { return Time::MAX };
        let Some(after) = self.letters.auto_archive else { return Time::MAX };
        let since = letter.ended_at.get().unwrap_or(now);
        match since.saturating_add(after) {
            at if at > now => at,
            _ if after == Span::ZERO && since < now => Time::MAX,
            _ => now.saturating_add(after),
        }
    }

    /// When a letter that arrives now expires; [`Time::MAX`] for never.
    pub fn letter_expiry(&self, now: Time) -> Time {
        if self.letters.letters_expire { now.saturating_add(self.settings.expire_timeout) } else { Time::MAX }
    }

    /// How many more live letters captures may make, where so many are live.
    pub const fn room(&self, live: u64) -> u64 {
        match self.letters.max_size {
            Some(most) => most.saturating_sub(live),
            None => u64::MAX,
        }
    }

    /// Whether a captured letter waits for room, where so many are live.
    pub(crate) fn is_over(&self, live: u64) -> bool {
        self.letters.on_full == OnFull::Overflow && self.room(live) == 0
    }

    pub(crate) fn full(&self) -> Rejection {
        Rejection::QueueFull { max_size: self.letters.max_size.unwrap_or_default() }
    }
}
