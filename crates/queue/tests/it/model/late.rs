//! Histories in which time lags behind: what is due happens a little at a time, and operations come in between.
//!
//! No model predicts who is first then. But nothing may be lost, nobody may be given what has expired or is not
//! due yet, and whoever reads the log has the same state.

use redrive_core::{ItemId, QueueName, Span, Time, Trigger};
use redrive_model::{CreateQueue, ItemInfo, LeaseSpec, NewItem, OpContext, Produce, QueueSettings};
use redrive_queue::LocatedItem;
use redrive_store::conformance::model::answer::Answer;
use redrive_store::conformance::model::any::Any;
use redrive_store::conformance::model::naive::{Item, Model, Queue};
use redrive_store::conformance::model::operation::Operation;
use redrive_store::conformance::model::random::{Random, seeds};

use super::compare::{Checked, Shown, same, shown, slot_of};
use super::machine::Machine;
use super::perform::perform;

struct Late {
    random: Random,
    now: Time,
    machine: Machine,
    /// Not a model, only what can be seen: operations are thought up from it.
    seen: Model,
    past_ids: Vec<ItemId>,
    is_of_letters: bool,
}

impl Late {
    fn new(seed: u64) -> Self {
        let mut machine = Machine::new();
        machine.follow();
        let now = Time::from_secs(1_800_000_000);
        let (random, is_of_letters) = (Random::new(seed), seed % 3 == 2);
        Self { random, now, machine, seen: Model::default(), past_ids: Vec::new(), is_of_letters }
    }

    fn any(&mut self) -> Any<'_> {
        let Self { random, now, seen, past_ids, is_of_letters, .. } = self;
        Any { random, model: seen, past: past_ids, now: *now, is_of_letters: *is_of_letters }
    }

    fn run(&mut self) -> Checked {
        for op in self.any().beginning() {
            self.step(op)?;
        }
        for step in 0..100 {
            self.now = self.any().time();
            let op = self.any().op();
            self.step(op.clone()).map_err(|wrong| format!("step {step} at {}, {op:?}: {wrong}", self.now))?;
        }
        // In the end, time catches up.
        for _ in 0..10_000 {
            let op = OpContext::new(self.now, self.random.any());
            if self.machine.tick(3, op) {
                self.machine.close()?;
                return self.look();
            }
        }
        Err("time does not come to an end".to_owned())
    }

    fn step(&mut self, op: Operation) -> Checked {
        let context = OpContext::new(self.now, self.random.any());
        let limit = self.random.below(3);
        self.machine.tick(limit, context);
        let is_claim = matches!(op, Operation::ClaimDue(_));
        let answer = perform(op, &mut self.machine.state, context, &mut self.machine.facts);
        match answer {
            Ok(Answer::Granted(grants)) => self.check_given(grants.iter().flat_map(|(_, items)| items))?,
            Ok(Answer::Items(items)) if is_claim => self.check_given(items.iter().flatten())?,
            _ => {}
        }
        self.machine.close()?;
        if self.random.chance(40) {
            let budget = self.random.one_of([1, 1_000, 3_000]);
            self.machine.describe(budget)?;
            self.machine.close()?;
        }
        self.look()
    }

    fn check_given<'i>(&self, given: impl Iterator<Item = &'i ItemInfo>) -> Checked {
        for info in given {
            let is_automatic = info.letter.as_ref().is_some_and(|letter| letter.trigger == Trigger::Automatic);
            let due = info.letter.as_ref().and_then(|letter| letter.before).and_then(|before| before.due);
            // A letter waits for its retry however long that takes; whoever leases gets what is still wanted.
            let is_wanted = is_automatic || info.expires_at.is_none_or(|at| at >= self.now);
            let is_early = due.is_some_and(|at| at > self.now);
            if !is_wanted || is_early {
                return Err(format!("given at {}: {info:?}", self.now));
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Checked {
        self.machine.state.verify().map_err(|mismatch| mismatch.to_string())?;
        let sum = self.machine.state.conservation();
        same("whether nothing was lost", &sum.holds(), &true)?;
        let Shown { queues, items } = shown(&self.machine.state)?;
        same("how many items are shown", &(items.len() as u64), &sum.present)?;
        self.past_ids.extend(items.iter().map(|(_, item)| item.info.id));
        self.past_ids.drain(..self.past_ids.len().saturating_sub(200));
        self.seen.queues = queues.into_iter().map(|(number, settings)| Queue::new(number, settings)).collect();
        let own_ids = |id: ItemId| self.past_ids.iter().copied().filter(|past| slot_of(*past) == slot_of(id)).collect();
        let seen =
            |(queue, item): (u32, LocatedItem)| Item { own_ids: own_ids(item.info.id), ..Item::seen(queue, item.info) };
        self.seen.items = items.into_iter().map(seen).collect();
        Ok(())
    }
}

#[test]
fn nothing_is_lost_or_given_too_early_or_too_late_while_time_lags_behind() {
    for seed in seeds(300) {
        if let Err(wrong) = Late::new(seed).run() {
            panic!("REDRIVE_SEED={seed}: {wrong}");
        }
    }
}

#[test]
fn an_expired_item_is_not_leased_behind_one_that_is_not() {
    let mut late = Late::new(0);
    let queue = QueueName::new("a").unwrap();
    late.step(Operation::CreateQueue(CreateQueue { settings: QueueSettings::new(queue.clone()) })).unwrap();
    let expired = NewItem { expire_after: Some(Span::ZERO), ..NewItem::of_payload("expired") };
    let items = vec![NewItem::of_payload("wanted"), expired];
    late.step(Operation::Produce(Produce::new(queue.clone(), items))).unwrap();
    // Time passes, and nothing happens by itself yet.
    let op = OpContext::new(late.now.saturating_add(Span::from_secs(1)), 0);
    let lease = Operation::Lease { queue, requests: vec![LeaseSpec { batch: 2, lease: None }] };
    let answer = perform(lease, &mut late.machine.state, op, &mut late.machine.facts);
    let Ok(Answer::Granted(grants)) = answer else { panic!("{answer:?}") };
    assert_eq!(grants[0].1.len(), 1, "{grants:?}");
}
