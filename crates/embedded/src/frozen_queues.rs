//! Frozen queues, for tests: their requests are held in order, and none of their timers fires.

use std::collections::BTreeMap;

use redrive_core::MonotonicTime;
use redrive_queue::State;

use crate::lease_waiters::{Waiter, Want};
use crate::message::QueuedRequest;
use redrive_model::{ClaimDue, Lease};
use redrive_store::Request;

#[derive(Debug, Default)]
pub(crate) struct FrozenQueues {
    queues: BTreeMap<u32, Vec<QueuedRequest>>,
}

impl FrozenQueues {
    /// The most requests that are held for a queue.
    pub(crate) const REQUESTS_MAX: usize = 100;

    pub(crate) fn begin(&mut self, queue: u32) {
        self.queues.entry(queue).or_default();
    }

    /// The requests that were held meanwhile.
    pub(crate) fn end(&mut self, queue: u32) -> Vec<QueuedRequest> {
        self.queues.remove(&queue).unwrap_or_default()
    }

    /// Holds a request where its queue is frozen. One beyond the limit is given back.
    pub(crate) fn keep(&mut self, request: QueuedRequest, state: &State) -> FreezeOutcome {
        if self.queues.is_empty() {
            return FreezeOutcome::No(request);
        }
        let name = match &request.request {
            Request::Produce(produce) => &produce.queue,
            Request::Lease(lease) => &lease.queue,
            Request::ClaimDue(claim) => &claim.queue,
            Request::Settle(settle) => &settle.queue,
            _ => return FreezeOutcome::No(request),
        };
        let requests = state.number_of(name).and_then(|number| self.queues.get_mut(&number));
        match requests {
            None => FreezeOutcome::No(request),
            Some(requests) if requests.len() >= Self::REQUESTS_MAX => FreezeOutcome::TooMany(request),
            Some(requests) => {
                requests.push(request);
                FreezeOutcome::Yes
            }
        }
    }

    /// Keeps somebody who waits already, with the time that is left.
    pub(crate) fn keep_waiter(&mut self, queue: u32, waiter: Waiter, now: MonotonicTime, state: &State) {
        let (Some(requests), Some(name)) = (self.queues.get_mut(&queue), state.name_of(queue)) else { return };
        let wait = waiter.deadline.since(now);
        let request = match waiter.want {
            Want::Items(spec) => Lease { queue: name, client_id: waiter.client, spec, wait }.into(),
            Want::DueLetters(claim) => ClaimDue { wait, ..claim }.into(),
        };
        requests.push(QueuedRequest::new(request, Vec::new(), waiter.reply));
    }

    /// How many leases are kept for a queue.
    pub(crate) fn leases(&self, queue: u32) -> u64 {
        let requests = self.queues.get(&queue).into_iter().flatten();
        let is_lease = |request: &&QueuedRequest| matches!(request.request, Request::Lease(_) | Request::ClaimDue(_));
        requests.filter(is_lease).filter(|request| !request.reply.is_closed()).count() as u64
    }

    pub(crate) fn take_all(&mut self) -> Vec<QueuedRequest> {
        std::mem::take(&mut self.queues).into_values().flatten().collect()
    }
}

#[derive(Debug)]
pub(crate) enum FreezeOutcome {
    Yes,
    No(QueuedRequest),
    TooMany(QueuedRequest),
}
