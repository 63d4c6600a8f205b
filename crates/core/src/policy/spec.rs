//! A policy as it is written in a configuration file.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AttemptLimit, Policy, PolicyBuilder, Template};
use crate::backoff::optional_span;
use crate::{BackoffSpec, Category, Classifier, ErrorMatcher, Invalid, Problem, RuleSpec};

/// The fields of a policy, unchecked. What is left out comes from the template, or is the default.
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
    #[serde(deserialize_with = "number_or_text")]
    pub max_attempts: Option<String>,
    pub deadline: Option<String>,
    pub strategy: Option<String>,
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// By category, or `default` for all that are retried.
    pub backoff: BTreeMap<String, BackoffSpec>,
    pub rules: Vec<RuleSpec>,
}

/// `max_attempts` is written as a number by people and as a text by templates.
fn number_or_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(i64),
        Text(String),
    }
    Ok(Option::<Either>::deserialize(deserializer)?.map(|either| match either {
        Either::Number(number) => number.to_string(),
        Either::Text(text) => text,
    }))
}

impl PolicySpec {
    /// Checks every field and builds the policy.
    pub fn build(&self) -> Result<Policy, Invalid> {
        let mut builder = match &self.template {
            Some(name) => Template::named(name)?.builder()?,
            None => PolicyBuilder::default(),
        };
        if let Some(attempts) = &self.max_attempts {
            builder = builder.limit(parse_limit(attempts)?);
        }
        if let Some(deadline) = optional_span(self.deadline.as_deref(), "deadline")? {
            builder = builder.deadline(deadline);
        }
        if let Some(strategy) = &self.strategy {
            builder = builder.strategy(strategy.parse()?);
        }
        builder = builder.include(matchers("include", &self.include)?).exclude(matchers("exclude", &self.exclude)?);
        for (name, spec) in &self.backoff {
            let backoff = spec.build(&format!("backoff.{name}"))?;
            builder = if name == "default" {
                builder.backoff(backoff)
            } else {
                builder.backoff_for(category_key(name)?, backoff)
            };
        }
        if !self.rules.is_empty() {
            builder = builder.classifier(Arc::new(Classifier::with_rules(&self.rules)?));
        }
        builder.build()
    }
}

fn parse_limit(text: &str) -> Result<AttemptLimit, Invalid> {
    if text.eq_ignore_ascii_case("unlimited") {
        return Ok(AttemptLimit::Unlimited);
    }
    let malformed =
        |_| Invalid::new("max_attempts", Problem::Malformed, text, "1 or more (1 = no retry), or unlimited");
    AttemptLimit::at_most(text.parse().map_err(malformed)?)
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
