//! The time of the last use of each API key. It may be up to five minutes old, which keeps the number of writes small.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use redrive_core::{Span, Time};
use redrive_model::{KeyCondition, KeyWrite, WriteKeys};
use redrive_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::records::{Record, RecordTime, Records, key, value};

const LAG: Span = Span::from_mins(5);
const KEYS_MAX: usize = 10_000;

/// The last use of a key. It has a record separate from the key's, so that the key's record does not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LastUse {
    pub(crate) at: Option<RecordTime>,
}

impl Record for LastUse {}

impl LastUse {
    pub(crate) const NEVER: Self = Self { at: None };

    pub(crate) fn key(id: &str) -> Bytes {
        key(["apikey-used", id])
    }

    fn is_due(self, now: Time) -> bool {
        // Also if the clock stepped back.
        self.at.is_none_or(|RecordTime(at)| now < at || now.since(at) >= LAG)
    }
}

/// The keys whose last use this server has written, and when.
#[derive(Debug, Default)]
pub(super) struct Usage(Mutex<HashMap<String, Time>>);

impl Usage {
    /// Notes that a key was used now, in the background: the request does not wait for the write.
    pub(super) fn note(&self, id: &str, now: Time, store: &Arc<dyn Store>) {
        if !self.is_due(id, now) {
            return;
        }
        let (id, store) = (id.to_owned(), Arc::clone(store));
        tokio::spawn(async move {
            if let Err(error) = write(&*store, &id, now).await {
                tracing::debug!(%error, key = %id, "writing the last use of an API key failed");
            }
        });
    }

    fn is_due(&self, id: &str, now: Time) -> bool {
        // A panic cannot leave the map half-changed, so poisoning is ignored.
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = written.get(id).copied().map(RecordTime);
        if !(LastUse { at }).is_due(now) {
            return false;
        }
        if written.len() >= KEYS_MAX {
            written.clear();
        }
        written.insert(id.to_owned(), now);
        true
    }
}

async fn write(store: &dyn Store, id: &str, now: Time) -> Result<(), StoreError> {
    let key = LastUse::key(id);
    // The record is missing if the key was deleted meanwhile.
    let Some(read) = Records(store).read::<LastUse>(key.clone()).await? else { return Ok(()) };
    if !read.record.is_due(now) {
        return Ok(());
    }
    let value = value(&LastUse { at: Some(RecordTime(now)) });
    // Conditional, so that a key which is deleted at the same time leaves no record behind.
    store
        .write_keys(WriteKeys {
            writes: vec![KeyWrite { key, value: Some(value), condition: KeyCondition::Version(read.version) }],
        })
        .await
}
