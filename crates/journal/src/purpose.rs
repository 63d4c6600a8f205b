//! What a batch is written for.

/// What a batch is for, which decides whether it may use the reserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Ordinary,
    /// It lets something be forgotten (complete, purge, compaction), so it is taken on a full disk, too.
    FreesRoom,
}
