//! The tasks that run handlers.
//!
//! Attempts that start together are first polled together, by one task per worker thread of the runtime: a handler that
//! needs no waiting costs no task of its own. A handler that is not ready goes on in its own task.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Waker};

use futures_util::FutureExt;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
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

/// Reports which task has ended, and how.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) entry: usize,
    pub(crate) seq: u64,
    pub(crate) ended: Ended,
}

/// Reports the end of a task exactly once, even if the task is dropped.
#[derive(Debug)]
pub(crate) struct EndReporter {
    pub(crate) entry: usize,
    pub(crate) seq: u64,
    pub(crate) tx: mpsc::Sender<Finished>,
    pub(crate) ended: Option<Ended>,
}

impl Drop for EndReporter {
    fn drop(&mut self) {
        let ended = self.ended.take().unwrap_or(Ended::Stopped);
        // The channel has room for every task. It fails only if the runner has ended, which needs no report.
        let _is_sent = self.tx.try_send(Finished { entry: self.entry, seq: self.seq, ended });
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

/// Starts attempts.
pub(crate) fn start_all(handler: &Arc<dyn Handler>, mut attempts: VecDeque<NewAttempt>) {
    if attempts.len() <= 1 {
        if let Some(attempt) = attempts.pop_front() {
            let call = attempt.call.clone();
            call.runs_in(tokio::spawn(attempt.run(Arc::clone(handler))).abort_handle());
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
    /// Polls the handler once. If it is not ready, it goes on in a task.
    fn begin(self, handler: &Arc<dyn Handler>) {
        let call = self.call.clone();
        if call.is_stopped() {
            return;
        }
        let mut attempt: Pin<Box<_>> = Box::pin(self.run(Arc::clone(handler)));
        // The task polls it again, and so misses nothing that happens in between.
        if attempt.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            call.runs_in(tokio::spawn(attempt).abort_handle());
        }
    }

    fn run(self, handler: Arc<dyn Handler>) -> impl Future<Output = ()> {
        let Self { call, cancel, reporter, span } = self;
        run(handler, call, cancel, reporter).instrument(span)
    }
}

/// Runs a handler until it returns, panics or is cancelled.
async fn run(handler: Arc<dyn Handler>, call: Call, cancel: Option<Cancel>, mut reporter: EndReporter) {
    let attempt = current_attempt::scope(call.clone(), async { handler.handle(call).await });
    let attempt = AssertUnwindSafe(attempt).catch_unwind();
    let attempt = async {
        match attempt.await {
            Ok(handled) => Ended::Handled(handled),
            Err(panic) => Ended::Panicked(panic_message(&*panic)),
        }
    };
    let ended = match cancel {
        None => attempt.await,
        Some(cancel) => tokio::select! {
            biased;
            ended = attempt => ended,
            () = cancel.cancelled() => Ended::Cancelled,
        },
    };
    reporter.ended = Some(ended);
}

pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    message.unwrap_or("without a text").to_owned()
}
