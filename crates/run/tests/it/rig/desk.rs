//! A handler whose calls land on a desk, where the test answers them one by one.

use async_trait::async_trait;
use redrive_core::{Failure, Time};
use redrive_run::{Call, Handled, Handler};
use redrive_store::{Clock, ManualClock};
use tokio::sync::{mpsc, oneshot};

use super::soon;

/// Where the calls land.
#[derive(Debug)]
pub(crate) struct Desk {
    calls: mpsc::Receiver<Seen>,
}

/// One call that waits for its answer.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) call: Call,
    /// When the handler began.
    pub(crate) at: Time,
    answer: oneshot::Sender<Handled>,
}

#[derive(Debug)]
pub(crate) struct AtDesk {
    calls: mpsc::Sender<Seen>,
    clock: ManualClock,
}

impl Desk {
    pub(crate) fn new(clock: &ManualClock) -> (AtDesk, Self) {
        let (sender, calls) = mpsc::channel(100_000);
        (AtDesk { calls: sender, clock: clock.clone() }, Self { calls })
    }

    /// The next call.
    pub(crate) async fn next(&mut self) -> Seen {
        soon("the next call of the handler", self.calls.recv()).await.expect("a handler is there")
    }

    pub(crate) async fn some(&mut self, count: usize) -> Vec<Seen> {
        let mut seen = Vec::with_capacity(count);
        while seen.len() < count {
            seen.push(self.next().await);
        }
        seen
    }

    /// A call that is there already.
    pub(crate) fn at_once(&mut self) -> Option<Seen> {
        self.calls.try_recv().ok()
    }
}

impl Seen {
    pub(crate) fn payload(&self) -> String {
        String::from_utf8_lossy(&self.call.content.payload).into_owned()
    }

    pub(crate) fn answer(self, handled: Handled) {
        // A handler that was dropped does not listen; the tests that drop one look at what came of it.
        let _is_heard = self.answer.send(handled);
    }

    pub(crate) fn done(self) {
        self.answer(Handled::DONE);
    }

    pub(crate) fn fail(self, failure: Failure) {
        self.answer(Handled::failed(failure));
    }

    /// Waits until the handler was dropped.
    pub(crate) async fn dropped(&mut self) {
        soon("the handler to be dropped", self.answer.closed()).await;
    }

    pub(crate) fn is_dropped(&self) -> bool {
        self.answer.is_closed()
    }
}

#[async_trait]
impl Handler for AtDesk {
    async fn handle(&self, call: Call) -> Handled {
        let (answer, answered) = oneshot::channel();
        let seen = Seen { call, at: self.clock.now(), answer };
        // A test that has put its desk away has no answer, either.
        if self.calls.send(seen).await.is_err() {
            return std::future::pending().await;
        }
        match answered.await {
            Ok(handled) => handled,
            Err(_thrown_away) => std::future::pending().await,
        }
    }
}
