//! Reads records.

use bytes::Bytes;
use redrive_model::{GetKey, KeyEntry, ScanKeys};
use redrive_store::{Store, StoreError};

use super::{Read, Record, key_after, key_from};
use crate::paging::BYTES_MAX;

/// Number of keys that one scan reads.
const PAGE: usize = 1_000;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Records<'s>(pub(crate) &'s dyn Store);

impl Records<'_> {
    pub(crate) async fn get<R: Record>(self, key: Bytes) -> Result<Option<R>, StoreError> {
        Ok(self.read(key).await?.map(|read| read.record))
    }

    /// Like [`get`](Self::get), with the version for a conditional write.
    pub(crate) async fn read<R: Record>(self, key: Bytes) -> Result<Option<Read<R>>, StoreError> {
        self.0.key(GetKey { key }).await?.map(Read::of).transpose()
    }

    /// Whether any key has this prefix.
    pub(crate) async fn any(self, prefix: Bytes) -> Result<bool, StoreError> {
        let scan = ScanKeys { from: prefix.clone(), prefix, limit: 1 };
        Ok(!self.0.keys(scan).await?.is_empty())
    }

    /// The records with a prefix, from a pivot on, up to a limit and up to the size of a page.
    pub(crate) async fn page<R: Record>(self, prefix: Bytes, pivot: &str, limit: usize) -> Result<Vec<R>, StoreError> {
        let from = key_from(&prefix, pivot);
        let entries = self.0.keys(ScanKeys { prefix, from, limit }).await?;
        let mut bytes = 0;
        let fits = |entry: &KeyEntry| {
            let is_below_limit = bytes < BYTES_MAX;
            bytes += entry.value.len();
            is_below_limit
        };
        entries.into_iter().take_while(fits).map(record).collect()
    }

    /// All records with a prefix.
    pub(crate) async fn all<R: Record>(self, prefix: Bytes) -> Result<Vec<R>, StoreError> {
        let mut all = Vec::new();
        let mut from = prefix.clone();
        loop {
            let entries = self.0.keys(ScanKeys { prefix: prefix.clone(), from, limit: PAGE }).await?;
            let next = entries.last().filter(|_| entries.len() == PAGE).map(|last| key_after(&last.key));
            for entry in entries {
                all.push(record(entry)?);
            }
            match next {
                Some(next) => from = next,
                None => return Ok(all),
            }
        }
    }
}

fn record<R: Record>(entry: KeyEntry) -> Result<R, StoreError> {
    Read::of(entry).map(|read| read.record)
}
