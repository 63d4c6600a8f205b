//! Errors of the projection and its tasks.

use redrive_store::StoreError;

use crate::client::SearchTrouble;

/// Why an operation on the index failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Trouble(#[from] SearchTrouble),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("'{name}' is an index and should be an alias; delete or rename it, or set another dlq.opensearch_index")]
    AliasIsIndex { name: String },
    #[error("the alias '{alias}' points to several indices; it must point to one")]
    SeveralIndices { alias: String },
    #[error("the index template '{name}' is not the one that Redrive creates; remove the conflicting template")]
    OtherTemplate { name: String },
    #[error("the index '{index}' lacks the mapping for letters; create a new index with: redrive search rebuild")]
    OtherMapping { index: String },
    /// It may be the last copy of the letters of a lost store.
    #[error(
        "the index '{index}' holds {documents} letters of another store; restore them with: redrive search restore, \
         or use a new index with: redrive search rebuild"
    )]
    ForeignIndex { index: String, documents: u64 },
    #[error("the new index has {index} letters and the store has {store}; the new index is not used, try again")]
    Differs { store: u64, index: u64 },
    #[error("a rebuild is already running")]
    RebuildRuns,
    #[error("the search text is too long or too complex; use fewer words")]
    BadQuery,
    #[error("the search cursor is invalid; use the cursor of a previous page")]
    BadCursor,
    /// Letters were not acknowledged in time; the projection will still send them.
    #[error("the index has not acknowledged {letters} letters within {within}")]
    Unconfirmed { letters: usize, within: redrive_core::Span },
    #[error("the projection is down; {0}")]
    Down(String),
    #[error("the projection has stopped")]
    Stopped,
}
