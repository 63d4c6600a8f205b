//! Put letters away: nothing retries them, and they free their source id.

use redrive_core::{LetterId, QueueName};

/// Archives letters in any state. One that is being retried is taken from its holder, whose result comes late.
#[derive(Debug, Clone)]
pub struct Archive {
    pub queue: QueueName,
    pub letters: Vec<LetterId>,
}
