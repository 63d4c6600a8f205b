//! The record of one attempt.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Category, Cause, Classification, Failure, Fingerprint, Outcome, Time, Trigger};
use serde::{Deserialize, Serialize};

/// The record of one attempt: what started it, how it ended, what went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    pub trigger: Trigger,
    pub outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::micros::option")]
    pub started_at: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::micros::option")]
    pub ended_at: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub error: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// The names of the failed parts of the work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_parts: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<Arc<str>>,
    /// The user who requested the attempt, if it was manual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Arc<str>>,
    /// The queue, topic or mailbox to which this attempt handed the letter back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handed_back_to: Option<Arc<str>>,
}

impl Attempt {
    /// An attempt with an outcome only.
    pub fn new(trigger: Trigger, outcome: Outcome) -> Self {
        Self {
            trigger,
            outcome,
            started_at: None,
            ended_at: None,
            cause: None,
            error_type: None,
            error: String::new(),
            category: None,
            rule: None,
            fingerprint: None,
            failed_parts: Vec::new(),
            worker: None,
            actor: None,
            handed_back_to: None,
        }
    }

    /// A failed attempt with its classification.
    pub fn failed(trigger: Trigger, failure: &Failure, found: &Classification<'_>) -> Self {
        Self {
            error_type: failure.error.kind.as_ref().map(ToString::to_string),
            error: failure.error.message.clone(),
            category: Some(found.category),
            rule: Some(found.rule.to_string()),
            fingerprint: Some(Fingerprint::of(failure)),
            failed_parts: failure.parts.clone(),
            ..Self::new(trigger, Outcome::Failure)
        }
    }

    /// An attempt whose claim expired.
    pub fn lost(trigger: Trigger, now: Time) -> Self {
        Self { cause: Some(Cause::Lost), ended_at: Some(now), ..Self::new(trigger, Outcome::Failure) }
    }

    /// An attempt with an outcome and an end time only.
    pub fn ended(trigger: Trigger, outcome: Outcome, now: Time) -> Self {
        Self { ended_at: Some(now), ..Self::new(trigger, outcome) }
    }

    pub fn document(&self) -> Bytes {
        super::capture_context::document(self)
    }

    pub fn write(&self, document: &mut Vec<u8>) {
        super::capture_context::write(self, document);
    }

    /// Decodes a stored document.
    pub fn read(document: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(document)
    }
}

/// The names of the remaining parts of the work.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Parts(pub Vec<String>);

impl Parts {
    pub fn document(parts: &[String]) -> Bytes {
        super::capture_context::document(&parts)
    }

    /// Decodes a stored document.
    pub fn read(document: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(document)
    }
}
