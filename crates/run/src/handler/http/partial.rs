//! The body of a 207: which parts of the work failed.

use std::collections::BTreeSet;

use redrive_core::Link;
use serde::Deserialize;

use crate::handler::wire::detail;

/// What a 207 may say.
pub(super) const FORM: &str = r#"{"failed":[{"part":"…","error":"…"}]} or {"failed_parts":["…"]}"#;

/// The parts that failed, each once, and what was said about them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Partial {
    pub(super) parts: Vec<String>,
    pub(super) errors: Vec<Link>,
}

#[derive(Deserialize)]
struct PartialAnswer {
    failed: Option<Vec<FailedPart>>,
    failed_parts: Option<Vec<String>>,
    /// What befell all of them.
    error: Option<String>,
}

#[derive(Deserialize)]
struct FailedPart {
    part: String,
    error: Option<String>,
}

/// So much is kept of what was said about all of them together, which is as much as is classified.
const ERRORS_BYTES_MAX: usize = 8 * 1024;

impl Partial {
    /// `None` where the body says nothing about parts.
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
