//! Queues that stand still, for tests: what is asked of them is kept, in its order, and nothing happens in them by
//! itself.

use std::collections::BTreeMap;

use redrive_core::Time;
use redrive_queue::State;

use super::message::Request;
use super::waiting::{Waiter, Want};
use crate::{ClaimRequest, LeaseRequest, Operation};

#[derive(Debug, Default)]
pub(crate) struct Standstill {
    queues: BTreeMap<u32, Vec<Request>>,
}

impl Standstill {
    /// So many requests are kept for a queue.
    pub(crate) const REQUESTS_MAX: usize = 100;

    pub(crate) fn begin(&mut self, queue: u32) {
        self.queues.entry(queue).or_default();
    }

    /// What was kept meanwhile.
    pub(crate) fn end(&mut self, queue: u32) -> Vec<Request> {
        self.queues.remove(&queue).unwrap_or_default()
    }

    /// Keeps a request, if it is one that has to wait; whoever came too late gets it back.
    pub(crate) fn keep(&mut self, request: Request, state: &State) -> Kept {
        if self.queues.is_empty() {
            return Kept::No(request);
        }
        let name = match &request.operation {
            Operation::Produce(produce) => &produce.queue,
            Operation::Lease(lease) => &lease.queue,
            Operation::Claim(request) => &request.claim.queue,
            Operation::Settle(settle) => &settle.queue,
            _ => return Kept::No(request),
        };
        let requests = state.number_of(name).and_then(|number| self.queues.get_mut(&number));
        match requests {
            None => Kept::No(request),
            Some(requests) if requests.len() >= Self::REQUESTS_MAX => Kept::TooMany(request),
            Some(requests) => {
                requests.push(request);
                Kept::Yes
            }
        }
    }

    /// Keeps somebody who waits already, with the time that is left.
    pub(crate) fn keep_waiter(&mut self, queue: u32, waiter: Waiter, now: Time, state: &State) {
        let (Some(requests), Some(name)) = (self.queues.get_mut(&queue), state.name_of(queue)) else { return };
        let wait = waiter.deadline.since(now);
        let operation = match waiter.want {
            Want::Items(wanted) => {
                Operation::Lease(LeaseRequest { queue: name, client_id: waiter.client, wanted, wait })
            }
            Want::DueLetters(claim) => Operation::Claim(ClaimRequest { claim, wait }),
        };
        requests.push(Request::new(operation, Vec::new(), waiter.reply));
    }

    /// How many leases are kept for a queue.
    pub(crate) fn leases(&self, queue: u32) -> u64 {
        let requests = self.queues.get(&queue).into_iter().flatten();
        let is_lease = |request: &&Request| matches!(request.operation, Operation::Lease(_) | Operation::Claim(_));
        requests.filter(is_lease).filter(|request| !request.reply.is_closed()).count() as u64
    }

    pub(crate) fn take_all(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.queues).into_values().flatten().collect()
    }
}

#[derive(Debug)]
pub(crate) enum Kept {
    Yes,
    No(Request),
    TooMany(Request),
}
