//! The tasks that run handlers.
//!
//! Attempts that start together are first polled together, by one task per worker thread of the runtime: a handler that
//! needs no waiting costs no task of its own. A handler that is not ready goes on in its own task.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::FutureExt;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tracing::Instrument;

use crate::handler::current_attempt;
use crate::{Call, Cancel, Handled, Handler};

/// How a task ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Handled(Handled),
    /// The handler panicked with this message.
    Panicked(String),
    /// The source revoked the claim.
    Cancelled,
    /// The task was aborted.
    Stopped,
}

/// An attempt that has ended, and how.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) entry: usize,
    pub(crate) seq: u64,
    pub(crate) ended: Ended,
}

/// The attempts that have ended and that the engine has not seen. There is at most one for each slot.
#[derive(Debug, Default)]
pub(crate) struct AttemptEnds {
    list: Mutex<Vec<Finished>>,
    added: Notify,
}

impl AttemptEnds {
    fn add(&self, finished: Finished) {
        let is_first = {
            let mut list = self.list();
            list.push(finished);
            list.len() == 1
        };
        if is_first {
            self.added.notify_one();
        }
    }

    /// Takes them all, for an empty list.
    pub(crate) fn take(&self, into: &mut Vec<Finished>) {
        std::mem::swap(&mut *self.list(), into);
    }

    /// Waits for the next one.
    pub(crate) async fn added(&self) {
        self.added.notified().await;
    }

    // No code panics while it holds the lock.
    fn list(&self) -> MutexGuard<'_, Vec<Finished>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reports the end of an attempt exactly once, even if its task is dropped.
#[derive(Debug)]
pub(crate) struct EndReporter {
    pub(crate) entry: usize,
    pub(crate) seq: u64,
    pub(crate) ends: Arc<AttemptEnds>,
    pub(crate) ended: Option<Ended>,
}

impl EndReporter {
    fn report(mut self, ended: Ended) {
        self.ended = Some(ended);
    }
}

impl Drop for EndReporter {
    fn drop(&mut self) {
        let ended = self.ended.take().unwrap_or(Ended::Stopped);
        self.ends.add(Finished { entry: self.entry, seq: self.seq, ended });
    }
}

/// An attempt that has not begun.
#[derive(Debug)]
pub(crate) struct NewAttempt {
    pub(crate) call: Call,
    pub(crate) cancel: Option<Cancel>,
    pub(crate) reporter: EndReporter,
    pub(crate) span: tracing::Span,
}

/// The work of a handler on one attempt.
type Handling = Pin<Box<dyn Future<Output = Handled> + Send>>;

/// Starts attempts.
pub(crate) fn start_all(handler: &Arc<dyn Handler>, mut attempts: VecDeque<NewAttempt>) {
    if attempts.len() <= 1 {
        if let Some(attempt) = attempts.pop_front() {
            let handling = attempt.handling(handler);
            attempt.spawn(handling);
        }
        return;
    }
    // As many as can run at the same time: a handler that blocks its thread holds up none but its own.
    let pollers = Handle::current().metrics().num_workers().clamp(1, attempts.len());
    let batch = Arc::new(AttemptBatch { handler: Arc::clone(handler), waiting: Mutex::new(attempts) });
    for _ in 0..pollers {
        tokio::spawn(Arc::clone(&batch).begin_all());
    }
}

/// Attempts that were started together and have not begun.
struct AttemptBatch {
    handler: Arc<dyn Handler>,
    waiting: Mutex<VecDeque<NewAttempt>>,
}

impl AttemptBatch {
    async fn begin_all(self: Arc<Self>) {
        while let Some(attempt) = self.next() {
            attempt.begin(&self.handler);
            // Lets other tasks of the thread run from time to time.
            tokio::task::consume_budget().await;
        }
    }

    fn next(&self) -> Option<NewAttempt> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

impl NewAttempt {
    fn handling(&self, handler: &Arc<dyn Handler>) -> Handling {
        let (handler, call) = (Arc::clone(handler), self.call.clone());
        Box::pin(async move { handler.handle(call).await })
    }

    /// Polls the handler once. If it is not ready, it goes on in a task.
    fn begin(self, handler: &Arc<dyn Handler>) {
        if self.call.is_stopped() {
            return;
        }
        let mut handling = self.handling(handler);
        let poll = || {
            let _entered = self.span.enter();
            // The task polls it again, and so misses nothing that happens in between.
            handling.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        };
        let polled = catch_unwind(AssertUnwindSafe(|| current_attempt::sync_scope(self.call.clone(), poll)));
        match polled {
            Ok(Poll::Ready(handled)) => self.reporter.report(Ended::Handled(handled)),
            Ok(Poll::Pending) => self.spawn(handling),
            Err(panic) => self.reporter.report(Ended::Panicked(panic_message(&*panic))),
        }
    }

    /// Lets the handler work in a task until it returns, panics or is cancelled.
    fn spawn(self, handling: Handling) {
        let Self { call, cancel, reporter, span } = self;
        let attempt = AssertUnwindSafe(current_attempt::scope(call.clone(), handling)).catch_unwind();
        let attempt = async {
            match attempt.await {
                Ok(handled) => Ended::Handled(handled),
                Err(panic) => Ended::Panicked(panic_message(&*panic)),
            }
        };
        let task = async move {
            let ended = match cancel {
                None => attempt.await,
                Some(cancel) => tokio::select! {
                    biased;
                    ended = attempt => ended,
                    () = cancel.cancelled() => Ended::Cancelled,
                },
            };
            reporter.report(ended);
        };
        call.runs_in(tokio::spawn(task.instrument(span)).abort_handle());
    }
}

pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    message.unwrap_or("without a text").to_owned()
}
