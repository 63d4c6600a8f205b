//! The content of an item. The state machine never reads it.

use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::Rejection;

/// The payload of an item and its description.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    pub kind: String,
    pub encoding: String,
    pub reference: String,
    /// The message key, if the origin orders or partitions messages by one.
    pub key: Option<Bytes>,
    /// In their original order; names may repeat.
    pub headers: Vec<Header>,
    pub payload: Bytes,
}

/// A header. The value is bytes because brokers do not guarantee text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub name: String,
    pub value: Bytes,
}

impl Content {
    pub const TEXT_BYTES_MAX: usize = 2_000;
    pub const KEY_BYTES_MAX: usize = 64 * 1024;
    pub const HEADERS_MAX: usize = 1_000;
    pub const HEADER_BYTES_MAX: usize = 64 * 1024;

    pub fn of_payload(payload: impl Into<Bytes>) -> Self {
        Self { payload: payload.into(), ..Self::default() }
    }

    /// Checks the size limits.
    pub fn check(&self) -> Result<(), Rejection> {
        let texts = [("kind", &self.kind), ("encoding", &self.encoding), ("reference", &self.reference)];
        for (field, text) in texts {
            check_len(field, text.len(), Self::TEXT_BYTES_MAX)?;
        }
        check_len("key", self.key.as_ref().map_or(0, Bytes::len), Self::KEY_BYTES_MAX)?;
        if self.headers.len() > Self::HEADERS_MAX {
            return Err(Rejection::TooManyHeaders { count: self.headers.len(), most: Self::HEADERS_MAX });
        }
        self.headers
            .iter()
            .try_for_each(|header| check_len("header", header.name.len() + header.value.len(), Self::HEADER_BYTES_MAX))
    }

    /// The digest of the payload. It is cryptographic: with a faster hash, an attacker could craft a payload that
    /// collides with another one and hides its letter.
    pub fn digest(&self) -> [u8; 16] {
        let mut digest = [0; 16];
        digest.copy_from_slice(&Sha256::digest(&self.payload)[..16]);
        digest
    }

    /// An upper bound of the size on disk, without the record around it.
    pub fn bytes_max(&self) -> usize {
        self.bytes() + self.headers.len() * 20 + 64
    }

    /// The size of the payload and its description.
    pub fn bytes(&self) -> usize {
        let texts = self.kind.len() + self.encoding.len() + self.reference.len();
        let headers: usize = self.headers.iter().map(|header| header.name.len() + header.value.len()).sum();
        texts + self.key.as_ref().map_or(0, Bytes::len) + headers + self.payload.len()
    }
}

fn check_len(field: &'static str, len: usize, most: usize) -> Result<(), Rejection> {
    if len > most { Err(Rejection::ContentTooLong { field, most }) } else { Ok(()) }
}
