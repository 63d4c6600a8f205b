//! What is told where the index cannot do what it is asked to.

use redrive_search::SearchError;

use crate::desk::Desk;
use crate::fault::{Code, Fault};
use crate::letter_index::LetterIndex;

/// The server's index.
pub(crate) fn index(desk: &Desk) -> Result<&LetterIndex, Fault> {
    desk.app.index.get().ok_or_else(|| {
        let message =
            "there is no index of letters; have the server use OpenSearch, with the setting dlq.opensearch_url";
        Fault::new(Code::RequestFailed, message).because("no_index")
    })
}

/// Calls about the index tell apart what is wrong with the request, with the index, and with the store.
pub(crate) fn unsearched(error: SearchError) -> Fault {
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
