//! A dead queue in a store, and how to find letters in it.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{QueueName, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{CreateQueue, DeleteQueue, GetLetter, ListLetters, QueueSettings};
use redrive_run::conformance::FoundLetter;
use redrive_store::{ManualClock, Store, StoreError};

#[derive(Debug)]
pub(super) struct StoredLetters {
    pub(super) store: Arc<dyn Store>,
    pub(super) queue: QueueName,
}

impl StoredLetters {
    pub(super) async fn new(clock: &ManualClock) -> Self {
        let options = EmbeddedOptions {
            clock: Arc::new(clock.clone()),
            // No background work within a case.
            idle_proof: Span::from_hours(1),
            ..EmbeddedOptions::default()
        };
        let store = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
        let letters = Self { store, queue: QueueName::new("orders-dead").unwrap() };
        letters.create_queue().await;
        letters
    }

    async fn create_queue(&self) {
        let settings = QueueSettings::new(self.queue.clone());
        self.store.create_queue(CreateQueue { settings }).await.unwrap();
    }

    /// Deletes the dead queue, so that the store accepts no letter. Existing letters are deleted with it: no case
    /// refuses letters after it made some that it looks for later.
    pub(super) async fn refuse(&self, refuse: bool) {
        if refuse {
            self.store.delete_queue(DeleteQueue { name: self.queue.clone(), force: true }).await.unwrap();
        } else {
            self.create_queue().await;
        }
    }

    /// Every letter with this payload, whatever its status.
    pub(super) async fn find(&self, payload: &Bytes) -> Result<Vec<FoundLetter>, StoreError> {
        let list = ListLetters { queue: self.queue.clone(), statuses: Vec::new(), after: None, limit: 10_000 };
        let mut found = Vec::new();
        for stored in self.store.letters(list).await? {
            if stored.content.payload == *payload {
                let letter = stored.info.letter.unwrap().id;
                let letter = self.store.letter(GetLetter { queue: self.queue.clone(), letter }).await?;
                found.push(FoundLetter { content: (*letter.content).clone(), attempts: letter.attempts });
            }
        }
        Ok(found)
    }
}
