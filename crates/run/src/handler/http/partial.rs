//! The body of a 207 response: the failed parts of the work.

use std::collections::BTreeSet;

use redrive_core::Link;
use serde::Deserialize;

use crate::handler::wire::detail;

/// The accepted forms of the body.
pub(super) const FORM: &str = r#"{"failed":[{"part":"…","error":"…"}]} or {"failed_parts":["…"]}"#;

/// The failed parts without duplicates, and their errors.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Partial {
    pub(super) parts: Vec<String>,
    pub(super) errors: Vec<Link>,
}

#[derive(Deserialize)]
struct PartialAnswer {
    failed: Option<Vec<FailedPart>>,
    failed_parts: Option<Vec<String>>,
    /// An error that applies to all parts.
    error: Option<String>,
}

#[derive(Deserialize)]
struct FailedPart {
    part: String,
    error: Option<String>,
}

/// Maximum size of all errors together, which is as much as the classifier reads.
const ERRORS_BYTES_MAX: usize = 8 * 1024;

impl Partial {
    /// Returns `None` if the body is not JSON or does not name parts.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        let PartialAnswer { failed, failed_parts, error } = serde_json::from_slice(body).ok()?;
        if failed.is_none() && failed_parts.is_none() {
            return None;
        }
        let mut partial = Self::default();
        let mut bytes = 0;
        let mut keep = |error: Option<String>| {
            let message = error.map(|error| detail(error.as_bytes())).filter(|message| !message.is_empty())?;
            bytes += message.len();
            (bytes <= ERRORS_BYTES_MAX).then(|| Link { message, ..Link::default() })
        };
        partial.errors.extend(keep(error));
        for FailedPart { part, error } in failed.into_iter().flatten() {
            partial.errors.extend(keep(error));
            partial.parts.push(part);
        }
        partial.parts.extend(failed_parts.into_iter().flatten());
        let mut seen = BTreeSet::new();
        partial.parts.retain(|part| seen.insert(part.clone()));
        Some(partial)
    }
}
