//! The small ordered key space beside the queues: namespaces, users, settings, audit records.
//!
//! It is kept in memory and designed for thousands of entries, not millions. Each entry has a version, so that
//! concurrent writers detect each other's changes.
//!
//! Keys that begin with [`Keys::RESERVED`] belong to the store: no request reads or writes them.

use std::collections::BTreeMap;
use std::ops::Bound;

use bytes::Bytes;
use redrive_model::{KeyChange, KeyCondition, KeyEntry, KeyWrite, Rejection};

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    entries: BTreeMap<Box<[u8]>, Entry>,
    bytes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    value: Bytes,
    version: u64,
}

impl Keys {
    pub(crate) const KEY_BYTES_MAX: usize = 2 * 1024;
    pub(crate) const VALUE_BYTES_MAX: usize = 1 << 20;
    /// The limit of the whole key space, which is kept in memory.
    pub(crate) const BYTES_MAX: usize = 1 << 30;

    /// The beginning of the keys of the store itself. No key of the server begins with these bytes.
    pub(crate) const RESERVED: &[u8] = b"\0\x02";
    const AFTER_RESERVED: &[u8] = b"\0\x03";

    /// Checks all changes before any of them is applied.
    pub(crate) fn check(&self, writes: &[KeyWrite]) -> Result<(), Rejection> {
        let mut grown = self.bytes;
        for write in writes {
            let value = write.value.as_ref().map_or(0, Bytes::len);
            if write.key.is_empty() || write.key.len() > Self::KEY_BYTES_MAX {
                return Err(Rejection::BadKey { most: Self::KEY_BYTES_MAX });
            }
            if write.key.starts_with(Self::RESERVED) {
                return Err(Rejection::ReservedKey);
            }
            if value > Self::VALUE_BYTES_MAX {
                return Err(Rejection::ValueTooLong { most: Self::VALUE_BYTES_MAX });
            }
            grown += write.key.len() + value;
            let version = self.entries.get(&*write.key).map(|entry| entry.version);
            let condition_holds = match write.condition {
                KeyCondition::Any => true,
                KeyCondition::Absent => version.is_none(),
                KeyCondition::Version(expected) => version == Some(expected),
            };
            if !condition_holds {
                return Err(Rejection::KeyChanged { key: write.key.clone() });
            }
        }
        let frees = writes.iter().all(|write| write.value.is_none());
        if grown > Self::BYTES_MAX && !frees { Err(Rejection::KeysFull { most: Self::BYTES_MAX }) } else { Ok(()) }
    }

    pub(crate) fn change(&mut self, change: KeyChange) {
        let len = change.key.len();
        let before = match change.value {
            Some(value) => {
                self.bytes += len + value.len();
                self.entries.insert(change.key, Entry { value, version: change.version })
            }
            None => self.entries.remove(&change.key),
        };
        if let Some(before) = before {
            self.bytes -= len + before.value.len();
        }
    }

    /// Whether entries of the store itself may add this many bytes.
    pub(crate) fn check_growth(&self, bytes: usize) -> Result<(), Rejection> {
        if self.bytes + bytes > Self::BYTES_MAX { Err(Rejection::KeysFull { most: Self::BYTES_MAX }) } else { Ok(()) }
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<KeyEntry> {
        let found = self.entries.get_key_value(key).filter(|(key, _)| !key.starts_with(Self::RESERVED));
        found.map(|(key, entry)| shown(key, entry))
    }

    /// The value of an entry of the store itself.
    pub(crate) fn reserved(&self, key: &[u8]) -> Option<&Bytes> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// The keys of the store itself with a prefix.
    pub(crate) fn reserved_keys<'k>(&'k self, prefix: &'k [u8]) -> impl Iterator<Item = &'k [u8]> + 'k {
        let keys = self.entries.range::<[u8], _>((Bound::Included(prefix), Bound::Unbounded)).map(|(key, _)| &**key);
        keys.take_while(move |key| key.starts_with(prefix))
    }

    /// The entries with the key prefix `prefix`, from `from` on.
    pub(crate) fn scan<'k>(&'k self, prefix: &'k [u8], from: &'k [u8]) -> impl Iterator<Item = KeyEntry> + 'k {
        let from = from.max(prefix);
        // The reserved keys are skipped at once: there may be many.
        let before = (Bound::Included(from.min(Self::RESERVED)), Bound::Excluded(Self::RESERVED));
        let after = (Bound::Included(from.max(Self::AFTER_RESERVED)), Bound::Unbounded);
        let ranges = [before, after].into_iter().flat_map(|range| self.entries.range::<[u8], _>(range));
        ranges.take_while(move |(key, _)| key.starts_with(prefix)).map(|(key, entry)| shown(key, entry))
    }

    /// The approximate size in a checkpoint.
    pub(crate) fn checkpoint_bytes(&self) -> usize {
        self.bytes + self.entries.len() * 16
    }

    /// The entries after a key, for a checkpoint.
    pub(crate) fn changes_from(&self, from: &[u8]) -> impl Iterator<Item = KeyChange> {
        self.entries.range::<[u8], _>((Bound::Excluded(from), Bound::Unbounded)).map(|(key, entry)| KeyChange {
            key: key.clone(),
            value: Some(entry.value.clone()),
            version: entry.version,
        })
    }
}

fn shown(key: &[u8], entry: &Entry) -> KeyEntry {
    KeyEntry { key: Bytes::copy_from_slice(key), value: entry.value.clone(), version: entry.version }
}
