//! Purge letters.

use redrive_core::{LetterId, QueueName};

/// Removes letters in any state. The result of a running retry is rejected because the letter no longer exists.
#[derive(Debug, Clone)]
pub struct Purge {
    pub queue: QueueName,
    pub letters: Vec<LetterId>,
}
