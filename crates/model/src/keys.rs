//! Entries of the ordered key space, and changes of them.

use bytes::Bytes;

/// A change that somebody wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyWrite {
    pub key: Bytes,
    /// `None` deletes.
    pub value: Option<Bytes>,
    pub condition: KeyCondition,
}

/// What must be so for a change to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyCondition {
    #[default]
    Any,
    /// There is no such key.
    Absent,
    /// The entry is still the one that was read.
    Version(u64),
}

/// An entry as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    pub key: Bytes,
    pub value: Bytes,
    /// Another one after every change, never one that the key had before.
    pub version: u64,
}

/// A change that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChange {
    pub key: Box<[u8]>,
    pub value: Option<Bytes>,
    pub version: u64,
}
