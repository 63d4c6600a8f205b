//! Results that come when their claim is over.

use crate::conformance::bed::Bed;
use redrive_core::{Category, ItemId, LetterId, Outcome, QueueName, Status, Trigger};
use redrive_model::{
    Attempt, Cause, DeadCause, Edit, Event, OnRejected, Rejection, RetryAt, Settle, SettleAction, Settled, Settlement,
};

use crate::conformance::words::{
    HOUR, INSTANT, MINUTE, attempt, complete, dead, failed, failure, failure_due, refusal, retry,
};

/// A letter that was archived while somebody retried it, and the id under which that was.
async fn archived(bed: &Bed, queue: &QueueName, source_id: &str) -> (LetterId, ItemId) {
    let letter = bed.capture(queue, failure_due(source_id)).await.letter;
    let held = bed.claim_one(queue).await.info.id;
    bed.archive(queue, letter).await;
    (letter, held)
}

async fn assert_too_late(bed: &Bed, queue: &QueueName, id: ItemId, verb: SettleAction) {
    assert_eq!(refusal(bed.settle(queue, id, verb).await), Rejection::NoSuchItem(id));
}

pub(in crate::conformance) async fn a_late_result_is_kept_and_changes_nothing(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let (letter, held) = archived(bed, &dead_queue, "f-1").await;
    let before = bed.record(&dead_queue, letter).await;
    let counts = bed.stats(&dead_queue).await;
    bed.advance(MINUTE);
    let record = attempt("too slow", Category::Resource);
    let late = Attempt { cause: Some(Cause::Late), ..record.clone() };
    for verb in [
        SettleAction::Retry {
            at: RetryAt::Undecided(Some(bed.now())),
            attempt: Some(Box::new(record.clone())),
            charged: true,
        },
        SettleAction::Dead { attempt: Some(Box::new(record.clone())), why: DeadCause::Exhausted },
        SettleAction::Complete { attempt: Some(Box::new(record)) },
    ] {
        assert_too_late(bed, &dead_queue, held, verb).await;
    }
    bed.reopen().await;
    let after = bed.record(&dead_queue, letter).await;
    assert_eq!(after.attempts[before.attempts.len()..], [late.clone(), late.clone(), late]);
    let (mut expected, found) = (before.info, after.info);
    let revision = found.letter.as_ref().map_or(0, |letter| letter.revision);
    let letter = expected.letter.as_mut().expect("a letter");
    assert!(revision > letter.revision, "whoever keeps a copy hears of it");
    letter.revision = revision;
    assert_eq!(found, expected);
    let stats = bed.stats(&dead_queue).await;
    assert_eq!(stats.tally.of(Event::Annotated), counts.tally.of(Event::Annotated) + 3);
    assert_eq!((stats.letters, stats.faults), (counts.letters, counts.faults));
}

pub(in crate::conformance) async fn a_late_success_is_known(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let (letter, held) = archived(bed, &dead_queue, "f-1").await;
    bed.advance(MINUTE);
    assert_too_late(bed, &dead_queue, held, complete()).await;
    let expected = Attempt {
        cause: Some(Cause::Late),
        ended_at: Some(bed.now()),
        ..Attempt::new(Trigger::Automatic, Outcome::Success)
    };
    let record = bed.record(&dead_queue, letter).await;
    assert_eq!(record.attempts.last(), Some(&expected));
    assert_eq!(record.info.letter.expect("a letter").status, Status::Archived);
}

pub(in crate::conformance) async fn a_late_result_does_not_disturb_the_next_holder(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure_due("f-1")).await.letter;
    let lost = bed.claim_one(&dead_queue).await.info.id;
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(bed.info(&dead_queue, letter).await.next_retry_at, Some(bed.after(MINUTE)));
    bed.advance(MINUTE);
    let held = bed.claim_one(&dead_queue).await.info.id;
    assert_too_late(bed, &dead_queue, lost, failed("too slow", Category::Network)).await;
    let causes: Vec<_> = bed.record(&dead_queue, letter).await.attempts.iter().map(|attempt| attempt.cause).collect();
    assert_eq!(causes, [None, Some(Cause::Lost), Some(Cause::Late)]);
    bed.complete(&dead_queue, held).await.expect("it still holds the letter");
    let info = bed.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.retries, info.total_attempts), (Status::Completed, 1, 3));
}

pub(in crate::conformance) async fn a_result_is_late_after_an_edit_too(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let held = bed.claim_by_hand(&dead_queue, letter).await.unwrap().info.id;
    bed.settle(&dead_queue, held, SettleAction::Release).await.unwrap();
    let queue = dead_queue.clone();
    let edit = Edit { queue, letter, content: None, policy: None, max_retries: Some(9), priority: None };
    let edited = bed.store().edit(edit).await.unwrap().id;
    assert_too_late(bed, &dead_queue, held, failed("after all", Category::Network)).await;
    let record = bed.record(&dead_queue, letter).await;
    assert_eq!(record.attempts.last().and_then(|attempt| attempt.cause), Some(Cause::Late));
    assert_eq!(record.info.id, edited);
}

pub(in crate::conformance) async fn what_says_nothing_of_an_attempt_leaves_no_record(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let (letter, held) = archived(bed, &dead_queue, "f-1").await;
    let before = bed.record(&dead_queue, letter).await;
    let condemn =
        SettleAction::RedeliverForHandOver { attempt: Some(Box::new(attempt("no hand-over", Category::Network))) };
    for verb in [SettleAction::Release, SettleAction::Defer { until: bed.after(HOUR) }, condemn, retry(), dead()] {
        assert_too_late(bed, &dead_queue, held, verb).await;
    }
    assert_eq!(bed.record(&dead_queue, letter).await, before);
}

pub(in crate::conformance) async fn only_a_former_id_of_a_letter_is_late(bed: &Bed) {
    let (dead_queue, other) = (bed.queue("dead").await, bed.queue("other").await);
    let (first, of_first) = archived(bed, &dead_queue, "f-1").await;
    let second = bed.capture(&dead_queue, failure_due("f-2")).await.letter;
    let done = bed.claim_one(&dead_queue).await.info.id;
    bed.complete(&dead_queue, done).await.unwrap();
    let before = [bed.record(&dead_queue, first).await, bed.record(&dead_queue, second).await];
    assert_too_late(bed, &other, of_first, complete()).await;
    assert_too_late(bed, &dead_queue, done, complete()).await;
    let after = [bed.record(&dead_queue, first).await, bed.record(&dead_queue, second).await];
    assert_eq!(after, before, "neither of another queue, nor what was taken in time");
}

pub(in crate::conformance) async fn what_stands_before_a_late_result_stays_settled(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let (late, stale) = archived(bed, &dead_queue, "f-1").await;
    let mut held = Vec::new();
    for source_id in ["f-2", "f-3"] {
        let letter = bed.capture(&dead_queue, failure_due(source_id)).await.letter;
        held.push((letter, bed.claim_one(&dead_queue).await.info.id));
    }
    let ids = [held[0].1, stale, held[1].1];
    let items = ids.map(|id| Settlement { id, action: complete() }).to_vec();
    let settled = bed
        .store()
        .settle(Settle { queue: dead_queue.clone(), partition: None, items, on_rejected: OnRejected::Stop })
        .await;
    assert_eq!(settled, Ok(vec![Ok(Settled::Completed), Err(Rejection::NoSuchItem(stale))]));
    bed.reopen().await;
    assert_eq!(bed.info(&dead_queue, held[0].0).await.status, Status::Completed);
    assert_eq!(bed.info(&dead_queue, held[1].0).await.status, Status::Retrying);
    let cause = bed.record(&dead_queue, late).await.attempts.last().and_then(|attempt| attempt.cause);
    assert_eq!(cause, Some(Cause::Late));
}
