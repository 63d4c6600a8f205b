//! Verifies the chains of audit records.

use std::collections::BTreeMap;

use super::{AuditHash, AuditRecord};
use crate::records::read_value;

/// Verifies audit records one by one. The records of each chain must be added in the order of their numbers; those of
/// several chains may be mixed.
#[derive(Debug, Default)]
pub struct AuditVerifier {
    chains: BTreeMap<String, VerifiedChain>,
}

/// What was verified of one chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedChain {
    pub incarnation: String,
    /// The number of the first record: above 0 if older ones were deleted because of the limit.
    pub first: u64,
    /// The number of the last record.
    pub last: u64,
    /// SHA-256 of the last record.
    pub head: String,
}

/// A record that is not what was written, or that does not follow the record before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {id} is not what was written: {why}; compare it with a copy")]
pub struct AuditBreak {
    /// The id of the record, as it says itself; that of its key if it cannot be read.
    pub id: String,
    pub why: &'static str,
}

impl AuditVerifier {
    /// Adds the next record: the id that belongs to its key, and its value. After an error the verification can be
    /// continued with the record that follows.
    ///
    /// # Errors
    ///
    /// If the record cannot be read, has another id, or does not follow the record of its chain that was added before.
    pub fn add(&mut self, id: &str, stored: &[u8]) -> Result<AuditRecord, AuditBreak> {
        let record = self.read(stored).map_err(|why| AuditBreak { id: id.to_owned(), why })?;
        let found = record.id().to_string();
        let why =
            if found == id { self.follow(&record, stored) } else { Err("it is stored under another record's key") };
        why.map(|()| record).map_err(|why| AuditBreak { id: found, why })
    }

    /// Like [`add`](Self::add) for a copy of a record that is not stored under a key.
    ///
    /// # Errors
    ///
    /// If the copy cannot be read, or does not follow the record of its chain that was added before. `place` names it
    /// if it cannot be read.
    pub fn add_copy(&mut self, place: &str, stored: &[u8]) -> Result<AuditRecord, AuditBreak> {
        let record = self.read(stored).map_err(|why| AuditBreak { id: place.to_owned(), why })?;
        let followed = self.follow(&record, stored);
        followed.map_err(|why| AuditBreak { id: record.id().to_string(), why })?;
        Ok(record)
    }

    /// SHA-256 of the last record of a chain.
    pub fn head(&self, incarnation: &str) -> Option<&str> {
        self.chains.get(incarnation).map(|chain| chain.head.as_str())
    }

    /// The chains so far, oldest first.
    pub fn chains(&self) -> impl Iterator<Item = &VerifiedChain> {
        self.chains.values()
    }

    fn read(&self, stored: &[u8]) -> Result<AuditRecord, &'static str> {
        read_value(stored).map_err(|_| "it is not an audit record of this version")
    }

    /// Checks that a record follows the last one of its chain, which it then is.
    fn follow(&mut self, record: &AuditRecord, stored: &[u8]) -> Result<(), &'static str> {
        let head = AuditHash::of(stored).into_text();
        let next = |first| {
            let (incarnation, last) = (record.incarnation.clone(), record.sequence);
            VerifiedChain { incarnation, first, last, head }
        };
        let Some(chain) = self.chains.get_mut(&record.incarnation) else {
            let chain = next(record.sequence);
            self.chains.insert(record.incarnation.clone(), chain);
            let is_start = record.sequence > 0 || record.previous == AuditHash::none().as_str();
            return if is_start { Ok(()) } else { Err("it is the first record and refers to a previous one") };
        };
        let before = std::mem::replace(chain, next(chain.first));
        if before.last.checked_add(1) != Some(record.sequence) {
            return Err("the previous record is missing");
        }
        if before.head != record.previous {
            return Err("it does not contain the hash of the previous record");
        }
        Ok(())
    }
}
