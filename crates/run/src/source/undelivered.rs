//! Work that was claimed and has not reached anybody.

use std::sync::Arc;

use redrive_core::{ItemId, QueueName};
use redrive_queue::Verb;
use redrive_store::Store;

/// Gives back untried what it still names when it is dropped.
#[derive(Debug)]
pub(super) struct Undelivered {
    store: Arc<dyn Store>,
    queue: QueueName,
    ids: Vec<ItemId>,
}

impl Undelivered {
    pub(super) fn new(store: &Arc<dyn Store>, queue: &QueueName, ids: Vec<ItemId>) -> Self {
        Self { store: Arc::clone(store), queue: queue.clone(), ids }
    }

    /// This one has reached somebody, or is not to go back.
    pub(super) fn forget(&mut self, id: ItemId) {
        self.ids.retain(|other| *other != id);
    }
}

impl Drop for Undelivered {
    fn drop(&mut self) {
        let ids = std::mem::take(&mut self.ids);
        let (false, Ok(runtime)) = (ids.is_empty(), tokio::runtime::Handle::try_current()) else { return };
        let (store, queue) = (Arc::clone(&self.store), self.queue.clone());
        runtime.spawn(async move {
            if let Err(error) = store.settle_all(queue.clone(), None, ids, Verb::Release).await {
                tracing::warn!(%queue, %error, "letters that nobody got could not be given back; their claims run out");
            }
        });
    }
}
