//! What the holder of an item learns about earlier attempts, and which attempts are recorded.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, ItemId, Outcome, QueueName, Span, Time, Trigger};
use redrive_model::{Attempt, Cause, DeadCause, Restore, RetryAt, SettleAction, StoredItem};

use crate::conformance::samples::{
    HOUR, MINUTE, attempt, complete, dead, failed, failure_due, failure_for_good, fingerprint, retry, retry_at,
};

/// A failure of some parts of the work.
fn failed_in(parts: &[&str]) -> SettleAction {
    let failed_parts = parts.iter().map(ToString::to_string).collect();
    let attempt = Attempt { failed_parts, ..attempt("half of it", Category::Network) };
    SettleAction::Retry { at: RetryAt::Undecided(None), attempt: Some(Box::new(attempt)), charged: true }
}

fn parts(stored: &StoredItem) -> Option<&[String]> {
    stored.context.as_ref()?.parts.as_deref()
}

pub(in crate::conformance) async fn failed_parts_are_delivered_with_the_next_lease(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let first = fixture.lease_one(&orders).await;
    assert_eq!(parts(&first), None);
    fixture.settle(&orders, first.info.id, failed_in(&["x", "y"])).await.unwrap();
    let second = fixture.lease_one(&orders).await;
    assert_eq!(parts(&second).unwrap(), ["x", "y"]);
    // A failure without failed parts does not change the remaining parts.
    fixture.settle(&orders, second.info.id, failed_in(&[])).await.unwrap();
    let third = fixture.lease_one(&orders).await;
    assert_eq!(parts(&third).unwrap(), ["x", "y"]);
    fixture.settle(&orders, third.info.id, failed_in(&["y"])).await.unwrap();
    assert_eq!(parts(&fixture.lease_one(&orders).await).unwrap(), ["y"]);
}

pub(in crate::conformance) async fn failed_parts_are_kept_by_the_letter(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 1).await;
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease_one(&orders).await;
    fixture.settle(&orders, held.info.id, failed_in(&["x"])).await.unwrap();
    assert_eq!(parts(&fixture.lease_one(&dead_queue).await).unwrap(), ["x"]);
}

pub(in crate::conformance) async fn a_claim_delivers_the_capture_context(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let mut new = failure_due("f");
    new.context.trace_id = Some("trace".to_owned());
    new.context.parts = vec!["x".to_owned(), "y".to_owned()];
    fixture.capture(&dead_queue, new).await;
    let held = fixture.claim_one(&dead_queue).await;
    let context = held.context.as_ref().unwrap();
    let capture = context.capture.as_ref().unwrap();
    assert_eq!((capture.trace_id.as_deref(), capture.parts.len(), &context.parts), (Some("trace"), 2, &None));
    fixture.settle(&dead_queue, held.info.id, failed_in(&["y"])).await.unwrap();
    fixture.advance(HOUR);
    assert_eq!(parts(&fixture.claim_one(&dead_queue).await).unwrap(), ["y"]);
}

/// A holder that leases a letter like an item reports no details of the attempt, and the result of an attempt that was
/// ended by an archive is unknown.
pub(in crate::conformance) async fn every_counted_attempt_at_a_letter_leaves_a_record(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure_for_good("f")).await;
    let redeliver = SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: None };
    let ways = [
        (Some(retry()), Outcome::Failure, None),
        (Some(retry_at(fixture.now())), Outcome::Failure, None),
        (Some(redeliver), Outcome::Failure, None),
        (None, Outcome::Failure, Some(Cause::Lost)),
        (Some(dead()), Outcome::Failure, None),
        (Some(complete()), Outcome::Success, None),
    ];
    for (count, (verb, outcome, cause)) in (2..).zip(ways) {
        fixture.advance(MINUTE);
        let held = fixture.lease_one(&dead_queue).await;
        let context = format!("{verb:?}");
        match verb {
            Some(verb) => fixture.settle(&dead_queue, held.info.id, verb).await.unwrap(),
            None => {
                fixture.archive(&dead_queue, letter).await;
                let restore = Restore { queue: dead_queue.clone(), letters: vec![letter] };
                assert_eq!(fixture.store().restore(restore).await, Ok(1));
            }
        }
        let record = fixture.record(&dead_queue, letter).await;
        let newest = record.attempts.last().unwrap();
        assert_eq!((newest.outcome, newest.cause, newest.trigger), (outcome, cause, Trigger::Manual), "{context}");
        assert_eq!(newest.ended_at, Some(fixture.now()), "{context}");
        let info = record.info.letter.as_ref().unwrap();
        assert_eq!((info.total_attempts, record.attempts.len()), (count, count as usize), "{context}");
        assert_eq!(
            info.category,
            Category::Network,
            "an attempt without details does not change the category: {context}"
        );
    }
    let uncharged = fixture.capture(&dead_queue, failure_for_good("g")).await.letter;
    let held = fixture.lease_one(&dead_queue).await;
    let free = SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: false };
    fixture.settle(&dead_queue, held.info.id, free).await.unwrap();
    assert_eq!(fixture.record(&dead_queue, uncharged).await.attempts.len(), 1, "an uncharged retry is not an attempt");
}

/// Gives an item a new id, in one of several ways.
async fn renewed(fixture: &StoreFixture, orders: &QueueName, way: usize, id: ItemId) {
    let until = fixture.after(MINUTE);
    match way {
        0 => fixture.settle(orders, id, SettleAction::Release).await.unwrap(),
        1 => fixture.settle(orders, id, SettleAction::Defer { until }).await.unwrap(),
        2 => fixture.settle(orders, id, retry_at(until)).await.unwrap(),
        3 => fixture
            .settle(orders, id, SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: None })
            .await
            .unwrap(),
        // Its lease expires.
        _ => {}
    }
    fixture.advance(HOUR);
}

pub(in crate::conformance) async fn the_id_of_the_first_delivery_is_kept(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let first = fixture.lease_one(&orders).await.info;
    assert_eq!(first.first_id, first.id);
    let mut id = first.id;
    for way in 0..5 {
        renewed(fixture, &orders, way, id).await;
        let next = fixture.lease_one(&orders).await.info;
        assert_ne!(next.id, id, "way {way}");
        assert_eq!(next.first_id, first.id, "way {way}");
        id = next.id;
    }
}

pub(in crate::conformance) async fn a_lost_attempt_leaves_a_record(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 2).await;
    fixture.produce(&orders, &["a"]).await;
    for _ in 0..2 {
        fixture.lease_one(&orders).await;
        fixture.advance(HOUR);
    }
    let letter = fixture.only_item(&dead_queue).await.letter.unwrap().id;
    let causes: Vec<_> =
        fixture.record(&dead_queue, letter).await.attempts.iter().map(|attempt| attempt.cause).collect();
    assert_eq!(causes, [Some(Cause::Lost), Some(Cause::Lost)]);
}

/// The letter of an item that died after several attempts shows each of them, reported or not.
pub(in crate::conformance) async fn every_counted_attempt_at_an_item_is_recorded_in_its_letter(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 4).await;
    fixture.produce(&orders, &["a"]).await;
    let uncharged = SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: false };
    let first_at = fixture.after(MINUTE);
    for verb in [retry(), failed("first", Category::Permanent), uncharged, failed("last", Category::Network), retry()] {
        fixture.advance(MINUTE);
        let held = fixture.lease_one(&orders).await;
        fixture.settle(&orders, held.info.id, verb).await.unwrap();
    }
    let info = fixture.only_item(&dead_queue).await.letter.unwrap();
    let record = fixture.record(&dead_queue, info.id).await;
    let attempts: Vec<_> = record.attempts.iter().map(|attempt| (attempt.outcome, attempt.error.as_str())).collect();
    assert_eq!(attempts, ["", "first", "last", ""].map(|error| (Outcome::Failure, error)));
    assert_eq!((record.attempts[0].ended_at, record.attempts[0].trigger), (Some(first_at), Trigger::Automatic));
    assert_eq!((info.total_attempts, record.context.unwrap().death.unwrap().attempts), (4, 4));
    assert_eq!(
        (info.category, info.fingerprint),
        (Category::Network, fingerprint("last")),
        "of the last known failure"
    );
    assert_eq!(info.retries, 0, "the dead queue has not retried it");
}

pub(in crate::conformance) async fn an_item_given_up_without_a_record_has_one_attempt(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease_one(&orders).await;
    fixture.settle(&orders, held.info.id, dead()).await.unwrap();
    let info = fixture.only_item(&dead_queue).await.letter.unwrap();
    let record = fixture.record(&dead_queue, info.id).await;
    assert_eq!((info.total_attempts, record.attempts.len()), (1, 1));
    assert_eq!(record.attempts[0].ended_at, Some(fixture.now()));
}

pub(in crate::conformance) async fn a_delivery_without_an_attempt_is_not_counted_at_death(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 9).await;
    fixture.produce(&orders, &["a"]).await;
    fixture.lease_one(&orders).await;
    fixture.advance(HOUR);
    let held = fixture.lease_one(&orders).await;
    fixture.settle(&orders, held.info.id, SettleAction::Dead { attempt: None, why: DeadCause::Spent }).await.unwrap();
    let letter = fixture.only_item(&dead_queue).await.letter.unwrap().id;
    let death = fixture.record(&dead_queue, letter).await.context.unwrap().death.unwrap();
    assert_eq!(death.attempts, 1, "the second delivery was not an attempt");
}

pub(in crate::conformance) async fn a_retry_is_not_early_by_a_tenth_of_a_second(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let held = fixture.lease_one(&orders).await;
    let soon = Span::from_millis(50);
    fixture.settle(&orders, held.info.id, retry_at(fixture.after(soon))).await.unwrap();
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.advance(soon);
    fixture.lease_one(&orders).await;
}
