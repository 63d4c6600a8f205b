//! Remove letters for good.

use redrive_core::{LetterId, QueueName};

/// Removes letters in any state. Whoever is retrying one finds that it is gone.
#[derive(Debug, Clone)]
pub struct Purge {
    pub queue: QueueName,
    pub letters: Vec<LetterId>,
}
