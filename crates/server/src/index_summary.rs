//! The state of the search index in a few numbers.

use redrive_core::Span;

/// What the overview and the statistics say about the index.
pub(crate) struct IndexSummary {
    pub(crate) state: &'static str,
    /// Letters that wait for it.
    pub(crate) outbox_depth: u64,
    /// Age of the oldest of them.
    pub(crate) lag: Span,
}
