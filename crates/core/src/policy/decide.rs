//! The one place where it is decided whether failed work is tried again.
//!
//! The order matters and is the same for every source:
//!
//! 1. Work that was refused before it was tried is deferred; nothing was learned about it.
//! 2. The user's predicate, where it has an opinion.
//! 3. Excluded errors, and errors that say a breaker refused the call, are retried without charge, however
//!    often; they never make a letter.
//! 4. Spent attempts end it as exhausted, before every other reason: a letter whose budget is used up is
//!    exhausted, also when nothing would have retried it by itself.
//! 5. Included errors are dead-lettered at once.
//! 6. A backoff of never ends it.
//! 7. A due time beyond the deadline ends it.
//!
//! A delay of `immediate` is zero, but for a letter whose retry has failed, charged or not: that one waits for the next
//! cycle of the retry processor.

use std::sync::LazyLock;

use super::{Answer, Attempts, Decided, Decision, LetterDelays, LetterTerms, Policy, Question};
use crate::{
    AttemptLimit, Backoff, Classification, Classifier, DeadReason, Failure, RetryPolicy, Span, Strategy, Time,
};

impl Policy {
    /// Decides about work whose latest attempt failed.
    ///
    /// `random` is any uniformly distributed number; only jitter looks at it. The same arguments give the
    /// same decision, always.
    pub fn decide<'f>(&self, failure: &'f Failure, attempts: Attempts, now: Time, random: u64) -> Decided<'f> {
        self.decide_by(None, failure, attempts, now, random)
    }

    /// Decides about a letter whose latest attempt failed: by its own delays and limit.
    ///
    /// The strategy is about what becomes a letter; this one is one already, and is never dropped.
    pub fn decide_letter<'f>(
        &self,
        failure: &'f Failure,
        terms: LetterTerms<'_>,
        attempts: Attempts,
        now: Time,
        random: u64,
    ) -> Decided<'f> {
        self.decide_by(Some(terms), failure, attempts, now, random)
    }

    /// Decides about a letter of whose latest failure nothing is known but which attempt it was.
    pub fn decide_unseen(&self, terms: LetterTerms<'_>, attempts: Attempts, now: Time, random: u64) -> Decision {
        static UNKNOWN: LazyLock<Failure> = LazyLock::new(Failure::default);
        // The built-in rules give the same answer for every number of attempts, so it is classified once.
        static FOUND: LazyLock<Classification<'static>> =
            LazyLock::new(|| Classifier::built_in().classify(&UNKNOWN, 1));
        Decider { policy: self, terms: Some(terms), failure: &UNKNOWN, found: &FOUND, attempts, now, random }.decide()
    }

    fn decide_by<'f>(
        &self,
        terms: Option<LetterTerms<'_>>,
        failure: &'f Failure,
        attempts: Attempts,
        now: Time,
        random: u64,
    ) -> Decided<'f> {
        let found = self.classifier.classify(failure, attempts.charged);
        let decision = Decider { policy: self, terms, failure, found: &found, attempts, now, random }.decide();
        Decided { decision, classification: found }
    }
}

/// One failure, and all that its decision depends on.
struct Decider<'a, 'f> {
    policy: &'a Policy,
    terms: Option<LetterTerms<'a>>,
    failure: &'f Failure,
    found: &'a Classification<'f>,
    attempts: Attempts,
    now: Time,
    random: u64,
}

impl Decider<'_, '_> {
    fn decide(&self) -> Decision {
        if let Some((_, until)) = self.failure.refusal() {
            let until = until.unwrap_or_else(|| self.after(self.patient_backoff(), 1));
            return Decision::Defer { until: until.max(self.now) };
        }
        match self.policy.ask(&Question { failure: self.failure, found: self.found, attempts: self.attempts }) {
            Some(Answer::DeadLetter) => return self.dead(self.predicate()),
            Some(Answer::Retry) => return self.retry_for_free(),
            None => {}
        }
        let is_excluded = self.policy.exclude.iter().any(|matcher| matcher.matches(self.failure, self.found));
        if is_excluded || self.found.rule.is_open_breaker() {
            return self.retry_for_free();
        }
        if self.limit().is_reached(self.attempts.charged) {
            return self.dead(self.exhausted());
        }
        if let Some(matcher) = self.policy.include.iter().find(|matcher| matcher.matches(self.failure, self.found)) {
            return self.dead(DeadReason::Included {
                matcher: matcher.to_string(),
                category: self.found.category,
                rule: self.found.rule.clone(),
            });
        }
        match self.delay() {
            Some(delay) => self.retry_within_deadline(delay),
            None => self.dead(DeadReason::Permanent { category: self.found.category, rule: self.found.rule.clone() }),
        }
    }

    /// A rule of the user's may grant more or fewer retries than the policy, but not than the letter has.
    fn limit(&self) -> AttemptLimit {
        match (self.terms, self.found.overrides.max_retries) {
            (Some(terms), _) => terms.limit,
            (None, Some(retries)) => AttemptLimit::of_letter(retries).unwrap_or(self.policy.limit),
            (None, None) => self.policy.limit,
        }
    }

    /// The letter's own backoff, else the user's rule, else the category's.
    fn delay(&self) -> Option<Span> {
        let overrides = &self.found.overrides;
        let by_backoff = |backoff: &Backoff| self.delay_by(backoff, self.attempts.charged);
        match self.terms.map(|terms| terms.delays) {
            Some(LetterDelays::Own(backoff)) => return by_backoff(backoff),
            Some(LetterDelays::ByCategory) | None => {}
        }
        match (overrides.delay, overrides.policy.and_then(RetryPolicy::backoff)) {
            (Some(delay), _) => Some(delay),
            (None, Some(named)) => by_backoff(named),
            (None, None) => by_backoff(self.policy.backoff(self.found.category)),
        }
    }

    fn delay_by(&self, backoff: &Backoff, failed: u32) -> Option<Span> {
        match self.terms {
            Some(terms) if backoff.is_immediate() && self.is_retry() => Some(terms.retry_interval),
            _ => backoff.delay(failed, self.random),
        }
    }

    /// Whether a retry failed. The first attempt at a letter is the failure that made it one.
    fn is_retry(&self) -> bool {
        self.attempts.charged.max(self.attempts.deliveries) > 1
    }

    /// The letter's or the category's backoff; or a patient one where that is never: for work that must be tried again
    /// whatever it failed with.
    fn patient_backoff(&self) -> &Backoff {
        let backoff = match self.terms.map(|terms| terms.delays) {
            Some(LetterDelays::Own(backoff)) => backoff,
            Some(LetterDelays::ByCategory) | None => self.policy.backoff(self.found.category),
        };
        if backoff.is_never() { &self.policy.patient } else { backoff }
    }

    fn retry_within_deadline(&self, delay: Span) -> Decision {
        let at = self.due(delay);
        match self.policy.deadline.map(|deadline| self.attempts.since.saturating_add(deadline)) {
            Some(deadline) if at > deadline => self.dead(DeadReason::Deadline {
                deadline,
                category: self.found.category,
                rule: self.found.rule.clone(),
            }),
            _ => Decision::Retry { at, charged: true },
        }
    }

    fn retry_for_free(&self) -> Decision {
        Decision::Retry { at: self.after(self.patient_backoff(), self.attempts.deliveries), charged: false }
    }

    fn after(&self, backoff: &Backoff, failed: u32) -> Time {
        self.due(self.delay_by(backoff, failed).unwrap_or(Span::ZERO))
    }

    /// Never before the delay is over, and never before the other side asked us to come back.
    fn due(&self, delay: Span) -> Time {
        let hint = self.found.retry_after.unwrap_or(Span::ZERO);
        let delay = self.policy.jitter.apply(delay, Span::MAX, self.random);
        self.now.saturating_add(delay.max(hint))
    }

    fn exhausted(&self) -> DeadReason {
        DeadReason::Exhausted {
            attempts: self.attempts.charged,
            limit: self.limit(),
            category: self.found.category,
            rule: self.found.rule.clone(),
        }
    }

    /// Ended by the predicate; or exhausted, where that is true as well.
    fn predicate(&self) -> DeadReason {
        if self.limit().is_reached(self.attempts.charged) {
            return self.exhausted();
        }
        DeadReason::Predicate { category: self.found.category, rule: self.found.rule.clone() }
    }

    fn dead(&self, reason: DeadReason) -> Decision {
        let strategy = if self.terms.is_some() { Strategy::Automatic } else { self.policy.strategy };
        match strategy.skips(self.found.category) {
            Some(why) => Decision::Drop { why, reason },
            None => Decision::DeadLetter { reason },
        }
    }
}
