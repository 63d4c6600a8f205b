//! The condition of a store.

use redrive_core::Span;

/// The condition of an embedded store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreStatus {
    /// The disk failed: only reads are answered.
    pub is_poisoned: bool,
    /// The disk is full: only what frees room is done.
    pub is_full: bool,
    /// The state is being described.
    pub is_sweeping: bool,
    /// Batches that were made durable since the store was opened, and the facts in them.
    pub batches: u64,
    pub facts: u64,
    pub requests: u64,
    /// Descriptions of the whole state that were finished, documents that were written again, files that were dropped.
    pub sweeps: u64,
    pub relocated: u64,
    pub dropped: u64,
    /// Bytes of documents that are needed, and bytes that the log takes without its spare files.
    pub live_bytes: u64,
    pub log_bytes: u64,
    /// Items and letters that were set aside because their records are damaged.
    pub damaged: u64,
    /// How long it took until batches were durable.
    pub syncs: SyncTimes,
}

/// How many batches were durable within which time: a histogram that is only added to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SyncTimes {
    /// How many batches took no longer than each of [`SyncTimes::BOUNDS`], and not less than the one before.
    pub within: [u64; SyncTimes::BOUNDS.len()],
    /// How many took longer than all of them.
    pub beyond: u64,
    /// All of them together.
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
