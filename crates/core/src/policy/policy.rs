//! The rules by which failed work is tried again, parked or given up.
//!
//! A policy is a value: pure, comparable in its effects, the same for every source. It is asked with what
//! happened and answers with a [`Decision`](super::Decision) that says why; it never waits, counts or acts itself.

use std::sync::Arc;

use super::predicate::Predicate;
use super::{Answer, AttemptLimit, ErrorMatcher, Question, Strategy};
use crate::{Backoff, Category, Classifier, Jitter, Span};

/// Decides what happens to work that failed.
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
    /// For work that must be tried again whatever it failed with; never `never`.
    pub(super) patient: Backoff,
    pub(super) strategy: Strategy,
    pub(super) predicate: Option<Predicate>,
    /// What every delay gets, whichever curve it came from.
    pub(super) jitter: Jitter,
}

impl Policy {
    /// The same policy with another jitter.
    #[must_use]
    pub fn with_jitter(self, jitter: Jitter) -> Self {
        Self { jitter, ..self }
    }

    /// The most attempts that any failure can get: what a queue's own limit must allow.
    pub fn max_attempts(&self) -> AttemptLimit {
        let by_rule = self.classifier.max_retries().and_then(|retries| AttemptLimit::of_letter(retries).ok());
        by_rule.map_or(self.limit, |limit| limit.max(self.limit))
    }

    /// The attempts that a failure gets unless a rule of the user's says otherwise.
    pub const fn limit(&self) -> AttemptLimit {
        self.limit
    }

    /// Errors that are dead-lettered at once.
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

    /// How long after the work was first due an attempt may still begin.
    pub const fn deadline(&self) -> Option<Span> {
        self.deadline
    }

    /// The backoff of a category.
    pub const fn backoff(&self, category: Category) -> &Backoff {
        &self.by_category[category as usize]
    }

    pub(super) fn ask(&self, question: &Question<'_, '_>) -> Option<Answer> {
        self.predicate.as_ref().and_then(|predicate| predicate.answer(question))
    }
}
