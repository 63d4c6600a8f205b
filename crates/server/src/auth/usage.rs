//! When a key was last used. It may lag by five minutes, so that hardly anything is ever written about it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use redrive_core::{Span, Time};
use redrive_model::{KeyCondition, KeyWrite, WriteKeys};
use redrive_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::records::{At, Record, Records, key, value};

const LAG: Span = Span::from_mins(5);
const KEYS_MAX: usize = 10_000;

/// Stands beside each key, so that the key's own record stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Used {
    pub(crate) at: Option<At>,
}

impl Record for Used {}

impl Used {
    pub(crate) const NEVER: Self = Self { at: None };

    pub(crate) fn key(id: &str) -> Bytes {
        key(["apikey-used", id])
    }

    fn is_due(self, now: Time) -> bool {
        // Also where the clock stepped back.
        self.at.is_none_or(|At(at)| now < at || now.since(at) >= LAG)
    }
}

/// Which keys this server has written about, and when.
#[derive(Debug, Default)]
pub(super) struct Usage(Mutex<HashMap<String, Time>>);

impl Usage {
    /// A key was used now. Whoever used it does not wait until that is written.
    pub(super) fn note(&self, id: &str, now: Time, store: &Arc<dyn Store>) {
        if !self.is_due(id, now) {
            return;
        }
        let (id, store) = (id.to_owned(), Arc::clone(store));
        tokio::spawn(async move {
            if let Err(error) = write(&*store, &id, now).await {
                tracing::debug!(%error, key = %id, "when a key was used could not be written");
            }
        });
    }

    fn is_due(&self, id: &str, now: Time) -> bool {
        // A map of times cannot be left half-changed.
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = written.get(id).copied().map(At);
        if !(Used { at }).is_due(now) {
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
    let key = Used::key(id);
    // Gone with its key, meanwhile.
    let Some(read) = Records(store).get::<Used>(key.clone()).await? else { return Ok(()) };
    if !read.record.is_due(now) {
        return Ok(());
    }
    let value = value(&Used { at: Some(At(now)) });
    // On condition, so that nothing is left behind of a key that is deleted at this moment.
    store
        .write_keys(WriteKeys {
            writes: vec![KeyWrite { key, value: Some(value), condition: KeyCondition::Version(read.version) }],
        })
        .await
}
