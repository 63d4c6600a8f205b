//! Reads the audit records of a store page by page, in both directions.
//!
//! The keys of records sort by incarnation and number, and the store reads keys in ascending order only. To read
//! backwards, the chains are listed first; within a chain the numbers have no gaps, so that a page of older records is
//! the range of numbers before it.

use bytes::Bytes;
use redrive_model::{KeyEntry, ScanKeys};
use redrive_store::{Store, StoreError};

use super::AuditRecordId;
use super::record_key::{chain_prefix, prefix, record_key};
use crate::records::key_after;

const PAGE: usize = 1_000;

/// The pages of a list of audit records.
#[derive(Debug)]
pub(super) enum AuditPages {
    /// Ascending, from this key on; `None` at the end.
    OldestFirst(Option<Bytes>),
    NewestFirst(ChainsBackwards),
}

/// The chains that are still to be read, from the end.
#[derive(Debug)]
pub(super) struct ChainsBackwards {
    /// Chains that are not read yet, oldest first.
    chains: Vec<ChainStart>,
    /// The chain that is being read, and the number of the next record.
    current: Option<(ChainStart, u64)>,
}

#[derive(Debug)]
struct ChainStart {
    incarnation: String,
    first: u64,
}

impl AuditPages {
    pub(super) fn oldest_first(last: Option<&AuditRecordId>) -> Self {
        Self::OldestFirst(Some(last.map_or_else(prefix, |last| key_after(&last.key()))))
    }

    pub(super) async fn newest_first(store: &dyn Store, last: Option<&AuditRecordId>) -> Result<Self, StoreError> {
        let mut chains = chains(store, last.map(|last| last.incarnation.as_str())).await?;
        let mut current = None;
        if let Some(last) = last
            && let Some(chain) = chains.pop_if(|chain| chain.incarnation == last.incarnation)
        {
            current = last.sequence.checked_sub(1).filter(|next| *next >= chain.first).map(|next| (chain, next));
        }
        Ok(Self::NewestFirst(ChainsBackwards { chains, current }))
    }

    /// The next records in the order of the list; `None` at its end.
    pub(super) async fn next(&mut self, store: &dyn Store) -> Result<Option<Vec<KeyEntry>>, StoreError> {
        match self {
            Self::OldestFirst(from) => {
                let Some(start) = from.take() else { return Ok(None) };
                let entries = store.keys(ScanKeys { prefix: prefix(), from: start, limit: PAGE }).await?;
                *from = entries.last().filter(|_| entries.len() == PAGE).map(|last| key_after(&last.key));
                Ok((!entries.is_empty()).then_some(entries))
            }
            Self::NewestFirst(chains) => chains.next(store).await,
        }
    }
}

impl ChainsBackwards {
    async fn next(&mut self, store: &dyn Store) -> Result<Option<Vec<KeyEntry>>, StoreError> {
        loop {
            let (chain, last) = match self.current.take() {
                Some(current) => current,
                None => {
                    let Some(chain) = self.chains.pop() else { return Ok(None) };
                    let last = last_sequence(store, &chain).await?;
                    (chain, last)
                }
            };
            let begin = last.saturating_sub(PAGE as u64 - 1).max(chain.first);
            let mut entries = chain.scan(store, begin, PAGE).await?;
            entries.retain(|entry| AuditRecordId::of_key(&entry.key).is_some_and(|id| id.sequence <= last));
            entries.reverse();
            if begin > chain.first {
                self.current = Some((chain, begin - 1));
            }
            if !entries.is_empty() {
                return Ok(Some(entries));
            }
        }
    }
}

impl ChainStart {
    /// The records from a number on.
    async fn scan(&self, store: &dyn Store, from: u64, limit: usize) -> Result<Vec<KeyEntry>, StoreError> {
        let (prefix, from) = (chain_prefix(&self.incarnation), record_key(&self.incarnation, from));
        store.keys(ScanKeys { prefix, from, limit }).await
    }
}

/// All chains up to an incarnation, oldest first. Only the first record of each is read.
async fn chains(store: &dyn Store, last: Option<&str>) -> Result<Vec<ChainStart>, StoreError> {
    let mut chains: Vec<ChainStart> = Vec::new();
    let mut from = prefix();
    loop {
        let entries = store.keys(ScanKeys { prefix: prefix(), from, limit: 1 }).await?;
        let Some(first) = entries.first() else { return Ok(chains) };
        let Some(id) = AuditRecordId::of_key(&first.key) else {
            from = key_after(&first.key);
            continue;
        };
        if last.is_some_and(|last| id.incarnation.as_str() > last) {
            return Ok(chains);
        }
        from = chain_end(&id.incarnation);
        chains.push(ChainStart { incarnation: id.incarnation, first: id.sequence });
    }
}

/// The smallest key after all keys of a chain.
fn chain_end(incarnation: &str) -> Bytes {
    let mut end = chain_prefix(incarnation).to_vec();
    // The prefix ends with a byte of 1, which every key of the chain has there.
    if let Some(byte) = end.last_mut() {
        *byte += 1;
    }
    end.into()
}

/// The number of the last record of a chain, by bisection: whether a record with at least some number exists does not
/// depend on gaps.
async fn last_sequence(store: &dyn Store, chain: &ChainStart) -> Result<u64, StoreError> {
    let mut found = chain.first;
    let mut step = 1_u64;
    let mut beyond = loop {
        let probe = found.saturating_add(step);
        if chain.scan(store, probe, 1).await?.is_empty() || probe == u64::MAX {
            break probe;
        }
        found = probe;
        step = step.saturating_mul(2);
    };
    while beyond - found > 1 {
        let middle = found + (beyond - found) / 2;
        if chain.scan(store, middle, 1).await?.is_empty() {
            beyond = middle;
        } else {
            found = middle;
        }
    }
    Ok(found)
}
