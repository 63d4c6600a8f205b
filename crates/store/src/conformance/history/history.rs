//! One random history, performed by the store and predicted by the model.

use std::sync::Arc;

use redrive_core::{ItemId, Time};
use redrive_model::{Conservation, GetConservation, ItemInfo};

use super::audit;
use super::perform::{Performed, as_listed, as_one_request, check_delivered, expected, perform};
use super::read::{Contents, no_answer};
use crate::conformance::Harness;
use crate::conformance::model::any::Any;
use crate::conformance::model::compare::{Checked, pair, pair_keys, same};
use crate::conformance::model::naive::Model;
use crate::conformance::model::operation::Operation;
use crate::conformance::model::random::Random;
use crate::conformance::model::{audit as expectations, learn_from};
use crate::conformance::samples::START;
use crate::{Clock, ManualClock, Store};

pub(super) const STEPS: usize = 100;
/// The number of steps between two complete comparisons.
const AUDIT_EVERY: usize = 25;
/// The number of due transitions that a request must see.
const AT_ONCE: usize = 10;
/// The percentage of steps that are followed by a restart.
const RESTARTS: usize = 2;

pub(super) struct History {
    harness: Arc<dyn Harness>,
    store: Arc<dyn Store>,
    clock: ManualClock,
    random: Random,
    model: Model,
    /// All ids that the store has shown, most of them stale by now.
    past_ids: Vec<ItemId>,
    is_of_letters: bool,
}

/// Whether a history continues.
enum Next {
    Continue,
    /// The contract does not define the order of the next transitions, so they cannot be predicted.
    Stop,
}

impl History {
    pub(super) async fn new(harness: Arc<dyn Harness>, seed: u64) -> Self {
        let clock = ManualClock::new(START);
        let store = harness.open(clock.clone()).await;
        let model = Model::new(harness.tie_order());
        let (random, is_of_letters) = (Random::new(seed), seed % 3 == 2);
        Self { harness, store, clock, random, model, past_ids: Vec::new(), is_of_letters }
    }

    /// Runs the history and returns the number of steps.
    pub(super) async fn run(&mut self) -> Checked<usize> {
        let beginning = self.any().beginning();
        for operation in beginning {
            self.step(operation).await.map_err(|wrong| format!("at the beginning: {wrong}"))?;
        }
        for step in 0..STEPS {
            // The operation is generated now and performed after time has passed, so some of it may be outdated by
            // then.
            let now = self.any().time();
            let operation = Any { now, ..self.any() }.op();
            let at = |wrong: String| format!("step {step} at {now}, {operation:?}: {wrong}");
            if let Next::Stop = self.pass_time(now).await.map_err(at)? {
                return self.close().await.map(|()| step);
            }
            if let Next::Stop = self.step(operation.clone()).await.map_err(at)? {
                return self.close().await.map(|()| step);
            }
            if self.random.chance(RESTARTS) {
                self.restart().await.map_err(|wrong| format!("restarted after step {step}: {wrong}"))?;
            }
            if step % AUDIT_EVERY == 0 {
                self.audit().await.map_err(at)?;
            }
        }
        self.audit().await.map_err(|wrong| format!("at the end: {wrong}"))?;
        self.restart().await.map_err(|wrong| format!("restarted at the end: {wrong}"))?;
        self.close().await.map(|()| STEPS)
    }

    async fn close(&self) -> Checked {
        self.store.close().await.map_err(|error| format!("closing failed: {error}"))
    }

    fn any(&mut self) -> Any<'_> {
        let now = self.clock.now();
        let Self { random, model, past_ids, is_of_letters, .. } = self;
        Any { random, model, past: past_ids, now, is_of_letters: *is_of_letters }
    }

    async fn step(&mut self, operation: Operation) -> Checked<Next> {
        let operation = as_one_request(operation);
        let now = self.clock.now();
        let predicted = operation.predict(&mut self.model, now);
        let expected = expected(&operation, predicted, &self.model);
        let found = perform(&*self.store, operation).await;
        let (Ok(Performed { answer, delivered }), Ok(expected)) = (&found, &expected) else {
            let found = found.map(|found| found.answer);
            same("the answer", &found, &expected.map(|expected| expected.in_ids(&self.model)))?;
            // A predicted rejection changes nothing: that is compared only sometimes.
            return if self.random.chance(25) { self.tick_and_compare(now).await } else { Ok(Next::Continue) };
        };
        let learned = learn_from(answer, expected, &mut self.model)?;
        self.past_ids.extend(learned);
        same("the answer", answer, &expected.clone().in_ids(&self.model))?;
        check_delivered(delivered, &self.model)?;
        self.tick_and_compare(now).await
    }

    /// Fires due timers first: the store may already have done the transitions that a request made due.
    async fn tick_and_compare(&mut self, now: Time) -> Checked<Next> {
        match self.tick(now).await? {
            Some(_) => self.compare().await.map(|()| Next::Continue),
            None => Ok(Next::Stop),
        }
    }

    /// Advances the clock, in steps small enough that a store keeps up with due transitions.
    async fn pass_time(&mut self, now: Time) -> Checked<Next> {
        loop {
            let wakes = self.model.wakes(now);
            let next = wakes.get(AT_ONCE).and(wakes.get(AT_ONCE - 1)).copied().filter(|at| *at > self.clock.now());
            let at = next.unwrap_or(now);
            self.clock.set(at);
            let Some(happened) = self.tick(at).await? else { return Ok(Next::Stop) };
            // An item may die in the next step under the id that it has got in this one.
            if happened > 0 {
                self.compare().await?;
            }
            if next.is_none() {
                return Ok(Next::Continue);
            }
        }
    }

    /// Does all due transitions in the model and in the store, and returns their number. `None` if they cannot be
    /// predicted, or are more than a store has to do at once.
    async fn tick(&mut self, now: Time) -> Checked<Option<usize>> {
        let mut all = 0;
        loop {
            if !self.model.is_foreseeable(now) {
                return Ok(None);
            }
            match self.model.tick(usize::MAX, now) {
                0 => return Ok(Some(all)),
                count if count > AT_ONCE => return Ok(None),
                count => {
                    all += count;
                    self.store.conservation(GetConservation).await.map_err(no_answer)?;
                }
            }
        }
    }

    /// Compares all items, and learns their ids.
    async fn compare(&mut self) -> Checked {
        let contents = Contents::of(&*self.store, &self.model).await?;
        let infos: Vec<(u32, &ItemInfo)> = contents.items.iter().map(|(queue, item)| (*queue, &item.info)).collect();
        let learned = pair(&mut self.model, &infos)?;
        self.past_ids.extend(learned);
        for ((_, stored), item) in contents.items.iter().zip(&self.model.items) {
            same("an item in a list", stored, &as_listed(item))?;
        }
        pair_keys(&mut self.model, &contents.keys)?;
        same("the queues", &contents.queues, &expectations::queues(&self.model))?;
        let sum = self.store.conservation(GetConservation).await.map_err(no_answer)?;
        let present = self.model.items.len() as u64;
        let expected = Conservation { arrived: self.model.arrived, present, ended: self.model.ended };
        same("the numbers of arrived, present and ended items", &sum, &expected)
    }

    async fn audit(&self) -> Checked {
        audit::everything(&*self.store, &self.model, self.clock.now()).await
    }

    /// Closes and reopens the store, if it is durable: it must show the same.
    async fn restart(&mut self) -> Checked {
        let reopened = self.harness.reopen(Arc::clone(&self.store), self.clock.clone()).await;
        let Some(store) = reopened else { return Ok(()) };
        self.store = store;
        self.compare().await?;
        self.audit().await
    }
}
