//! The index of letters beside the store, and what calls have to do with it.

use std::sync::Arc;

use redrive_core::Span;
use redrive_search::{Projection, ProjectionState, RefillProgress};
use serde_json::{Value, json};

/// The index of letters beside the store.
#[derive(Debug, Clone)]
pub struct LetterIndex {
    pub projection: Arc<Projection>,
    pub capture: CaptureMode,
}

/// What a capture has to do with the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureMode {
    /// Nothing: what the store has is kept, and the index hears of it later.
    Store,
    /// None is taken that the index would not take, and each waits until it has, for so long.
    Strict { within: Span },
}

impl LetterIndex {
    /// Whether the index takes letters, as far as is known.
    pub(crate) fn is_well(&self) -> bool {
        self.projection.numbers().state != ProjectionState::Down
    }

    /// How it fares, for whoever looks after the server. What is wrong with it is in the log and in `redrive search status`:
    /// everybody may look here.
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
            (ProjectionState::Down, _) => Some("the index does not take letters; they wait in the store".to_owned()),
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
}
