//! Runs one loop of a group, and starts it again when it ends.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use redrive_core::{Backoff, Span};
use redrive_run::RunReport;
use redrive_store::random_seed;

use super::{GroupSettings, LoopReport, OnLoopEnd};
use crate::loops::{Runnable, ShutdownSignal};

/// A loop that ran for this long and ended is started again without a growing delay.
const STABLE_AFTER: std::time::Duration = std::time::Duration::from_secs(60);

/// A loop and what is known about it.
pub(super) struct Supervised {
    pub(super) runnable: Arc<dyn Runnable>,
    report: Mutex<LoopReport>,
}

impl Supervised {
    pub(super) fn new(runnable: Arc<dyn Runnable>) -> Self {
        let report = LoopReport { name: runnable.name().to_owned(), ..LoopReport::default() };
        Self { runnable, report: Mutex::new(report) }
    }

    pub(super) fn report(&self) -> MutexGuard<'_, LoopReport> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the loop until the group shuts down, or until the loop has ended and cannot be started again.
    pub(super) async fn run(&self, settings: &GroupSettings, shutdown: &ShutdownSignal) {
        let mut soon = 0;
        loop {
            let begin = tokio::time::Instant::now();
            let ended = self.run_once(settings).await;
            let name = self.runnable.name();
            if shutdown.is_given() {
                return;
            }
            tracing::error!(name, error = ended.as_deref(), "loop ended unexpectedly");
            let OnLoopEnd::Restart { delay, delay_max } = settings.on_loop_end else {
                return shutdown.give();
            };
            if !self.runnable.can_restart() {
                return;
            }
            soon = if begin.elapsed() > STABLE_AFTER { 1 } else { soon + 1 };
            let delay = Backoff::reconnect(delay, delay_max).delay(soon, random_seed()).unwrap_or(Span::ZERO);
            tokio::select! {
                () = tokio::time::sleep(delay.into()) => {}
                () = shutdown.given() => return,
            }
            self.report().restarts += 1;
            tracing::info!(name, "loop restarted");
        }
    }

    /// Runs the loop once. Returns the error with which it ended.
    async fn run_once(&self, settings: &GroupSettings) -> Option<String> {
        let ended = AssertUnwindSafe(self.runnable.run(settings.timing)).catch_unwind().await;
        let (report, error) = match ended {
            Ok(Ok(report)) => (Some(report), None),
            Ok(Err(error)) => (None, Some(error.to_string())),
            Err(_) => (None, Some("the loop panicked".to_owned())),
        };
        let mut known = self.report();
        known.has_missed_deadline = report.is_some_and(has_cut_off);
        known.report = report;
        if error.is_some() {
            known.error.clone_from(&error);
        }
        error
    }
}

/// Whether handlers were stopped, or results were not taken, at the end of a run.
const fn has_cut_off(report: RunReport) -> bool {
    report.aborted > 0 || report.unsettled > 0
}
