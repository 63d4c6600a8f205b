//! Relocation of documents.

use bytes::Bytes;
use redrive_core::{QueueName, Time};
use redrive_model::{Clear, CreateQueue, DocumentRef, NewItem, OpContext, Produce, QueueSettings};
use redrive_queue::{Apply, Facts, Relocate, State};

/// A checkpoint does not contain cleared items: a recovery from it would reject a fact about their documents, and the
/// store would not open again.
#[test]
fn documents_of_cleared_items_are_not_relocated() {
    let op = OpContext::new(Time::from_secs(1_800_000_000), 1);
    let (mut state, queue) = one_item(op);
    let record = Bytes::from_static(b"\0\0\0\0one");
    let relocate = |old| Relocate::new(0, old, 3, &record).unwrap();
    let mut facts = Facts::new();
    assert!(relocate(PLACE).apply(&mut state, op, &mut facts), "the item holds the document");

    let (mut state, _) = one_item(op);
    Clear { queue, ready: true, destructive: false, scheduled: false }.apply(&mut state, op, &mut facts).unwrap();
    facts.clear();
    assert!(!relocate(PLACE).apply(&mut state, op, &mut facts));
    assert!(facts.is_empty());
}

/// The place of the item's content.
const PLACE: DocumentRef = DocumentRef { segment: 1, offset: 1, len: 8 };

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
