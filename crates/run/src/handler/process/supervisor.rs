//! Who keeps one place of the pool filled.
//!
//! A supervisor starts a worker, waits for its end, sees to it that there is one, and starts the next: one after the other, so
//! that there are never more processes than places. It alone holds the process, and nobody waits for it on the way of a
//! call.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::WorkerError;
use super::ending::{Dismissal, WorkerExit};
use super::events::EVENTS;
use super::pool_state::PoolState;
use super::process::Process;
use super::worker::{NoHello, Stranger, WorkerHandle, WorkerLink};

#[derive(Debug)]
pub(super) struct Supervisor {
    pool: Arc<PoolState>,
    /// Lives in a row that came to nothing: not started, or ended before they had answered a call.
    failures: u32,
    is_absent: bool,
}

type Started = Result<(), WorkerError>;

/// A process that closed a pipe gets so long to end: then its status can be told.
const EXIT_WITHIN: Duration = Duration::from_secs(1);

impl Supervisor {
    pub(super) fn new(pool: Arc<PoolState>) -> Self {
        pool.supervisors.send_modify(|supervisors| *supervisors += 1);
        Self { pool, failures: 0, is_absent: false }
    }

    /// Keeps the place filled until the pool stops. The first start is told; when it fails, there is no second.
    pub(super) async fn run(mut self, first: oneshot::Sender<Started>) {
        let mut first = Some(first);
        while let Some(started) = self.start().await {
            match (started, first.take()) {
                (Err(error), Some(first)) => {
                    // Whoever does not want to know has dropped the pool.
                    let _is_told = first.send(Err(error));
                    return;
                }
                (Ok((process, worker, link)), first) => {
                    let _is_told = first.map(|first| first.send(Ok(())));
                    self.attend(process, worker, link).await;
                }
                (Err(error), None) => self.failed(&error),
            }
            if !self.paused().await {
                return;
            }
        }
    }

    /// A worker that has greeted, or none when the pool stops meanwhile.
    async fn start(&self) -> Option<Result<(Process, WorkerHandle, WorkerLink), WorkerError>> {
        if self.pool.stopping.is_cancelled() {
            return None;
        }
        let command = &self.pool.command;
        let (mut process, pipes) = match Process::start(command) {
            Ok(started) => started,
            Err(error) => return Some(Err(error)),
        };
        let mut stranger = Stranger::new(pipes, command);
        let greeted = tokio::select! {
            biased;
            () = self.pool.stopping.cancelled() => None,
            greeted = stranger.greeting() => Some(greeted),
            status = process.ended() => Some(Err(NoHello::Error(match status {
                Ok(status) => WorkerError::Ended { status },
                Err(source) => WorkerError::NotStarted { program: command.program.clone(), source },
            }))),
            () = sleep(command.start_within.into()) => {
                Some(Err(NoHello::Error(WorkerError::Silent { within: command.start_within })))
            }
        };
        let error = match greeted {
            Some(Ok(ahead)) => {
                let (worker, link) = stranger.introduced(self.pool.next_number(), ahead);
                return Some(Ok((process, worker, link)));
            }
            Some(Err(NoHello::Error(error))) => Some(error),
            Some(Err(NoHello::PipeClosed)) => Some(match timeout(EXIT_WITHIN, process.ended()).await {
                Ok(Ok(status)) => WorkerError::Ended { status },
                Ok(Err(_)) | Err(_) => WorkerError::Closed,
            }),
            None => None,
        };
        // How it ended was told above, or nobody asks.
        let _exit = process.kill().await;
        error.map(Err)
    }

    /// Hands the worker out and waits until its process has ended.
    async fn attend(&mut self, mut process: Process, worker: WorkerHandle, link: WorkerLink) {
        if std::mem::take(&mut self.is_absent) {
            self.pool.roster.present();
        }
        let (number, pid) = (worker.number, process.pid());
        let WorkerLink { mut dismissals, exit: tell_exit, is_useful } = link;
        self.pool.roster.put(worker);
        let exit = self.until_ended(&mut process, &mut dismissals).await;
        self.failures = if is_useful.load(Ordering::Relaxed) { 0 } else { self.failures.saturating_add(1) };
        if self.pool.stopping.is_cancelled() {
            tracing::debug!(target: EVENTS, pid, %exit, "a worker has ended");
        } else {
            let pause = pause(self.failures);
            tracing::warn!(target: EVENTS, pid, %exit, ?pause, "a worker has ended and is replaced");
        }
        // From here on it is not put on the roster any more; so it is off it for good.
        drop(dismissals);
        self.pool.roster.remove(number);
        // Mostly nobody waits for it.
        let _is_told = tell_exit.send(exit);
    }

    async fn until_ended(&self, process: &mut Process, dismissals: &mut oneshot::Receiver<Dismissal>) -> WorkerExit {
        let by_itself = |status| match status {
            Ok(status) => WorkerExit::ByItself(status),
            Err(error) => WorkerExit::Unknown(error),
        };
        let dismissal = tokio::select! {
            biased;
            () = self.pool.killing.cancelled() => None,
            dismissal = dismissals => Some(dismissal.unwrap_or(Dismissal::Distrusted)),
            status = process.ended() => return by_itself(status),
        };
        let killed = match dismissal {
            Some(Dismissal::Retired) => tokio::select! {
                status = process.ended() => return by_itself(status),
                () = self.pool.killing.cancelled() => WorkerExit::KilledAtStop,
            },
            Some(Dismissal::PipeClosed) => match timeout(EXIT_WITHIN, process.ended()).await {
                Ok(status) => return by_itself(status),
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
        tracing::error!(target: EVENTS, error, "a worker could not be started");
        let is_new = !std::mem::replace(&mut self.is_absent, true);
        self.pool.roster.absent(is_new);
        self.failures = self.failures.saturating_add(1);
    }

    /// Waits before the next start, where the last ones came to nothing. False when the pool stops.
    async fn paused(&self) -> bool {
        let pause = pause(self.failures);
        if pause.is_zero() {
            return !self.pool.stopping.is_cancelled();
        }
        tokio::select! {
            () = self.pool.stopping.cancelled() => false,
            () = sleep(pause) => true,
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.pool.supervisors.send_modify(|supervisors| *supervisors -= 1);
    }
}

/// How long to wait before the next start after so many that came to nothing: the first is made good at once, then a
/// tenth of a second, doubled each time, up to 5 s.
fn pause(failures: u32) -> Duration {
    const LONGEST: Duration = Duration::from_secs(5);
    match failures.checked_sub(2) {
        None => Duration::ZERO,
        Some(doublings) => (Duration::from_millis(100) * (1 << doublings.min(6))).min(LONGEST),
    }
}
