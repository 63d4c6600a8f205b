//! Stores for the conformance suite, and how to find letters in them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{QueueName, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{FullLetter, GetLetter, KeyWrite, ListLetters};
use redrive_run::conformance::FoundLetter;
use redrive_store::{ManualClock, Reply, Request, Store, StoreError};

pub(crate) fn in_memory(clock: &ManualClock) -> EmbeddedStore {
    EmbeddedStore::in_memory(&options(clock)).unwrap()
}

pub(crate) fn on_disk(directory: &Path, clock: &ManualClock) -> EmbeddedStore {
    EmbeddedStore::open(directory, &options(clock)).unwrap()
}

/// Small segments and a small cache, so that documents are read from disk; no background work within a case.
fn options(clock: &ManualClock) -> EmbeddedOptions {
    EmbeddedOptions {
        clock: Arc::new(clock.clone()),
        segment_bytes: 1 << 20,
        cache_bytes: 1024,
        idle_proof: Span::from_hours(1),
        ..EmbeddedOptions::default()
    }
}

/// Every letter with this payload, whatever its status.
pub(crate) async fn letters(
    store: &dyn Store,
    queue: &QueueName,
    payload: &Bytes,
) -> Result<Vec<FullLetter>, StoreError> {
    let list = ListLetters { queue: queue.clone(), statuses: Vec::new(), after: None, limit: 10_000 };
    let mut found = Vec::new();
    for stored in store.letters(list).await? {
        if stored.content.payload == *payload {
            let letter = stored.info.letter.unwrap().id;
            found.push(store.letter(GetLetter { queue: queue.clone(), letter }).await?);
        }
    }
    Ok(found)
}

pub(crate) fn found(record: FullLetter) -> FoundLetter {
    FoundLetter { content: (*record.content).clone(), attempts: record.attempts }
}

/// A store that can lose the reply to a settle request.
#[derive(Debug)]
pub(crate) struct LossyStore {
    pub(crate) store: EmbeddedStore,
    pub(crate) loses_next_answer: AtomicBool,
}

impl LossyStore {
    pub(crate) fn new(store: EmbeddedStore) -> Self {
        Self { store, loses_next_answer: AtomicBool::new(false) }
    }
}

#[async_trait]
impl Store for LossyStore {
    async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let is_settle = matches!(request, Request::Settle(_));
        let reply = self.store.submit(request, along).await;
        if is_settle && self.loses_next_answer.swap(false, Ordering::Relaxed) {
            return Err(StoreError::Closed);
        }
        reply
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}
