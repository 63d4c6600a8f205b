//! Keeps one worker of the pool running.
//!
//! A supervisor starts a worker, waits until its process has ended, killing it if need be, and starts the next. So there
//! are never more processes than supervisors. It owns the process and takes no part in calls.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use redrive_core::{Backoff, Span};
use redrive_store::random_seed;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::WorkerError;
use super::events::EVENTS;
use super::exit::{Dismissal, WorkerExit};
use super::pool_state::PoolState;
use super::process::Process;
use super::worker::{NoHello, StartingWorker, WorkerHandle, WorkerLink};

#[derive(Debug)]
pub(super) struct Supervisor {
    pool: Arc<PoolState>,
    /// Consecutive workers that did not start, or ended before they had answered a call.
    failures: u32,
    is_absent: bool,
}

type Started = Result<(), WorkerError>;

/// How long a process that closed a pipe may take to exit, so that its exit status can be reported.
const EXIT_WITHIN: Duration = Duration::from_secs(1);

impl Supervisor {
    pub(super) fn new(pool: Arc<PoolState>) -> Self {
        pool.supervisors.send_modify(|supervisors| *supervisors += 1);
        Self { pool, failures: 0, is_absent: false }
    }

    /// Keeps a worker running until the pool stops. The result of the first start is sent to `first`; if it failed, this
    /// returns.
    pub(super) async fn run(mut self, first: oneshot::Sender<Started>) {
        let mut first = Some(first);
        while let Some(started) = self.start().await {
            match (started, first.take()) {
                (Err(error), Some(first)) => {
                    // The receiver is gone if the pool was dropped.
                    let _is_received = first.send(Err(error));
                    return;
                }
                (Ok((process, worker, link)), first) => {
                    let _is_received = first.map(|first| first.send(Ok(())));
                    self.attend(process, worker, link).await;
                }
                (Err(error), None) => self.failed(&error),
            }
            if !self.paused().await {
                return;
            }
        }
    }

    /// Starts a worker and waits for its hello. `None` if the pool stops meanwhile.
    async fn start(&self) -> Option<Result<(Process, WorkerHandle, WorkerLink), WorkerError>> {
        if self.pool.stopping.is_cancelled() {
            return None;
        }
        let command = &self.pool.command;
        let (mut process, pipes) = match Process::start(command) {
            Ok(started) => started,
            Err(error) => return Some(Err(error)),
        };
        let mut starting = StartingWorker::new(pipes, command);
        let hello = tokio::select! {
            biased;
            () = self.pool.stopping.cancelled() => None,
            hello = starting.hello() => Some(hello),
            status = process.ended() => Some(Err(NoHello::Error(match status {
                Ok(status) => WorkerError::Ended { status },
                Err(source) => WorkerError::NotStarted { program: command.program.clone(), source },
            }))),
            () = sleep(command.start_within.into()) => {
                Some(Err(NoHello::Error(WorkerError::Silent { within: command.start_within })))
            }
        };
        let error = match hello {
            Some(Ok(())) => {
                let (worker, link) = starting.started(self.pool.next_number());
                return Some(Ok((process, worker, link)));
            }
            Some(Err(NoHello::Error(error))) => Some(error),
            Some(Err(NoHello::PipeClosed)) => Some(match timeout(EXIT_WITHIN, process.ended()).await {
                Ok(Ok(status)) => WorkerError::Ended { status },
                Ok(Err(_)) | Err(_) => WorkerError::Closed,
            }),
            None => None,
        };
        // The exit status was reported above, where it matters.
        let _exit = process.kill().await;
        error.map(Err)
    }

    /// Makes the worker available to calls and waits until its process has ended.
    async fn attend(&mut self, mut process: Process, worker: WorkerHandle, link: WorkerLink) {
        if std::mem::take(&mut self.is_absent) {
            self.pool.idle.present();
        }
        let (number, pid) = (worker.number, process.pid());
        let WorkerLink { mut dismissals, exit: exit_tx, is_useful } = link;
        self.pool.idle.put(worker);
        let exit = self.until_ended(&mut process, &mut dismissals).await;
        self.failures = if is_useful.load(Ordering::Relaxed) { 0 } else { self.failures.saturating_add(1) };
        if self.pool.stopping.is_cancelled() {
            tracing::debug!(target: EVENTS, pid, %exit, "worker ended");
        } else {
            tracing::warn!(target: EVENTS, pid, %exit, failures = self.failures, "worker ended and is replaced");
        }
        // From here on `put` rejects it; so `remove` is final.
        drop(dismissals);
        self.pool.idle.remove(number);
        // Usually no call waits for it.
        let _is_received = exit_tx.send(exit);
    }

    async fn until_ended(&self, process: &mut Process, dismissals: &mut oneshot::Receiver<Dismissal>) -> WorkerExit {
        let exited = |status| match status {
            Ok(status) => WorkerExit::Exited(status),
            Err(error) => WorkerExit::Unknown(error),
        };
        let dismissal = tokio::select! {
            biased;
            () = self.pool.killing.cancelled() => None,
            dismissal = dismissals => Some(dismissal.unwrap_or(Dismissal::Distrusted)),
            status = process.ended() => return exited(status),
        };
        let killed = match dismissal {
            Some(Dismissal::Retired) => tokio::select! {
                status = process.ended() => return exited(status),
                () = self.pool.killing.cancelled() => WorkerExit::KilledAtStop,
            },
            Some(Dismissal::PipeClosed) => match timeout(EXIT_WITHIN, process.ended()).await {
                Ok(status) => return exited(status),
                Err(_) => WorkerExit::KilledAsMute,
            },
            Some(Dismissal::Distrusted) => WorkerExit::KilledAsDistrusted,
            None => WorkerExit::KilledAtStop,
        };
        match process.kill().await {
            Ok(_) => killed,
            Err(error) => WorkerExit::Unknown(error),
        }
    }

    fn failed(&mut self, error: &WorkerError) {
        let error: &dyn std::error::Error = error;
        tracing::error!(target: EVENTS, error, "worker could not be started");
        let is_new = !std::mem::replace(&mut self.is_absent, true);
        self.pool.idle.absent(is_new);
        self.failures = self.failures.saturating_add(1);
    }

    /// Waits before the next start if more than the last one failed: 100 ms, doubled each time, up to 5 s. Returns
    /// false when the pool stops.
    async fn paused(&self) -> bool {
        let backoff = Backoff::reconnect(Span::from_millis(100), Span::from_secs(5));
        let repeated = self.failures.checked_sub(1).filter(|repeated| *repeated > 0);
        let Some(pause) = repeated.and_then(|repeated| backoff.delay(repeated, random_seed())) else {
            return !self.pool.stopping.is_cancelled();
        };
        tokio::select! {
            () = self.pool.stopping.cancelled() => false,
            () = sleep(pause.into()) => true,
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.pool.supervisors.send_modify(|supervisors| *supervisors -= 1);
    }
}
