//! Tests of the tests: a machine that is wrong is found out.

use redrive_core::QueueName;
use redrive_model::{CreateQueue, LeaseSpec, NewItem, Produce, QueueSettings, RetryAt, Settle, SettleAction};
use redrive_store::conformance::model::naive::Item;
use redrive_store::conformance::model::operation::Operation;
use redrive_store::conformance::model::random::Random;

use super::compare::Checked;
use super::fault::Fault;
use super::history::History;
use super::machine::{Record, alike, recover};
use super::{Plan, USUAL};

/// Whether anybody notices that this log is not the one of that history.
fn is_noticed(history: &History, log: &[Record]) -> bool {
    let found: Checked = recover(None, log).and_then(|state| {
        alike(&history.machine.state, &state)?;
        super::compare::same("the shelves", state.shelves(), history.machine.state.shelves())
    });
    found.is_err()
}

/// The first steps of a short life in which every record counts, and each follows from the one before it.
fn short_life(steps: usize) -> History {
    let mut history = History::new(0, USUAL);
    let queue = || QueueName::new("short").unwrap();
    for step in 0..steps {
        let held = history.model.items.iter().filter(|item| item.is_leased()).map(Item::id).collect();
        let retry = SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true };
        let op = match step {
            0 => Operation::CreateQueue(CreateQueue { settings: QueueSettings::new(queue()) }),
            1 => Operation::Produce(Produce::new(queue(), vec![NewItem::of_payload("one")])),
            2 | 4 => Operation::Lease { queue: queue(), requests: vec![LeaseSpec { batch: 1, lease: None }] },
            3 => Operation::Settle(Settle::all(queue(), None, held, &retry)),
            _ => Operation::Settle(Settle::all(queue(), None, held, &SettleAction::Complete { attempt: None })),
        };
        history.step(op).unwrap();
        history.machine.close().unwrap();
    }
    history
}

const WHOLE: usize = 6;

#[test]
fn a_log_as_it_was_is_not_suspected() {
    let history = short_life(WHOLE);
    assert!(!is_noticed(&history, &history.machine.log));
}

#[test]
fn a_fact_that_is_missing_is_noticed() {
    let history = short_life(WHOLE);
    for missing in 0..history.machine.log.len() {
        let mut log = history.machine.log.clone();
        log.remove(missing);
        assert!(is_noticed(&history, &log), "record {missing} of {}", log.len() + 1);
    }
}

#[test]
fn two_facts_in_the_wrong_order_are_noticed() {
    for steps in 2..=WHOLE {
        let history = short_life(steps);
        let mut log = history.machine.log.clone();
        let last = log.len() - 1;
        log.swap(last - 1, last);
        assert!(is_noticed(&history, &log), "the last two of {steps} steps");
    }
}

#[test]
fn most_facts_of_any_history_are_missed_when_they_are_missing() {
    let (mut noticed, mut all) = (0, 0);
    for seed in 0..10 {
        let mut history = History::new(seed, Plan { steps: 60, ..USUAL });
        history.run().unwrap();
        let mut random = Random::new(seed);
        for _ in 0..20 {
            let mut log = history.machine.log.clone();
            log.remove(random.below(log.len()));
            all += 1;
            noticed += usize::from(is_noticed(&history, &log));
        }
    }
    // Settings, keys and cursors that were written again later are not missed.
    assert!(noticed * 100 >= all * 90, "{noticed} of {all}");
}

#[test]
fn a_machine_with_a_fault_is_found_out() {
    for fault in Fault::ALL {
        let plan = Plan { fault: Some(fault), ..USUAL };
        let is_found_out = (0..200).any(|seed| History::new(seed, plan).run().is_err());
        assert!(is_found_out, "{fault:?}");
    }
}
