//! What a letter carries stays as it was, however often it goes round.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Category, LetterId, Outcome, Span, Status, Trigger};
use redrive_model::{
    Attempt, ClaimById, Content, DeadCause, FullLetter, Header, Lease, LeaseSpec, ListLetters, NewItem, NewLetter,
    RetryAt, SettleAction,
};
use redrive_run::{BackToOrigin, Handler, Processor, ProcessorSettings};
use redrive_store::Store;

use crate::rig::{LEASE, World, dead, named, policy, run, unbroken};

const CYCLES: usize = 1_000;

/// Nothing in it is text, a header comes twice, and one has no value.
fn content() -> Content {
    let header = |name: &str, value: &'static [u8]| Header { name: name.to_owned(), value: Bytes::from_static(value) };
    Content {
        kind: "order.v1".to_owned(),
        encoding: "gzip".to_owned(),
        reference: "r-17".to_owned(),
        key: Some(Bytes::from_static(b"\x00key\xff")),
        headers: vec![header("trace", b"\xf0\x28\x8c\x28"), header("trace", b"two"), header("empty", b"")],
        payload: Bytes::from_static(b"\x1f\x8b\x08\x00\xff\xfe\x00payload"),
    }
}

fn failed() -> Attempt {
    Attempt {
        error: "HTTP 503".to_owned(),
        category: Some(Category::Transient),
        ..Attempt::new(Trigger::Manual, Outcome::Failure)
    }
}

/// What goes along with a letter, in bytes.
fn bytes(record: &FullLetter) -> usize {
    let headers = record.content.headers.iter().map(|header| header.name.len() + header.value.len());
    let source_id = record.info.source_id.as_deref().map_or(0, str::len);
    serde_json::to_vec(&record.context).unwrap().len() + headers.sum::<usize>() + source_id
}

/// The item of `orders` dies; its letter.
async fn dies(world: &World) -> LetterId {
    let store = &world.store.local;
    let spec = LeaseSpec { batch: 1, lease: None };
    let lease = Lease { queue: named("orders"), client_id: None, spec, wait: Span::ZERO };
    let held = store.lease(lease).await.unwrap().items.remove(0).info.id;
    let action = SettleAction::Dead { attempt: Some(Box::new(failed())), why: DeadCause::Permanent };
    store.settle_all(named("orders"), None, vec![held], action).await.unwrap();
    let list = ListLetters { queue: dead(), statuses: vec![Status::Pending], after: None, limit: 10 };
    let pending = store.letters(list).await.unwrap();
    assert_eq!(pending.len(), 1);
    pending[0].info.letter.as_ref().unwrap().id
}

/// Headers that tell of the last failure and are kept at the next one would grow until no broker takes them.
#[test]
fn a_thousand_times_dead_and_handed_back_the_envelope_is_as_large_as_after_the_first() {
    run(async {
        let world = World::new().await;
        let item = NewItem { content: Arc::new(content()), ..NewItem::of_payload(Bytes::new()) };
        world.produce([NewItem { message_id: Some("order-17".into()), ..item }]).await;
        let settings =
            ProcessorSettings { runner: unbroken(1), lease: LEASE, policy: policy(), interval: Span::from_mins(1) };
        let mut processor = Processor::new(world.store(), Arc::new(world.clock.clone()), settings);
        let back: Arc<dyn Handler> = Arc::new(BackToOrigin::new(world.store(), dead()));
        processor.add(dead(), back).unwrap();
        let mut after_the_first = None;
        for cycle in 0..CYCLES {
            let letter = dies(&world).await;
            let record = world.record(letter).await;
            assert_eq!(*record.content, content(), "cycle {cycle}");
            // The first came with a name of its own; those that were handed back have the letter's.
            if cycle > 0 {
                let expected = *after_the_first.get_or_insert_with(|| bytes(&record));
                assert_eq!(bytes(&record), expected, "cycle {cycle}");
            }
            assert!(processor.retry(&dead(), letter, "ann").await.unwrap().is_success(), "cycle {cycle}");
        }
        world.conserved().await;
    });
}

#[test]
fn a_thousand_failed_retries_leave_a_letter_as_large_as_twenty() {
    run(async {
        let world = World::new().await;
        let new = NewLetter { content: Arc::new(content()), ..world.letter("a", "x") };
        let letter = world.capture([new]).await[0];
        let mut after_twenty = None;
        for cycle in 1..=CYCLES {
            let claim =
                ClaimById { queue: dead(), letters: vec![letter.into()], lease: LEASE, trigger: Trigger::Manual };
            let held = world.store.local.claim_by_id(claim).await.unwrap().letters.remove(0).info.id;
            let action =
                SettleAction::Retry { at: RetryAt::Undecided(None), attempt: Some(Box::new(failed())), charged: true };
            world.store.local.settle_all(dead(), None, vec![held], action).await.unwrap();
            if cycle >= 21 && cycle % 100 == 0 {
                let record = world.record(letter).await;
                let documents = record.clone().documents().count();
                let now = (bytes(&record), record.attempts.len(), documents);
                assert_eq!(now, *after_twenty.get_or_insert(now), "cycle {cycle}");
                assert_eq!(*record.content, content(), "cycle {cycle}");
            }
        }
        let info = world.info(letter).await.letter.unwrap();
        assert_eq!((info.total_attempts, info.retries), (1_001, 1_000), "the count is exact");
    });
}
