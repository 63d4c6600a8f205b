//! Read and list queues.

use redrive_core::{NamespaceName, QueueName};

/// Reads the settings of one queue.
#[derive(Debug, Clone)]
pub struct GetQueue {
    pub name: QueueName,
}

/// Lists queues by name, from `pivot` on.
#[derive(Debug, Clone, Default)]
pub struct ListQueues {
    /// Only queues of this namespace; `None` for all queues.
    pub namespace: Option<Option<NamespaceName>>,
    /// Any text; it need not be a valid queue name.
    pub pivot: Option<Box<str>>,
    pub limit: usize,
}
