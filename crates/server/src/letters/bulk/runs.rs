//! The plans and runs of a store: start, continue after a restart, and remove them.

use std::sync::Arc;

use redrive_core::Span;
use redrive_model::WriteKeys;
use redrive_store::StoreError;

use super::lists::Lists;
use super::run::Run;
use super::worker::Worker;
use crate::api_error::{ApiError, Code};
use crate::app::App;
use crate::records::{Records, delete};

/// Maximum number of plans and runs of a namespace. A further plan removes the oldest run that has ended.
const RUNS_MAX: usize = 1_000;
/// Maximum size of the lists of the plans and runs of a namespace.
const BYTES_MAX: u64 = 64 << 20;
/// How often plans and runs whose time has ended are looked for.
const SWEEP_INTERVAL: Span = Span::from_hours(1);
/// Delay before a failed read of the runs is repeated.
const RETRY_DELAY: Span = Span::from_secs(10);

impl App {
    /// Carries a run out in the background. The run must be stored as active.
    pub(super) fn carry_out(self: &Arc<Self>, run: Run, is_resumed: bool) {
        let active = self.runs.insert(&run.id, &run.cancelled_by);
        let worker = Worker::new(Arc::clone(self), run, active, is_resumed);
        self.acts.spawn(worker.work());
    }

    /// Continues the runs that an earlier server has left, and removes those whose time has ended, until the server shuts
    /// down.
    pub(crate) async fn keep_runs_until_shutdown(self: &Arc<Self>) {
        tokio::select! {
            () = self.closing.cancelled() => {}
            () = self.keep_runs() => {}
        }
    }

    async fn keep_runs(self: &Arc<Self>) {
        let mut is_continued = false;
        loop {
            let wait = match self.sweep(is_continued).await {
                Ok(()) => {
                    is_continued = true;
                    SWEEP_INTERVAL
                }
                Err(error) => {
                    tracing::error!(%error, retry_in = %RETRY_DELAY, "reading the plans and runs of letters failed");
                    RETRY_DELAY
                }
            };
            self.deadlines.sleep_until(self.deadlines.after(wait)).await;
        }
    }

    async fn sweep(self: &Arc<Self>, is_continued: bool) -> Result<(), StoreError> {
        let _changing = self.runs.changing().await;
        let now = self.deadlines.now();
        for run in Records(&*self.store).all::<Run>(Run::prefix()).await? {
            if run.is_expired(now) {
                self.forget(&run).await?;
            } else if !is_continued && run.state.is_active() && self.runs.active(&run.id).is_none() {
                tracing::info!(run = %run.id, queue = %run.queue, remaining = run.remaining(), "run of letters continues");
                self.carry_out(run, true);
            }
        }
        Ok(())
    }

    /// Removes a plan or a run with its lists.
    async fn forget(&self, run: &Run) -> Result<(), StoreError> {
        let lists = Lists(&*self.store);
        lists.remove(&run.parts).await?;
        lists.remove(&run.reports).await?;
        self.store.write_keys(WriteKeys { writes: vec![delete(run.key())] }).await
    }

    /// Removes the plans and runs of a namespace that is gone. One that is left is removed when its time has ended.
    pub(crate) async fn forget_runs_of(&self, namespace: &str) {
        let forget = async {
            for run in Records(&*self.store).all::<Run>(Run::prefix_of(namespace)).await? {
                self.forget(&run).await?;
            }
            Ok::<_, StoreError>(())
        };
        if let Err(error) = forget.await {
            tracing::warn!(%error, namespace, "removing the plans and runs of a deleted namespace failed");
        }
    }

    /// Makes space for a plan of a namespace with lists of this size. Removes what has expired, then the oldest runs that
    /// have ended. What waits for a confirmation or is being carried out is never removed.
    pub(super) async fn make_space(&self, namespace: &str, bytes: u64) -> Result<(), ApiError> {
        let now = self.deadlines.now();
        // In the order of their ids, and thus of their plans.
        let mut kept = Vec::new();
        for run in Records(&*self.store).all::<Run>(Run::prefix_of(namespace)).await? {
            if run.is_expired(now) { self.forget(&run).await? } else { kept.push(run) }
        }
        let mut number = kept.len();
        let mut size: u64 = kept.iter().map(Run::bytes).sum();
        let has_space = |number: usize, size: u64| number < RUNS_MAX && size + bytes <= BYTES_MAX;
        let mut ended = kept.iter().filter(|run| !run.state.is_active() && run.ended_at.is_some());
        let mut forgotten = Vec::new();
        while !has_space(number, size)
            && let Some(run) = ended.next()
        {
            forgotten.push(run);
            number -= 1;
            size -= run.bytes();
        }
        if has_space(number, size) {
            for run in forgotten {
                self.forget(run).await?;
            }
            return Ok(());
        }
        let mebibytes = BYTES_MAX >> 20;
        let message = format!(
            "there are too many plans and runs in namespace '{namespace}', at most {RUNS_MAX} with {mebibytes} MiB; wait until \
             one has ended or expired, or cancel one"
        );
        let full = ApiError::new(Code::TooMany, message).because("too_many_plans");
        Err(full.with("namespace", namespace).with("plans_max", RUNS_MAX).with("bytes_max", BYTES_MAX))
    }
}
