//! The target of an administrative act.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One object that an act concerned: a queue, a namespace, a user … Its text is `kind=name`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditTarget {
    pub kind: String,
    pub name: String,
}

/// Longer names, which no object can have, are truncated, so that records stay small whatever the request contains.
const NAME_BYTES_MAX: usize = 512;

impl AuditTarget {
    pub(crate) fn new(kind: &str, name: &str) -> Self {
        Self { kind: kind.to_owned(), name: cut(name, NAME_BYTES_MAX).to_owned() }
    }

    /// Targets by kind and name.
    pub(crate) fn list<const N: usize>(targets: [(&str, &str); N]) -> Vec<Self> {
        targets.map(|(kind, name)| Self::new(kind, name)).into()
    }
}

impl fmt::Display for AuditTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.kind, self.name)
    }
}

/// A text truncated to at most `bytes_max` bytes, at a character boundary.
pub(super) fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}
