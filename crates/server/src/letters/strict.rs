//! Strict mode: a capture is rejected while the search index is unavailable, and is acknowledged when the index has the
//! letter.
//!
//! The index is probed before anything is stored, so that a rejected capture leaves nothing behind. If the index goes
//! down between the probe and its acknowledgement, the letter is in the store and the caller gets an error. Capturing
//! the same failure again is safe: it is the same letter.

use redrive_core::{LetterId, QueueName, Span};
use redrive_search::{Projection, SearchError};

use crate::api_error::{ApiError, Code};
use crate::letter_index::CaptureMode;
use crate::request_context::RequestContext;

/// Whether a capture waits for the index.
pub(super) enum StrictCapture<'d> {
    Off,
    On { projection: &'d Projection, within: Span },
}

impl<'d> StrictCapture<'d> {
    pub(super) fn of(ctx: &'d RequestContext) -> Self {
        let index = ctx.app.index.get();
        match index.map(|index| (&index.projection, index.capture)) {
            Some((projection, CaptureMode::Strict { within })) => Self::On { projection, within },
            Some((_, CaptureMode::Store)) | None => Self::Off,
        }
    }

    /// Fails if the index does not accept letters now.
    pub(super) async fn check_index(&self) -> Result<(), ApiError> {
        let Self::On { projection, .. } = self else { return Ok(()) };
        projection.probe().await.map_err(|error| {
            let message = "the index of letters does not accept any, and strict mode keeps none without it";
            not_indexed(&error, message)
        })
    }

    /// Waits until the index has the captured letters.
    pub(super) async fn wait_indexed(&self, queue: &QueueName, letters: Vec<LetterId>) -> Result<(), ApiError> {
        let Self::On { projection, within } = self else { return Ok(()) };
        projection.confirm(queue, &letters, *within).await.map_err(|error| {
            let message = "the index of letters has not acknowledged what the store keeps; capturing it again is safe";
            not_indexed(&error, message)
        })
    }
}

fn not_indexed(error: &SearchError, message: &'static str) -> ApiError {
    tracing::warn!(%error, "capture failed because of the search index");
    ApiError::new(Code::RetryRequest, format!("{message}; try again")).because("persist_failed")
}
