//! The predicted size of a checkpoint.

use bytes::Bytes;
use redrive_core::{QueueName, Span, Time};
use redrive_model::{
    CreateQueue, DocumentRef, KeyCondition, KeyWrite, LeaseSpec, NewItem, OpContext, Produce, QueueSettings, WriteKeys,
};
use redrive_queue::{Apply, Checkpoint, Facts, ServeLeases, State, Tick};

const START: Time = Time::from_secs(1_800_000_000);

/// Disk space for a checkpoint is reserved by its predicted size: a larger checkpoint would run out of space, and a far
/// too large prediction would prevent checkpoints.
#[test]
fn the_predicted_size_of_a_checkpoint_is_a_close_upper_bound() {
    for (items, keys) in [(0, 0), (1_000, 0), (5_000, 0), (0, 500), (1_000, 500)] {
        check(state_of(items, keys), &format!("{items} items, {keys} keys"));
    }
}

/// Each lost attempt adds a document, and the image of an item lists all of its documents.
#[test]
fn the_predicted_size_includes_the_documents_of_attempts() {
    for leases in [1, 4, 12] {
        let mut state = state_of(300, 0);
        let mut now = START;
        for lease in 0..leases {
            expire_leases(&mut state, &mut now, lease);
        }
        check(state, &format!("{leases} leases"));
    }
}

fn check(mut state: State, what: &str) {
    let predicted = Checkpoint::bytes_of_all(&state);
    let mut facts = Facts::new();
    let mut checkpoint = Checkpoint::begin(&mut state, &mut facts);
    let mut left = predicted;
    let mut taken = on_disk(&facts);
    loop {
        facts.clear();
        let has_ended = checkpoint.proceed(&mut state, 2_048, &mut facts);
        taken += on_disk(&facts);
        let now = checkpoint.bytes_left(&state);
        assert!(now <= left, "{what}: {left} bytes were left, and then {now}");
        left = now;
        if has_ended {
            break;
        }
    }
    assert_eq!(left, 0);
    assert!(taken <= predicted, "{what}: {taken} of {predicted}");
    assert!(predicted <= taken * 3 / 2 + 4_096, "{what}: {taken} of {predicted}");
}

/// The size with the headers of records and batches in the log.
fn on_disk(facts: &Facts) -> usize {
    64 + facts.iter().map(|fact| fact.head.len() + fact.payload.len() + 24).sum::<usize>()
}

/// Leases all items and lets the leases expire.
fn expire_leases(state: &mut State, now: &mut Time, lease: u32) {
    let mut facts = Facts::new();
    let queue = state.number_of(&QueueName::new("orders").unwrap()).unwrap();
    let requests = [LeaseSpec { batch: 1_000, lease: None, notes_receipt: false }];
    ServeLeases { queue, requests: &requests }.apply(state, OpContext::new(*now, 1), &mut facts);
    state.kept(&facts, facts.iter().map(|_| DocumentRef { segment: 9, offset: 0, len: 8 }).collect::<Vec<_>>());
    *now = now.saturating_add(Span::from_hours(1));
    facts.clear();
    Tick { limit: 10_000 }.apply(state, OpContext::new(*now, 1), &mut facts);
    let places: Vec<_> =
        facts.iter().zip(0..).map(|(_, at)| DocumentRef { segment: 10 + lease, offset: at * 200, len: 150 }).collect();
    state.kept(&facts, places);
}

fn state_of(items: u32, keys: u32) -> State {
    let op = OpContext::new(START, 1);
    let (mut state, mut facts) = (State::new(), Facts::new());
    let queue = QueueName::new("orders").unwrap();
    CreateQueue { settings: QueueSettings::new(queue.clone()) }.apply(&mut state, op, &mut facts).unwrap();
    state.kept(&facts, [DocumentRef { segment: 1, offset: 0, len: 8 }]);
    for number in 0..items {
        facts.clear();
        let produce = Produce::new(queue.clone(), vec![NewItem::of_payload("one")]);
        produce.apply(&mut state, op, &mut facts).unwrap();
        state.kept(&facts, [DocumentRef { segment: 1 + number / 500, offset: number % 500 * 200, len: 120 }]);
    }
    for number in 0..keys {
        facts.clear();
        let key = Bytes::from(format!("cursor/{number}"));
        let write = KeyWrite { key, value: Some(Bytes::from_static(&[7; 40])), condition: KeyCondition::Any };
        WriteKeys { writes: vec![write] }.apply(&mut state, op, &mut facts).unwrap();
    }
    state
}
