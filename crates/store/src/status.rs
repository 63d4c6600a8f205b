//! The status of a store.

use redrive_core::Span;

/// The status and counters of an embedded store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreStatus {
    /// The disk failed: only reads are answered.
    pub is_poisoned: bool,
    /// The disk is full: only operations that free disk space are accepted.
    pub is_full: bool,
    /// A checkpoint is being written.
    pub is_checkpointing: bool,
    /// Batches made durable since the store was opened, and the facts in them.
    pub batches: u64,
    pub facts: u64,
    pub requests: u64,
    /// Completed checkpoints, documents rewritten by compaction, and dropped segments, since the store was opened.
    pub checkpoints: u64,
    pub relocated: u64,
    pub dropped: u64,
    /// The size of all needed documents, and of the log without its spare segments, in bytes.
    pub live_bytes: u64,
    pub log_bytes: u64,
    /// Spare segments for work that frees disk space, in bytes.
    pub reserve_bytes: u64,
    /// The space of the file system that the store can still use, and its size, in bytes. Unset for a store in memory,
    /// and if the file system does not report it.
    pub disk_free_bytes: Option<u64>,
    pub disk_total_bytes: Option<u64>,
    /// Items and letters that are set aside because their records are damaged.
    pub damaged: u64,
    /// A histogram of the time until a batch was durable.
    pub syncs: SyncTimes,
}

/// A histogram of the time until a batch was durable. Its counters only grow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SyncTimes {
    /// The number of batches per bucket. A bucket of [`SyncTimes::BOUNDS`] has an inclusive upper bound, and excludes
    /// the batches of the buckets before it.
    pub within: [u64; SyncTimes::BOUNDS.len()],
    /// The number of batches above the last bound.
    pub beyond: u64,
    /// The sum of all times.
    pub total: Span,
}

impl SyncTimes {
    pub const BOUNDS: [Span; 12] = [
        Span::from_micros(50),
        Span::from_micros(100),
        Span::from_micros(250),
        Span::from_micros(500),
        Span::from_millis(1),
        Span::from_micros(2_500),
        Span::from_millis(5),
        Span::from_millis(10),
        Span::from_millis(25),
        Span::from_millis(100),
        Span::from_millis(500),
        Span::from_secs(2),
    ];

    pub fn count(&self) -> u64 {
        self.within.iter().sum::<u64>() + self.beyond
    }
}
