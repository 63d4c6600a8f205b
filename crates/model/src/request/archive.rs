//! Archive letters: they are no longer retried, and their source ids are freed.

use redrive_core::{LetterId, QueueName};

/// Archives letters in any state. A letter that is being retried loses its claim; the result of the holder is recorded
/// as late.
#[derive(Debug, Clone)]
pub struct Archive {
    pub queue: QueueName,
    pub letters: Vec<LetterId>,
}
