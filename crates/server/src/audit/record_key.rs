//! The keys of audit records in the key space, and the ids by which callers name records.

use std::fmt;
use std::str::FromStr;

use bytes::Bytes;

use crate::records::key;

/// The key prefix of all records; they sort by incarnation.
pub(super) fn prefix() -> Bytes {
    key(["audit"])
}

/// The key prefix of the records of one chain.
pub(super) fn chain_prefix(incarnation: &str) -> Bytes {
    key(["audit", incarnation])
}

pub(super) fn record_key(incarnation: &str, sequence: u64) -> Bytes {
    key(["audit", incarnation, &format!("{sequence:016x}")])
}

/// Identifies an audit record: the run of a server that wrote it, and its position in the chain of that run. Its text
/// is both, separated by a dash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecordId {
    pub incarnation: String,
    pub sequence: u64,
}

impl AuditRecordId {
    pub(super) fn key(&self) -> Bytes {
        record_key(&self.incarnation, self.sequence)
    }

    /// The id of the record that belongs at a key, as a text; the key itself if no record has this key.
    pub(super) fn shown(stored: &[u8]) -> String {
        Self::of_key(stored).map_or_else(|| stored.escape_ascii().to_string(), |id| id.to_string())
    }

    /// The id of the record that belongs at a key; `None` if no record has this key.
    pub(super) fn of_key(stored: &[u8]) -> Option<Self> {
        let mut parts = stored.strip_prefix(&prefix()[..])?.split(|byte| *byte == 0);
        let incarnation = std::str::from_utf8(parts.next()?).ok()?;
        let digits = std::str::from_utf8(parts.next()?.strip_prefix(&[1])?).ok()?;
        let sequence = u64::from_str_radix(digits, 16).ok()?;
        let id = Self { incarnation: incarnation.to_owned(), sequence };
        (id.key() == stored).then_some(id)
    }
}

impl fmt::Display for AuditRecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.incarnation, self.sequence)
    }
}

/// The text is not the id of an audit record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id has the form INCARNATION-NUMBER, as in 3M928yx0UrfVbDwCKPpjAHbKnmG-17")]
pub struct NotAnAuditRecordId;

impl FromStr for AuditRecordId {
    type Err = NotAnAuditRecordId;

    fn from_str(text: &str) -> Result<Self, NotAnAuditRecordId> {
        let (incarnation, sequence) = text.rsplit_once('-').ok_or(NotAnAuditRecordId)?;
        let is_incarnation = !incarnation.is_empty() && incarnation.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_number = sequence.bytes().all(|byte| byte.is_ascii_digit());
        match sequence.parse() {
            Ok(sequence) if is_incarnation && is_number => Ok(Self { incarnation: incarnation.to_owned(), sequence }),
            _ => Err(NotAnAuditRecordId),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AuditRecordId, record_key};

    #[test]
    fn an_id_is_read_from_the_key_of_its_record_only() {
        let id = AuditRecordId { incarnation: "3M928yx0UrfVbDwCKPpjAHbKnmG".to_owned(), sequence: 17 };
        assert_eq!(AuditRecordId::of_key(&id.key()), Some(id.clone()));
        assert_eq!(id.to_string().parse(), Ok(id));
        let key = record_key("a", 0x1f);
        for wrong in [&key[..key.len() - 1], &b"audit\0\x01a\0\x01"[..], b"audit\0\x01a\0\x011f\0\x01", b"audit", b""] {
            assert_eq!(AuditRecordId::of_key(wrong), None, "{wrong:?}");
        }
        let mut upper = key.to_vec();
        let at = upper.len() - 3;
        upper[at] = b'F';
        assert_eq!(AuditRecordId::of_key(&upper), None, "a key has one spelling");
    }

    #[test]
    fn a_text_that_is_no_id_is_rejected() {
        for wrong in ["", "-", "a", "a-", "-1", "a-x", "a--1", "a-+1", "a b-1", "a-99999999999999999999"] {
            assert!(wrong.parse::<AuditRecordId>().is_err(), "{wrong}");
        }
    }
}
