//! Building a policy in code.

use std::sync::Arc;

use super::predicate::{Answer, Predicate, Question};
use super::{AttemptLimit, ErrorMatcher, Policy, Strategy};
use crate::{Backoff, Category, Classifier, Invalid, Problem, RetryPolicy, Span};

/// Collects what a policy is made of; [`PolicyBuilder::build`] checks it as a whole.
#[derive(Debug, Clone)]
pub struct PolicyBuilder {
    limit: Result<AttemptLimit, Invalid>,
    deadline: Option<Span>,
    classifier: Arc<Classifier>,
    include: Vec<ErrorMatcher>,
    exclude: Vec<ErrorMatcher>,
    by_category: [Option<Backoff>; Category::ALL.len()],
    default: Option<Backoff>,
    explicit: Option<Backoff>,
    strategy: Strategy,
    predicate: Option<Predicate>,
}

impl Default for PolicyBuilder {
    fn default() -> Self {
        const DEFAULT_RETRIES: u32 = 3;
        Self {
            limit: AttemptLimit::of_letter(DEFAULT_RETRIES),
            deadline: None,
            classifier: Arc::clone(Classifier::built_in()),
            include: Vec::new(),
            exclude: Vec::new(),
            by_category: Default::default(),
            default: None,
            explicit: None,
            strategy: Strategy::default(),
            predicate: None,
        }
    }
}

impl PolicyBuilder {
    /// At most this many attempts in total; zero is refused when the policy is built.
    #[must_use]
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.limit = AttemptLimit::at_most(attempts);
        self
    }

    #[must_use]
    pub fn limit(mut self, limit: AttemptLimit) -> Self {
        self.limit = Ok(limit);
        self
    }

    /// No attempt begins later than this after the work was first due.
    #[must_use]
    pub fn deadline(mut self, deadline: Span) -> Self {
        self.deadline = Some(deadline);
        self
    }

    #[must_use]
    pub fn classifier(mut self, classifier: Arc<Classifier>) -> Self {
        self.classifier = classifier;
        self
    }

    /// These errors are dead-lettered at once.
    #[must_use]
    pub fn include(mut self, errors: impl IntoIterator<Item = ErrorMatcher>) -> Self {
        self.include.extend(errors);
        self
    }

    /// These errors are retried however often, without charge.
    #[must_use]
    pub fn exclude(mut self, errors: impl IntoIterator<Item = ErrorMatcher>) -> Self {
        self.exclude.extend(errors);
        self
    }

    /// The backoff of the categories that are retried and have none of their own.
    #[must_use]
    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.default = Some(backoff);
        self
    }

    #[must_use]
    pub fn backoff_for(mut self, category: Category, backoff: Backoff) -> Self {
        self.by_category[category as usize] = Some(backoff);
        self
    }

    /// This backoff whatever the failure is.
    #[must_use]
    pub fn backoff_for_all(mut self, backoff: Backoff) -> Self {
        self.explicit = Some(backoff);
        self
    }

    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// A function that is asked before all lists and counts. It must be pure.
    #[must_use]
    pub fn predicate(
        mut self,
        predicate: impl Fn(&Question<'_, '_>) -> Option<Answer> + Send + Sync + 'static,
    ) -> Self {
        self.predicate = Some(Predicate::new(predicate));
        self
    }

    /// Checks that the parts fit each other.
    pub fn build(self) -> Result<Policy, Invalid> {
        let limit = self.limit?;
        if self.deadline.is_some_and(Span::is_zero) {
            return Err(Invalid::new("deadline", Problem::OutOfRange, "0s", "more than zero, or none"));
        }
        let own_default = self.default.clone();
        let default = self.default.or_else(|| RetryPolicy::default().backoff()).unwrap_or(Backoff::IMMEDIATE);
        if default.is_never() && !self.exclude.is_empty() {
            let allowed = "a default backoff other than never: excluded errors are always retried";
            return Err(Invalid::new("exclude", Problem::Contradiction, self.exclude[0].to_string(), allowed));
        }
        if let Some(both) = self.include.iter().find(|matcher| self.exclude.contains(matcher)) {
            let allowed = "an error in include or in exclude, not in both";
            return Err(Invalid::new("include", Problem::Contradiction, both, allowed));
        }
        let mut by_category = self.by_category.into_iter();
        let by_category = std::array::from_fn(|index| {
            let own = by_category.next().flatten();
            own.unwrap_or_else(|| derived(Category::ALL[index], own_default.as_ref()))
        });
        Ok(Policy {
            limit,
            deadline: self.deadline,
            classifier: self.classifier,
            include: self.include,
            exclude: self.exclude,
            by_category,
            default,
            explicit: self.explicit,
            strategy: self.strategy,
            predicate: self.predicate,
        })
    }
}

/// What a category gets when nothing was said about it: the default if it is worth retrying at all.
fn derived(category: Category, default: Option<&Backoff>) -> Backoff {
    let named = category.derived_policy().backoff().unwrap_or(Backoff::NEVER);
    match default {
        Some(default) if !named.is_never() => default.clone(),
        _ => named,
    }
}
