//! Bring archived letters back to where they were.

use redrive_core::{LetterId, QueueName};

/// Restores letters. One that was being retried when it was archived counts that attempt as failed.
#[derive(Debug, Clone)]
pub struct Restore {
    pub queue: QueueName,
    pub letters: Vec<LetterId>,
}
