//! The options of an embedded store, and its live status.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use redrive_core::Span;
use redrive_model::LetterSettings;
use redrive_queue::AnswerLimits;
use redrive_store::{Clock, StoreStatus, SystemClock};

use crate::sync_meter::SyncMeter;

/// The options of an embedded store.
#[derive(Debug, Clone)]
pub struct EmbeddedOptions {
    pub clock: Arc<dyn Clock>,
    /// The maximum number of waiting requests. Further requests fail with `Overloaded`.
    pub requests_max: usize,
    /// The size of the cache of payloads, in bytes.
    pub cache_bytes: usize,
    /// The size of a journal segment. No request may be larger.
    pub segment_bytes: usize,
    /// A new checkpoint is written after this many bytes of log, so that recovery reads at most these and the
    /// checkpoint. Default: the largest of four segments, a third of the size of all documents, and three checkpoints.
    pub recovery_bytes: Option<u64>,
    /// The maximum size of unneeded data in the log, in percent of the needed data. Above it, segments are compacted.
    pub garbage_percent: u64,
    /// The seed of random numbers. Default: from the operating system.
    pub seed: Option<u64>,
    /// After an idle period of this length, the last batch is proven (`Journal::prove`).
    pub idle_proof: Span,
    /// The letter settings of queues that do not override them.
    pub letters: LetterSettings,
    /// How long the replies to requests with a request id are kept, and how much memory they may take.
    pub answers: AnswerLimits,
}

impl EmbeddedOptions {
    pub const SEGMENT_BYTES_MIN: usize = 64 * 1024;
    pub const REQUESTS_MAX: usize = 1 << 20;
}

impl Default for EmbeddedOptions {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            requests_max: 4096,
            cache_bytes: 64 << 20,
            segment_bytes: 64 << 20,
            recovery_bytes: None,
            garbage_percent: 40,
            seed: None,
            idle_proof: Span::from_secs(1),
            letters: LetterSettings::default(),
            answers: AnswerLimits::default(),
        }
    }
}

/// The live values behind a [`StoreStatus`]. Only the writer thread changes them.
#[derive(Debug, Default)]
pub(crate) struct LiveStatus {
    pub(crate) is_poisoned: AtomicBool,
    pub(crate) is_full: AtomicBool,
    pub(crate) is_checkpointing: AtomicBool,
    pub(crate) batches: AtomicU64,
    pub(crate) facts: AtomicU64,
    pub(crate) requests: AtomicU64,
    pub(crate) checkpoints: AtomicU64,
    pub(crate) relocated: AtomicU64,
    pub(crate) dropped: AtomicU64,
    pub(crate) live_bytes: AtomicU64,
    pub(crate) log_bytes: AtomicU64,
    pub(crate) reserve_bytes: AtomicU64,
    pub(crate) damaged: AtomicU64,
    pub(crate) syncs: SyncMeter,
}

impl LiveStatus {
    pub(crate) fn add(counter: &AtomicU64, count: u64) {
        counter.fetch_add(count, Ordering::Relaxed);
    }

    /// The current values, without the space of the file system.
    pub(crate) fn snapshot(&self) -> StoreStatus {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        StoreStatus {
            is_poisoned: self.is_poisoned.load(Ordering::Relaxed),
            is_full: self.is_full.load(Ordering::Relaxed),
            is_checkpointing: self.is_checkpointing.load(Ordering::Relaxed),
            batches: count(&self.batches),
            facts: count(&self.facts),
            requests: count(&self.requests),
            checkpoints: count(&self.checkpoints),
            relocated: count(&self.relocated),
            dropped: count(&self.dropped),
            live_bytes: count(&self.live_bytes),
            log_bytes: count(&self.log_bytes),
            reserve_bytes: count(&self.reserve_bytes),
            damaged: count(&self.damaged),
            syncs: self.syncs.times(),
            ..StoreStatus::default()
        }
    }
}
