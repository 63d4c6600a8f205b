//! Documents that are written again elsewhere.

use bytes::Bytes;
use redrive_core::{QueueName, Time};
use redrive_model::{Clear, CreateQueue, DocumentRef, NewItem, OpContext, Produce, QueueSettings};
use redrive_queue::{Apply, Facts, Relocate, State};

/// A description of the state leaves out what was cleared away: a fact about its documents would be one about
/// something that whoever reads along has never heard of, and the store would not open again.
#[test]
fn what_was_cleared_away_is_not_written_again() {
    let op = OpContext::new(Time::from_secs(1_800_000_000), 1);
    let (mut state, queue) = one_item(op);
    let record = Bytes::from_static(b"\0\0\0\0one");
    let relocate = |old| Relocate::new(0, old, 3, &record).unwrap();
    let mut facts = Facts::new();
    assert!(relocate(PLACE).apply(&mut state, op, &mut facts), "it is held");

    let (mut state, _) = one_item(op);
    Clear { queue, ready: true, destructive: false, scheduled: false }.apply(&mut state, op, &mut facts).unwrap();
    facts.clear();
    assert!(!relocate(PLACE).apply(&mut state, op, &mut facts));
    assert!(facts.is_empty());
}

/// Where the item's content is kept.
const PLACE: DocumentRef = DocumentRef { shelf: 1, offset: 1, len: 8 };

fn one_item(op: OpContext) -> (State, QueueName) {
    let mut state = State::new();
    let mut facts = Facts::new();
    let queue = QueueName::new("orders").unwrap();
    CreateQueue { settings: QueueSettings::new(queue.clone()) }.apply(&mut state, op, &mut facts).unwrap();
    let items = vec![NewItem::of_payload("one")];
    Produce::new(queue.clone(), items).apply(&mut state, op, &mut facts).unwrap();
    state.kept(&facts, [DocumentRef { offset: 0, ..PLACE }, PLACE]);
    (state, queue)
}
