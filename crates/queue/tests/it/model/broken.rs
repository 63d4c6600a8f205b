//! Tests of the tests: the comparison detects a faulty machine.

use redrive_core::QueueName;
use redrive_model::{CreateQueue, LeaseSpec, NewItem, Produce, QueueSettings, RetryAt, Settle, SettleAction};
use redrive_store::conformance::model::naive::Item;
use redrive_store::conformance::model::operation::Operation;
use redrive_store::conformance::model::random::Random;

use super::compare::Checked;
use super::fault::Fault;
use super::history::History;
use super::machine::{Record, check_same_state, recover};
use super::{Plan, USUAL};

/// Whether the comparison detects that this log is not the log of that history.
fn is_detected(history: &History, log: &[Record]) -> bool {
    let found: Checked = recover(None, log).and_then(|state| {
        check_same_state(&history.machine.state, &state)?;
        super::compare::same("the usage of segment_usage", state.segment_usage(), history.machine.state.segment_usage())
    });
    found.is_err()
}

/// The first steps of a short history in which every record matters and depends on the previous one.
fn short_history(steps: usize) -> History {
    let mut history = History::new(0, USUAL);
    let queue = || QueueName::new("short").unwrap();
    for step in 0..steps {
        let held = history.model.items.iter().filter(|item| item.is_leased()).map(Item::id).collect();
        let retry = SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true };
        let op = match step {
            0 => Operation::CreateQueue(CreateQueue { settings: QueueSettings::new(queue()) }),
            1 => Operation::Produce(Produce::new(queue(), vec![NewItem::of_payload("one")])),
            2 | 4 => Operation::Lease {
                queue: queue(),
                requests: vec![LeaseSpec { batch: 1, lease: None, notes_receipt: false }],
            },
            3 => Operation::Settle(Settle::all(queue(), None, held, &retry)),
            _ => Operation::Settle(Settle::all(queue(), None, held, &SettleAction::Complete { attempt: None })),
        };
        history.step(op).unwrap();
        history.machine.close().unwrap();
    }
    history
}

const ALL_STEPS: usize = 6;

#[test]
fn an_unchanged_log_is_accepted() {
    let history = short_history(ALL_STEPS);
    assert!(!is_detected(&history, &history.machine.log));
}

#[test]
fn a_missing_fact_is_detected() {
    let history = short_history(ALL_STEPS);
    for missing in 0..history.machine.log.len() {
        let mut log = history.machine.log.clone();
        log.remove(missing);
        assert!(is_detected(&history, &log), "record {missing} of {}", log.len() + 1);
    }
}

#[test]
fn two_swapped_facts_are_detected() {
    for steps in 2..=ALL_STEPS {
        let history = short_history(steps);
        let mut log = history.machine.log.clone();
        let last = log.len() - 1;
        log.swap(last - 1, last);
        assert!(is_detected(&history, &log), "the last two of {steps} steps");
    }
}

#[test]
fn most_missing_facts_of_random_histories_are_detected() {
    let (mut detected, mut all) = (0, 0);
    for seed in 0..10 {
        let mut history = History::new(seed, Plan { steps: 60, ..USUAL });
        history.run().unwrap();
        let mut random = Random::new(seed);
        for _ in 0..20 {
            let mut log = history.machine.log.clone();
            log.remove(random.below(log.len()));
            all += 1;
            detected += usize::from(is_detected(&history, &log));
        }
    }
    // A missing write of settings, keys or cursors has no effect if a later one replaces it.
    assert!(detected * 100 >= all * 90, "{detected} of {all}");
}

#[test]
fn every_fault_of_a_machine_is_detected() {
    for fault in Fault::ALL {
        let plan = Plan { fault: Some(fault), ..USUAL };
        let is_detected = (0..200).any(|seed| History::new(seed, plan).run().is_err());
        assert!(is_detected, "{fault:?}");
    }
}
