//! Requests that wait for an item.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use redrive_core::MonotonicTime;
use redrive_model::{ClaimDue, LeaseSpec};

use crate::reply::ReplyTo;

/// A request that waits.
#[derive(Debug)]
pub(crate) struct Waiter {
    pub(crate) client: Option<String>,
    pub(crate) deadline: MonotonicTime,
    pub(crate) want: Want,
    pub(crate) reply: ReplyTo,
}

/// What it waits for.
#[derive(Debug)]
pub(crate) enum Want {
    Items(LeaseSpec),
    DueLetters(ClaimDue),
}

/// Those who wait, by queue, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct LeaseWaiters {
    queues: BTreeMap<u32, BTreeMap<u64, Waiter>>,
    deadlines: BTreeSet<(MonotonicTime, u32, u64)>,
    clients: HashSet<(u32, String)>,
    /// Those of them who wait for letters.
    claims: BTreeSet<(u32, u64)>,
    /// How many items all of them want together.
    batches: u64,
    next: u64,
}

impl LeaseWaiters {
    /// So many may wait in all.
    pub(crate) const MAX: usize = 65_536;

    pub(crate) fn is_full(&self) -> bool {
        self.deadlines.len() >= Self::MAX
    }

    /// How many wait on a queue.
    pub(crate) fn count(&mut self, queue: u32) -> u64 {
        self.of(queue).count() as u64
    }

    pub(crate) fn len(&self) -> u64 {
        self.deadlines.len() as u64
    }

    /// Whether this client waits on the queue already. One that has gone does not.
    pub(crate) fn has_client(&mut self, queue: u32, client: &str) -> bool {
        let client = (queue, client.to_owned());
        self.clients.contains(&client) && {
            self.forget_gone(queue);
            self.clients.contains(&client)
        }
    }

    pub(crate) fn add(&mut self, queue: u32, waiter: Waiter) {
        if let Some(client) = &waiter.client {
            self.clients.insert((queue, client.clone()));
        }
        match &waiter.want {
            Want::Items(wanted) => self.batches += wanted.batch,
            Want::DueLetters(_) => {
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
        match &waiter.want {
            Want::Items(wanted) => self.batches -= wanted.batch,
            Want::DueLetters(_) => {
                self.claims.remove(&(queue, number));
            }
        }
        if let Some(client) = &waiter.client {
            self.clients.remove(&(queue, client.clone()));
        }
        Some(waiter)
    }

    /// Those who wait on a queue. Whoever has gone is forgotten.
    pub(crate) fn of(&mut self, queue: u32) -> impl Iterator<Item = (u64, &Waiter)> {
        self.forget_gone(queue);
        self.queues.get(&queue).into_iter().flatten().map(|(number, waiter)| (*number, waiter))
    }

    fn forget_gone(&mut self, queue: u32) {
        let gone: Vec<u64> = self
            .queues
            .get(&queue)
            .into_iter()
            .flatten()
            .filter(|(_, waiter)| waiter.reply.is_closed())
            .map(|(number, _)| *number)
            .collect();
        for number in gone {
            self.remove(queue, number);
        }
    }

    /// Takes out those whose time is over at `now`.
    pub(crate) fn take_late(&mut self, is_late: impl Fn(MonotonicTime) -> bool) -> Vec<Waiter> {
        let late: Vec<(MonotonicTime, u32, u64)> =
            self.deadlines.iter().copied().take_while(|(deadline, ..)| is_late(*deadline)).collect();
        late.into_iter().filter_map(|(_, queue, number)| self.remove(queue, number)).collect()
    }

    /// Takes out those who wait on a queue that is gone.
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

    /// How many items all of them want together.
    pub(crate) const fn batches(&self) -> u64 {
        self.batches
    }

    /// The claims that wait for letters.
    pub(crate) fn claims(&self) -> impl Iterator<Item = (u32, &ClaimDue)> {
        let waiters = self
            .claims
            .iter()
            .filter_map(|(queue, number)| self.queues.get(queue)?.get(number).map(|waiter| (*queue, waiter)));
        waiters.filter_map(|(queue, waiter)| match &waiter.want {
            Want::DueLetters(claim) => Some((queue, claim)),
            Want::Items(_) => None,
        })
    }
}
