//! Read the settings with which failures are assessed.

use std::sync::Arc;

use redrive_model::{CaptureSettings, GetCaptureSettings, Rejection};

use crate::{State, View};

impl View for GetCaptureSettings {
    type Reply = Result<CaptureSettings, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let (_, queue) = state.named(&self.queue)?;
        Ok(CaptureSettings { letters: Arc::clone(&queue.letter_settings), revision: queue.revision })
    }
}
