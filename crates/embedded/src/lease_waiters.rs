//! Lease and claim requests that wait for items.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use redrive_core::MonotonicTime;
use redrive_model::{ClaimDue, LeaseSpec, Rejection};

use crate::reply::ReplyTo;

/// A waiting request.
#[derive(Debug)]
pub(crate) struct Waiter {
    pub(crate) client: Option<String>,
    pub(crate) deadline: MonotonicTime,
    pub(crate) wait_for: WaitFor,
    pub(crate) reply: ReplyTo,
}

/// What a request waits for.
#[derive(Debug)]
pub(crate) enum WaitFor {
    Items(LeaseSpec),
    DueLetters(ClaimDue),
}

impl WaitFor {
    pub(crate) fn check(&self) -> Result<(), Rejection> {
        match self {
            Self::Items(spec) => spec.check(),
            Self::DueLetters(claim) => claim.check(),
        }
    }
}

/// The waiting requests by queue, in the order of arrival.
#[derive(Debug, Default)]
pub(crate) struct LeaseWaiters {
    queues: BTreeMap<u32, BTreeMap<u64, Waiter>>,
    deadlines: BTreeSet<(MonotonicTime, u32, u64)>,
    clients: HashSet<(u32, String)>,
    /// The requests among them that wait for letters.
    claims: BTreeSet<(u32, u64)>,
    /// The total number of items that all of them request.
    batches: u64,
    next: u64,
}

impl LeaseWaiters {
    /// The maximum number of waiting requests.
    pub(crate) const MAX: usize = 65_536;

    pub(crate) fn is_full(&self) -> bool {
        self.deadlines.len() >= Self::MAX
    }

    /// The number of requests that wait on a queue.
    pub(crate) fn count(&mut self, queue: u32) -> u64 {
        self.of(queue).count() as u64
    }

    pub(crate) fn len(&self) -> u64 {
        self.deadlines.len() as u64
    }

    /// Whether this client already waits on the queue. A disconnected client does not count.
    pub(crate) fn has_client(&mut self, queue: u32, client: &str) -> bool {
        let client = (queue, client.to_owned());
        self.clients.contains(&client) && {
            self.remove_disconnected(queue);
            self.clients.contains(&client)
        }
    }

    pub(crate) fn add(&mut self, queue: u32, waiter: Waiter) {
        if let Some(client) = &waiter.client {
            self.clients.insert((queue, client.clone()));
        }
        match &waiter.wait_for {
            WaitFor::Items(spec) => self.batches += spec.batch,
            WaitFor::DueLetters(_) => {
                self.claims.insert((queue, self.next));
            }
        }
        self.deadlines.insert((waiter.deadline, queue, self.next));
        self.queues.entry(queue).or_default().insert(self.next, waiter);
        self.next += 1;
    }

    pub(crate) fn remove(&mut self, queue: u32, number: u64) -> Option<Waiter> {
        let waiters = self.queues.get_mut(&queue)?;
        let waiter = waiters.remove(&number)?;
        if waiters.is_empty() {
            self.queues.remove(&queue);
        }
        self.deadlines.remove(&(waiter.deadline, queue, number));
        match &waiter.wait_for {
            WaitFor::Items(spec) => self.batches -= spec.batch,
            WaitFor::DueLetters(_) => {
                self.claims.remove(&(queue, number));
            }
        }
        if let Some(client) = &waiter.client {
            self.clients.remove(&(queue, client.clone()));
        }
        Some(waiter)
    }

    /// The requests that wait on a queue, after removing those of disconnected callers.
    pub(crate) fn of(&mut self, queue: u32) -> impl Iterator<Item = (u64, &Waiter)> {
        self.remove_disconnected(queue);
        self.queues.get(&queue).into_iter().flatten().map(|(number, waiter)| (*number, waiter))
    }

    fn remove_disconnected(&mut self, queue: u32) {
        let disconnected: Vec<u64> = self
            .queues
            .get(&queue)
            .into_iter()
            .flatten()
            .filter(|(_, waiter)| waiter.reply.is_closed())
            .map(|(number, _)| *number)
            .collect();
        for number in disconnected {
            self.remove(queue, number);
        }
    }

    /// Removes and returns the requests whose deadline has expired.
    pub(crate) fn take_expired(&mut self, is_expired: impl Fn(MonotonicTime) -> bool) -> Vec<Waiter> {
        let expired: Vec<(MonotonicTime, u32, u64)> =
            self.deadlines.iter().copied().take_while(|(deadline, ..)| is_expired(*deadline)).collect();
        expired.into_iter().filter_map(|(_, queue, number)| self.remove(queue, number)).collect()
    }

    /// Removes and returns all requests that wait on a queue.
    pub(crate) fn take_queue(&mut self, queue: u32) -> Vec<Waiter> {
        let numbers: Vec<u64> = self.queues.get(&queue).into_iter().flatten().map(|(number, _)| *number).collect();
        numbers.into_iter().filter_map(|number| self.remove(queue, number)).collect()
    }

    pub(crate) fn take_all(&mut self) -> Vec<Waiter> {
        let queues: Vec<u32> = self.queues.keys().copied().collect();
        queues.into_iter().flat_map(|queue| self.take_queue(queue)).collect()
    }

    pub(crate) fn next_deadline(&self) -> Option<MonotonicTime> {
        self.deadlines.first().map(|(deadline, ..)| *deadline)
    }

    /// The total number of items that all waiting leases request.
    pub(crate) const fn batches(&self) -> u64 {
        self.batches
    }

    /// The waiting claims.
    pub(crate) fn claims(&self) -> impl Iterator<Item = (u32, &ClaimDue)> {
        let waiters = self
            .claims
            .iter()
            .filter_map(|(queue, number)| self.queues.get(queue)?.get(number).map(|waiter| (*queue, waiter)));
        waiters.filter_map(|(queue, waiter)| match &waiter.wait_for {
            WaitFor::DueLetters(claim) => Some((queue, claim)),
            WaitFor::Items(_) => None,
        })
    }
}
