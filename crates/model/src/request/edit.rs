//! Edit a letter before its next retry.

use std::sync::Arc;

use redrive_core::{LetterId, Priority, QueueName, RetryPolicy};

use crate::Content;

/// Changes the fields that are set. The first content is kept as the original; the letter is scheduled again.
#[derive(Debug, Clone)]
pub struct Edit {
    pub queue: QueueName,
    pub letter: LetterId,
    pub content: Option<Arc<Content>>,
    pub policy: Option<RetryPolicy>,
    pub max_retries: Option<u32>,
    pub priority: Option<Priority>,
}
