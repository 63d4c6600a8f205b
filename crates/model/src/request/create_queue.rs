//! Make a queue.

use crate::QueueSettings;

/// Makes a queue with these settings; the times in them are set here.
#[derive(Debug, Clone)]
pub struct CreateQueue {
    pub settings: QueueSettings,
}
