//! Queues in which retention has removed letters since the last call of `Store::retention_notices`.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::QueueName;
use redrive_queue::State;
use tokio::sync::Notify;

#[derive(Debug, Default)]
pub(crate) struct RetentionNotices {
    queues: Mutex<BTreeSet<QueueName>>,
    notify: Notify,
}

impl RetentionNotices {
    /// Publishes the queues that the state has collected. The removals must be durable.
    pub(crate) fn publish(&self, state: &mut State) {
        let more = state.take_forgotten();
        if more.is_empty() {
            return;
        }
        let mut queues = self.queues();
        // If the notices are never read, at most one name per existing queue is kept.
        queues.retain(|queue| state.number_of(queue).is_some());
        queues.extend(more);
        drop(queues);
        self.notify.notify_one();
    }

    /// Waits for notices and takes them.
    pub(crate) async fn next(&self) -> BTreeSet<QueueName> {
        loop {
            let queues = std::mem::take(&mut *self.queues());
            if !queues.is_empty() {
                return queues;
            }
            self.notify.notified().await;
        }
    }

    fn queues(&self) -> MutexGuard<'_, BTreeSet<QueueName>> {
        // A poisoned lock is ignored: a panic cannot leave the set inconsistent.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
