//! The faults of calls that use the search index.

use redrive_search::SearchError;

use crate::fault::{Code, Fault};
use crate::letter_index::LetterIndex;
use crate::request_context::RequestContext;

/// The search index of the server.
pub(crate) fn index(ctx: &RequestContext) -> Result<&LetterIndex, Fault> {
    ctx.app.index.get().ok_or_else(|| {
        let message = "there is no index of letters; configure OpenSearch with the setting dlq.opensearch_url";
        Fault::new(Code::RequestFailed, message).because("no_index")
    })
}

/// The fault of a search error: of the request, of the index or of the store.
pub(crate) fn search_fault(error: SearchError) -> Fault {
    let message = error.to_string();
    match error {
        SearchError::Store(error) => error.into(),
        SearchError::BadQuery | SearchError::BadCursor => {
            Fault::bad(format!("query is invalid; {message}")).because("invalid")
        }
        SearchError::RebuildRuns => Fault::new(Code::Conflict, message).because("conflict"),
        SearchError::Differs { .. }
        | SearchError::Trouble(_)
        | SearchError::Down(_)
        | SearchError::Stopped
        | SearchError::Unconfirmed { .. } => {
            let message = format!("the index of letters is not available; {message}");
            Fault::new(Code::RetryRequest, message).because("index_unavailable")
        }
        SearchError::AliasIsIndex { .. }
        | SearchError::SeveralIndices { .. }
        | SearchError::OtherTemplate { .. }
        | SearchError::OtherMapping { .. }
        | SearchError::ForeignIndex { .. } => {
            let message = format!("the index of letters cannot be used; {message}");
            Fault::new(Code::RequestFailed, message).because("index_unusable")
        }
    }
}
