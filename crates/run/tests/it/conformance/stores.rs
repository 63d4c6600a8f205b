//! Stores for the suite, and how letters are found in them.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{QueueName, Span};
use redrive_queue::{GetLetter, ListLetters};
use redrive_run::conformance::FoundLetter;
use redrive_store::{LetterRecord, LocalStore, ManualClock, Options, Store, StoreError};

pub(crate) fn in_memory(clock: &ManualClock) -> LocalStore {
    LocalStore::in_memory(&options(clock)).unwrap()
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
