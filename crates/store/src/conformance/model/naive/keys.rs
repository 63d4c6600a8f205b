//! The key space: a map. Versions are the store's; the model only knows when one must be new.

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
    /// `None` until the store tells it.
    pub version: Option<u64>,
}

impl Keys {
    /// All, or none: every condition is about what was there before.
    pub fn write(&mut self, write: &WriteKeys) -> Result<Expected, Rejection> {
        for write in &write.writes {
            if write.key.is_empty() {
                return Err(Rejection::BadKey { most: 2_048 });
            }
            let version = self.entries.get(&write.key).map(|entry| entry.version);
            let holds = match write.condition {
                KeyCondition::Any => true,
                KeyCondition::Absent => version.is_none(),
                KeyCondition::Version(wanted) => version == Some(Some(wanted)),
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
