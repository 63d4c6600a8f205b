//! In which queues letters were removed because their time was over, until somebody hears of it.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::QueueName;
use redrive_queue::State;
use tokio::sync::Notify;

#[derive(Debug, Default)]
pub(crate) struct RetentionNotices {
    queues: Mutex<BTreeSet<QueueName>>,
    told: Notify,
}

impl RetentionNotices {
    /// Tells what the state has to tell, which must be durable by now.
    pub(crate) fn tell(&self, state: &mut State) {
        let more = state.take_forgotten();
        if more.is_empty() {
            return;
        }
        let mut queues = self.queues();
        // Perhaps nobody ever listens: then no more names are kept than there are queues.
        queues.retain(|queue| state.number_of(queue).is_some());
        queues.extend(more);
        drop(queues);
        self.told.notify_one();
    }

    /// Waits for news.
    pub(crate) async fn heard(&self) -> BTreeSet<QueueName> {
        loop {
            let queues = std::mem::take(&mut *self.queues());
            if !queues.is_empty() {
                return queues;
            }
            self.told.notified().await;
        }
    }

    fn queues(&self) -> MutexGuard<'_, BTreeSet<QueueName>> {
        // A set of names cannot be left half-changed.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
