//! Letters that depend on other letters.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, Ksuid, LetterId, QueueName, RetryPolicy, Status};
use redrive_model::{Archive, CaptureContext, NewLetter, Purge, Rejection, Restore};

use crate::conformance::samples::{HOUR, MINUTE, failed, failure, failure_due, failure_for_good, rejection};

/// A failure that depends on other letters.
fn after(source_id: &str, letters: &[LetterId]) -> NewLetter {
    NewLetter {
        context: CaptureContext { depends_on: letters.to_vec(), ..CaptureContext::default() },
        policy: RetryPolicy::Immediate,
        ..failure(source_id)
    }
}

async fn complete_by_hand(fixture: &StoreFixture, queue: &QueueName, letter: LetterId) {
    let held = fixture.claim_by_hand(queue, letter).await.unwrap();
    fixture.complete(queue, held.info.id).await.unwrap();
}

pub(in crate::conformance) async fn a_letter_is_retried_when_all_its_dependencies_are_completed(
    fixture: &StoreFixture,
) {
    let queue = fixture.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = fixture.capture(&queue, failure_for_good("f-1")).await.letter;
    let second = fixture.capture(&queue, failure_for_good("f-2")).await.letter;
    let last = fixture.capture(&queue, after("f-3", &[first, second, first])).await.letter;
    let info = fixture.info(&queue, last).await;
    assert!(info.is_blocked && info.status == Status::Pending && info.next_retry_at.is_none(), "{info:?}");
    assert_eq!(fixture.stats(&queue).await.letters.blocked, 1);
    fixture.advance(HOUR);
    assert!(fixture.claim_all(&queue).await.is_empty());
    complete_by_hand(fixture, &queue, first).await;
    assert!(fixture.claim_all(&queue).await.is_empty(), "one dependency is left");
    complete_by_hand(fixture, &queue, second).await;
    assert!(!fixture.info(&queue, last).await.is_blocked);
    assert_eq!(fixture.stats(&queue).await.letters.blocked, 0);
    let held = fixture.claim_one(&queue).await;
    assert_eq!(held.info.letter.unwrap().id, last);
}

pub(in crate::conformance) async fn a_letter_waits_across_a_restart(fixture: &StoreFixture) {
    let queue = fixture.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = fixture.capture(&queue, failure_for_good("f-1")).await.letter;
    let second = fixture.capture(&queue, failure_for_good("f-2")).await.letter;
    let last = fixture.capture(&queue, after("f-3", &[first, second])).await.letter;
    complete_by_hand(fixture, &queue, first).await;
    fixture.reopen().await;
    assert!(fixture.info(&queue, last).await.is_blocked);
    assert!(fixture.claim_all(&queue).await.is_empty(), "one dependency is left");
    complete_by_hand(fixture, &queue, second).await;
    assert_eq!(fixture.claim_one(&queue).await.info.letter.unwrap().id, last);
}

pub(in crate::conformance) async fn completing_a_dependency_wakes_a_waiting_claim(fixture: &StoreFixture) {
    let queue = fixture.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = fixture.capture(&queue, failure_for_good("f-1")).await.letter;
    let last = fixture.capture(&queue, after("f-2", &[first])).await.letter;
    let waiter = fixture.wait_for_letters(&queue, &[]).await;
    complete_by_hand(fixture, &queue, first).await;
    let claimed = waiter.answer().await.unwrap();
    assert_eq!(claimed[0].info.letter.as_ref().unwrap().id, last);
}

pub(in crate::conformance) async fn a_blocked_letter_stays_blocked_after_a_failed_manual_retry(fixture: &StoreFixture) {
    let queue = fixture.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = fixture.capture(&queue, failure_for_good("f-1")).await.letter;
    let last = fixture.capture(&queue, after("f-2", &[first])).await.letter;
    let held = fixture.claim_by_hand(&queue, last).await.unwrap();
    fixture.settle(&queue, held.info.id, failed("again", Category::Transient)).await.unwrap();
    let info = fixture.info(&queue, last).await;
    assert!(info.is_blocked && info.next_retry_at.is_none() && info.retries == 1, "{info:?}");
    fixture.archive(&queue, last).await;
    complete_by_hand(fixture, &queue, first).await;
    fixture.store().restore(Restore { queue: queue.clone(), letters: vec![last] }).await.unwrap();
    fixture.advance(MINUTE);
    assert_eq!(fixture.claim_one(&queue).await.info.letter.unwrap().id, last, "it was unblocked while it was archived");
}

pub(in crate::conformance) async fn a_letter_stays_blocked_by_failed_archived_and_removed_dependencies(
    fixture: &StoreFixture,
) {
    let queue = fixture.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let spent = fixture.capture(&queue, NewLetter { max_retries: 1, ..failure_due("spent") }).await.letter;
    let away = fixture.capture(&queue, failure_for_good("away")).await.letter;
    let gone = fixture.capture(&queue, failure_for_good("gone")).await.letter;
    let mut waiting = Vec::new();
    for letter in [spent, away, gone] {
        waiting.push(fixture.capture(&queue, after(&format!("after {letter}"), &[letter])).await.letter);
    }
    let held = fixture.claim_one(&queue).await;
    fixture.settle(&queue, held.info.id, failed("again", Category::Transient)).await.unwrap();
    fixture.store().archive(Archive { queue: queue.clone(), letters: vec![away] }).await.unwrap();
    fixture.store().purge(Purge { queue: queue.clone(), letters: vec![gone] }).await.unwrap();
    fixture.advance(HOUR);
    assert!(fixture.claim_all(&queue).await.is_empty());
    complete_by_hand(fixture, &queue, spent).await;
    let claimed = fixture.claim_one(&queue).await.info.letter.unwrap();
    assert_eq!(claimed.id, waiting[0], "its dependency was completed manually");
    complete_by_hand(fixture, &queue, waiting[2]).await;
}

pub(in crate::conformance) async fn an_unblocked_letter_gets_its_regular_schedule(fixture: &StoreFixture) {
    let queue = fixture.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = fixture.capture(&queue, failure_for_good("f-1")).await.letter;
    let in_a_minute =
        NewLetter { policy: RetryPolicy::Exponential, failed_at: fixture.now(), ..after("f-2", &[first]) };
    let last = fixture.capture(&queue, in_a_minute).await.letter;
    let due = fixture.after(MINUTE);
    complete_by_hand(fixture, &queue, first).await;
    assert_eq!(fixture.info(&queue, last).await.next_retry_at, Some(due));
    let completed = fixture.capture(&queue, after("f-3", &[first])).await.letter;
    assert!(!fixture.info(&queue, completed).await.is_blocked, "its dependency is already completed");
}

pub(in crate::conformance) async fn dependencies_must_exist(fixture: &StoreFixture) {
    let queue = fixture.queue("dead").await;
    let other = fixture.queue("other").await;
    let elsewhere = fixture.capture(&other, failure("f-1")).await.letter;
    for unknown in [elsewhere, LetterId::new(Ksuid::MAX)] {
        let rejected = fixture.try_capture(&queue, vec![failure("f-1"), after("f-2", &[unknown])]).await;
        assert_eq!(rejection(rejected), Rejection::NoSuchDependency(unknown));
    }
    let first = fixture.capture(&queue, failure("f-0")).await.letter;
    let too_many = fixture.try_capture(&queue, vec![after("f-2", &[first; 33])]).await;
    assert_eq!(rejection(too_many), Rejection::TooMany { what: "depends_on", count: 33, most: 32 });
    assert_eq!(fixture.stats(&queue).await.letters.live(), 1, "all or none");
}

pub(in crate::conformance) async fn at_most_a_hundred_letters_depend_on_one(fixture: &StoreFixture) {
    let queue = fixture.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = fixture.capture(&queue, failure_for_good("first")).await.letter;
    let waiting = |range: std::ops::Range<u32>| range.map(|number| after(&format!("f-{number}"), &[first])).collect();
    for begin in [0, 30, 60] {
        fixture.try_capture(&queue, waiting(begin..begin + 30)).await.unwrap();
    }
    let most = Rejection::TooManyDependents { letter: first, most: 100 };
    assert_eq!(rejection(fixture.try_capture(&queue, waiting(90..101)).await), most);
    fixture.try_capture(&queue, waiting(90..100)).await.unwrap();
    assert_eq!(rejection(fixture.try_capture(&queue, waiting(100..101)).await), most);
    complete_by_hand(fixture, &queue, first).await;
    let stats = fixture.stats(&queue).await;
    assert_eq!((stats.letters.blocked, stats.overdue), (0, 100), "all of them are unblocked at once");
}
