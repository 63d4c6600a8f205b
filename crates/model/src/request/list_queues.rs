//! Look at queues.

use redrive_core::{NamespaceName, QueueName};

/// The settings of one queue.
#[derive(Debug, Clone)]
pub struct GetQueue {
    pub name: QueueName,
}

/// Queues by name, from `pivot` on.
#[derive(Debug, Clone, Default)]
pub struct ListQueues {
    /// Only those of this namespace; `None` for all of them.
    pub namespace: Option<Option<NamespaceName>>,
    /// Any text: it need not be a name that a queue can have.
    pub pivot: Option<Box<str>>,
    pub limit: usize,
}
