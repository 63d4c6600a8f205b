//! The configuration form of a policy.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Policy, PolicyBuilder, Template};
use crate::backoff::optional_span;
use crate::{BackoffSpec, Category, Classifier, ErrorMatcher, Invalid, RuleSpec, number_or_text};

/// The unvalidated fields of a policy. Precedence: field > template > default.
///
/// ```
/// use redrive_core::PolicySpec;
///
/// let spec: PolicySpec = serde_json::from_str(r#"{
///     "template": "http-api",
///     "max_attempts": "5",
///     "exclude": ["rate_limit"],
///     "backoff": { "network": { "curve": "exponential", "first": "1s", "cap": "500ms" } }
/// }"#).unwrap();
/// assert_eq!(
///     spec.build().unwrap_err().to_string(),
///     "backoff.network.cap is invalid: '500ms'; allowed: the first delay (1s) or more",
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicySpec {
    pub template: Option<String>,
    /// A number, or `unlimited`.
    #[serde(deserialize_with = "number_or_text::optional")]
    pub max_attempts: Option<String>,
    pub deadline: Option<String>,
    pub strategy: Option<String>,
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// By category; `default` is for all categories that are retried automatically.
    pub backoff: BTreeMap<String, BackoffSpec>,
    pub rules: Vec<RuleSpec>,
}

impl PolicySpec {
    /// Validates every field and builds the policy, with the built-in rules after its own.
    pub fn build(&self) -> Result<Policy, Invalid> {
        self.build_with(Classifier::built_in())
    }

    /// Like [`build`](Self::build). A policy without rules has the given classifier.
    pub fn build_with(&self, classifier: &Arc<Classifier>) -> Result<Policy, Invalid> {
        let mut builder = match &self.template {
            Some(name) => Template::named(name)?.builder()?,
            None => PolicyBuilder::default(),
        };
        if let Some(attempts) = &self.max_attempts {
            builder = builder.limit(attempts.parse()?);
        }
        if let Some(deadline) = optional_span(self.deadline.as_deref(), "deadline")? {
            builder = builder.deadline(deadline);
        }
        if let Some(strategy) = &self.strategy {
            builder = builder.strategy(strategy.parse()?);
        }
        builder = builder.include(matchers("include", &self.include)?).exclude(matchers("exclude", &self.exclude)?);
        for (name, spec) in &self.backoff {
            // The name is checked first: errors below a wrong name would be misleading.
            let category = if name == "default" { None } else { Some(category_key(name)?) };
            let backoff = spec.build(&format!("backoff.{name}"))?;
            builder = match category {
                Some(category) => builder.backoff_for(category, backoff),
                None => builder.backoff(backoff),
            };
        }
        let classifier =
            if self.rules.is_empty() { Arc::clone(classifier) } else { Arc::new(Classifier::with_rules(&self.rules)?) };
        builder.classifier(classifier).build()
    }
}

fn matchers(field: &str, texts: &[String]) -> Result<Vec<ErrorMatcher>, Invalid> {
    let parse =
        |(index, text): (usize, &String)| text.parse().map_err(|error: Invalid| error.at(format!("{field}[{index}]")));
    texts.iter().enumerate().map(parse).collect()
}

fn category_key(name: &str) -> Result<Category, Invalid> {
    name.parse().map_err(|mut error: Invalid| {
        error.allowed.push_str(", default");
        error.at("backoff")
    })
}
