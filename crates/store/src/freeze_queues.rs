//! Freezing queues, for the test mode of a server.

use async_trait::async_trait;
use redrive_core::QueueName;

use crate::{Store, StoreError};

/// A store whose queues can be frozen. The store holds up to 100 requests to a frozen queue, and none of the queue's
/// timers fires. Freezing is not durable: it ends with the process.
#[async_trait]
pub trait FreezeQueues: Store {
    async fn freeze(&self, queue: QueueName) -> Result<(), StoreError>;

    /// Unfreezes a queue. All held requests are processed in one pass.
    async fn unfreeze(&self, queue: QueueName) -> Result<(), StoreError>;
}
