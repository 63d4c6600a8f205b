//! What an act was about.

use serde::{Deserialize, Serialize};

/// One thing that an act was about: a queue, a namespace, a user …
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditTarget {
    pub kind: String,
    pub name: String,
}

/// Names that are too long to be any are cut: a record stays small whatever was sent.
const NAME_BYTES_MAX: usize = 512;

impl AuditTarget {
    pub(crate) fn new(kind: &str, name: &str) -> Self {
        Self { kind: kind.to_owned(), name: cut(name, NAME_BYTES_MAX).to_owned() }
    }
}

/// The beginning of a text, cut between characters.
pub(super) fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}
