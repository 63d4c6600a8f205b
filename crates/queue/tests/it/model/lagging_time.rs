//! Histories in which ticks lag behind: due changes are applied a few at a time, with operations in between.
//!
//! The model cannot predict the order then. But nothing may be lost, no expired item and no letter that is not due may
//! be delivered, and a recovery from the log must give the same state.

use redrive_core::{ItemId, QueueName, Span, Time, Trigger};
use redrive_model::{CreateQueue, ItemInfo, LeaseSpec, NewItem, OpContext, Produce, QueueSettings};
use redrive_queue::LocatedItem;
use redrive_store::conformance::model::answer::Answer;
use redrive_store::conformance::model::any::Any;
use redrive_store::conformance::model::naive::{Item, Model, Queue};
use redrive_store::conformance::model::operation::Operation;
use redrive_store::conformance::model::random::Random;
use redrive_testkit::seeds;

use super::compare::{Checked, Shown, same, shown, slot_of};
use super::machine::Machine;
use super::perform::perform;

struct LaggingHistory {
    random: Random,
    now: Time,
    machine: Machine,
    /// Not a prediction, but the listed queues and items, from which operations are generated.
    seen: Model,
    past_ids: Vec<ItemId>,
    is_of_letters: bool,
}

impl LaggingHistory {
    fn new(seed: u64) -> Self {
        let mut machine = Machine::new();
        machine.add_replica();
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
        // At the end, ticks catch up.
        for _ in 0..10_000 {
            let op = OpContext::new(self.now, self.random.any());
            if self.machine.tick(3, op) {
                self.machine.close()?;
                return self.check();
            }
        }
        Err("ticks do not come to an end".to_owned())
    }

    fn step(&mut self, op: Operation) -> Checked {
        let context = OpContext::new(self.now, self.random.any());
        let limit = self.random.below(3);
        self.machine.tick(limit, context);
        let is_claim = matches!(op, Operation::ClaimDue(_));
        let answer = perform(op, &mut self.machine.state, context, &mut self.machine.facts);
        match answer {
            Ok(Answer::Granted(grants)) => self.check_delivered(grants.iter().flat_map(|(_, items)| items))?,
            Ok(Answer::Items(items)) if is_claim => self.check_delivered(items.iter().flatten())?,
            _ => {}
        }
        self.machine.close()?;
        if self.random.chance(40) {
            let budget = self.random.one_of([1, 1_000, 3_000]);
            self.machine.proceed_with_checkpoint(budget)?;
            self.machine.close()?;
        }
        self.check()
    }

    fn check_delivered<'i>(&self, delivered: impl Iterator<Item = &'i ItemInfo>) -> Checked {
        for info in delivered {
            let is_automatic = info.letter.as_ref().is_some_and(|letter| letter.trigger == Trigger::Automatic);
            let due = info.letter.as_ref().and_then(|letter| letter.before).and_then(|before| before.due);
            // A letter that is due for an automatic retry does not expire; leased items must not be expired.
            let is_valid = is_automatic || info.expires_at.is_none_or(|at| at >= self.now);
            let is_early = due.is_some_and(|at| at > self.now);
            if !is_valid || is_early {
                return Err(format!("delivered at {}: {info:?}", self.now));
            }
        }
        Ok(())
    }

    fn check(&mut self) -> Checked {
        self.machine.state.verify().map_err(|mismatch| mismatch.to_string())?;
        let sum = self.machine.state.conservation();
        same("whether the conservation sums hold", &sum.holds(), &true)?;
        let Shown { queues, items } = shown(&self.machine.state)?;
        same("the number of listed items", &(items.len() as u64), &sum.present)?;
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
fn nothing_is_lost_or_delivered_too_early_or_too_late_while_ticks_lag_behind() {
    for seed in seeds(75) {
        if let Err(wrong) = LaggingHistory::new(seed.number()).run() {
            panic!("{seed}: {wrong}");
        }
    }
}

#[test]
fn an_expired_item_is_not_leased_after_a_valid_one() {
    let mut history = LaggingHistory::new(0);
    let queue = QueueName::new("a").unwrap();
    history.step(Operation::CreateQueue(CreateQueue { settings: QueueSettings::new(queue.clone()) })).unwrap();
    let expired = NewItem { expire_after: Some(Span::ZERO), ..NewItem::of_payload("expired") };
    let items = vec![NewItem::of_payload("valid"), expired];
    history.step(Operation::Produce(Produce::new(queue.clone(), items))).unwrap();
    // Time has passed without a tick.
    let op = OpContext::new(history.now.saturating_add(Span::from_secs(1)), 0);
    let lease = Operation::Lease { queue, requests: vec![LeaseSpec { batch: 2, lease: None, notes_receipt: false }] };
    let answer = perform(lease, &mut history.machine.state, op, &mut history.machine.facts);
    let Ok(Answer::Granted(grants)) = answer else { panic!("{answer:?}") };
    assert_eq!(grants[0].1.len(), 1, "{grants:?}");
}
