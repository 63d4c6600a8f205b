//! Entries of the ordered key space, and changes of them.

use bytes::Bytes;

/// A requested change of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyWrite {
    pub key: Bytes,
    /// `None` deletes.
    pub value: Option<Bytes>,
    pub condition: KeyCondition,
}

/// The precondition of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyCondition {
    #[default]
    Any,
    /// The key does not exist.
    Absent,
    /// The entry has this version.
    Version(u64),
}

/// An entry of the key space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    pub key: Bytes,
    pub value: Bytes,
    /// Changes with every write; a key never has the same version twice.
    pub version: u64,
}

/// An applied change of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChange {
    pub key: Box<[u8]>,
    pub value: Option<Bytes>,
    pub version: u64,
}
