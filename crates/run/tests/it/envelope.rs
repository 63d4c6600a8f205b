//! A letter's content and size stay the same, however often it is retried or dies again.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Category, LetterId, Outcome, Span, Status, Trigger};
use redrive_model::{
    Attempt, ClaimById, Content, DeadCause, FullLetter, Header, Lease, LeaseSpec, ListLetters, NewItem, NewLetter,
    RetryAt, SettleAction,
};
use redrive_run::{Handler, OriginTarget, Processor, ProcessorSettings};
use redrive_store::Store;

use crate::fixture::{Fixture, LEASE, dead, policy, queue_name, with_fixture, without_breaker};

const CYCLES: usize = 1_000;

/// Binary everywhere, with a repeated header and one without a value.
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

/// The size of what a letter carries besides its payload, in bytes.
fn envelope_bytes(record: &FullLetter) -> usize {
    let headers = record.content.headers.iter().map(|header| header.name.len() + header.value.len());
    let source_id = record.info.source_id.as_deref().map_or(0, str::len);
    serde_json::to_vec(&record.context).unwrap().len() + headers.sum::<usize>() + source_id
}

/// Makes the item of `orders` dead, and returns its letter.
async fn give_up(fixture: &Fixture) -> LetterId {
    let store = &fixture.store.local;
    let spec = LeaseSpec { batch: 1, lease: None, notes_receipt: false };
    let lease = Lease { queue: queue_name("orders"), client_id: None, spec, wait: Span::ZERO };
    let held = store.lease(lease).await.unwrap().items.remove(0).info.id;
    let action = SettleAction::Dead { attempt: Some(Box::new(failed())), why: DeadCause::Permanent };
    store.settle_all(queue_name("orders"), None, vec![held], action).await.unwrap();
    let list = ListLetters { queue: dead(), statuses: vec![Status::Pending], after: None, limit: 10 };
    let pending = store.letters(list).await.unwrap();
    assert_eq!(pending.len(), 1);
    pending[0].info.letter.as_ref().unwrap().id
}

/// Headers that describe the last failure and accumulate would grow until no broker accepts them.
#[test]
fn the_envelope_does_not_grow_over_a_thousand_deaths_and_returns() {
    with_fixture(async |fixture| {
        let item = NewItem { content: Arc::new(content()), ..NewItem::of_payload(Bytes::new()) };
        fixture.produce([NewItem { message_id: Some("order-17".into()), ..item }]).await;
        let settings = ProcessorSettings {
            runner: without_breaker(1),
            lease: LEASE,
            policy: policy(),
            interval: Span::from_mins(1),
        };
        let mut processor = Processor::new(fixture.store(), Arc::new(fixture.clock.clone()), settings);
        let handler: Arc<dyn Handler> = Arc::new(OriginTarget::new(fixture.store(), dead()));
        processor.add(dead(), handler).unwrap();
        let mut after_the_first = None;
        for cycle in 0..CYCLES {
            let letter = give_up(&fixture).await;
            let record = fixture.record(letter).await;
            assert_eq!(*record.content, content(), "cycle {cycle}");
            // The produced item has its producer's message id; an item that came back has the id of its letter.
            if cycle > 0 {
                let expected = *after_the_first.get_or_insert_with(|| envelope_bytes(&record));
                assert_eq!(envelope_bytes(&record), expected, "cycle {cycle}");
            }
            assert!(processor.retry(&dead(), letter, "ann").await.unwrap().is_success(), "cycle {cycle}");
        }
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_letter_does_not_grow_after_twenty_failed_retries() {
    with_fixture(async |fixture| {
        let new = NewLetter { content: Arc::new(content()), ..fixture.letter("a", "x") };
        let letter = fixture.capture([new]).await[0];
        let mut after_twenty = None;
        for cycle in 1..=CYCLES {
            let claim =
                ClaimById { queue: dead(), letters: vec![letter.into()], lease: LEASE, trigger: Trigger::Manual };
            let held = fixture.store.local.claim_by_id(claim).await.unwrap().letters.remove(0).info.id;
            let action =
                SettleAction::Retry { at: RetryAt::Undecided(None), attempt: Some(Box::new(failed())), charged: true };
            fixture.store.local.settle_all(dead(), None, vec![held], action).await.unwrap();
            if cycle >= 21 && cycle % 100 == 0 {
                let record = fixture.record(letter).await;
                let documents = record.clone().documents().count();
                let now = (envelope_bytes(&record), record.attempts.len(), documents);
                assert_eq!(now, *after_twenty.get_or_insert(now), "cycle {cycle}");
                assert_eq!(*record.content, content(), "cycle {cycle}");
            }
        }
        let info = fixture.info(letter).await.letter.unwrap();
        assert_eq!((info.total_attempts, info.retries), (1_001, 1_000), "the count is exact");
    });
}
