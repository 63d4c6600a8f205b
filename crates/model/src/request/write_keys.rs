//! Read and write the ordered key space.

use bytes::Bytes;

use crate::KeyWrite;

/// Changes entries: all of them, or none if a condition does not hold.
#[derive(Debug, Clone)]
pub struct WriteKeys {
    pub writes: Vec<KeyWrite>,
}

/// Reads one entry.
#[derive(Debug, Clone)]
pub struct GetKey {
    pub key: Bytes,
}

/// Lists the entries with a key prefix, in order, from a key on.
#[derive(Debug, Clone)]
pub struct ScanKeys {
    pub prefix: Bytes,
    pub from: Bytes,
    pub limit: usize,
}
