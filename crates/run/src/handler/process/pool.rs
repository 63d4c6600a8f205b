//! The pool of workers, a [`Handler`].

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::future::try_join_all;
use redrive_core::{Span, Time};
use redrive_store::{Clock, SystemClock};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::exit::Dismissal;
use super::failures;
use super::pool_state::PoolState;
use super::reply::Outcome;
use super::request::WorkerRequest;
use super::supervisor::Supervisor;
use super::worker::{EndedWorker, NoAnswer, WorkerHandle};
use super::{WorkerCommand, WorkerError};
use crate::{Call, Handled, Handler, Work};

/// A pool of worker processes, each of which handles one call at a time.
///
/// A worker that crashes costs the attempt that it was working on, and is replaced. A worker whose call is cancelled (the
/// attempt timed out, the claim was lost) is killed, since what it still does is unknown, and replaced. Work that no
/// worker has begun is returned uncharged: it was waiting when the pool was stopped, or no worker can be started.
///
/// Clones share the pool. Dropping the last one kills all processes; [`stop`](Self::stop) lets them finish.
///
/// ```
/// use redrive_core::Span;
/// use redrive_run::{WorkerCommand, WorkerPool};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// # let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/worker.py");
/// // The script is in `examples/`; a worker in any language is as short.
/// let command = WorkerCommand { processes: 2, ..WorkerCommand::new("python3", [script]) };
/// let pool = WorkerPool::start(command).await.unwrap();
/// // … Runner::new(source, pool.clone(), policy, RunnerSettings { concurrency: 2, ..settings })
/// pool.stop(Span::from_secs(10)).await;
/// # });
/// ```
#[derive(Clone)]
pub struct WorkerPool {
    shared: Arc<PoolState>,
    clock: Arc<dyn Clock>,
    /// Kills all workers when the last clone is dropped.
    _killer: Arc<DropGuard>,
}

impl WorkerPool {
    /// A request that could not be written completely is returned uncharged, unless the work was delivered this many times
    /// more than it was charged for: then it may be what kills the workers that begin to read it.
    const UNCHARGED_MAX: u32 = 8;

    /// Starts all workers on the caller's runtime and waits for their hellos. If one does not start, all are stopped.
    pub fn start(command: WorkerCommand) -> BoxFuture<'static, Result<Self, WorkerError>> {
        Box::pin(async move {
            command.check()?;
            let killing = CancellationToken::new();
            let shared = Arc::new(PoolState::new(command, killing.clone()));
            let pool = Self {
                shared: Arc::clone(&shared),
                clock: Arc::new(SystemClock),
                _killer: Arc::new(killing.drop_guard()),
            };
            let started = (0..shared.command.processes).map(|_| {
                let (first_tx, first) = oneshot::channel();
                tokio::spawn(Supervisor::new(Arc::clone(&shared)).run(first_tx));
                async { first.await.unwrap_or(Err(WorkerError::Stopped)) }
            });
            match try_join_all(started.collect::<Vec<_>>()).await {
                Ok(_) => Ok(pool),
                Err(error) => {
                    pool.stop(Span::ZERO).await;
                    Err(error)
                }
            }
        })
    }

    /// Sets the clock from which the time of a deferral is computed.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The number of workers.
    pub fn processes(&self) -> usize {
        self.shared.command.processes
    }

    /// Stops all workers. Waiting and later calls are returned untouched; running calls may finish within the given time.
    /// Idle workers exit when their stdin is closed. Workers that still run after that time are killed. When this
    /// returns, no process is left.
    ///
    /// Stop the runner over the pool at the same time, not later: it would claim the returned work again.
    pub fn stop(&self, within: Span) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.shared.idle.close();
            self.shared.stopping.cancel();
            let mut supervisors = self.shared.supervisors.subscribe();
            if timeout(within.into(), supervisors.wait_for(|supervisors| *supervisors == 0)).await.is_err() {
                self.shared.killing.cancel();
                // The counter lives as long as the pool.
                let _is_zero = supervisors.wait_for(|supervisors| *supervisors == 0).await.is_ok();
            }
        })
    }

    fn handled(&self, outcome: Outcome, payload: Bytes) -> Handled {
        match outcome {
            Outcome::Done => Handled::Done { result: Some(payload).filter(|payload| !payload.is_empty()) },
            Outcome::Failed(failure) => Handled::Failed(failure),
            Outcome::DeferredUntil(until) => Handled::Deferred { until },
            Outcome::DeferredFor(span) => Handled::Deferred { until: self.clock.now().saturating_add(span) },
        }
    }
}

#[async_trait]
impl Handler for WorkerPool {
    async fn handle(&self, call: Call) -> Handled {
        let number = self.shared.next_number();
        let request = match WorkerRequest::new(number, call.work(), self.shared.command.frame_bytes_max) {
            Ok(request) => request,
            Err(error) => return Handled::failed(failures::unsendable(&error)),
        };
        // If the runner stops while the call waits for a worker, no attempt was made.
        call.hold();
        let Some(mut worker) = self.shared.idle.take().await else { return Handled::Untouched };
        if !call.begin() {
            self.shared.idle.put(worker);
            return Handled::Untouched;
        }
        // If this future is dropped, the worker is dropped with it, and killed.
        match worker.call(number, &request, &call).await {
            Ok((outcome, payload)) => {
                self.shared.idle.put(worker);
                self.handled(outcome, payload)
            }
            Err(broken) => unanswered(worker, broken, &request, call.work(), self.clock.now()).await,
        }
    }

    fn target(&self) -> String {
        // Arguments may hold secrets.
        format!("worker {}", self.shared.command.program.display())
    }
}

/// Ends the worker, and decides whether the call was an attempt.
///
/// It was none if the request was not written completely, or nothing of it was read: then the worker cannot have begun the
/// work. Everything else counts: otherwise work that kills its workers would do so for ever, uncharged.
async fn unanswered(
    worker: WorkerHandle,
    broken: NoAnswer,
    request: &WorkerRequest,
    work: &Work,
    now: Time,
) -> Handled {
    match broken {
        NoAnswer::Breach(breach) => {
            worker.end(Dismissal::Distrusted).await;
            Handled::failed(failures::broke_protocol(&breach))
        }
        NoAnswer::PipeClosed { is_written } => {
            let EndedWorker { exit, unread } = worker.end(Dismissal::PipeClosed).await;
            let is_untouched = unread >= request.len() as u64;
            let may_be_the_cause = work.deliveries.saturating_sub(work.attempt) >= WorkerPool::UNCHARGED_MAX;
            if is_untouched {
                Handled::Untouched
            } else if !is_written && !may_be_the_cause {
                // Unlike a release, this counts as a delivery: otherwise the work could never be found to be the cause.
                Handled::Deferred { until: now }
            } else {
                Handled::failed(failures::crashed(&exit))
            }
        }
    }
}

impl fmt::Debug for WorkerPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerPool").field("command", &self.shared.command).finish_non_exhaustive()
    }
}
