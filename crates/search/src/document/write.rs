//! Documents as lines of a bulk request.

use redrive_core::{LetterId, QueueName};
use redrive_model::{FullLetter, KeptLetter};
use serde::Serialize;
use serde_json::{Value, json};

use super::Document;

/// How much of a letter a document contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Complete,
    /// Without fields for free-form data, which are still in `letter`.
    Reduced,
    /// Only short fields with a fixed format, without `letter`.
    Minimal,
}

/// Version of a deletion. Ids are never reused, so nothing may be newer.
const DELETE_VERSION: i64 = 1 << 62;

/// Maximum length of a shortened text in characters.
const SHORT_CHARS_MAX: usize = 1_000;

impl Extent {
    /// The next smaller extent, to try if the index rejects this one.
    pub(crate) const fn smaller(self) -> Option<Self> {
        match self {
            Self::Complete => Some(Self::Reduced),
            Self::Reduced => Some(Self::Minimal),
            Self::Minimal => None,
        }
    }
}

/// Returns the lines that index a letter; `None` for a plain item.
pub(crate) fn index_lines(queue: &QueueName, record: &FullLetter, extent: Extent) -> Option<Vec<u8>> {
    #[derive(Serialize)]
    struct Body<'a> {
        #[serde(flatten)]
        document: &'a Document,
        #[serde(skip_serializing_if = "Option::is_none")]
        projection: Option<&'static str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        letter: Option<KeptLetter>,
    }
    let mut document = Document::of(queue, record)?;
    let projection = (extent != Extent::Complete).then_some("reduced");
    if extent != Extent::Complete {
        reduce(&mut document);
    }
    let letter = if extent == Extent::Minimal { None } else { KeptLetter::of(record) };
    let version = i64::try_from(document.revision).unwrap_or(DELETE_VERSION - 1).min(DELETE_VERSION - 1);
    let action = json!({"index": {"_id": document.letter_id, "version": version, "version_type": "external"}});
    let body = Body { document: &document, projection, letter };
    Some(lines(&action, Some(&body)))
}

/// Returns the lines that delete a letter.
pub(crate) fn delete_lines(letter: LetterId) -> Vec<u8> {
    let action = json!({"delete": {"_id": letter, "version": DELETE_VERSION, "version_type": "external"}});
    lines(&action, None::<&Value>)
}

fn lines(action: &Value, body: Option<&impl Serialize>) -> Vec<u8> {
    let mut lines = action.to_string().into_bytes();
    lines.push(b'\n');
    if let Some(body) = body {
        // Serialization fails only for maps with keys that are not strings, and there are none.
        lines.extend(serde_json::to_vec(body).unwrap_or_else(|_| b"{}".to_vec()));
        lines.push(b'\n');
    }
    lines
}

fn reduce(document: &mut Document) {
    document.task.clear();
    document.repos.clear();
    document.failed_repos = None;
    document.metadata.clear();
    document.trace_id = None;
    document.matched_rule = document.matched_rule.take().map(short);
    document.origin = short(std::mem::take(&mut document.origin));
    document.error = short(std::mem::take(&mut document.error));
    document.last_error = short(std::mem::take(&mut document.last_error));
}

fn short(text: String) -> String {
    match text.char_indices().nth(SHORT_CHARS_MAX) {
        Some((end, _)) => text[..end].to_owned(),
        None => text,
    }
}
