//! Counts of capture requests by outcome. Each request is counted once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use redrive_core::{CaptureReason, PersistOutcome, QueueName};

use super::page::Page;

#[derive(Debug, Default)]
pub(crate) struct Captures {
    counts: [[AtomicU64; CaptureReason::ALL.len()]; PersistOutcome::ALL.len()],
    /// By queue; queues that were deleted keep their entry.
    rejections: Mutex<BTreeMap<QueueName, CaptureRejections>>,
}

/// Rejected captures of one queue since the server started. The store counts those that a full queue rejects.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CaptureRejections {
    pub(crate) persist_failed: u64,
    pub(crate) other: u64,
}

impl Captures {
    pub(crate) fn count(&self, outcome: PersistOutcome, reason: CaptureReason) {
        self.counts[outcome as usize][reason as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_rejection(&self, queue: &QueueName, reason: CaptureReason) {
        let mut rejections = self.rejections.lock().unwrap_or_else(PoisonError::into_inner);
        let of_queue = rejections.entry(queue.clone()).or_default();
        match reason {
            CaptureReason::QueueFull => {}
            CaptureReason::PersistFailed => of_queue.persist_failed += 1,
            _ => of_queue.other += 1,
        }
    }

    pub(crate) fn rejections(&self, queue: &QueueName) -> CaptureRejections {
        let rejections = self.rejections.lock().unwrap_or_else(PoisonError::into_inner);
        rejections.get(queue).copied().unwrap_or_default()
    }

    /// The lines of the combinations that have occurred, and of `persisted`/`enqueued` always.
    pub(super) fn render(&self, page: &mut Page) {
        let all = PersistOutcome::ALL
            .iter()
            .flat_map(|outcome| CaptureReason::ALL.iter().map(move |reason| (outcome, reason)));
        let series = all.filter_map(|(outcome, reason)| {
            let count = self.counts[*outcome as usize][*reason as usize].load(Ordering::Relaxed);
            let is_always_shown = *outcome == PersistOutcome::Persisted && *reason == CaptureReason::Enqueued;
            let labels = [("outcome", outcome.as_str()), ("reason", reason.as_str())];
            (count > 0 || is_always_shown).then_some((labels, count))
        });
        page.metric("redrive_dlq_persist_total", "counter", "Capture requests, by outcome and reason", series);
    }
}
