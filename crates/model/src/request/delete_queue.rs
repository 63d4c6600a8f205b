//! Delete a queue with all of its items.

use redrive_core::QueueName;

/// Deletes a queue immediately; the slots of its items are reclaimed gradually. A new queue with the same name starts
/// empty.
#[derive(Debug, Clone)]
pub struct DeleteQueue {
    pub name: QueueName,
    /// Deletes the queue even if it is the dead queue of others. Items that die in those wait until it is created
    /// again.
    pub force: bool,
}
