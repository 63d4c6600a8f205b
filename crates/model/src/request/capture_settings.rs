//! Read the settings with which failures are assessed.

use std::sync::Arc;

use redrive_core::QueueName;

use crate::LetterSettings;

/// Reads the settings that apply to captures into a queue.
#[derive(Debug, Clone)]
pub struct GetCaptureSettings {
    pub queue: QueueName,
}

/// The effective settings of a queue.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptureSettings {
    pub letters: Arc<LetterSettings>,
    /// Changes with every change of the queue's settings. Not valid after a restart.
    pub revision: u64,
}
