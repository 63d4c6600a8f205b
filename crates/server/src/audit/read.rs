//! Reads and verifies audit chains.

use std::collections::BTreeMap;

use redrive_model::{KeyEntry, ScanKeys};
use redrive_store::{Store, StoreError};

use super::record::{prefix, record_key};
use super::{AuditHash, AuditRecord};
use crate::records::Read;

const PAGE: usize = 1_000;

/// The records of one run of a server, oldest first. If the oldest were deleted because of the limit, the chain begins
/// with a sequence number above 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditChain {
    pub incarnation: String,
    pub records: Vec<AuditRecord>,
    /// SHA-256 of the last record. A copy of it, stored elsewhere, shows whether the end of the chain was cut off.
    pub head: String,
}

/// The records cannot be read, or fail the verification.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error("the records cannot be read")]
    Store(#[from] StoreError),
    #[error("record {sequence} of chain {incarnation} is not what was written: {why}; compare it with a copy")]
    Broken { incarnation: String, sequence: u64, why: &'static str },
}

/// Reads all chains, oldest first, and verifies each of them.
///
/// # Errors
///
/// [`AuditError::Broken`] names the first record that does not fit the one before it.
pub async fn read_audit(store: &dyn Store) -> Result<Vec<AuditChain>, AuditError> {
    let mut chains: BTreeMap<String, AuditChain> = BTreeMap::new();
    let mut from = prefix();
    loop {
        let entries = store.keys(ScanKeys { prefix: prefix(), from, limit: PAGE }).await?;
        let is_last = entries.len() < PAGE;
        let Some(last) = entries.last() else { break };
        // The smallest key after the last one.
        from = [&last.key[..], &[0]].concat().into();
        for entry in entries {
            add(&mut chains, entry)?;
        }
        if is_last {
            break;
        }
    }
    Ok(chains.into_values().collect())
}

fn add(chains: &mut BTreeMap<String, AuditChain>, entry: KeyEntry) -> Result<(), AuditError> {
    let hash = AuditHash::of(&entry.value).into_text();
    let Read { record, key, .. } = Read::<AuditRecord>::of(entry)?;
    let broken = |record: &AuditRecord, why| {
        let (incarnation, sequence) = (record.incarnation.clone(), record.sequence);
        Err(AuditError::Broken { incarnation, sequence, why })
    };
    if key != record_key(&record.incarnation, record.sequence) {
        return broken(&record, "it is stored under another record's key");
    }
    match chains.get_mut(&record.incarnation) {
        None => {
            if record.sequence == 0 && record.previous != AuditHash::none().into_text() {
                return broken(&record, "it is the first record and refers to a previous one");
            }
            let incarnation = record.incarnation.clone();
            chains.insert(incarnation.clone(), AuditChain { incarnation, records: vec![record], head: hash });
        }
        Some(chain) => {
            let last = chain.records.last().map(|last| last.sequence);
            if last.map(|last| last + 1) != Some(record.sequence) {
                return broken(&record, "the previous record is missing");
            }
            if chain.head != record.previous {
                return broken(&record, "it does not contain the hash of the previous record");
            }
            chain.records.push(record);
            chain.head = hash;
        }
    }
    Ok(())
}
