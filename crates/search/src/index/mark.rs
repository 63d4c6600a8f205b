//! The mark that ties an index to its store.
//!
//! The store and its index have the same mark. An index with letters and another mark may be the last copy of a lost
//! store, and must not be overwritten by an empty one.

use redrive_model::{GetKey, KeyCondition, KeyWrite, WriteKeys};
use redrive_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

/// The store's record of its index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    v: u32,
    pub(crate) token: String,
    /// Whether the index has every letter of the store, except for waiting changes.
    pub(crate) is_complete: bool,
}

impl Mark {
    /// Creates a new mark for an index that is about to be filled.
    pub(crate) fn new() -> Result<Self, StoreError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|_| StoreError::Unavailable("no randomness".to_owned()))?;
        let token = bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        Ok(Self { v: 1, token, is_complete: false })
    }

    /// Reads the mark of the store for this alias.
    pub(crate) async fn read(store: &dyn Store, alias: &str) -> Result<Option<Self>, StoreError> {
        let entry = store.key(GetKey { key: key(alias).into() }).await?;
        // An unreadable mark counts as none: the index is examined again.
        Ok(entry.and_then(|entry| serde_json::from_slice(&entry.value).ok()).filter(|mark: &Self| mark.v == 1))
    }

    /// Records that an index with this mark was begun; returns the mark of the previous one.
    pub(crate) async fn remember_begun(&self, store: &dyn Store, alias: &str) -> Result<Option<String>, StoreError> {
        let key = key(&format!("{alias}/begun"));
        let before = store.key(GetKey { key: key.clone().into() }).await?;
        let value = self.token.clone().into_bytes();
        let write = KeyWrite { key: key.into(), value: Some(value.into()), condition: KeyCondition::Any };
        store.write_keys(WriteKeys { writes: vec![write] }).await?;
        Ok(before.and_then(|entry| String::from_utf8(entry.value.to_vec()).ok()))
    }

    pub(crate) async fn write(&self, store: &dyn Store, alias: &str) -> Result<(), StoreError> {
        let value = serde_json::to_vec(self).map_err(|_| StoreError::WrongAnswer)?;
        let write = KeyWrite { key: key(alias).into(), value: Some(value.into()), condition: KeyCondition::Any };
        store.write_keys(WriteKeys { writes: vec![write] }).await
    }
}

/// Encodes two parts in the format of the key space; an alias has no zero byte.
fn key(alias: &str) -> Vec<u8> {
    [b"search\x00\x01", alias.as_bytes(), b"\x00\x01"].concat()
}
