//! A random history of operations, performed by the machine and the model.

use redrive_core::{ItemId, Time};
use redrive_model::{Conservation, DocumentRef, OpContext};
use redrive_store::conformance::model::any::Any;
use redrive_store::conformance::model::naive::{Model, Number};
use redrive_store::conformance::model::operation::Operation;
use redrive_store::conformance::model::random::Random;

use super::audit;
use super::compare::{self, AllPlaces, Checked, same, slot_of};
use super::coverage::Coverage;
use super::fault::Fault;
use super::machine::Machine;
use super::pages;
use super::perform::perform;

/// The settings of a history.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) steps: usize,
    /// The limit of transitions per tick.
    pub(crate) limit: usize,
    /// Whether replicas read the log, documents are relocated, and the process restarts.
    pub(crate) is_recovered: bool,
    /// The number of steps between two audits.
    pub(crate) audit_every: usize,
    /// The injected fault, in tests of the tests.
    pub(crate) fault: Option<Fault>,
}

pub(crate) struct History {
    pub(crate) random: Random,
    pub(crate) now: Time,
    pub(crate) machine: Machine,
    pub(crate) model: Model,
    places: AllPlaces,
    /// Ids that were returned at some time; most of them are stale.
    pub(crate) past_ids: Vec<ItemId>,
    pub(crate) coverage: Coverage,
    is_of_letters: bool,
    plan: Plan,
}

impl History {
    pub(crate) fn new(seed: u64, plan: Plan) -> Self {
        let mut machine = Machine::new();
        if plan.is_recovered {
            machine.add_replica();
        }
        Self {
            random: Random::new(seed),
            now: Time::from_secs(1_800_000_000),
            machine,
            model: Model::default(),
            places: AllPlaces::new(),
            past_ids: Vec::new(),
            coverage: Coverage::default(),
            is_of_letters: seed % 3 == 2,
            plan,
        }
    }

    /// Runs the history. The error names the difference and the step.
    pub(crate) fn run(&mut self) -> Checked {
        for op in self.any().beginning() {
            self.step(op).map_err(|wrong| format!("at the beginning: {wrong}"))?;
        }
        for step in 0..self.plan.steps {
            // The operation is generated before the due changes are applied, so that some of it is outdated.
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
        self.coverage.begin(&op);
        let expected = op.predict(&mut self.model, self.now);
        let context = self.context();
        let performed = self.plan.fault.map_or(op.clone(), |fault| fault.corrupt_operation(op));
        let found = perform(performed, &mut self.machine.state, context, &mut self.machine.facts);
        let found = found.map(|answer| self.plan.fault.map_or(answer.clone(), |fault| fault.corrupt_answer(answer)));
        self.coverage.end(&found);
        self.pair_items()?;
        same("the answer", &found, &expected.map(|reply| reply.in_ids(&self.model)))?;
        self.check_woken(&offered)?;
        let sum = self.machine.state.conservation();
        let present = self.model.items.len() as u64;
        let expected = Conservation { arrived: self.model.arrived, present, ended: self.model.ended };
        same("the conservation sums", &sum, &expected)?;
        // With a limited tick, the reclaiming of cleared items must not use up the limit of the next step.
        if self.plan.limit < usize::MAX {
            self.pass_time()?;
        }
        // Most batches contain one operation, some contain several.
        if self.random.chance(75) { self.between_batches() } else { Ok(()) }
    }

    /// The items that can be leased and the letters that are due for a claim, with their queues.
    fn offered(&self) -> Vec<(Number, u32)> {
        let items = self.model.items.iter().filter(|item| item.is_ready() || item.due().is_some());
        items.map(|item| (item.number, item.queue)).collect()
    }

    /// Checks that the queues of all newly available items were reported.
    fn check_woken(&mut self, before: &[(Number, u32)]) -> Checked {
        let woken = self.machine.state.take_woken();
        match self.offered().iter().find(|offer| !before.contains(offer) && !woken.contains(&offer.1)) {
            Some((item, _)) => {
                Err(format!("the queue of {:?} was not reported; reported: {woken:?}", self.model.item(*item).info))
            }
            None => Ok(()),
        }
    }

    /// Applies everything that is due.
    fn pass_time(&mut self) -> Checked {
        let limit = self.plan.limit;
        // Ticks that do not come to an end are an error, too.
        for _ in 0..10_000 {
            let op = self.context();
            let op = OpContext { now: self.plan.fault.map_or(op.now, |fault| fault.clock(op.now)), ..op };
            let recorded = self.machine.facts.len();
            let happened = self.model.tick(limit, self.now) > 0;
            let is_all = self.machine.tick(limit, op);
            if happened || self.machine.facts.len() > recorded {
                self.pair_items()?;
            }
            let is_more_due = self.machine.is_anything_due(self.now);
            same("whether nothing more is due", &is_all, &!is_more_due)?;
            if !happened && !is_more_due {
                return Ok(());
            }
        }
        Err("ticks do not come to an end".to_owned())
    }

    fn pair_items(&mut self) -> Checked {
        let new_ids = compare::pair_items(&self.machine.state, &mut self.model, &mut self.places)?;
        self.past_ids.extend(new_ids);
        Ok(())
    }

    fn between_batches(&mut self) -> Checked {
        self.machine.close()?;
        if !self.plan.is_recovered {
            return Ok(());
        }
        if self.random.chance(50) {
            let budget = self.random.one_of([1, 300, 1_000, 3_000]);
            self.machine.proceed_with_checkpoint(budget)?;
        }
        if self.random.chance(2) {
            self.machine.abandon_checkpoint();
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

    /// Relocates some documents.
    fn relocate(&mut self) -> Checked {
        for _ in 0..3 {
            self.machine.close()?;
            self.pair_items()?;
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

    /// Compares everything.
    pub(crate) fn audit(&mut self) -> Checked {
        // Documents may have got their places since.
        self.pair_items()?;
        self.machine.state.verify().map_err(|mismatch| mismatch.to_string())?;
        audit::everything(&self.machine, &self.model, &self.places, self.now)?;
        pages::every_page(&self.machine.state, &self.model)
    }
}
