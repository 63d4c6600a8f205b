//! The builder of a policy.

use std::sync::Arc;

use super::predicate::{Answer, Predicate, PredicateInput};
use super::{AttemptLimit, ErrorMatcher, Policy, Strategy};
use crate::{Backoff, Category, Classifier, Invalid, Jitter, Problem, RetryPolicy, Span};

impl Policy {
    /// A policy with the defaults of letters: three retries, backoff by category.
    pub fn builder() -> PolicyBuilder {
        PolicyBuilder::default()
    }
}

/// The defaults of letters: three retries, backoff by category.
impl Default for Policy {
    fn default() -> Self {
        Self {
            limit: AttemptLimit::LETTER,
            deadline: None,
            classifier: Arc::clone(Classifier::built_in()),
            include: Vec::new(),
            exclude: Vec::new(),
            by_category: std::array::from_fn(|index| derived(Category::ALL[index], None, false)),
            fallback: RetryPolicy::default().backoff().cloned().unwrap_or(Backoff::IMMEDIATE),
            strategy: Strategy::default(),
            predicate: None,
            jitter: Jitter::None,
        }
    }
}

/// Collects the settings of a policy; [`PolicyBuilder::build`] validates them.
#[derive(Debug, Clone, Default)]
pub struct PolicyBuilder {
    /// The policy with the settings that need no other form; the following ones are added by `build`.
    policy: Policy,
    limit: Option<Result<AttemptLimit, Invalid>>,
    by_category: [Option<Backoff>; Category::ALL.len()],
    default: Option<Backoff>,
    /// Whether the default applies to every category, including those that are not retried automatically.
    is_default_for_all: bool,
}

impl PolicyBuilder {
    /// The maximum number of attempts in total. [`build`](Self::build) rejects zero.
    #[must_use]
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.limit = Some(AttemptLimit::at_most(attempts));
        self
    }

    #[must_use]
    pub fn limit(mut self, limit: AttemptLimit) -> Self {
        self.limit = Some(Ok(limit));
        self
    }

    /// No charged attempt starts later than this after the work was first due.
    #[must_use]
    pub fn deadline(mut self, deadline: Span) -> Self {
        self.policy.deadline = Some(deadline);
        self
    }

    #[must_use]
    pub fn classifier(mut self, classifier: Arc<Classifier>) -> Self {
        self.policy.classifier = classifier;
        self
    }

    /// Errors that are dead-lettered immediately.
    #[must_use]
    pub fn include(mut self, errors: impl IntoIterator<Item = ErrorMatcher>) -> Self {
        self.policy.include.extend(errors);
        self
    }

    /// Errors that are retried without limit and without spending attempts.
    #[must_use]
    pub fn exclude(mut self, errors: impl IntoIterator<Item = ErrorMatcher>) -> Self {
        self.policy.exclude.extend(errors);
        self
    }

    /// The default backoff of the categories that are retried automatically.
    #[must_use]
    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.default = Some(backoff);
        self
    }

    /// The backoff of one category. It overrides the default.
    #[must_use]
    pub fn backoff_for(mut self, category: Category, backoff: Backoff) -> Self {
        self.by_category[category as usize] = Some(backoff);
        self
    }

    /// The default backoff of every category, including those that are otherwise not retried automatically.
    #[must_use]
    pub fn backoff_for_all(mut self, backoff: Backoff) -> Self {
        self.default = Some(backoff);
        self.is_default_for_all = true;
        self
    }

    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.policy.strategy = strategy;
        self
    }

    /// Jitter for every delay, including delays set by a letter or a rule. It is added to the jitter of the backoff.
    #[must_use]
    pub fn jitter(mut self, jitter: Jitter) -> Self {
        self.policy.jitter = jitter;
        self
    }

    /// A function that is evaluated before the error lists and the attempt limit. It must be pure.
    #[must_use]
    pub fn predicate(
        mut self,
        predicate: impl Fn(&PredicateInput<'_, '_>) -> Option<Answer> + Send + Sync + 'static,
    ) -> Self {
        self.policy.predicate = Some(Predicate::new(predicate));
        self
    }

    /// Builds the policy.
    ///
    /// # Errors
    ///
    /// If a setting is out of range or two settings contradict each other.
    pub fn build(self) -> Result<Policy, Invalid> {
        let Self { policy, limit, by_category, default, is_default_for_all } = self;
        let limit = limit.unwrap_or(Ok(policy.limit))?;
        if policy.deadline.is_some_and(Span::is_zero) {
            return Err(Invalid::new("deadline", Problem::OutOfRange, "0s", "more than zero, or none"));
        }
        if default.as_ref().is_some_and(Backoff::is_never)
            && let Some(excluded) = policy.exclude.first()
        {
            let allowed = "a default backoff other than never: excluded errors are always retried";
            return Err(Invalid::new("exclude", Problem::Contradiction, excluded, allowed));
        }
        if let Some(both) = policy.include.iter().find(|matcher| policy.exclude.contains(matcher)) {
            let allowed = "an error in include or in exclude, not in both";
            return Err(Invalid::new("include", Problem::Contradiction, both, allowed));
        }
        for (field, matchers) in [("include", &policy.include), ("exclude", &policy.exclude)] {
            matchers.iter().try_for_each(|matcher| check_rule_exists(field, matcher, &policy.classifier))?;
        }
        let mut own = by_category.into_iter();
        let by_category = std::array::from_fn(|index| {
            let own = own.next().flatten();
            own.unwrap_or_else(|| derived(Category::ALL[index], default.as_ref(), is_default_for_all))
        });
        let fallback = default.filter(|default| !default.is_never()).unwrap_or_else(|| policy.fallback.clone());
        Ok(Policy { limit, by_category, fallback, ..policy })
    }
}

/// Rejects an entry of an error list that names an unknown user rule.
fn check_rule_exists(field: &str, matcher: &ErrorMatcher, classifier: &Classifier) -> Result<(), Invalid> {
    let ErrorMatcher::Rule(rule) = matcher else { return Ok(()) };
    let Some(name) = rule.strip_prefix("user:") else { return Ok(()) };
    if classifier.user_rules().any(|(known, _)| known == name) {
        return Ok(());
    }
    let known: Vec<_> = classifier.user_rules().map(|(known, _)| format!("rule:user:{known}")).collect();
    let allowed =
        if known.is_empty() { "no rule:user:…, because no user rule exists".to_owned() } else { known.join(", ") };
    Err(Invalid::new(field, Problem::UnknownName, matcher, allowed))
}

/// The backoff of a category without a setting: the default if it applies to the category, else the category's own
/// policy.
fn derived(category: Category, default: Option<&Backoff>, is_for_all: bool) -> Backoff {
    let named = category.derived_policy().backoff().cloned().unwrap_or(Backoff::NEVER);
    match default {
        Some(default) if is_for_all || !named.is_never() => default.clone(),
        _ => named,
    }
}
