//! How much of a list is given at a time.

use redrive_proto::prost::Message;

use crate::fault::Fault;

/// So many entries, where the request names no limit.
pub(crate) const LIMIT: usize = 1_000;
const LIMIT_MAX: usize = 65_536;
/// A page ends with the entry that reaches this size; the caller asks for the rest from the last entry on.
pub(crate) const BYTES_MAX: usize = 16 << 20;

/// How many entries are wanted: `usual`, where the request names no limit.
pub(crate) fn limit(given: i32, usual: usize) -> Result<usize, Fault> {
    match usize::try_from(given) {
        Ok(0) => Ok(usual),
        Ok(limit) if limit <= LIMIT_MAX => Ok(limit),
        Ok(_) => Err(Fault::bad(format!("limit is invalid; cannot be greater than {LIMIT_MAX}"))),
        Err(_) => Err(Fault::bad("limit is invalid; limit cannot be negative")),
    }
}

/// Entries up to a limit and up to a size, one at least.
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

    /// The entry at the pivot, which the caller has already. Were it counted, a large one would fill every page alone, and
    /// the list would not go on.
    pub(crate) fn push_pivot(&mut self, entry: T) {
        self.entries.push(entry);
    }

    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many more it takes; 0 where its size is reached.
    pub(crate) const fn room(&self) -> usize {
        if self.bytes < BYTES_MAX { self.limit - self.entries.len() } else { 0 }
    }

    pub(crate) fn into_entries(self) -> Vec<T> {
        self.entries
    }
}
