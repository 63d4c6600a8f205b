//! The statistics of a guard.

use std::sync::atomic::{AtomicU64, Ordering};

use redrive_core::{CaptureReason, CapturedBy, Category, PersistOutcome, Strategy};
use serde::Serialize;

/// The counters of a guard since it was created.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GuardStats {
    pub strategy: Strategy,
    pub workflows_executed: u64,
    pub workflows_failed: u64,
    pub auto_enqueued: u64,
    pub manually_enqueued: u64,
    pub skipped_permanent: u64,
    pub skipped_permission: u64,
    pub skipped_validation: u64,
    pub skipped_by_strategy: u64,
    /// Automatically captured letters as a percentage of all failures, with two decimals.
    pub enqueue_rate: f64,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) executed: AtomicU64,
    pub(super) failed: AtomicU64,
    automatic: AtomicU64,
    explicit: AtomicU64,
    skipped: [AtomicU64; Category::ALL.len()],
    skipped_by_strategy: AtomicU64,
}

impl Counters {
    pub(super) fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a capture request by its outcome.
    pub(super) fn requested(outcome: PersistOutcome, reason: CaptureReason) {
        let (outcome, reason) = (outcome.as_str(), reason.as_str());
        metrics::counter!("redrive_dlq_persist_total", "outcome" => outcome, "reason" => reason).increment(1);
    }

    /// Counts a failure by its disposition.
    pub(super) fn count(&self, reason: CaptureReason, category: Category, by: CapturedBy) {
        metrics::counter!("redrive_guard_failures_total", "reason" => reason.as_str()).increment(1);
        match reason {
            CaptureReason::Enqueued | CaptureReason::Merged if by == CapturedBy::Explicit => Self::add(&self.explicit),
            CaptureReason::Enqueued | CaptureReason::Merged => Self::add(&self.automatic),
            CaptureReason::SkippedByStrategy | CaptureReason::Disabled | CaptureReason::SkippedByPolicy => {
                Self::add(&self.skipped[category as usize]);
                Self::add(&self.skipped_by_strategy);
            }
            _ => {}
        }
    }

    pub(super) fn stats(&self, strategy: Strategy) -> GuardStats {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let skipped = |category| count(&self.skipped[category as usize]);
        let (failed, automatic) = (count(&self.failed), count(&self.automatic));
        let rate = if failed == 0 { 0.0 } else { automatic as f64 * 100.0 / failed as f64 };
        GuardStats {
            strategy,
            workflows_executed: count(&self.executed),
            workflows_failed: failed,
            auto_enqueued: automatic,
            manually_enqueued: count(&self.explicit),
            skipped_permanent: skipped(Category::Permanent),
            skipped_permission: skipped(Category::Permission),
            skipped_validation: skipped(Category::Validation),
            skipped_by_strategy: count(&self.skipped_by_strategy),
            enqueue_rate: (rate * 100.0).round() / 100.0,
        }
    }
}
