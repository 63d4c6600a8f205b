//! What can go wrong with a request.

use redrive_core::Span;
use serde::Deserialize;

/// A request that was not answered as it should be. Never the words of the answer: they quote documents.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchTrouble {
    /// It was not sent.
    #[error("OpenSearch cannot be reached")]
    Unreachable,
    /// It was sent, and no whole answer came: it may have been done.
    #[error("OpenSearch was not heard")]
    Unheard,
    /// The answer is none that OpenSearch gives, or is about something else.
    #[error("the answer is not one of OpenSearch")]
    Garbage,
    /// Too much at once, or it is not well.
    #[error("OpenSearch is busy or not well (status {status})")]
    Busy { status: u16, retry_after: Option<Span> },
    #[error("OpenSearch denied it (status {status}); check the credentials and their permissions")]
    Denied { status: u16 },
    /// There is no such index, or no such alias.
    #[error("the index is gone")]
    IndexGone,
    /// It is wrong, and sending it again would not help.
    #[error("OpenSearch refused it (status {status}, {kind})")]
    Refused { status: u16, kind: String },
}

impl SearchTrouble {
    /// A label for metrics: one of few.
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Unheard => "unheard",
            Self::Garbage => "garbage",
            Self::Busy { .. } => "busy",
            Self::Denied { .. } => "denied",
            Self::IndexGone => "index_gone",
            Self::Refused { .. } => "refused",
        }
    }

    /// What a status and the kind of its error mean.
    pub(crate) fn of_status(status: u16, kind: Option<&str>, retry_after: Option<Span>) -> Self {
        match (status, kind) {
            (404, Some("index_not_found_exception" | "alias_not_found_exception")) => Self::IndexGone,
            // A disk that is nearly full locks the index: 403 in some versions, 429 in others.
            (_, Some("cluster_block_exception")) | (408 | 429 | 500.., _) => Self::Busy { status, retry_after },
            (401 | 403 | 407, _) => Self::Denied { status },
            _ => Self::Refused { status, kind: shown(kind) },
        }
    }
}

/// The kind of an error is a word of OpenSearch's own, unless something else answered.
fn shown(kind: Option<&str>) -> String {
    let is_word = |kind: &&str| kind.len() <= 64 && kind.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    kind.filter(is_word).unwrap_or("no reason given").to_owned()
}

/// The part of an error that is not about data.
#[derive(Debug, Deserialize)]
pub(crate) struct ErrorBody {
    #[serde(default)]
    error: Option<ErrorForm>,
}

/// Most errors are objects, some a text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum ErrorForm {
    Object {
        #[serde(rename = "type", default)]
        kind: Option<String>,
    },
    Other(serde::de::IgnoredAny),
}

impl ErrorBody {
    pub(crate) fn kind(&self) -> Option<&str> {
        self.error.as_ref().and_then(ErrorForm::kind)
    }
}

impl ErrorForm {
    pub(crate) fn kind(&self) -> Option<&str> {
        match self {
            Self::Object { kind } => kind.as_deref(),
            Self::Other(_) => None,
        }
    }
}
