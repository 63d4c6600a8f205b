//! Restore archived letters to their previous state.

use redrive_core::{LetterId, QueueName};

/// Restores letters. If a letter was archived during a retry, that attempt is charged as failed.
#[derive(Debug, Clone)]
pub struct Restore {
    pub queue: QueueName,
    pub letters: Vec<LetterId>,
}
