//! Change a letter before it is tried again.

use std::sync::Arc;

use redrive_core::{LetterId, Priority, QueueName, RetryPolicy};

use crate::Content;

/// Changes what is given. The first content is kept as the original; the letter is settled anew.
#[derive(Debug, Clone)]
pub struct Edit {
    pub queue: QueueName,
    pub letter: LetterId,
    pub content: Option<Arc<Content>>,
    pub policy: Option<RetryPolicy>,
    pub max_retries: Option<u32>,
    pub priority: Option<Priority>,
}
