//! The key space. The store assigns versions; the model only knows when one must be new.

use std::collections::BTreeMap;

use bytes::Bytes;
use redrive_model::{KeyCondition, Rejection, WriteKeys};

use super::Expected;

#[derive(Debug, Clone, Default)]
pub struct Keys {
    pub entries: BTreeMap<Bytes, Entry>,
    /// Greater than every version that was shown.
    pub newest: u64,
}

#[derive(Debug, Clone)]
pub struct Entry {
    pub value: Bytes,
    /// `None` until the store has shown it.
    pub version: Option<u64>,
}

impl Keys {
    /// Writes all entries or none. All conditions are evaluated against the state before.
    pub fn write(&mut self, write: &WriteKeys) -> Result<Expected, Rejection> {
        for write in &write.writes {
            if write.key.is_empty() {
                return Err(Rejection::BadKey { most: 2_048 });
            }
            let version = self.entries.get(&write.key).map(|entry| entry.version);
            let holds = match write.condition {
                KeyCondition::Any => true,
                KeyCondition::Absent => version.is_none(),
                KeyCondition::Version(expected) => version == Some(Some(expected)),
            };
            if !holds {
                return Err(Rejection::KeyChanged { key: write.key.clone() });
            }
        }
        for write in &write.writes {
            match &write.value {
                Some(value) => {
                    self.entries.insert(write.key.clone(), Entry { value: value.clone(), version: None });
                }
                None => {
                    self.entries.remove(&write.key);
                }
            }
        }
        Ok(Expected::Nothing)
    }
}
