//! A random history: the machine and the model live through the same.

use redrive_core::{ItemId, Time};
use redrive_model::{Conservation, DocumentRef, OpContext};
use redrive_store::conformance::model::any::Any;
use redrive_store::conformance::model::naive::{Model, Number};
use redrive_store::conformance::model::operation::Operation;
use redrive_store::conformance::model::random::Random;

use super::audit;
use super::compare::{self, AllPlaces, Checked, same, slot_of};
use super::fault::Fault;
use super::machine::Machine;
use super::pages;
use super::perform::perform;
use super::reach::Reached;

/// What is done and checked in a history.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) steps: usize,
    /// Transitions that happen at once when time passes.
    pub(crate) limit: usize,
    /// Others read the log, documents move, and the process may end.
    pub(crate) is_recovered: bool,
    /// Steps from one look at everything to the next.
    pub(crate) audit_every: usize,
    /// How the machine goes wrong, where the test is tested.
    pub(crate) fault: Option<Fault>,
}

pub(crate) struct History {
    pub(crate) random: Random,
    pub(crate) now: Time,
    pub(crate) machine: Machine,
    pub(crate) model: Model,
    places: AllPlaces,
    /// Ids that were told at some time, most of them stale by now.
    pub(crate) past_ids: Vec<ItemId>,
    pub(crate) reached: Reached,
    is_of_letters: bool,
    plan: Plan,
}

impl History {
    pub(crate) fn new(seed: u64, plan: Plan) -> Self {
        let mut machine = Machine::new();
        if plan.is_recovered {
            machine.follow();
        }
        Self {
            random: Random::new(seed),
            now: Time::from_secs(1_800_000_000),
            machine,
            model: Model::default(),
            places: AllPlaces::new(),
            past_ids: Vec::new(),
            reached: Reached::default(),
            is_of_letters: seed % 3 == 2,
            plan,
        }
    }

    /// Lives through it. An error says what was wrong, and in which step.
    pub(crate) fn run(&mut self) -> Checked {
        for op in self.any().beginning() {
            self.step(op).map_err(|wrong| format!("at the beginning: {wrong}"))?;
        }
        for step in 0..self.plan.steps {
            // What is thought up now is done after time has passed: by then, some of it is no longer true.
            self.now = self.any().time();
            let op = self.any().op();
            let now = self.now;
            self.step(op.clone()).map_err(|wrong| format!("step {step} at {now}, {op:?}: {wrong}"))?;
            if step % self.plan.audit_every == 0 {
                self.audit().map_err(|wrong| format!("after step {step} at {now}, {op:?}: {wrong}"))?;
            }
        }
        self.machine.close()?;
        self.machine.check_recoveries()?;
        self.audit().map_err(|wrong| format!("at the end: {wrong}"))
    }

    fn any(&mut self) -> Any<'_> {
        let Self { random, model, past_ids, now, is_of_letters, .. } = self;
        Any { random, model, past: past_ids, now: *now, is_of_letters: *is_of_letters }
    }

    fn context(&mut self) -> OpContext {
        OpContext::new(self.now, self.random.any())
    }

    pub(crate) fn step(&mut self, op: Operation) -> Checked {
        let offered = self.offered();
        self.pass_time()?;
        self.reached.begin(&op);
        let expected = op.predict(&mut self.model, self.now);
        let context = self.context();
        let heard = self.plan.fault.map_or(op.clone(), |fault| fault.heard(op));
        let found = perform(heard, &mut self.machine.state, context, &mut self.machine.facts);
        let found = found.map(|answer| self.plan.fault.map_or(answer.clone(), |fault| fault.told(answer)));
        self.reached.end(&found);
        self.meet()?;
        same("the answer", &found, &expected.map(|reply| reply.in_ids(&self.model)))?;
        self.check_woken(&offered)?;
        let sum = self.machine.state.conservation();
        let present = self.model.items.len() as u64;
        let expected = Conservation { arrived: self.model.arrived, present, ended: self.model.ended };
        same("what was kept and lost", &sum, &expected)?;
        // Where items happen one at a time, those that were cleared away must not take turns.
        if self.plan.limit < usize::MAX {
            self.pass_time()?;
        }
        // Most batches hold one operation, some hold several.
        if self.random.chance(75) { self.between_batches() } else { Ok(()) }
    }

    /// What can be leased or will be claimed, and in which queue.
    fn offered(&self) -> Vec<(Number, u32)> {
        let items = self.model.items.iter().filter(|item| item.is_ready() || item.due().is_some());
        items.map(|item| (item.number, item.queue)).collect()
    }

    /// Whoever waits hears of everything that could not be had before.
    fn check_woken(&mut self, before: &[(Number, u32)]) -> Checked {
        let woken = self.machine.state.take_woken();
        match self.offered().iter().find(|offer| !before.contains(offer) && !woken.contains(&offer.1)) {
            Some((item, _)) => Err(format!("nobody hears of {:?}; woken were {woken:?}", self.model.item(*item).info)),
            None => Ok(()),
        }
    }

    /// Everything that is due happens.
    fn pass_time(&mut self) -> Checked {
        let limit = self.plan.limit;
        // A machine that never comes to an end is wrong, too.
        for _ in 0..10_000 {
            let op = self.context();
            let op = OpContext { now: self.plan.fault.map_or(op.now, |fault| fault.clock(op.now)), ..op };
            let recorded = self.machine.facts.len();
            let happened = self.model.tick(limit, self.now) > 0;
            let is_all = self.machine.tick(limit, op);
            if happened || self.machine.facts.len() > recorded {
                self.meet()?;
            }
            let is_anything_left = self.machine.is_anything_due(self.now);
            same("whether everything that is due has happened", &is_all, &!is_anything_left)?;
            if !happened && !is_anything_left {
                return Ok(());
            }
        }
        Err("time does not come to an end".to_owned())
    }

    fn meet(&mut self) -> Checked {
        let told = compare::meet(&self.machine.state, &mut self.model, &mut self.places)?;
        self.past_ids.extend(told);
        Ok(())
    }

    fn between_batches(&mut self) -> Checked {
        self.machine.close()?;
        if !self.plan.is_recovered {
            return Ok(());
        }
        if self.random.chance(50) {
            let budget = self.random.one_of([1, 300, 1_000, 3_000]);
            self.machine.describe(budget)?;
        }
        if self.random.chance(2) {
            self.machine.abandon();
        }
        if self.random.chance(10) {
            self.relocate()?;
        }
        if self.random.chance(3) {
            self.machine.close()?;
            let from_point = self.random.chance(50);
            self.machine.restart(from_point)?;
        }
        Ok(())
    }

    /// Some documents move to another place.
    fn relocate(&mut self) -> Checked {
        for _ in 0..3 {
            self.machine.close()?;
            self.meet()?;
            let Some(item) = self.random.pick(&self.model.items) else { return Ok(()) };
            let places = &self.places[&item.number];
            let places = std::iter::once(places.content).chain(places.documents.iter().map(|doc| doc.place));
            let places: Vec<DocumentRef> = places.collect();
            let slot = slot_of(item.id());
            let Some(place) = self.random.pick(&places).copied() else { continue };
            let op = self.context();
            self.machine.relocate(slot, place, op)?;
        }
        self.machine.close()
    }

    /// A look at everything.
    pub(crate) fn audit(&mut self) -> Checked {
        // Documents have found their places since.
        self.meet()?;
        self.machine.state.verify().map_err(|mismatch| mismatch.to_string())?;
        audit::everything(&self.machine, &self.model, &self.places, self.now)?;
        pages::every_page(&self.machine.state, &self.model)
    }
}
