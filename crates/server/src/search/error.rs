//! The errors of calls that use the search index.

use redrive_search::SearchError;

use crate::api_error::{ApiError, Code};
use crate::letter_index::{LetterIndex, no_index};
use crate::request_context::RequestContext;

/// The search index of the server.
pub(crate) fn index(ctx: &RequestContext) -> Result<&LetterIndex, ApiError> {
    ctx.app.index.get().ok_or_else(no_index)
}

/// The error of a search error: of the request, of the index or of the store.
pub(crate) fn search_error(error: SearchError) -> ApiError {
    let message = error.to_string();
    match error {
        SearchError::Store(error) => error.into(),
        SearchError::BadQuery | SearchError::BadCursor => ApiError::bad(format!("query is invalid; {message}")),
        SearchError::RebuildRuns => ApiError::new(Code::Conflict, message).because("conflict"),
        SearchError::Differs { .. }
        | SearchError::Trouble(_)
        | SearchError::Down(_)
        | SearchError::Stopped
        | SearchError::Unconfirmed { .. } => {
            let message = format!("the index of letters is not available; {message}");
            ApiError::new(Code::RetryRequest, message).because("index_unavailable")
        }
        SearchError::AliasIsIndex { .. }
        | SearchError::SeveralIndices { .. }
        | SearchError::OtherTemplate { .. }
        | SearchError::OtherMapping { .. }
        | SearchError::ForeignIndex { .. } => {
            let message = format!("the index of letters cannot be used; {message}");
            ApiError::new(Code::RequestFailed, message).because("index_unusable")
        }
    }
}
