//! A template of a dead queue: settings for letters of matching failures.

use std::fmt;

use redrive_core::{AttemptLimit, Category, Invalid, Problem, RetryPolicy, RuleSpec, Span};
use serde::{Deserialize, Serialize};

use crate::Destination;

/// A named rule, and the settings for letters of failures that it matches. The request of a capture takes precedence.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LetterTemplate {
    pub name: String,
    /// The condition: a regular expression that is searched in `field` (`message`, `type` or `code`), or else a CEL
    /// condition in `when`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regex: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The category of a matching failure, at the capture and at every retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<RetryPolicy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_retries: Option<u32>,
    /// The delay after a matching failure, instead of the delay of a policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<Span>,
    /// The destination of letters whose capture names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// A note that is stored with the letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The version of the queue's templates in which this template was last changed.
    pub version: u64,
}

impl LetterTemplate {
    pub const NOTE_BYTES_MAX: usize = 1024;
    const REGEX_BYTES_MAX: usize = 1024;

    /// The rule that matches failures, with category and delay. It has no policy and no retry limit, because the policy
    /// of a template may be `custom`, which rules do not support.
    pub fn rule(&self) -> RuleSpec {
        RuleSpec {
            name: self.name.clone(),
            regex: self.regex.clone(),
            field: self.field.clone(),
            when: self.when.clone(),
            category: self.category.map(|category| category.to_string()),
            delay: self.delay.map(|delay| delay.to_string()),
            ..RuleSpec::default()
        }
    }

    /// Checks the fields that are not part of the rule.
    pub fn check(&self) -> Result<(), Invalid> {
        check_len("regex", self.regex.as_deref(), Self::REGEX_BYTES_MAX)?;
        check_len("route", self.route.as_deref(), Destination::BYTES_MAX)?;
        check_len("note", self.note.as_deref(), Self::NOTE_BYTES_MAX)?;
        if let Some(retries) = self.max_retries.filter(|retries| *retries > AttemptLimit::LETTER_RETRIES_MAX) {
            let allowed = format!("0 to {}", AttemptLimit::LETTER_RETRIES_MAX);
            return Err(Invalid::new("template.max_retries", Problem::OutOfRange, retries, allowed));
        }
        if let (Some(policy), Some(_)) = (self.policy, self.delay) {
            let allowed = "retry_policy or delay, not both";
            return Err(Invalid::new("template.retry_policy", Problem::Contradiction, policy, allowed));
        }
        let gives = [
            self.category.is_some(),
            self.policy.is_some(),
            self.max_retries.is_some(),
            self.delay.is_some(),
            self.route.is_some(),
            self.note.is_some(),
        ];
        if !gives.contains(&true) {
            let allowed = "at least one of category, retry_policy, max_retries, delay, route and note";
            return Err(Invalid::new("template", Problem::Contradiction, &self.name, allowed));
        }
        Ok(())
    }
}

/// The form in letters: `slow-bank@3`.
impl fmt::Display for LetterTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.version)
    }
}

fn check_len(field: &str, text: Option<&str>, most: usize) -> Result<(), Invalid> {
    match text {
        Some(text) if text.is_empty() || text.len() > most => {
            let (field, allowed) = (format!("template.{field}"), format!("1 to {most} bytes, or nothing at all"));
            Err(Invalid::new(field, Problem::OutOfRange, text, allowed))
        }
        _ => Ok(()),
    }
}
