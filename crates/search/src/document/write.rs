//! Documents as lines of a bulk request.

use redrive_core::{LetterId, QueueName};
use redrive_model::FullLetter;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Document, KeptLetter};

/// How much of a letter a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    /// Without what people may put anything into, as fields; it is still in the letter.
    Plain,
    /// Only what is short and has a fixed form.
    Bare,
}

/// An id that is gone never comes back, so nothing may be newer than its end.
const GONE: i64 = 1 << 62;

/// A text that is shortened has so many characters at most.
const SHORT: usize = 1_000;

impl Extent {
    /// What to try when the index does not take this one.
    pub(crate) const fn less(self) -> Option<Self> {
        match self {
            Self::Whole => Some(Self::Plain),
            Self::Plain => Some(Self::Bare),
            Self::Bare => None,
        }
    }
}

/// The lines that index a letter; `None` for a record of a plain item.
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
    let projection = (extent != Extent::Whole).then_some("reduced");
    if extent != Extent::Whole {
        reduce(&mut document);
    }
    let letter = if extent == Extent::Bare { None } else { KeptLetter::of(record) };
    let version = i64::try_from(document.revision).unwrap_or(GONE - 1).min(GONE - 1);
    let action = json!({"index": {"_id": document.letter_id, "version": version, "version_type": "external"}});
    let body = Body { document: &document, projection, letter };
    Some(lines(&action, Some(&body)))
}

/// The lines that remove a letter.
pub(crate) fn delete_lines(letter: LetterId) -> Vec<u8> {
    let action = json!({"delete": {"_id": letter, "version": GONE, "version_type": "external"}});
    lines(&action, None::<&Value>)
}

fn lines(action: &Value, body: Option<&impl Serialize>) -> Vec<u8> {
    let mut lines = action.to_string().into_bytes();
    lines.push(b'\n');
    if let Some(body) = body {
        // Only a map with keys that are not texts cannot be written as JSON, and there is none.
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
    match text.char_indices().nth(SHORT) {
        Some((end, _)) => text[..end].to_owned(),
        None => text,
    }
}
