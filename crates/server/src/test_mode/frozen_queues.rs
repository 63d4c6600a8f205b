//! The queues that a test has frozen. The timeouts of their requests do not run.

use std::collections::BTreeSet;

use redrive_core::QueueName;
use tokio::sync::watch;

#[derive(Debug, Default)]
pub(crate) struct FrozenQueues {
    queues: watch::Sender<BTreeSet<QueueName>>,
}

impl FrozenQueues {
    pub(crate) fn is_frozen(&self, queue: &QueueName) -> bool {
        self.queues.borrow().contains(queue)
    }

    pub(crate) fn set(&self, queue: QueueName, is_frozen: bool) {
        self.queues.send_modify(|queues| {
            if is_frozen {
                queues.insert(queue);
            } else {
                queues.remove(&queue);
            }
        });
    }

    /// Waits until a queue is not frozen.
    pub(crate) async fn unfrozen(&self, queue: &QueueName) {
        // Cannot fail: the sender lives as long as `self`.
        let mut queues = self.queues.subscribe();
        let _open = queues.wait_for(|queues| !queues.contains(queue)).await;
    }
}
