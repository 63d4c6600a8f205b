//! How an embedded store is set up, and how it fares.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use redrive_core::Span;
use redrive_model::LetterSettings;
use redrive_queue::AnswerLimits;
use redrive_store::{Clock, StoreStatus, SystemClock};

use crate::sync_meter::SyncMeter;

/// How an embedded store is set up.
#[derive(Debug, Clone)]
pub struct EmbeddedOptions {
    pub clock: Arc<dyn Clock>,
    /// How many requests may wait; one more is answered with `Overloaded`.
    pub requests_max: usize,
    /// How many bytes of the newest payloads are kept at hand.
    pub cache_bytes: usize,
    /// The size of a file of the log. No request may be larger.
    pub segment_bytes: usize,
    /// After so many bytes of log the state is described anew, so that recovery reads no more than them and the
    /// description. Four files, a third of what the items hold, or three descriptions, if nothing is said: whichever is
    /// most.
    pub recovery_bytes: Option<u64>,
    /// How much the log may hold that nobody needs, in percent of what is needed; beyond it, files are compacted.
    pub garbage_percent: u64,
    /// Where randomness begins; from the machine, if nothing is said.
    pub seed: Option<u64>,
    /// After so long without work, the last batch is proven to be whole.
    pub idle_proof: Span,
    /// How letters are treated where their queue says nothing.
    pub letters: LetterSettings,
    /// How long the answers of requests with an id are remembered, and how much memory they may take.
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

/// The numbers behind a [`StoreStatus`], written by the writer alone.
#[derive(Debug, Default)]
pub(crate) struct Vitals {
    pub(crate) is_poisoned: AtomicBool,
    pub(crate) is_full: AtomicBool,
    pub(crate) is_sweeping: AtomicBool,
    pub(crate) batches: AtomicU64,
    pub(crate) facts: AtomicU64,
    pub(crate) requests: AtomicU64,
    pub(crate) sweeps: AtomicU64,
    pub(crate) relocated: AtomicU64,
    pub(crate) dropped: AtomicU64,
    pub(crate) live_bytes: AtomicU64,
    pub(crate) log_bytes: AtomicU64,
    pub(crate) damaged: AtomicU64,
    pub(crate) syncs: SyncMeter,
}

impl Vitals {
    pub(crate) fn add(counter: &AtomicU64, count: u64) {
        counter.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn status(&self) -> StoreStatus {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        StoreStatus {
            is_poisoned: self.is_poisoned.load(Ordering::Relaxed),
            is_full: self.is_full.load(Ordering::Relaxed),
            is_sweeping: self.is_sweeping.load(Ordering::Relaxed),
            batches: count(&self.batches),
            facts: count(&self.facts),
            requests: count(&self.requests),
            sweeps: count(&self.sweeps),
            relocated: count(&self.relocated),
            dropped: count(&self.dropped),
            live_bytes: count(&self.live_bytes),
            log_bytes: count(&self.log_bytes),
            damaged: count(&self.damaged),
            syncs: self.syncs.times(),
        }
    }
}
