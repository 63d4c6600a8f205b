//! The limits of a page of a list.

use redrive_proto::prost::Message;

use crate::api_error::ApiError;

/// Default number of entries of a page.
pub(crate) const LIMIT: usize = 1_000;
const LIMIT_MAX: usize = 65_536;
/// A page ends with the entry that reaches this size; the caller lists the rest from the last entry on.
pub(crate) const BYTES_MAX: usize = 16 << 20;

/// The limit of a request; `default` if it sets none.
pub(crate) fn limit(given: i32, default: usize) -> Result<usize, ApiError> {
    match usize::try_from(given) {
        Ok(0) => Ok(default),
        Ok(limit) if limit <= LIMIT_MAX => Ok(limit),
        Ok(_) => Err(ApiError::bad(format!("limit is invalid; cannot be greater than {LIMIT_MAX}"))),
        Err(_) => Err(ApiError::bad("limit is invalid; limit cannot be negative")),
    }
}

/// The entries of a page, up to a limit and up to a size, at least one.
#[derive(Debug)]
pub(crate) struct ListPage<T> {
    entries: Vec<T>,
    bytes: usize,
    limit: usize,
}

impl<T: Message> ListPage<T> {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { entries: Vec::new(), bytes: 0, limit }
    }

    pub(crate) fn push(&mut self, entry: T) {
        self.bytes += entry.encoded_len();
        self.entries.push(entry);
    }

    /// Adds the entry at the pivot, which the caller already has, without counting its size: otherwise an entry that
    /// fills a page alone would be the only one of every page, and the list would never advance.
    pub(crate) fn push_pivot(&mut self, entry: T) {
        self.entries.push(entry);
    }

    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many more entries fit; 0 once the page has reached its size.
    pub(crate) const fn remaining(&self) -> usize {
        if self.bytes < BYTES_MAX { self.limit - self.entries.len() } else { 0 }
    }

    pub(crate) fn into_entries(self) -> Vec<T> {
        self.entries
    }
}
