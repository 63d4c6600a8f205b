//! The purpose of a batch.

/// The purpose of a batch, which decides whether it may use the reserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Adds data. Rejected on a full disk.
    Ordinary,
    /// Lets records be dropped later (complete, purge, compaction), so it is accepted on a full disk, too.
    FreesSpace,
}
