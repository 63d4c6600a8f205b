//! Strict mode: no letter is taken that the index would not take, and each waits until it has.
//!
//! The index is asked before anything is kept, so that a capture which is refused has left nothing anywhere. It may go down
//! between that and its acknowledgement. Then the letter is in the store, and its caller is told that it is not safe in both
//! places: the same failure, captured again, is the same letter.

use redrive_core::{LetterId, QueueName, Span};
use redrive_model::Captured;
use redrive_search::{Projection, SearchError};

use crate::desk::Desk;
use crate::fault::{Code, Fault};
use crate::letter_index::CaptureMode;

/// What a capture has to do with the index.
pub(super) enum Strict<'d> {
    Nothing,
    Waits { projection: &'d Projection, within: Span },
}

impl<'d> Strict<'d> {
    pub(super) fn of(desk: &'d Desk) -> Self {
        let index = desk.app.index.get();
        match index.map(|index| (&index.projection, index.capture)) {
            Some((projection, CaptureMode::Strict { within })) => Self::Waits { projection, within },
            Some((_, CaptureMode::Store)) | None => Self::Nothing,
        }
    }

    /// Whether the index could take a letter now.
    pub(super) async fn before(&self) -> Result<(), Fault> {
        let Self::Waits { projection, .. } = self else { return Ok(()) };
        projection.probe().await.map_err(|error| {
            let what = "the index of letters does not take any, and without it none is kept";
            not_indexed(&error, what)
        })
    }

    /// Waits until the index has what was captured.
    pub(super) async fn after(&self, queue: &QueueName, captured: &[Captured]) -> Result<(), Fault> {
        let Self::Waits { projection, within } = self else { return Ok(()) };
        let letters: Vec<LetterId> = captured.iter().map(|captured| captured.letter).collect();
        projection.confirm(queue, &letters, *within).await.map_err(|error| {
            let what = "the index of letters has not acknowledged what the store keeps; capturing it again is safe";
            not_indexed(&error, what)
        })
    }
}

fn not_indexed(error: &SearchError, what: &'static str) -> Fault {
    tracing::warn!(%error, "a capture was refused for the index");
    Fault::new(Code::RetryRequest, format!("{what}; try again")).because("persist_failed")
}
