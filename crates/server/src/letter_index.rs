//! The search index of letters, if the server was built with one.

use crate::api_error::{ApiError, Code};
#[cfg(not(feature = "search"))]
use crate::index_summary::IndexSummary;
#[cfg(feature = "search")]
pub(crate) use crate::search::{CaptureMode, LetterIndex};

/// The error of a call that needs an index.
pub(crate) fn no_index() -> ApiError {
    let message = "there is no index of letters; configure OpenSearch with the setting dlq.opensearch_url";
    ApiError::new(Code::RequestFailed, message).because("no_index")
}

/// The index of a server without the feature `search`: there is none.
#[cfg(not(feature = "search"))]
#[derive(Debug, Clone)]
pub(crate) enum LetterIndex {}

#[cfg(not(feature = "search"))]
impl LetterIndex {
    pub(crate) fn is_up(&self) -> bool {
        match *self {}
    }

    pub(crate) fn check(&self, _now: &str) -> serde_json::Value {
        match *self {}
    }

    pub(crate) fn summary(&self) -> IndexSummary {
        match *self {}
    }

    pub(crate) fn metrics(&self) -> String {
        match *self {}
    }
}
