//! Counts requests in flight, by queue.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::QueueName;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Produce,
    Lease,
    Complete,
    Retry,
}

/// The number of requests in flight, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts([u32; 4]);

impl Counts {
    pub(crate) fn all(self) -> u32 {
        self.0.iter().sum()
    }

    pub(crate) const fn of(self, kind: Kind) -> u32 {
        self.0[kind as usize]
    }
}

const SHARDS: usize = 16;

/// The requests in flight of all queues. A queue without any has no entry, so the size is bounded by the number of
/// running requests.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    hasher: RandomState,
    shards: [Mutex<HashMap<QueueName, Counts>>; SHARDS],
}

impl Traffic {
    /// Counts a request as in flight until the returned guard is dropped.
    pub(crate) fn enter(&self, queue: &QueueName, kind: Kind) -> InFlightGuard<'_> {
        self.shard(queue).entry(queue.clone()).or_default().0[kind as usize] += 1;
        InFlightGuard { traffic: self, queue: queue.clone(), kind }
    }

    pub(crate) fn of(&self, queue: &QueueName) -> Counts {
        self.shard(queue).get(queue).copied().unwrap_or_default()
    }

    // A panic cannot leave counts half-changed, so poisoning is ignored.
    fn shard(&self, queue: &QueueName) -> MutexGuard<'_, HashMap<QueueName, Counts>> {
        let shard = usize::try_from(self.hasher.hash_one(queue) % SHARDS as u64).unwrap_or_default();
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct InFlightGuard<'t> {
    traffic: &'t Traffic,
    queue: QueueName,
    kind: Kind,
}

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        let mut shard = self.traffic.shard(&self.queue);
        if let Some(counts) = shard.get_mut(&self.queue) {
            counts.0[self.kind as usize] -= 1;
            if counts.all() == 0 {
                shard.remove(&self.queue);
            }
        }
    }
}
