//! Which index holds this store's letters, and whether all of them.
//!
//! The store and the index have the same mark. Without it an index full of letters says nothing: it may be the last copy
//! of a store that was lost, and must not be written over by an empty one.

use redrive_model::{GetKey, KeyCondition, KeyWrite, WriteKeys};
use redrive_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

/// What the store remembers of its index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    v: u32,
    pub(crate) token: String,
    /// Whether every letter of the store is in it, apart from the changes that wait.
    pub(crate) is_complete: bool,
}

impl Mark {
    /// A mark that no index has, for one that is about to be filled.
    pub(crate) fn new() -> Result<Self, StoreError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|_| StoreError::Unavailable("no randomness".to_owned()))?;
        let token = bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        Ok(Self { v: 1, token, is_complete: false })
    }

    /// The mark of the store for this alias.
    pub(crate) async fn read(store: &dyn Store, alias: &str) -> Result<Option<Self>, StoreError> {
        let entry = store.key(GetKey { key: key(alias).into() }).await?;
        // One that cannot be read is none: the index is looked at again.
        Ok(entry.and_then(|entry| serde_json::from_slice(&entry.value).ok()).filter(|mark: &Self| mark.v == 1))
    }

    /// Notes that an index with this mark is begun; gives the mark of one that was begun before.
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

/// Two parts, each ended as the key space wants it; an alias has no zero byte.
fn key(alias: &str) -> Vec<u8> {
    [b"search\x00\x01", alias.as_bytes(), b"\x00\x01"].concat()
}
