//! Reads and verifies all audit chains of a store.

use std::collections::BTreeMap;

use redrive_store::{Store, StoreError};

use super::pages::AuditPages;
use super::{AuditBreak, AuditRecord, AuditRecordId, AuditVerifier};

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
    #[error(transparent)]
    Broken(#[from] AuditBreak),
}

/// Reads all chains, oldest first, and verifies each of them.
///
/// # Errors
///
/// [`AuditError::Broken`] names the first record that does not fit the one before it.
pub async fn read_audit(store: &dyn Store) -> Result<Vec<AuditChain>, AuditError> {
    let mut verifier = AuditVerifier::default();
    let mut records: BTreeMap<String, Vec<AuditRecord>> = BTreeMap::new();
    let mut pages = AuditPages::oldest_first(None);
    while let Some(entries) = pages.next(store).await? {
        for entry in &entries {
            let record = verifier.add(&AuditRecordId::shown(&entry.key), &entry.value)?;
            records.entry(record.incarnation.clone()).or_default().push(record);
        }
    }
    let chains = verifier.chains().map(|chain| {
        let records = records.remove(&chain.incarnation).unwrap_or_default();
        AuditChain { incarnation: chain.incarnation.clone(), records, head: chain.head.clone() }
    });
    Ok(chains.collect())
}
