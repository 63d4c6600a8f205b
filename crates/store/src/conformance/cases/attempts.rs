//! What whoever works on an item is told about the attempts before.

use crate::conformance::bed::Bed;
use redrive_core::{Category, ItemId, Outcome, QueueName, Span, Trigger};
use redrive_model::{Attempt, Cause, DeadCause, Restore, RetryAt, SettleAction, StoredItem};

use crate::conformance::words::{
    HOUR, MINUTE, attempt, complete, dead, failure_due, failure_for_good, retry, retry_at,
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

pub(in crate::conformance) async fn the_parts_that_failed_come_with_the_next_lease(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let first = bed.lease_one(&orders).await;
    assert_eq!(parts(&first), None);
    bed.settle(&orders, first.info.id, failed_in(&["x", "y"])).await.unwrap();
    let second = bed.lease_one(&orders).await;
    assert_eq!(parts(&second).unwrap(), ["x", "y"]);
    // A failure that names none leaves what is to be done as it is.
    bed.settle(&orders, second.info.id, failed_in(&[])).await.unwrap();
    let third = bed.lease_one(&orders).await;
    assert_eq!(parts(&third).unwrap(), ["x", "y"]);
    bed.settle(&orders, third.info.id, failed_in(&["y"])).await.unwrap();
    assert_eq!(parts(&bed.lease_one(&orders).await).unwrap(), ["y"]);
}

pub(in crate::conformance) async fn the_parts_that_failed_are_a_letters_too(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.max_attempts = 1).await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await;
    bed.settle(&orders, held.info.id, failed_in(&["x"])).await.unwrap();
    assert_eq!(parts(&bed.lease_one(&dead_queue).await).unwrap(), ["x"]);
}

pub(in crate::conformance) async fn a_claim_tells_the_letters_story(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let mut new = failure_due("f");
    new.context.trace_id = Some("trace".to_owned());
    new.context.parts = vec!["x".to_owned(), "y".to_owned()];
    bed.capture(&dead_queue, new).await;
    let held = bed.claim_one(&dead_queue).await;
    let context = held.context.as_ref().unwrap();
    let capture = context.capture.as_ref().unwrap();
    assert_eq!((capture.trace_id.as_deref(), capture.parts.len(), &context.parts), (Some("trace"), 2, &None));
    bed.settle(&dead_queue, held.info.id, failed_in(&["y"])).await.unwrap();
    bed.advance(HOUR);
    assert_eq!(parts(&bed.claim_one(&dead_queue).await).unwrap(), ["y"]);
}

/// Whoever leases a letter as if it were an item says nothing of the attempt; and of one that an archive ended nobody
/// knows anything.
pub(in crate::conformance) async fn every_attempt_at_a_letter_that_counts_leaves_a_record(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure_for_good("f")).await.letter;
    let condemn = SettleAction::RedeliverForHandOver { attempt: None };
    let ways = [
        (Some(retry()), Outcome::Failure, None),
        (Some(retry_at(bed.now())), Outcome::Failure, None),
        (Some(condemn), Outcome::Failure, None),
        (None, Outcome::Failure, Some(Cause::Lost)),
        (Some(dead()), Outcome::Failure, None),
        (Some(complete()), Outcome::Success, None),
    ];
    for (count, (verb, outcome, cause)) in (2..).zip(ways) {
        bed.advance(MINUTE);
        let held = bed.lease_one(&dead_queue).await;
        let told = format!("{verb:?}");
        match verb {
            Some(verb) => bed.settle(&dead_queue, held.info.id, verb).await.unwrap(),
            None => {
                bed.archive(&dead_queue, letter).await;
                let restore = Restore { queue: dead_queue.clone(), letters: vec![letter] };
                assert_eq!(bed.store().restore(restore).await, Ok(1));
            }
        }
        let record = bed.record(&dead_queue, letter).await;
        let newest = record.attempts.last().unwrap();
        assert_eq!((newest.outcome, newest.cause, newest.trigger), (outcome, cause, Trigger::Manual), "{told}");
        assert_eq!(newest.ended_at, Some(bed.now()), "{told}");
        let info = record.info.letter.as_ref().unwrap();
        assert_eq!((info.total_attempts, record.attempts.len()), (count, count as usize), "{told}");
        assert_eq!(
            info.category,
            Category::Network,
            "what nobody says anything of is no fault of another kind: {told}"
        );
    }
    let uncharged = bed.capture(&dead_queue, failure_for_good("g")).await.letter;
    let held = bed.lease_one(&dead_queue).await;
    let free = SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: false };
    bed.settle(&dead_queue, held.info.id, free).await.unwrap();
    assert_eq!(bed.record(&dead_queue, uncharged).await.attempts.len(), 1, "what costs nothing was no attempt");
}

/// Has an item under a new id, by one of the ways in which it gets one.
async fn renewed(bed: &Bed, orders: &QueueName, way: usize, id: ItemId) {
    let until = bed.after(MINUTE);
    match way {
        0 => bed.settle(orders, id, SettleAction::Release).await.unwrap(),
        1 => bed.settle(orders, id, SettleAction::Defer { until }).await.unwrap(),
        2 => bed.settle(orders, id, retry_at(until)).await.unwrap(),
        3 => bed.settle(orders, id, SettleAction::RedeliverForHandOver { attempt: None }).await.unwrap(),
        // Its lease runs out.
        _ => {}
    }
    bed.advance(HOUR);
}

pub(in crate::conformance) async fn work_is_known_by_the_id_of_its_first_delivery(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let first = bed.lease_one(&orders).await.info;
    assert_eq!(first.first_id, first.id);
    let mut id = first.id;
    for way in 0..5 {
        renewed(bed, &orders, way, id).await;
        let next = bed.lease_one(&orders).await.info;
        assert_ne!(next.id, id, "way {way}");
        assert_eq!(next.first_id, first.id, "way {way}");
        id = next.id;
    }
}

pub(in crate::conformance) async fn a_lost_attempt_leaves_a_record(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.max_attempts = 2).await;
    bed.produce(&orders, &["a"]).await;
    for _ in 0..2 {
        bed.lease_one(&orders).await;
        bed.advance(HOUR);
    }
    let letter = bed.only_item(&dead_queue).await.letter.unwrap().id;
    let causes: Vec<_> = bed.record(&dead_queue, letter).await.attempts.iter().map(|attempt| attempt.cause).collect();
    assert_eq!(causes, [Some(Cause::Lost), Some(Cause::Lost)]);
}

pub(in crate::conformance) async fn a_delivery_that_was_no_attempt_is_not_counted_at_death(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.max_attempts = 9).await;
    bed.produce(&orders, &["a"]).await;
    bed.lease_one(&orders).await;
    bed.advance(HOUR);
    let held = bed.lease_one(&orders).await;
    bed.settle(&orders, held.info.id, SettleAction::Dead { attempt: None, why: DeadCause::Spent }).await.unwrap();
    let letter = bed.only_item(&dead_queue).await.letter.unwrap().id;
    let death = bed.record(&dead_queue, letter).await.context.unwrap().death.unwrap();
    assert_eq!(death.attempts, 1, "the second delivery was none");
}

pub(in crate::conformance) async fn a_retry_is_not_early_by_a_tenth_of_a_second(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await;
    let soon = Span::from_millis(50);
    bed.settle(&orders, held.info.id, retry_at(bed.after(soon))).await.unwrap();
    bed.assert_nothing_to_lease(&orders).await;
    bed.advance(soon);
    bed.lease_one(&orders).await;
}
