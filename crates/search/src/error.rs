//! Why the projection does not work, or a task of it did not succeed.

use redrive_store::StoreError;

use crate::client::SearchTrouble;

/// Why something about the index was not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Trouble(#[from] SearchTrouble),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "'{name}' is an index, and should be an alias; delete or rename it, or choose another dlq_opensearch_index"
    )]
    AliasIsIndex { name: String },
    #[error("the alias '{alias}' stands for several indices; leave it one")]
    SeveralIndices { alias: String },
    #[error("the template '{name}' is not the one that was made; somebody changes it, remove theirs")]
    OtherTemplate { name: String },
    #[error("the index '{index}' has another mapping than letters need; make a new one with: redrive search rebuild")]
    OtherMapping { index: String },
    /// It may be the last copy of letters whose store was lost.
    #[error(
        "the index '{index}' holds {documents} letters of another store; bring them here with: redrive search restore, \
         or leave them aside with: redrive search rebuild"
    )]
    ForeignIndex { index: String, documents: u64 },
    #[error("the new index has {index} letters and the store has {store}; it was not used, try again")]
    Differs { store: u64, index: u64 },
    #[error("a rebuild is under way already")]
    RebuildRuns,
    #[error("the text of this search is too long or too complicated; fewer words find more")]
    BadQuery,
    #[error("the cursor of this search is none that was given out")]
    BadCursor,
    /// A letter was not acknowledged in time; the projection still has it to do.
    #[error("the index has not acknowledged {letters} letters within {within}")]
    Unconfirmed { letters: usize, within: redrive_core::Span },
    #[error("the projection is down; {0}")]
    Down(String),
    #[error("the projection has stopped")]
    Stopped,
}
