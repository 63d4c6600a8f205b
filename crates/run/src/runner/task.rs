//! The task that runs one handler.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::mpsc;

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

/// Runs a handler until it returns, panics or is cancelled.
pub(crate) async fn run(handler: Arc<dyn Handler>, call: Call, cancel: Option<Cancel>, mut reporter: EndReporter) {
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
