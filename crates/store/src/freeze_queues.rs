//! Freezing queues, for the test mode of a server.

use async_trait::async_trait;
use redrive_core::QueueName;

use crate::{Store, StoreError};

/// A store whose queues can be frozen: requests to a frozen queue are kept, up to a hundred, and none of its timers fires.
/// It ends with the process.
#[async_trait]
pub trait FreezeQueues: Store {
    async fn freeze(&self, queue: QueueName) -> Result<(), StoreError>;

    /// Lets a queue go on: what was kept is worked on in one pass.
    async fn unfreeze(&self, queue: QueueName) -> Result<(), StoreError>;
}
