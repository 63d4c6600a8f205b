//! Frozen queues, for tests: their requests are held in order of arrival, and none of their timers fires.

use std::collections::BTreeMap;

use redrive_core::MonotonicTime;
use redrive_model::{ClaimDue, Lease};
use redrive_queue::State;
use redrive_store::Request;

use crate::lease_waiters::{WaitFor, Waiter};
use crate::message::QueuedRequest;

#[derive(Debug, Default)]
pub(crate) struct FrozenQueues {
    queues: BTreeMap<u32, Vec<QueuedRequest>>,
}

impl FrozenQueues {
    /// The maximum number of requests held for a queue.
    pub(crate) const REQUESTS_MAX: usize = 100;

    pub(crate) fn freeze(&mut self, queue: u32) {
        self.queues.entry(queue).or_default();
    }

    /// Unfreezes a queue and returns its held requests.
    pub(crate) fn unfreeze(&mut self, queue: u32) -> Vec<QueuedRequest> {
        self.queues.remove(&queue).unwrap_or_default()
    }

    /// Holds a request if its queue is frozen, up to [`Self::REQUESTS_MAX`] per queue.
    pub(crate) fn hold(&mut self, request: QueuedRequest, state: &State) -> HoldOutcome {
        if self.queues.is_empty() {
            return HoldOutcome::NotFrozen(request);
        }
        let name = match &request.request {
            Request::Produce(produce) => &produce.queue,
            Request::Lease(lease) => &lease.queue,
            Request::LeaseByMessageId(lease) => &lease.queue,
            Request::ClaimDue(claim) => &claim.queue,
            Request::Settle(settle) => &settle.queue,
            _ => return HoldOutcome::NotFrozen(request),
        };
        let requests = state.number_of(name).and_then(|number| self.queues.get_mut(&number));
        match requests {
            None => HoldOutcome::NotFrozen(request),
            Some(requests) if requests.len() >= Self::REQUESTS_MAX => HoldOutcome::TooMany(request),
            Some(requests) => {
                requests.push(request);
                HoldOutcome::Held
            }
        }
    }

    /// Holds a request that was already waiting, with its remaining time.
    pub(crate) fn hold_waiter(&mut self, queue: u32, waiter: Waiter, now: MonotonicTime, state: &State) {
        let (Some(requests), Some(name)) = (self.queues.get_mut(&queue), state.name_of(queue)) else { return };
        let wait = waiter.deadline.since(now);
        let request = match waiter.wait_for {
            WaitFor::Items(spec) => Lease { queue: name, client_id: waiter.client, spec, wait }.into(),
            WaitFor::DueLetters(claim) => ClaimDue { wait, ..claim }.into(),
        };
        requests.push(QueuedRequest::new(request, Vec::new(), waiter.reply));
    }

    /// The number of leases and claims held for a queue.
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
pub(crate) enum HoldOutcome {
    Held,
    NotFrozen(QueuedRequest),
    TooMany(QueuedRequest),
}
