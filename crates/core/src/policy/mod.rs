//! The rules by which failed work is tried again, parked or given up.
//!
//! A policy is a value: pure, comparable in its effects, the same for every source. It is asked with what
//! happened and answers with a [`Decision`] that says why; it never waits, counts or acts itself.

mod attempts;
mod builder;
mod decide;
mod decision;
mod error_list;
mod predicate;
mod spec;
mod strategy;
mod template;

use std::sync::Arc;

pub use attempts::{AttemptLimit, Attempts};
pub use builder::PolicyBuilder;
pub use decision::{DeadReason, Decided, Decision};
pub use error_list::ErrorMatcher;
use predicate::Predicate;
pub use predicate::{Answer, Question};
pub use spec::PolicySpec;
pub use strategy::{DropReason, Strategy};
pub use template::Template;

use crate::{Backoff, Category, Classifier, RetryPolicy, Span};

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
    limit: AttemptLimit,
    deadline: Option<Span>,
    classifier: Arc<Classifier>,
    include: Vec<ErrorMatcher>,
    exclude: Vec<ErrorMatcher>,
    /// One for each category, in the order of [`Category::ALL`].
    by_category: [Backoff; Category::ALL.len()],
    default: Backoff,
    /// A backoff that was asked for by name, which neither rules nor categories change.
    explicit: Option<Backoff>,
    strategy: Strategy,
    predicate: Option<Predicate>,
}

impl Policy {
    /// A policy with the defaults of letters: three retries, backoff by category.
    pub fn builder() -> PolicyBuilder {
        PolicyBuilder::default()
    }

    /// The most attempts that any failure can get: what a queue's own limit must allow.
    pub fn max_attempts(&self) -> AttemptLimit {
        let by_rule = self.classifier.max_retries().and_then(|retries| AttemptLimit::of_letter(retries).ok());
        by_rule.map_or(self.limit, |limit| limit.max(self.limit))
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
    pub fn backoff(&self, category: Category) -> &Backoff {
        self.explicit.as_ref().unwrap_or(&self.by_category[category as usize])
    }

    /// The same policy for one letter, whose retry policy and number of retries were given explicitly.
    #[must_use]
    pub fn for_letter(&self, policy: RetryPolicy, limit: AttemptLimit) -> Self {
        Self { explicit: policy.backoff(), limit, ..self.clone() }
    }

    /// The category's backoff, or the default where the category's is never: for work that must be tried
    /// again whatever it failed with.
    fn patient_backoff(&self, category: Category) -> &Backoff {
        let backoff = self.backoff(category);
        if backoff.is_never() { &self.default } else { backoff }
    }

    fn ask(&self, question: &Question<'_, '_>) -> Option<Answer> {
        self.predicate.as_ref().and_then(|predicate| predicate.answer(question))
    }
}
