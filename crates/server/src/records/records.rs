//! Reads records.

use bytes::Bytes;
use redrive_model::{GetKey, KeyEntry, ScanKeys};
use redrive_store::{Store, StoreError};

use super::{Read, Record, key_from};
use crate::paging::BYTES_MAX;

/// Number of keys that one scan reads.
const PAGE: usize = 1_000;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Records<'s>(pub(crate) &'s dyn Store);

impl Records<'_> {
    pub(crate) async fn get<R: Record>(self, key: Bytes) -> Result<Option<Read<R>>, StoreError> {
        self.0.key(GetKey { key }).await?.map(Read::of).transpose()
    }

    /// Whether any key has this prefix.
    pub(crate) async fn any(self, prefix: Bytes) -> Result<bool, StoreError> {
        let scan = ScanKeys { from: prefix.clone(), prefix, limit: 1 };
        Ok(!self.0.keys(scan).await?.is_empty())
    }

    /// The records with a prefix, from a pivot on, up to a limit and up to the size of a page.
    pub(crate) async fn page<R: Record>(
        self,
        prefix: Bytes,
        pivot: &str,
        limit: usize,
    ) -> Result<Vec<Read<R>>, StoreError> {
        let from = key_from(&prefix, pivot);
        let entries = self.0.keys(ScanKeys { prefix, from, limit }).await?;
        let mut bytes = 0;
        let fits = |entry: &KeyEntry| {
            let is_below_limit = bytes < BYTES_MAX;
            bytes += entry.value.len();
            is_below_limit
        };
        entries.into_iter().take_while(fits).map(Read::of).collect()
    }

    /// All records with a prefix.
    pub(crate) async fn all<R: Record>(self, prefix: Bytes) -> Result<Vec<Read<R>>, StoreError> {
        let mut all = Vec::new();
        let mut from = prefix.clone();
        loop {
            let entries = self.0.keys(ScanKeys { prefix: prefix.clone(), from, limit: PAGE }).await?;
            let is_last = entries.len() < PAGE;
            for entry in entries {
                all.push(Read::of(entry)?);
            }
            match all.last() {
                Some(last) if !is_last => from = after(&last.key),
                _ => return Ok(all),
            }
        }
    }
}

/// The smallest key after another.
fn after(key: &Bytes) -> Bytes {
    let mut next = key.to_vec();
    next.push(0);
    next.into()
}
