//! A call that waits for a worker, and how its turn comes.
//!
//! Circle: a worker holds the calls whose requests were written ahead, and each of these calls is handed the worker when
//! its turn comes. The two own each other in turn; a trait between them would only hide that.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::oneshot;

use super::reply::Outcome;
use super::request::WorkerRequest;
use super::worker::WorkerHandle;
use crate::Call;

/// A call that waits, as whoever gives it its turn holds it. Dropping it sends the call back to the line.
#[derive(Debug)]
pub(super) struct WaitingCall {
    pub(super) number: u64,
    pub(super) request: Arc<WorkerRequest>,
    pub(super) call: Call,
    /// Its request was ahead in a worker that ended over another call. It is not written ahead again: if it was to blame
    /// all the same, the next worker ends in its own turn.
    pub(super) is_sent_back: bool,
    pub(super) turn: oneshot::Sender<CallTurn>,
}

/// The turn of a call that waited.
#[derive(Debug)]
pub(super) enum CallTurn {
    /// This worker is free.
    Ask(WorkerHandle),
    /// This worker has the request, and has answered all before it: the call has begun.
    Listen(WorkerHandle),
    /// A worker had the request, and this is what became of the call.
    Answered(Outcome, Bytes),
    /// There is no worker, and none is going to come.
    Nobody,
}

impl WaitingCall {
    /// Offers it a worker that is free, who comes back if the call was given up.
    pub(super) fn offer(self, worker: WorkerHandle) -> Option<WorkerHandle> {
        match self.turn.send(CallTurn::Ask(worker)) {
            Err(CallTurn::Ask(worker)) => Some(worker),
            Ok(()) | Err(_) => None,
        }
    }

    /// Hands it the worker that has its request, and has answered the one before. If the call was given up, the worker is
    /// killed: it is about to do what nobody wants any more.
    pub(super) fn begin(self, worker: WorkerHandle) {
        if self.turn.is_closed() {
            return drop(worker);
        }
        // The worker may be at it by now. So it counts from here on, also if it is stopped before it has heard of it.
        self.call.begin();
        // Dropping the worker kills it.
        let _is_given_up = self.turn.send(CallTurn::Listen(worker)).is_err();
    }

    /// Tells it what became of it.
    pub(super) fn tell(self, outcome: Outcome, payload: Bytes) {
        self.call.begin();
        // The worker has done with it, wanted or not.
        let _is_given_up = self.turn.send(CallTurn::Answered(outcome, payload)).is_err();
    }

    /// Tells it that it waits in vain.
    pub(super) fn send_away(self) {
        // One that was given up goes anyway.
        let _is_given_up = self.turn.send(CallTurn::Nobody).is_err();
    }
}
