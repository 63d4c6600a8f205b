//! The policy that decides whether failed work is retried, deferred, dead-lettered or dropped.
//!
//! A policy is a pure value, the same for every source. It takes a failure and returns a [`Decision`](super::Decision)
//! with its reason; it never waits, counts or acts.

use std::sync::Arc;

use super::predicate::Predicate;
use super::{Answer, AttemptLimit, ErrorMatcher, PredicateInput, Strategy};
use crate::{Backoff, Category, Classifier, Jitter, Span};

/// Decides what happens to failed work.
///
/// ```
/// use redrive_core::{Attempts, Decision, Evidence, Failure, Policy, Span, Time};
///
/// let policy = Policy::builder().max_attempts(3).build().unwrap();
/// let now: Time = "2026-11-15T12:00:00Z".parse().unwrap();
/// let failure = Failure::typed(Evidence::http(503));
///
/// let first = policy.decide(&failure, Attempts::charged(1, now), now, 0);
/// assert_eq!(first.decision, Decision::Retry { at: now.saturating_add(Span::from_mins(1)), charged: true });
///
/// let third = policy.decide(&failure, Attempts::charged(3, now), now, 0);
/// assert_eq!(
///     third.decision.to_string(),
///     "dead-letter: attempt 3 of 3 failed, the last one as transient (rule http:503)",
/// );
/// ```
#[derive(Debug, Clone)]
pub struct Policy {
    pub(super) limit: AttemptLimit,
    pub(super) deadline: Option<Span>,
    pub(super) classifier: Arc<Classifier>,
    pub(super) include: Vec<ErrorMatcher>,
    pub(super) exclude: Vec<ErrorMatcher>,
    /// One for each category, in the order of [`Category::ALL`].
    pub(super) by_category: [Backoff; Category::ALL.len()],
    /// The backoff of work that must be retried for any failure. Never `Backoff::NEVER`.
    pub(super) fallback: Backoff,
    pub(super) strategy: Strategy,
    pub(super) predicate: Option<Predicate>,
    /// Jitter for the delays of every curve.
    pub(super) jitter: Jitter,
}

impl Policy {
    /// The same policy with another jitter.
    #[must_use]
    pub fn with_jitter(self, jitter: Jitter) -> Self {
        Self { jitter, ..self }
    }

    /// The maximum number of attempts over all failures. The limit of a queue must not be lower.
    pub fn max_attempts(&self) -> AttemptLimit {
        let by_rule = self.classifier.max_retries().and_then(|retries| AttemptLimit::of_letter(retries).ok());
        by_rule.map_or(self.limit, |limit| limit.max(self.limit))
    }

    /// The attempt limit of failures without a user rule that overrides it.
    pub const fn limit(&self) -> AttemptLimit {
        self.limit
    }

    /// Errors that are dead-lettered immediately.
    pub fn include(&self) -> &[ErrorMatcher] {
        &self.include
    }

    /// Errors that are retried without charge.
    pub fn exclude(&self) -> &[ErrorMatcher] {
        &self.exclude
    }

    pub const fn strategy(&self) -> Strategy {
        self.strategy
    }

    pub fn classifier(&self) -> &Arc<Classifier> {
        &self.classifier
    }

    /// The same policy with another classifier.
    #[must_use]
    pub fn with_classifier(mut self, classifier: Arc<Classifier>) -> Self {
        self.classifier = classifier;
        self
    }

    /// The latest start of a charged attempt, counted from when the work was first due.
    pub const fn deadline(&self) -> Option<Span> {
        self.deadline
    }

    pub const fn backoff(&self, category: Category) -> &Backoff {
        &self.by_category[category as usize]
    }

    pub(super) fn evaluate_predicate(&self, input: &PredicateInput<'_, '_>) -> Option<Answer> {
        self.predicate.as_ref().and_then(|predicate| predicate.evaluate(input))
    }
}
