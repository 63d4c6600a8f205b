//! One handler at work, in a task of its own.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::mpsc;

use crate::handler::within;
use crate::{Call, Cancel, Handled, Handler};

/// How a task came to its end.
#[derive(Debug)]
pub(crate) enum Ended {
    Handled(Handled),
    /// The handler panicked, with these words.
    Panicked(String),
    /// The source took the claim back.
    Cancelled,
    /// It was stopped from outside.
    Stopped,
}

/// Which task has ended, and how.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) entry: usize,
    pub(crate) seq: u64,
    pub(crate) ended: Ended,
}

/// Tells of a task's end exactly once, also when the task is dropped.
#[derive(Debug)]
pub(crate) struct Teller {
    pub(crate) entry: usize,
    pub(crate) seq: u64,
    pub(crate) to: mpsc::Sender<Finished>,
    pub(crate) ended: Option<Ended>,
}

impl Drop for Teller {
    fn drop(&mut self) {
        let ended = self.ended.take().unwrap_or(Ended::Stopped);
        // There is room for every task; a runner that has ended does not want to know.
        let _is_told = self.to.try_send(Finished { entry: self.entry, seq: self.seq, ended });
    }
}

/// Runs a handler to its end, whatever that is.
pub(crate) async fn run(handler: Arc<dyn Handler>, call: Call, cancel: Option<Cancel>, mut teller: Teller) {
    let attempt = AssertUnwindSafe(within::attempt(call.clone(), async { handler.handle(call).await })).catch_unwind();
    let attempt = async {
        match attempt.await {
            Ok(handled) => Ended::Handled(handled),
            Err(panic) => Ended::Panicked(words_of(&*panic)),
        }
    };
    let ended = match cancel {
        None => attempt.await,
        Some(cancel) => tokio::select! {
            ended = attempt => ended,
            () = cancel.cancelled() => Ended::Cancelled,
        },
    };
    teller.ended = Some(ended);
}

pub(crate) fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    words.unwrap_or("without a text").to_owned()
}
