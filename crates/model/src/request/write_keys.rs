//! The ordered key space.

use bytes::Bytes;

use crate::KeyWrite;

/// Changes entries: all of them, or none when a condition does not hold.
#[derive(Debug, Clone)]
pub struct WriteKeys {
    pub writes: Vec<KeyWrite>,
}

/// One entry.
#[derive(Debug, Clone)]
pub struct GetKey {
    pub key: Bytes,
}

/// Entries whose keys begin with a prefix, in order, from a key on.
#[derive(Debug, Clone)]
pub struct ScanKeys {
    pub prefix: Bytes,
    pub from: Bytes,
    pub limit: usize,
}
