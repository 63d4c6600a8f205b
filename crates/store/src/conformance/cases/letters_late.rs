//! Results that arrive after their claim has ended.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, ItemId, LetterId, Outcome, QueueName, Status, Time, Trigger};
use redrive_model::{
    Attempt, Cause, DeadCause, Edit, Event, OnRejected, Rejection, RetryAt, Settle, SettleAction, Settled, Settlement,
};

use crate::conformance::samples::{
    HOUR, INSTANT, MINUTE, attempt, complete, dead, failed, failure, failure_due, rejection, retry,
};

/// A letter that was archived while it was claimed, and the id of the claim.
async fn archived(fixture: &StoreFixture, queue: &QueueName, source_id: &str) -> (LetterId, ItemId) {
    let letter = fixture.capture(queue, failure_due(source_id)).await.letter;
    let held = fixture.claim_one(queue).await.info.id;
    fixture.archive(queue, letter).await;
    (letter, held)
}

async fn assert_too_late(fixture: &StoreFixture, queue: &QueueName, id: ItemId, verb: SettleAction) {
    assert_eq!(rejection(fixture.settle(queue, id, verb).await), Rejection::NoSuchItem(id));
}

pub(in crate::conformance) async fn a_late_result_is_kept_and_changes_nothing(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let (letter, held) = archived(fixture, &dead_queue, "f-1").await;
    let before = fixture.record(&dead_queue, letter).await;
    let counts = fixture.stats(&dead_queue).await;
    fixture.advance(MINUTE);
    let record = attempt("too slow", Category::Resource);
    let late = Attempt { cause: Some(Cause::Late), ..record.clone() };
    for verb in [
        SettleAction::Retry {
            at: RetryAt::Undecided(Some(fixture.now())),
            attempt: Some(Box::new(record.clone())),
            charged: true,
        },
        SettleAction::Dead { attempt: Some(Box::new(record.clone())), why: DeadCause::Exhausted },
        SettleAction::Complete { attempt: Some(Box::new(record)) },
    ] {
        assert_too_late(fixture, &dead_queue, held, verb).await;
    }
    fixture.reopen().await;
    let after = fixture.record(&dead_queue, letter).await;
    assert_eq!(after.attempts[before.attempts.len()..], [late.clone(), late.clone(), late]);
    let (mut expected, found) = (before.info, after.info);
    let changed = found.letter.as_ref().expect("a letter");
    let letter = expected.letter.as_mut().expect("a letter");
    assert!(changed.revision > letter.revision, "the feed lists the change");
    (letter.revision, letter.updated_at) = (changed.revision, changed.updated_at);
    assert_eq!(found, expected);
    let stats = fixture.stats(&dead_queue).await;
    assert_eq!(stats.counts.of(Event::Annotated), counts.counts.of(Event::Annotated) + 3);
    assert_eq!((stats.letters, stats.failure_groups), (counts.letters, counts.failure_groups));
}

pub(in crate::conformance) async fn a_late_success_is_recorded(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let (letter, held) = archived(fixture, &dead_queue, "f-1").await;
    fixture.advance(MINUTE);
    assert_too_late(fixture, &dead_queue, held, complete()).await;
    let expected = Attempt {
        cause: Some(Cause::Late),
        ended_at: Some(fixture.now()),
        ..Attempt::new(Trigger::Automatic, Outcome::Success)
    };
    let record = fixture.record(&dead_queue, letter).await;
    assert_eq!(record.attempts.last(), Some(&expected));
    assert_eq!(record.info.letter.expect("a letter").status, Status::Archived);
}

pub(in crate::conformance) async fn a_late_result_does_not_disturb_the_next_holder(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure_due("f-1")).await;
    let lost = fixture.claim_one(&dead_queue).await.info.id;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(fixture.info(&dead_queue, letter).await.next_retry_at, Some(fixture.after(MINUTE)));
    fixture.advance(MINUTE);
    let held = fixture.claim_one(&dead_queue).await.info.id;
    assert_too_late(fixture, &dead_queue, lost, failed("too slow", Category::Network)).await;
    let causes: Vec<_> =
        fixture.record(&dead_queue, letter).await.attempts.iter().map(|attempt| attempt.cause).collect();
    assert_eq!(causes, [None, Some(Cause::Lost), Some(Cause::Late)]);
    fixture.complete(&dead_queue, held).await.expect("the next holder still has the letter");
    let info = fixture.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.retries, info.total_attempts), (Status::Completed, 1, 3));
}

pub(in crate::conformance) async fn a_result_is_late_after_an_edit_too(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    let held = fixture.claim_by_hand(&dead_queue, letter).await.unwrap().info.id;
    fixture.settle(&dead_queue, held, SettleAction::Release).await.unwrap();
    let queue = dead_queue.clone();
    let edit = Edit { queue, letter, content: None, policy: None, max_retries: Some(9), priority: None };
    let edited = fixture.store().edit(edit).await.unwrap().id;
    assert_too_late(fixture, &dead_queue, held, failed("after all", Category::Network)).await;
    let record = fixture.record(&dead_queue, letter).await;
    assert_eq!(record.attempts.last().and_then(|attempt| attempt.cause), Some(Cause::Late));
    assert_eq!(record.info.id, edited);
}

pub(in crate::conformance) async fn actions_without_an_attempt_leave_no_record(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let (letter, held) = archived(fixture, &dead_queue, "f-1").await;
    let before = fixture.record(&dead_queue, letter).await;
    let redeliver = SettleAction::RedeliverForHandOver {
        at: Time::MIN,
        attempt: Some(Box::new(attempt("no hand-over", Category::Network))),
    };
    for verb in [SettleAction::Release, SettleAction::Defer { until: fixture.after(HOUR) }, redeliver, retry(), dead()]
    {
        assert_too_late(fixture, &dead_queue, held, verb).await;
    }
    assert_eq!(fixture.record(&dead_queue, letter).await, before);
}

pub(in crate::conformance) async fn only_a_former_id_of_a_letter_is_late(fixture: &StoreFixture) {
    let (dead_queue, other) = (fixture.queue("dead").await, fixture.queue("other").await);
    let (first, of_first) = archived(fixture, &dead_queue, "f-1").await;
    let second = fixture.capture(&dead_queue, failure_due("f-2")).await.letter;
    let done = fixture.claim_one(&dead_queue).await.info.id;
    fixture.complete(&dead_queue, done).await.unwrap();
    let before = [fixture.record(&dead_queue, first).await, fixture.record(&dead_queue, second).await];
    assert_too_late(fixture, &other, of_first, complete()).await;
    assert_too_late(fixture, &dead_queue, done, complete()).await;
    let after = [fixture.record(&dead_queue, first).await, fixture.record(&dead_queue, second).await];
    assert_eq!(after, before, "neither results of another queue nor accepted ones are recorded as late");
}

pub(in crate::conformance) async fn items_before_a_late_result_stay_settled(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let (late, stale) = archived(fixture, &dead_queue, "f-1").await;
    let mut held = Vec::new();
    for source_id in ["f-2", "f-3"] {
        let letter = fixture.capture(&dead_queue, failure_due(source_id)).await.letter;
        held.push((letter, fixture.claim_one(&dead_queue).await.info.id));
    }
    let ids = [held[0].1, stale, held[1].1];
    let items = ids.map(|id| Settlement { id, action: complete() }).to_vec();
    let settled = fixture
        .store()
        .settle(Settle { queue: dead_queue.clone(), partition: None, items, on_rejected: OnRejected::Stop })
        .await;
    assert_eq!(settled, Ok(vec![Ok(Settled::Completed), Err(Rejection::NoSuchItem(stale))]));
    fixture.reopen().await;
    assert_eq!(fixture.status(&dead_queue, held[0].0).await, Status::Completed);
    assert_eq!(fixture.status(&dead_queue, held[1].0).await, Status::Retrying);
    let cause = fixture.record(&dead_queue, late).await.attempts.last().and_then(|attempt| attempt.cause);
    assert_eq!(cause, Some(Cause::Late));
}
