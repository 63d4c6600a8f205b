//! Documents that are written again elsewhere.

use bytes::Bytes;
use redrive_core::{QueueName, Time};
use redrive_queue::{Clear, CreateQueue, Facts, Moment, NewItem, Place, Produce, QueueSettings, Relocate, State};

/// A description of the state leaves out what was cleared away: a fact about its documents would be one about
/// something that whoever reads along has never heard of, and the store would not open again.
#[test]
fn what_was_cleared_away_is_not_written_again() {
    let moment = Moment::new(Time::from_secs(1_800_000_000), 1);
    let (mut state, queue) = one_item(moment);
    let record = Bytes::from_static(b"\0\0\0\0one");
    let relocate = |old| Relocate::new(0, old, 3, &record).unwrap();
    let mut facts = Facts::new();
    assert!(relocate(PLACE).apply(&mut state, moment, &mut facts), "it is held");

    let (mut state, _) = one_item(moment);
    Clear { queue, ready: true, destructive: false, scheduled: false }.apply(&mut state, moment, &mut facts).unwrap();
    facts.clear();
    assert!(!relocate(PLACE).apply(&mut state, moment, &mut facts));
    assert!(facts.is_empty());
}

/// Where the item's content is kept.
const PLACE: Place = Place { shelf: 1, offset: 1, len: 8 };

fn one_item(moment: Moment) -> (State, QueueName) {
    let mut state = State::new();
    let mut facts = Facts::new();
    let queue = QueueName::new("orders").unwrap();
    CreateQueue { settings: QueueSettings::new(queue.clone()) }.apply(&mut state, moment, &mut facts).unwrap();
    let items = vec![NewItem::of_payload("one")];
    Produce { queue: queue.clone(), items }.apply(&mut state, moment, &mut facts).unwrap();
    state.kept(&facts, [Place { offset: 0, ..PLACE }, PLACE]);
    (state, queue)
}
