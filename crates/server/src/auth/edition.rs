//! The edition of the tenancy data: one version number for all users, keys, roles and bindings.
//!
//! Together they are small and change rarely, so one version is enough. A change is conditional on the edition that it
//! was decided on, and a concurrent change makes it fail: two requests that take the same name, a role that is bound
//! while it is deleted, a user that gets a key while it is deleted, on one server or on several. A cache reads the
//! edition before it is used, and drops its entries if they belong to another one.

use bytes::Bytes;
use redrive_model::{GetKey, KeyCondition, KeyWrite};
use redrive_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::records::{Record, key, value};

/// The current edition; `None` before the first write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edition(Option<u64>);

#[derive(Debug, Serialize, Deserialize)]
struct Mark {}

impl Record for Mark {}

impl Edition {
    /// Stands for "no edition yet"; no edition has this number.
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

    /// A write that makes the next edition, and fails if this one is no longer current.
    pub(crate) fn next(self) -> KeyWrite {
        let condition = self.0.map_or(KeyCondition::Absent, KeyCondition::Version);
        KeyWrite { key: Self::key(), value: Some(value(&Mark {})), condition }
    }
}
