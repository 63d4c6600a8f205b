//! Concurrent callers: requests of several tasks share batches, and the machine stops in the middle.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redrive_core::{ItemId, Span};
use redrive_embedded::EmbeddedStore;
use redrive_model::{
    Capture, Content, DeadCause, Lease, NewItem, OnRejected, Produce, Settle, SettleAction, Settlement, first_rejection,
};
use redrive_store::{Reply, Request, Store, StoreError};
use tokio::task::JoinSet;

use super::actor::{Actor, HistoryCounts};
use super::acts::{after, message_id};
use super::look::seen;
use super::machine::Wrap;
use super::oracle::{Checked, Effect, ExpectedItem, Oracle, TestQueue};
use crate::letters::{attempt, letter};
use crate::rig::{Random, name, payload, run, waiting_lease};

const TASKS: u64 = 5;
const ACTS: usize = 12;
const ROUNDS: u64 = 3;

/// Runs a history of rounds: tasks work, the machine stops, and the store is compared with the oracle.
pub(super) fn crowd(seed: u64, wrap: Wrap) -> Checked<HistoryCounts> {
    run(async {
        let mut actor = Actor::new(seed, wrap).await?;
        for round in 0..ROUNDS {
            let common = SharedOracle { oracle: std::mem::take(&mut actor.oracle), fences: BTreeMap::new() };
            let common = Arc::new(Mutex::new(common));
            actor.machine.disk.stop_after(actor.random.below(80) as u64);
            let mut tasks = JoinSet::new();
            for task in 0..TASKS {
                let random = Random::new(seed ^ (round * TASKS + task).wrapping_mul(0x1234_5678_9ABC_DEF1));
                let worker = Worker { store: actor.store.clone(), common: Arc::clone(&common), random };
                tasks.spawn(worker.work());
            }
            while let Some(done) = tasks.join_next().await {
                done.map_err(|error| error.to_string())??;
            }
            actor.oracle = std::mem::take(&mut lock(&common).oracle);
            actor.counts.unanswered += actor.oracle.unanswered.len() as u64;
            actor.is_faulty = true;
            if actor.store.status().is_poisoned {
                actor.check().await?;
            }
            let crash = actor.some_crash();
            actor.crash(crash).await?;
        }
        actor.close_and_reopen().await?;
        Ok(actor.counts)
    })
}

/// The oracle that all workers share.
struct SharedOracle {
    oracle: Oracle,
    /// The id under which an item was last settled. Answers arrive in any order; ids say which is newer.
    fences: BTreeMap<u64, ItemId>,
}

impl SharedOracle {
    fn apply(&mut self, mut effect: Effect, fence: impl Fn(u64) -> Option<ItemId>) {
        effect.items.retain(|(item, _)| match fence(*item) {
            Some(fence) if self.fences.get(item).is_none_or(|known| *known <= fence) => {
                self.fences.insert(*item, fence);
                true
            }
            Some(_) => false,
            // The creation of an item precedes all its other effects.
            None => !self.oracle.items.contains_key(item),
        });
        self.oracle.apply(effect);
    }
}

fn lock(common: &Mutex<SharedOracle>) -> MutexGuard<'_, SharedOracle> {
    common.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Worker {
    store: EmbeddedStore,
    common: Arc<Mutex<SharedOracle>>,
    random: Random,
}

impl Worker {
    async fn work(mut self) -> Checked {
        for _ in 0..ACTS {
            let goes_on = match self.random.below(10) {
                0..=4 => self.produce().await?,
                5 => self.capture().await?,
                _ => self.lease_and_complete().await?,
            };
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    /// Submits an operation. `None` if it failed, which ends the worker's round.
    async fn submit(
        &self,
        operation: Request,
        effect: Effect,
        fence: impl Fn(u64) -> Option<ItemId>,
    ) -> Checked<Option<Reply>> {
        let was_poisoned = self.store.status().is_poisoned;
        match self.store.submit(operation, Vec::new()).await {
            Ok(reply) => {
                lock(&self.common).apply(effect, fence);
                Ok(Some(reply))
            }
            Err(StoreError::Poisoned) => {
                if !was_poisoned {
                    lock(&self.common).oracle.unanswered.push(effect);
                }
                Ok(None)
            }
            Err(StoreError::Full | StoreError::TimedOut) => Ok(None),
            Err(error) => Err(format!("a concurrent request failed: {error}")),
        }
    }

    async fn produce(&mut self) -> Checked<bool> {
        let test_queue = [TestQueue::Orders, TestQueue::Fragile][self.random.below(2)];
        let mut effect = Effect::default();
        let mut items = Vec::new();
        for _ in 0..1 + self.random.below(5) {
            let (item, body) = self.new_item();
            let content = self.content(body);
            let message_id = Some(message_id(item));
            items.push(NewItem { content, message_id, ..NewItem::default() });
            effect.items.push((item, Some(ExpectedItem::new(test_queue, body))));
        }
        let produce = Request::Produce(Produce::new(name(test_queue.name()), items));
        self.submit(produce, effect, |_| None).await.map(|reply| reply.is_some())
    }

    async fn capture(&mut self) -> Checked<bool> {
        let (item, body) = self.new_item();
        let letter = letter(item, self.content(body), redrive_core::RetryPolicy::Never);
        let effect =
            Effect { items: vec![(item, Some(ExpectedItem::new(TestQueue::Dead, body)))], ..Effect::default() };
        let capture = Request::Capture(Capture::new(name(TestQueue::Dead.name()), vec![letter]));
        self.submit(capture, effect, |_| None).await.map(|reply| reply.is_some())
    }

    fn new_item(&self) -> (u64, u64) {
        let oracle = &mut lock(&self.common).oracle;
        let item = oracle.number();
        (item, oracle.body_for(item))
    }

    fn content(&mut self, body: u64) -> Arc<Content> {
        Arc::new(Content::of_payload(payload(body, 8 + self.random.below(2_000))))
    }

    /// Leases items and settles them at once, so that no other worker can change them.
    async fn lease_and_complete(&mut self) -> Checked<bool> {
        let test_queue = [TestQueue::Orders, TestQueue::Fragile, TestQueue::Dead][self.random.below(3)];
        let batch = 1 + self.random.below(4) as u64;
        let lease = Request::Lease(Lease { wait: Span::ZERO, ..waiting_lease(test_queue.name(), batch) });
        let leased = match self.submit(lease, Effect::default(), |_| None).await? {
            Some(Reply::Lease(leased)) => leased,
            Some(reply) => return Err(format!("an unexpected reply: {reply:?}")),
            None => return Ok(!self.store.status().is_poisoned),
        };
        let mut effect = Effect::default();
        let mut items = Vec::new();
        let mut fences = BTreeMap::new();
        for stored in &leased.items {
            let seen = seen(test_queue, &stored.info, &stored.content)?;
            let owner = lock(&self.common).oracle.owners.get(&seen.body).copied();
            let item = owner.ok_or("an unknown payload was leased")?;
            let expected = ExpectedItem::new(test_queue, seen.body);
            fences.insert(item, seen.id);
            let action = match self.random.below(4) {
                0 => SettleAction::Dead { attempt: Some(Box::new(attempt())), why: DeadCause::Permanent },
                1 => SettleAction::Release,
                _ => SettleAction::Complete { attempt: None },
            };
            effect.items.push((item, after(expected, test_queue, &action)));
            items.push(Settlement { id: seen.id, action });
        }
        let (queue, partition, on_rejected) = (name(test_queue.name()), Some(leased.partition), OnRejected::Stop);
        let settle = Request::Settle(Settle { queue, partition, items, on_rejected });
        match self.submit(settle, effect, |item| fences.get(&item).copied()).await? {
            Some(Reply::Settle(answers)) => match first_rejection(&answers) {
                Some(rejection) => Err(format!("a holder was rejected: {rejection}")),
                None => Ok(true),
            },
            reply => Ok(reply.is_some()),
        }
    }
}
