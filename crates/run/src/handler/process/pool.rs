//! Workers as a handler.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::try_join_all;
use redrive_core::Span;
use redrive_store::{Clock, SystemClock};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::ahead::others_first;
use super::ending::Dismissal;
use super::failures;
use super::pool_state::PoolState;
use super::reply::Outcome;
use super::request::WorkerRequest;
use super::supervisor::Supervisor;
use super::turn::CallTurn;
use super::worker::{NoAnswer, Remains, WorkerHandle};
use super::{WorkerCommand, WorkerError};
use crate::{Call, Handled, Handler, Work};

/// Has the work done by a pool of processes, each of which does one call at a time.
///
/// A worker that crashes costs the attempt that it was at, and is replaced. One whose call is given up (the attempt took
/// too long, the claim was lost) is killed, since nobody knows what it still does, and replaced. Work that no worker has
/// begun goes back uncharged: it still waited when the pool was stopped, or no worker can be started.
///
/// A worker that asks for it, and answers quickly, has some requests before it has answered: these calls have not begun,
/// and are done by another if it ends.
///
/// Clones are the same pool. With the last one all processes are killed; [`stop`](Self::stop) is the gentle way.
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
    /// A request that could not be written whole goes back uncharged, unless the work was delivered so much more often
    /// than it was charged for: then it may be what kills the workers that begin to read it.
    const UNCHARGED_MAX: u32 = 8;

    /// Starts all workers and waits until each has greeted, on the runtime of the caller. When one does not start, none
    /// is left.
    pub async fn start(command: WorkerCommand) -> Result<Self, WorkerError> {
        command.check()?;
        let killing = CancellationToken::new();
        let shared = Arc::new(PoolState::new(command, killing.clone()));
        let pool =
            Self { shared: Arc::clone(&shared), clock: Arc::new(SystemClock), _killer: Arc::new(killing.drop_guard()) };
        let started = (0..shared.command.processes).map(|_| {
            let (told, first) = oneshot::channel();
            tokio::spawn(Supervisor::new(Arc::clone(&shared)).run(told));
            async { first.await.unwrap_or(Err(WorkerError::Stopped)) }
        });
        match try_join_all(started.collect::<Vec<_>>()).await {
            Ok(_) => Ok(pool),
            Err(error) => {
                pool.stop(Span::ZERO).await;
                Err(error)
            }
        }
    }

    /// Looks at another clock, by which a worker's deferral is told.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// How many workers there are: a runner's concurrency.
    pub fn processes(&self) -> usize {
        self.shared.command.processes
    }

    /// Ends all workers. Calls that wait for one, and those that come later, go back untouched; calls that are at work
    /// may finish. A worker that has nothing to do finds its stdin closed, upon which it ends. What is left after so
    /// long is killed. When this returns, no process is left.
    ///
    /// A runner over the pool is stopped at the same time, not later: it would claim the work that goes back again.
    pub async fn stop(&self, within: Span) {
        self.shared.roster.close();
        self.shared.stopping.cancel();
        let mut supervisors = self.shared.supervisors.subscribe();
        if timeout(within.into(), supervisors.wait_for(|supervisors| *supervisors == 0)).await.is_err() {
            self.shared.killing.cancel();
            // The counter lives as long as the pool.
            let _is_zero = supervisors.wait_for(|supervisors| *supervisors == 0).await.is_ok();
        }
    }

    /// Has all workers that are free taken for quick.
    #[cfg(test)]
    pub(super) fn hurry(&self) {
        self.shared.roster.hurry();
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
            Ok(request) => Arc::new(request),
            Err(error) => return Handled::failed(failures::unsendable(&error)),
        };
        let roster = &self.shared.roster;
        // If it is stopped while it waits for a worker, nothing was tried.
        call.hold();
        // When this future is dropped, the worker that it has got is, and so is killed.
        let mut worker = match roster.take(number, &request, &call).await {
            None | Some(CallTurn::Nobody) => return Handled::Untouched,
            Some(CallTurn::Answered(outcome, payload)) => return self.handled(outcome, payload),
            Some(CallTurn::Listen(worker)) => worker,
            Some(CallTurn::Ask(mut worker)) => {
                call.begin();
                if let Err(broken) = worker.ask(number, &request, &call).await {
                    return unanswered(worker, broken, &request, call.work()).await;
                }
                if worker.room_ahead() > 0 {
                    others_first().await;
                }
                worker
            }
        };
        roster.write_ahead(&mut worker);
        match worker.answer(number, &call).await {
            Ok((outcome, payload)) => {
                roster.pass_on(worker);
                self.handled(outcome, payload)
            }
            Err(broken) => unanswered(worker, broken, &request, call.work()).await,
        }
    }
}

/// Sees the worker off, and says what that means for the work.
///
/// A worker that died has begun the work if it had the whole request and read of it. Of one that was not written whole, or
/// of which nothing was read, it cannot have done anything. Everything else is an attempt: otherwise work that kills its
/// workers would do so for ever, free of charge.
async fn unanswered(worker: WorkerHandle, broken: NoAnswer, request: &WorkerRequest, work: &Work) -> Handled {
    match broken {
        NoAnswer::Breach(breach) => {
            worker.end(Dismissal::Distrusted).await;
            Handled::failed(failures::broke_protocol(&breach))
        }
        NoAnswer::PipeClosed { is_written } => {
            let Remains { exit, unread } = worker.end(Dismissal::PipeClosed).await;
            let is_untouched = unread >= request.len() as u64;
            let may_be_the_cause = work.deliveries.saturating_sub(work.attempt) >= WorkerPool::UNCHARGED_MAX;
            if is_untouched || (!is_written && !may_be_the_cause) {
                Handled::Untouched
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
