//! Stores for the suite, and how letters are found in them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{QueueName, Span};
use redrive_queue::{GetLetter, KeyWrite, ListLetters};
use redrive_run::conformance::FoundLetter;
use redrive_store::{LetterRecord, LocalStore, ManualClock, Operation, Options, Reply, Store, StoreError};

pub(crate) fn in_memory(clock: &ManualClock) -> LocalStore {
    LocalStore::in_memory(&options(clock)).unwrap()
}

pub(crate) fn on_disk(directory: &Path, clock: &ManualClock) -> LocalStore {
    LocalStore::open(directory, &options(clock)).unwrap()
}

/// Small files and a small cache, so that documents are read from the disk; no work but what a case asks for.
fn options(clock: &ManualClock) -> Options {
    Options {
        clock: Arc::new(clock.clone()),
        segment_bytes: 1 << 20,
        cache_bytes: 1024,
        idle_proof: Span::from_hours(1),
        ..Options::default()
    }
}

/// Every letter with this payload, whatever its state.
pub(crate) async fn letters(
    store: &dyn Store,
    queue: &QueueName,
    payload: &Bytes,
) -> Result<Vec<LetterRecord>, StoreError> {
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

pub(crate) fn found(record: LetterRecord) -> FoundLetter {
    FoundLetter { content: (*record.item.content).clone(), attempts: record.attempts }
}

/// A store whose answers to results may get lost on their way.
#[derive(Debug)]
pub(crate) struct Lossy {
    pub(crate) store: LocalStore,
    pub(crate) loses_next_answer: AtomicBool,
}

impl Lossy {
    pub(crate) fn new(store: LocalStore) -> Self {
        Self { store, loses_next_answer: AtomicBool::new(false) }
    }
}

#[async_trait]
impl Store for Lossy {
    async fn submit(&self, operation: Operation, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let is_result = matches!(operation, Operation::Settle(_));
        let reply = self.store.submit(operation, along).await;
        if is_result && self.loses_next_answer.swap(false, Ordering::Relaxed) {
            return Err(StoreError::Closed);
        }
        reply
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}
