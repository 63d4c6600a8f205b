//! The value of a key: JSON with a version.

use bytes::Bytes;
use redrive_model::{KeyCondition, KeyEntry, KeyWrite};
use redrive_store::StoreError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A type that is stored as a record.
pub(crate) trait Record: Serialize + DeserializeOwned + Send {
    /// Incremented when older versions of the server would misread the record. A field that they can ignore needs no
    /// new version.
    const VERSION: u32 = 1;
}

#[derive(Serialize)]
struct Written<'r, R> {
    v: u32,
    #[serde(flatten)]
    record: &'r R,
}

#[derive(Deserialize)]
struct Version {
    v: u32,
}

/// A record with its key, its bytes and the version of the key.
#[derive(Debug, Clone)]
pub(crate) struct Read<R> {
    pub(crate) record: R,
    pub(crate) key: Bytes,
    pub(crate) value: Bytes,
    pub(crate) version: u64,
}

impl<R: Record> Read<R> {
    pub(crate) fn of(entry: KeyEntry) -> Result<Self, StoreError> {
        let KeyEntry { key, value, version } = entry;
        let unreadable = |why| StoreError::Unreadable(format!("the record at {key:?} cannot be read: {why}"));
        let record = read_value(&value).map_err(unreadable)?;
        Ok(Self { record, key, value, version })
    }

    /// A write that fails if the record was changed since it was read, and otherwise leaves its value as it is.
    pub(crate) fn if_unchanged(&self) -> KeyWrite {
        let condition = KeyCondition::Version(self.version);
        KeyWrite { key: self.key.clone(), value: Some(self.value.clone()), condition }
    }
}

/// Reads the bytes of a record. An error says why that is not possible.
pub(crate) fn read_value<R: Record>(value: &[u8]) -> Result<R, String> {
    let written: Version = serde_json::from_slice(value).map_err(|error| error.to_string())?;
    if written.v != R::VERSION {
        return Err(format!("it has version {}; use a newer program", written.v));
    }
    serde_json::from_slice(value).map_err(|error| error.to_string())
}

/// The bytes of a record.
pub(crate) fn value<R: Record>(record: &R) -> Bytes {
    // Records consist of numbers and strings, which can always be encoded.
    serde_json::to_vec(&Written { v: R::VERSION, record }).unwrap_or_default().into()
}

pub(crate) fn put<R: Record>(key: Bytes, record: &R) -> KeyWrite {
    KeyWrite { key, value: Some(value(record)), condition: KeyCondition::Any }
}

pub(crate) const fn delete(key: Bytes) -> KeyWrite {
    KeyWrite { key, value: None, condition: KeyCondition::Any }
}

/// The value of an index key: the id of the record that it refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Link {
    pub(crate) id: String,
}

impl Record for Link {}
