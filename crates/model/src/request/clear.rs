//! Clear a queue.

use redrive_core::QueueName;

/// Removes items from all partitions of a queue.
#[derive(Debug, Clone)]
pub struct Clear {
    pub queue: QueueName,
    /// Removes items that are not leased.
    pub ready: bool,
    /// With `ready`, also removes leased items.
    pub destructive: bool,
    /// Removes scheduled items.
    pub scheduled: bool,
}
