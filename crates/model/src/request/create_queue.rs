//! Create a queue.

use crate::QueueSettings;

/// Creates a queue with these settings. The store sets the times in them.
#[derive(Debug, Clone)]
pub struct CreateQueue {
    pub settings: QueueSettings,
}
