//! Decides whether failed work is retried. This is the only place that does.
//!
//! The order of the steps matters and is the same for every source:
//!
//! 1. Work that was refused before it was attempted is deferred: that says nothing about the work.
//! 2. The caller's answer decides, if there is one, or the user's predicate if it returns one.
//! 3. Excluded errors, and errors which say that a breaker refused the call, are retried without charge and without
//!    limit; they never become letters.
//! 4. Work with no attempts left is exhausted. This precedes all other reasons: a letter with no attempts left is
//!    exhausted even if it would not have been retried automatically.
//! 5. Included errors are dead-lettered immediately.
//! 6. Work whose backoff is `never` is dead-lettered.
//! 7. Work whose next due time is after the deadline is dead-lettered.
//!
//! A failure that may pass with time may be that of the destination, about which a policy knows nothing: where 4 to 7
//! decide about one, [`Decided::spared_until`] says when the work is retried if the destination is to blame.
//!
//! A delay of `immediate` is zero, except for a letter whose retry has failed, charged or not: it waits for the next
//! cycle of the retry processor.

use std::sync::LazyLock;

use super::{Answer, Attempts, Decided, Decision, DelayHint, LetterDelays, LetterTerms, Policy, PredicateInput};
use crate::{
    AttemptLimit, Backoff, Classification, Classifier, DeadReason, Failure, Overrides, RetryPolicy, Span, Strategy,
    Time,
};

impl Policy {
    /// Decides about work whose latest attempt failed.
    ///
    /// `random` is any uniformly distributed number; only jitter uses it. The same arguments always give the same
    /// decision.
    pub fn decide<'f>(&self, failure: &'f Failure, attempts: Attempts, now: Time, random: u64) -> Decided<'f> {
        self.decide_answered(None, failure, attempts, now, random)
    }

    /// Like [`decide`](Self::decide), for a caller that may have an answer, for example from a function that
    /// knows the work. The answer takes the place of the predicate.
    pub fn decide_answered<'f>(
        &self,
        answer: Option<Answer>,
        failure: &'f Failure,
        attempts: Attempts,
        now: Time,
        random: u64,
    ) -> Decided<'f> {
        let found = self.classifier.classify(failure, attempts.charged);
        let decider = Decider { policy: self, terms: None, answer, failure, found: &found, attempts, now, random };
        let (decision, spared_until) = decider.asked().decide_or_spare();
        Decided { decision, classification: found, spared_until }
    }

    /// Decides about a letter whose latest attempt failed, with the letter's delays and limit and the classification of
    /// its queue.
    ///
    /// A letter is never dropped: the strategy applies only to failures that are not letters yet.
    pub fn decide_letter<'f>(
        &self,
        failure: &'f Failure,
        found: Classification<'f>,
        terms: LetterTerms<'_>,
        attempts: Attempts,
        now: Time,
        random: u64,
    ) -> Decided<'f> {
        let terms = Some(terms);
        let decider = Decider { policy: self, terms, answer: None, failure, found: &found, attempts, now, random };
        let (decision, spared_until) = decider.asked().decide_or_spare();
        Decided { decision, classification: found, spared_until }
    }

    /// Decides about a letter whose latest failure is unknown except for the attempt count and the delay hint.
    pub fn decide_unseen(
        &self,
        terms: LetterTerms<'_>,
        hint: DelayHint,
        attempts: Attempts,
        now: Time,
        random: u64,
    ) -> Decision {
        static UNKNOWN: LazyLock<Failure> = LazyLock::new(Failure::default);
        // The built-in rules do not depend on the number of attempts, so it is classified once.
        static FOUND: LazyLock<Classification<'static>> =
            LazyLock::new(|| Classifier::built_in().classify(&UNKNOWN, 1));
        let found = Classification {
            retry_after: hint.retry_after.map(|hint| hint.min(Classification::RETRY_AFTER_MAX)),
            overrides: Overrides { delay: hint.delay, ..Overrides::default() },
            ..FOUND.clone()
        };
        // A delay set by a rule takes effect only if the letter's own backoff does not override it.
        let terms = match hint.delay {
            Some(_) => LetterTerms { delays: LetterDelays::ByCategory, ..terms },
            None => terms,
        };
        let (terms, failure) = (Some(terms), &*UNKNOWN);
        Decider { policy: self, terms, answer: None, failure, found: &found, attempts, now, random }.asked().decide()
    }
}

/// One failure and all inputs of its decision.
#[derive(Clone, Copy)]
struct Decider<'a, 'f> {
    policy: &'a Policy,
    terms: Option<LetterTerms<'a>>,
    answer: Option<Answer>,
    failure: &'f Failure,
    found: &'a Classification<'f>,
    attempts: Attempts,
    now: Time,
    random: u64,
}

impl Decider<'_, '_> {
    /// With the answer of the user's predicate, if the caller has none. It is asked once, and not about work that was
    /// refused before it was attempted.
    fn asked(self) -> Self {
        if self.answer.is_some() || self.failure.not_attempted().is_some() {
            return self;
        }
        let input = PredicateInput { failure: self.failure, found: self.found, attempts: self.attempts };
        Self { answer: self.policy.evaluate_predicate(&input), ..self }
    }

    /// The decision, and when the work is retried if its destination is to blame.
    fn decide_or_spare(&self) -> (Decision, Option<Time>) {
        let may_spare = self.found.category.is_passing()
            && self.answer.is_none()
            && self.failure.not_attempted().is_none()
            && !self.is_spared_anyway();
        (self.decide(), may_spare.then(|| self.spared_until()))
    }

    fn decide(&self) -> Decision {
        if let Some((_, until)) = self.failure.not_attempted() {
            let until = until.unwrap_or_else(|| self.after(self.backoff_or_fallback(), 1));
            return Decision::Defer { until: until.max(self.now) };
        }
        match self.answer {
            Some(Answer::DeadLetter) => return self.dead(self.predicate()),
            Some(Answer::Retry) => return self.retry_uncharged(),
            None => {}
        }
        if self.is_spared_anyway() {
            return self.retry_uncharged();
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

    /// Whether the failure is retried without a charge, whoever is to blame.
    fn is_spared_anyway(&self) -> bool {
        let is_excluded = self.policy.exclude.iter().any(|matcher| matcher.matches(self.failure, self.found));
        is_excluded || self.found.rule.is_open_breaker()
    }

    /// A user rule may override the limit of the policy, but not the limit of a letter.
    fn limit(&self) -> AttemptLimit {
        match (self.terms, self.found.overrides.max_retries) {
            (Some(terms), _) => terms.limit,
            (None, Some(retries)) => AttemptLimit::of_letter(retries).unwrap_or(self.policy.limit),
            (None, None) => self.policy.limit,
        }
    }

    /// Precedence: the letter's own backoff > the user rule > the backoff of the category.
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

    /// Whether a retry failed. The first attempt of a letter is the failure from which it was created.
    fn is_retry(&self) -> bool {
        self.attempts.charged.max(self.attempts.deliveries) > 1
    }

    /// The backoff of the letter or the category, or the fallback if that is `never`: for work that must be retried for
    /// any failure.
    fn backoff_or_fallback(&self) -> &Backoff {
        let backoff = match self.terms.map(|terms| terms.delays) {
            Some(LetterDelays::Own(backoff)) => backoff,
            Some(LetterDelays::ByCategory) | None => self.policy.backoff(self.found.category),
        };
        if backoff.is_never() { &self.policy.fallback } else { backoff }
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

    fn retry_uncharged(&self) -> Decision {
        Decision::Retry { at: self.spared_until(), charged: false }
    }

    fn spared_until(&self) -> Time {
        self.after(self.backoff_or_fallback(), self.attempts.deliveries)
    }

    fn after(&self, backoff: &Backoff, failed: u32) -> Time {
        self.due(self.delay_by(backoff, failed).unwrap_or(Span::ZERO))
    }

    /// The due time: after both the delay and the `retry_after` of the destination.
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

    /// The reason of a dead letter by the predicate; `Exhausted` if no attempts are left.
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
