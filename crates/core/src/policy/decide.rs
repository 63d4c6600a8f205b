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

use super::{Answer, Attempts, Decided, Decision, LetterDelays, Policy, Question};
use crate::{AttemptLimit, Backoff, Classification, DeadReason, Failure, RetryPolicy, Span, Time};

impl Policy {
    /// Decides about work whose latest attempt failed.
    ///
    /// `random` is any uniformly distributed number; only jitter looks at it. The same arguments give the
    /// same decision, always.
    pub fn decide<'f>(&self, failure: &'f Failure, attempts: Attempts, now: Time, random: u64) -> Decided<'f> {
        let found = self.classifier.classify(failure, attempts.charged);
        let decision = self.decide_found(failure, &found, attempts, now, random);
        Decided { decision, classification: found }
    }

    /// The same about a failure that this policy's classifier has been asked about, for this number of attempts.
    pub fn decide_found(
        &self,
        failure: &Failure,
        found: &Classification<'_>,
        attempts: Attempts,
        now: Time,
        random: u64,
    ) -> Decision {
        Case { policy: self, failure, found, attempts, now, random }.decide()
    }
}

/// One failure before its judge.
struct Case<'a, 'f> {
    policy: &'a Policy,
    failure: &'f Failure,
    found: &'a Classification<'f>,
    attempts: Attempts,
    now: Time,
    random: u64,
}

impl Case<'_, '_> {
    fn decide(&self) -> Decision {
        if let Some((_, until)) = self.failure.refusal() {
            let until = until.unwrap_or_else(|| self.after(self.policy.patient_backoff(self.found.category), 1));
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
        match self.found.overrides.max_retries {
            Some(retries) if self.policy.letter.is_none() => {
                AttemptLimit::of_letter(retries).unwrap_or(self.policy.limit)
            }
            _ => self.policy.limit,
        }
    }

    /// The letter's own backoff, else the user's rule, else the category's.
    fn delay(&self) -> Option<Span> {
        let overrides = &self.found.overrides;
        let of_policy = || self.policy.backoff(self.found.category).delay(self.attempts.charged, self.random);
        match &self.policy.letter {
            Some(LetterDelays::Own(_)) => return of_policy(),
            Some(LetterDelays::Kept) => return Some(Span::ZERO),
            Some(LetterDelays::ByCategory) | None => {}
        }
        match (overrides.delay, overrides.policy.and_then(RetryPolicy::backoff)) {
            (Some(delay), _) => Some(delay),
            (None, Some(named)) => named.delay(self.attempts.charged, self.random),
            (None, None) => of_policy(),
        }
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
        let backoff = self.policy.patient_backoff(self.found.category);
        Decision::Retry { at: self.after(backoff, self.attempts.deliveries), charged: false }
    }

    fn after(&self, backoff: &Backoff, failed: u32) -> Time {
        self.due(backoff.delay(failed, self.random).unwrap_or(Span::ZERO))
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
        match self.policy.strategy.skips(self.found.category) {
            Some(why) => Decision::Drop { why, reason },
            None => Decision::DeadLetter { reason },
        }
    }
}
