//! The search index of letters, and how captures depend on it.

use std::sync::Arc;

use redrive_core::Span;
use redrive_search::{Projection, ProjectionState, RefillProgress};
use serde_json::{Value, json};

use crate::index_summary::IndexSummary;

/// The search index of letters: a projection of the store in `OpenSearch`.
#[derive(Debug, Clone)]
pub struct LetterIndex {
    pub projection: Arc<Projection>,
    pub capture: CaptureMode,
}

/// Whether a capture waits for the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureMode {
    /// A capture is acknowledged when the store has the letter; the index is updated later.
    Store,
    /// A capture is rejected while the index is unavailable, and is acknowledged once the index has the letter. It
    /// fails if that takes longer than `within`.
    Strict { within: Span },
}

impl LetterIndex {
    /// Whether the index accepts letters, as of its last use.
    pub(crate) fn is_up(&self) -> bool {
        self.projection.numbers().state != ProjectionState::Down
    }

    /// The health check of the index. It needs no API key, so it does not show the error: that is in the log and in
    /// `redrive search status`.
    pub(crate) fn check(&self, now: &str) -> Value {
        let numbers = self.projection.numbers();
        let mut check = json!({
            "componentType": "component",
            "observedValue": numbers.outbox_depth,
            "observedUnit": "letters that wait for the index",
            "status": if numbers.state == ProjectionState::Down { "warn" } else { "pass" },
            "time": now,
        });
        let output = match (numbers.state, numbers.refill) {
            (ProjectionState::Down, _) => Some("the index does not accept letters; they wait in the store".to_owned()),
            (_, Some(RefillProgress { done, total })) => {
                Some(format!("the index is being refilled; {done} of {total} letters are in it"))
            }
            _ => None,
        };
        if let (Some(check), Some(output)) = (check.as_object_mut(), output) {
            check.insert("output".to_owned(), output.into());
        }
        check
    }

    pub(crate) fn summary(&self) -> IndexSummary {
        let numbers = self.projection.numbers();
        IndexSummary { state: numbers.state.as_str(), outbox_depth: numbers.outbox_depth, lag: numbers.lag }
    }

    /// Its metrics, in the format of the page.
    pub(crate) fn metrics(&self) -> String {
        crate::metrics::render_index(&self.projection.numbers())
    }
}
