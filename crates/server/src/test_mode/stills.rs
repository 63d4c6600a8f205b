//! Which queues stand still: the time of their requests does, too.

use std::collections::BTreeSet;

use redrive_core::QueueName;
use tokio::sync::watch;

#[derive(Debug)]
pub(crate) struct Stills {
    queues: watch::Sender<BTreeSet<QueueName>>,
}

impl Default for Stills {
    fn default() -> Self {
        Self { queues: watch::Sender::new(BTreeSet::new()) }
    }
}

impl Stills {
    pub(crate) fn is_still(&self, queue: &QueueName) -> bool {
        self.queues.borrow().contains(queue)
    }

    pub(crate) fn set(&self, queue: QueueName, is_still: bool) {
        self.queues.send_modify(|queues| {
            if is_still {
                queues.insert(queue);
            } else {
                queues.remove(&queue);
            }
        });
    }

    /// Waits until a queue goes on.
    pub(crate) async fn ended(&self, queue: &QueueName) {
        // The sender lives as long as we do.
        let mut queues = self.queues.subscribe();
        let _open = queues.wait_for(|queues| !queues.contains(queue)).await;
    }
}
