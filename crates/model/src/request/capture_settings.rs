//! Ask by which settings failures are assessed.

use std::sync::Arc;

use redrive_core::QueueName;

use crate::{LetterSettings, Templates};

/// Asks for the settings by which failures become letters of a queue.
#[derive(Debug, Clone)]
pub struct GetCaptureSettings {
    pub queue: QueueName,
}

/// The settings of a queue as they are in effect.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptureSettings {
    pub letters: Arc<LetterSettings>,
    pub templates: Templates,
    /// Another one after every change of the queue's settings; it means nothing after a restart.
    pub revision: u64,
}
