//! The hashes of audit records.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A SHA-256, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct AuditHash(String);

impl AuditHash {
    /// The `previous` of the first record of a chain: all zeros.
    pub(crate) fn none() -> Self {
        Self("0".repeat(64))
    }

    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(hex(&Sha256::digest(bytes)))
    }

    /// The hash of a value's JSON.
    pub(crate) fn of_json(value: &impl Serialize) -> Self {
        // Settings and records consist of numbers and strings, which can always be encoded.
        Self::of(&serde_json::to_vec(value).unwrap_or_default())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}
