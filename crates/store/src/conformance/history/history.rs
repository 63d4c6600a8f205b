//! One random history: the store and the model do the same.

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
use crate::conformance::words::START;
use crate::{Clock, ManualClock, Store};

pub(super) const STEPS: usize = 100;
/// Steps from one look at everything to the next.
const AUDIT_EVERY: usize = 25;
/// A request sees that this much has happened by itself, if it was due.
const AT_ONCE: usize = 10;
/// Of a hundred steps, so many come after a restart.
const RESTARTS: usize = 2;

pub(super) struct History {
    harness: Arc<dyn Harness>,
    store: Arc<dyn Store>,
    clock: ManualClock,
    random: Random,
    model: Model,
    /// Ids that the store showed at some time, most of them stale by now.
    past_ids: Vec<ItemId>,
    is_of_letters: bool,
}

/// Whether a history goes on.
enum Next {
    GoOn,
    /// What comes next is the store's to decide: the contract does not say in which order it happens.
    EndHere,
}

impl History {
    pub(super) async fn new(harness: Arc<dyn Harness>, seed: u64) -> Self {
        let clock = ManualClock::new(START);
        let store = harness.open(clock.clone()).await;
        let model = Model::new(harness.tie_order());
        let (random, is_of_letters) = (Random::new(seed), seed % 3 == 2);
        Self { harness, store, clock, random, model, past_ids: Vec::new(), is_of_letters }
    }

    /// Gives how many steps it took.
    pub(super) async fn run(&mut self) -> Checked<usize> {
        let beginning = self.any().beginning();
        for operation in beginning {
            self.step(operation).await.map_err(|wrong| format!("at the beginning: {wrong}"))?;
        }
        for step in 0..STEPS {
            // What is thought up now is done after time has passed: by then, some of it is no longer true.
            let now = self.any().time();
            let operation = Any { now, ..self.any() }.op();
            let at = |wrong: String| format!("step {step} at {now}, {operation:?}: {wrong}");
            if let Next::EndHere = self.pass_time(now).await.map_err(at)? {
                return self.close().await.map(|()| step);
            }
            if let Next::EndHere = self.step(operation.clone()).await.map_err(at)? {
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
        self.store.close().await.map_err(|error| format!("it does not close: {error}"))
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
            // A refusal that is predicted changes nothing, mostly: now and then that is looked at.
            return if self.random.chance(25) { self.look(now).await } else { Ok(Next::GoOn) };
        };
        let learned = learn_from(answer, expected, &mut self.model)?;
        self.past_ids.extend(learned);
        same("the answer", answer, &expected.clone().in_ids(&self.model))?;
        check_delivered(delivered, &self.model)?;
        self.look(now).await
    }

    /// The store may be ahead: what a request makes due happens without another one.
    async fn look(&mut self, now: Time) -> Checked<Next> {
        match self.tick(now).await? {
            Some(_) => self.meet().await.map(|()| Next::GoOn),
            None => Ok(Next::EndHere),
        }
    }

    /// Moves the clock, in pieces so small that a store keeps up with what falls due.
    async fn pass_time(&mut self, now: Time) -> Checked<Next> {
        loop {
            let wakes = self.model.wakes(now);
            let next = wakes.get(AT_ONCE).and(wakes.get(AT_ONCE - 1)).copied().filter(|at| *at > self.clock.now());
            let at = next.unwrap_or(now);
            self.clock.set(at);
            let Some(happened) = self.tick(at).await? else { return Ok(Next::EndHere) };
            // An item may die in the next piece under the id that it has got in this one.
            if happened > 0 {
                self.meet().await?;
            }
            if next.is_none() {
                return Ok(Next::GoOn);
            }
        }
    }

    /// Everything that is due happens, in the model and in the store. Gives how much did; `None` where that cannot be
    /// predicted, or is more than a store has to do at once.
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

    /// Compares all items, learns their ids.
    async fn meet(&mut self) -> Checked {
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
        same("what arrived, is present and has ended", &sum, &expected)
    }

    async fn audit(&self) -> Checked {
        audit::everything(&*self.store, &self.model, self.clock.now()).await
    }

    /// Closes the store and opens it again, where it keeps what it holds: it must show the same.
    async fn restart(&mut self) -> Checked {
        let reopened = self.harness.reopen(Arc::clone(&self.store), self.clock.clone()).await;
        let Some(store) = reopened else { return Ok(()) };
        self.store = store;
        self.meet().await?;
        self.audit().await
    }
}
