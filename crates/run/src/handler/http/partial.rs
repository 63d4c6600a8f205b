//! The body of a 207 response: what failed of the work.

use std::collections::BTreeSet;

use redrive_core::Link;
use serde::Deserialize;

use crate::handler::wire::detail;

/// The accepted forms of the body.
pub(super) const FORM: &str = r#"{"failed":[{"part":"…","error":"…"}]} or {"failed_parts":["…"]}"#;
/// The accepted forms of the body of a batch.
pub(super) const ITEMS_FORM: &str = r#"{"failed":[{"id":"…","error":"…"}]} or {"failed_ids":["…"]}"#;

/// The body, with the names of parts or, for a batch, with the ids of items.
#[derive(Deserialize)]
pub(super) struct PartialAnswer {
    failed: Option<Vec<FailedPart>>,
    #[serde(alias = "failed_ids")]
    failed_parts: Option<Vec<String>>,
    /// An error that applies to all parts.
    error: Option<String>,
}

#[derive(Deserialize)]
struct FailedPart {
    #[serde(alias = "id")]
    part: String,
    error: Option<String>,
}

/// The failed parts without duplicates, and their errors.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Partial {
    pub(super) parts: Vec<String>,
    pub(super) errors: Vec<Link>,
}

/// Maximum size of all errors together, which is as much as the classifier reads.
const ERRORS_BYTES_MAX: usize = 8 * 1024;

impl PartialAnswer {
    /// Returns `None` if the body is not JSON or does not name parts.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        let answer: Self = serde_json::from_slice(body).ok()?;
        (answer.failed.is_some() || answer.failed_parts.is_some()).then_some(answer)
    }

    /// The error that applies to everything that failed.
    pub(super) fn error(&self) -> Option<Link> {
        self.error.as_deref().and_then(link)
    }

    /// What failed, with its own error.
    pub(super) fn failed(&self) -> impl Iterator<Item = (&str, Option<Link>)> {
        let named = self.failed.iter().flatten();
        let named = named.map(|failed| (failed.part.as_str(), failed.error.as_deref().and_then(link)));
        named.chain(self.failed_parts.iter().flatten().map(|part| (part.as_str(), None)))
    }
}

impl From<PartialAnswer> for Partial {
    fn from(answer: PartialAnswer) -> Self {
        let mut partial = Self::default();
        let mut bytes = 0;
        let mut keep = |error: Option<Link>| {
            let error = error?;
            bytes += error.message.len();
            (bytes <= ERRORS_BYTES_MAX).then_some(error)
        };
        partial.errors.extend(keep(answer.error()));
        let mut seen = BTreeSet::new();
        for (part, error) in answer.failed() {
            partial.errors.extend(keep(error));
            if seen.insert(part) {
                partial.parts.push(part.to_owned());
            }
        }
        partial
    }
}

fn link(error: &str) -> Option<Link> {
    let message = detail(error.as_bytes());
    (!message.is_empty()).then(|| Link { message, ..Link::default() })
}
