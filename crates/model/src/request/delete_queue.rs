//! Remove a queue with everything in it.

use redrive_core::QueueName;

/// Removes a queue at once; the room of its items is given back by and by. A queue of the same name starts empty.
#[derive(Debug, Clone)]
pub struct DeleteQueue {
    pub name: QueueName,
    /// Also when others name it as their dead queue: what dies there waits until it is made again.
    pub force: bool,
}
