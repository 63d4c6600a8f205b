//! Why a request to OpenSearch failed.

use redrive_core::Span;
use serde::Deserialize;

/// Why a request to OpenSearch failed. It never contains OpenSearch's own text, which may quote documents.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchTrouble {
    /// The request was not sent.
    #[error("OpenSearch cannot be reached")]
    Unreachable,
    /// The request was sent, but no complete answer came: it may have taken effect.
    #[error("OpenSearch did not answer")]
    Unheard,
    /// The answer is not one of OpenSearch, or does not match the request.
    #[error("the answer is not one of OpenSearch")]
    Garbage,
    /// OpenSearch is overloaded or unhealthy.
    #[error("OpenSearch is busy or not well (status {status})")]
    Busy { status: u16, retry_after: Option<Span> },
    #[error("OpenSearch denied it (status {status}); check the credentials and their permissions")]
    Denied { status: u16 },
    /// The index or the alias does not exist.
    #[error("the index is gone")]
    IndexGone,
    /// OpenSearch rejected the request for good.
    #[error("OpenSearch refused it (status {status}, {kind})")]
    Refused { status: u16, kind: String },
}

impl SearchTrouble {
    /// The label in metrics.
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

    /// From a status and the type of its error.
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

/// The type of an error, if it is one that OpenSearch could have written: something else may have answered.
fn shown(kind: Option<&str>) -> String {
    let is_word = |kind: &&str| kind.len() <= 64 && kind.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    kind.filter(is_word).unwrap_or("no reason given").to_owned()
}

/// The body of an error, without the parts that quote data.
#[derive(Debug, Deserialize)]
pub(crate) struct ErrorBody {
    #[serde(default)]
    error: Option<ErrorForm>,
}

/// Most errors are objects, some are strings.
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
