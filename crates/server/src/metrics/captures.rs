//! What became of captures. Each request is counted once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use redrive_core::{CaptureReason, PersistOutcome, QueueName};

use super::page::Page;

#[derive(Debug, Default)]
pub(crate) struct Captures {
    counts: [[AtomicU64; CaptureReason::ALL.len()]; PersistOutcome::ALL.len()],
    /// Of queues that there are, or were.
    refusals: Mutex<BTreeMap<QueueName, Refusals>>,
}

/// Captures of one queue that were refused since the server started. What a full queue refuses, the store counts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Refusals {
    pub(crate) persist_failed: u64,
    pub(crate) other: u64,
}

impl Captures {
    pub(crate) fn count(&self, outcome: PersistOutcome, reason: CaptureReason) {
        self.counts[outcome as usize][reason as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// A queue did not take a request.
    pub(crate) fn refused(&self, queue: &QueueName, reason: CaptureReason) {
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        let of_queue = refusals.entry(queue.clone()).or_default();
        match reason {
            CaptureReason::QueueFull => {}
            CaptureReason::PersistFailed => of_queue.persist_failed += 1,
            _ => of_queue.other += 1,
        }
    }

    pub(crate) fn refusals(&self, queue: &QueueName) -> Refusals {
        let refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        refusals.get(queue).copied().unwrap_or_default()
    }

    /// The lines of what was seen at all, and of the usual ones.
    pub(super) fn render(&self, page: &mut Page) {
        let name = "redrive_dlq_persist_total";
        page.begin(name, "counter", "Requests to keep letters, by what became of them");
        for outcome in PersistOutcome::ALL {
            for reason in CaptureReason::ALL {
                let count = self.counts[*outcome as usize][*reason as usize].load(Ordering::Relaxed);
                let is_usual = *outcome == PersistOutcome::Persisted && *reason == CaptureReason::Enqueued;
                if count > 0 || is_usual {
                    let labels = [("outcome", outcome.to_string()), ("reason", reason.to_string())];
                    page.value(name, &labels.each_ref().map(|(label, text)| (*label, text.as_str())), count);
                }
            }
        }
    }
}
