//! Which edition of users, keys, roles and bindings there is.
//!
//! All of them together are small and change seldom, so they have one version. Whoever changes anything names the edition
//! that the change was decided on, and somebody else's change in between refuses it: two requests that take one name, a
//! role that is bound while it is deleted, a user who gets a key while they go, on one server or on several. And whoever
//! remembers anything asks for the edition first: what was read under another one is forgotten.

use bytes::Bytes;
use redrive_model::{GetKey, KeyCondition, KeyWrite};
use redrive_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::records::{Record, key, value};

/// Before anything was written there is no edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edition(Option<u64>);

#[derive(Debug, Serialize, Deserialize)]
struct Mark {}

impl Record for Mark {}

impl Edition {
    /// Never the number of an edition.
    const NONE: u64 = 0;

    fn key() -> Bytes {
        key(["tenancy"])
    }

    pub(crate) async fn read(store: &dyn Store) -> Result<Self, StoreError> {
        let entry = store.key(GetKey { key: Self::key() }).await?;
        Ok(Self(entry.map(|entry| entry.version)))
    }

    pub(crate) fn number(self) -> u64 {
        self.0.unwrap_or(Self::NONE)
    }

    /// Makes the next edition, if this is still the newest.
    pub(crate) fn next(self) -> KeyWrite {
        let condition = self.0.map_or(KeyCondition::Absent, KeyCondition::Version);
        KeyWrite { key: Self::key(), value: Some(value(&Mark {})), condition }
    }
}
