//! The settings of a queue, applied to one of its items.

use redrive_core::{
    AttemptLimit, Attempts, Category, DeathReason, DelayHint, LetterDelays, LetterTerms, MovedPolicy, OnFull, Policy,
    PolicySource, RetryPolicy, RetryTerms, Span, Status, Time,
};

use super::Schedule;
use crate::{Item, Letter, LetterSettings, OpContext, QueueSettings, Rejection};

/// The settings that rules use. It only borrows them, so it costs nothing per item.
#[derive(Debug, Clone, Copy)]
pub struct QueueRules<'q> {
    pub settings: &'q QueueSettings,
    /// The effective settings: those of the queue over those of the store.
    pub letters: &'q LetterSettings,
    /// The policy of the store, with its jitter.
    pub policy: &'q Policy,
}

impl QueueRules<'_> {
    /// Whether an item has no attempts left in this queue.
    pub const fn is_spent(&self, item: &Item) -> bool {
        let most = self.settings.max_attempts;
        most > 0 && item.attempts >= most
    }

    /// Whether a letter that was retried has no attempts left in this queue. This also bounds attempts that ended in a
    /// crash, about which no policy decided.
    pub(super) fn is_letter_spent(&self, item: &Item) -> bool {
        item.letter().is_some_and(|letter| letter.retries > 0) && self.is_spent(item)
    }

    /// Why a plain item dies at the end of an attempt: no attempts left, or expired. `None` if it does not die.
    pub(super) fn death_after_attempt(&self, item: &Item, charged: bool, now: Time) -> Option<DeathReason> {
        if charged && self.is_spent(item) {
            return Some(DeathReason::MaxAttempts);
        }
        item.has_expired(now).then_some(DeathReason::Expired)
    }

    /// The schedule of a letter after its failed retries so far: the decision of its policy, within the limit of the
    /// queue.
    pub fn decide(&self, item: &Item, op: OpContext) -> Schedule {
        self.decide_after(item, 0, DelayHint::NONE, op)
    }

    /// The schedule after a failure that requests a delay.
    pub(crate) fn decide_hinted(&self, item: &Item, hint: DelayHint, op: OpContext) -> Schedule {
        self.decide_after(item, 0, hint, op)
    }

    /// The schedule after `uncharged` failed retries that do not count towards the limit. After one of them,
    /// `immediate` waits for the next cycle.
    pub(super) fn decide_after_uncharged(&self, item: &Item, uncharged: u32, op: OpContext) -> Schedule {
        self.decide_after(item, uncharged, DelayHint::NONE, op)
    }

    fn decide_after(&self, item: &Item, uncharged: u32, hint: DelayHint, op: OpContext) -> Schedule {
        let Some(letter) = item.letter() else { return Schedule::PARKED };
        if self.is_letter_spent(item) {
            return Schedule::EXHAUSTED;
        }
        // The captured failure was the first attempt.
        let charged = letter.retries.saturating_add(1);
        let attempts = Attempts { deliveries: charged.saturating_add(uncharged), ..Attempts::charged(charged, op.now) };
        let terms = RetryTerms {
            policy: letter.policy,
            source: letter.policy_source,
            max_retries: u32::from(letter.max_retries),
        };
        self.schedule(terms, hint, attempts, op)
    }

    /// The schedule of a letter with these terms after these attempts. `hint` is the delay that the last failure
    /// requests.
    pub fn schedule(&self, terms: RetryTerms, hint: DelayHint, attempts: Attempts, op: OpContext) -> Schedule {
        // A number out of range was rejected when the letter was captured or edited.
        let Ok(limit) = AttemptLimit::of_letter(terms.max_retries) else { return Schedule::EXHAUSTED };
        let delays = LetterDelays::named(terms.policy, self.letters.custom_backoff());
        let terms = LetterTerms { delays, limit, retry_interval: self.letters.retry_interval };
        self.policy.decide_unseen(terms, hint, attempts, op.now, op.random).into()
    }

    /// The retry terms of an item that died in another queue and is moved to this one.
    pub fn moved_terms(&self, category: Category) -> RetryTerms {
        let letters = self.letters;
        let has_target = letters.retried_queues.contains(&self.settings.name);
        let (policy, source) = match (letters.moved_policy, letters.moved_policy.named()) {
            (_, Some(policy)) => (policy, PolicySource::Default),
            (MovedPolicy::Auto, None) if !has_target => (RetryPolicy::Never, PolicySource::Default),
            (_, None) => (category.derived_policy(), PolicySource::Derived),
        };
        RetryTerms { policy, source, max_retries: letters.moved_max_retries }
    }

    /// When a letter that is exhausted, or was before it was claimed, is archived automatically; [`Time::MAX`] for
    /// never.
    ///
    /// If that time has already passed, the letter was claimed or restored meanwhile: the period starts again, so that
    /// an operator can review the letter. With a period of zero, it is not archived automatically again.
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

    /// How many more letters captures may add if `live` letters are live.
    pub const fn room(&self, live: u64) -> u64 {
        match self.letters.max_size {
            Some(most) => most.saturating_sub(live),
            None => u64::MAX,
        }
    }

    /// Whether a captured letter waits for space if `live` letters are live.
    pub(crate) fn is_over(&self, live: u64) -> bool {
        self.letters.on_full == OnFull::Overflow && self.room(live) == 0
    }

    pub(crate) fn full(&self) -> Rejection {
        Rejection::QueueFull { max_size: self.letters.max_size.unwrap_or_default() }
    }
}
