//! What a dead queue does with failures of one kind.

use std::fmt;

use redrive_core::{AttemptLimit, Invalid, Problem, RetryPolicy, RuleSpec};
use serde::{Deserialize, Serialize};

use crate::Destination;

/// A named rule, and what letters of failures get that it matches. What their capture says itself goes before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LetterTemplate {
    pub name: String,
    /// Searched in `field`: `message`, `type` or `code`; or `when`, a condition in CEL, instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regex: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<RetryPolicy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_retries: Option<u32>,
    /// The destination of letters that name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// What is written down with the letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The version of the queue's templates in which it became what it is.
    pub version: u64,
}

impl LetterTemplate {
    pub const NOTE_BYTES_MAX: usize = 1024;
    const REGEX_BYTES_MAX: usize = 1024;

    /// The rule by which failures are matched.
    pub fn rule(&self) -> RuleSpec {
        RuleSpec {
            name: self.name.clone(),
            regex: self.regex.clone(),
            field: self.field.clone(),
            when: self.when.clone(),
            ..RuleSpec::default()
        }
    }

    /// Checks what is not the rule's.
    pub fn check(&self) -> Result<(), Invalid> {
        check_len("regex", self.regex.as_deref(), Self::REGEX_BYTES_MAX)?;
        check_len("route", self.route.as_deref(), Destination::BYTES_MAX)?;
        check_len("note", self.note.as_deref(), Self::NOTE_BYTES_MAX)?;
        if let Some(retries) = self.max_retries.filter(|retries| *retries > AttemptLimit::LETTER_RETRIES_MAX) {
            let allowed = format!("0 to {}", AttemptLimit::LETTER_RETRIES_MAX);
            return Err(Invalid::new("template.max_retries", Problem::OutOfRange, retries, allowed));
        }
        if self.policy.is_none() && self.max_retries.is_none() && self.route.is_none() && self.note.is_none() {
            let allowed = "at least one of retry_policy, max_retries, route and note";
            return Err(Invalid::new("template", Problem::Contradiction, &self.name, allowed));
        }
        Ok(())
    }
}

/// As letters show it: `slow-bank@3`.
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
