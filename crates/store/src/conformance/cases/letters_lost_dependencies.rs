//! Letters whose dependency will not be completed.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, Cause, LetterId, QueueName, RetryPolicy, Status};
use redrive_model::{
    Attempt, CaptureContext, GetQueue, LetterOverrides, NewLetter, OnLostDependency, Purge, UpdateQueue,
};

use crate::conformance::samples::{HOUR, MINUTE, failed, failure, failure_due, failure_for_good};

async fn dead(fixture: &StoreFixture, then: OnLostDependency) -> QueueName {
    fixture
        .queue_with("dead", |settings| {
            settings.letters.letters_expire = Some(false);
            settings.letters.on_lost_dependency = Some(then);
        })
        .await
}

/// Changes the setting of a queue.
async fn set(fixture: &StoreFixture, queue: &QueueName, then: OnLostDependency) {
    let letters = fixture.store().queue(GetQueue { name: queue.clone() }).await.unwrap().letters;
    let letters = LetterOverrides { on_lost_dependency: Some(then), ..letters };
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
    fixture.store().update_queue(update).await.unwrap();
}

/// Captures a failure that depends on other letters.
async fn after(fixture: &StoreFixture, queue: &QueueName, source_id: &str, letters: &[LetterId]) -> LetterId {
    let letter = NewLetter {
        context: CaptureContext { depends_on: letters.to_vec(), ..CaptureContext::default() },
        policy: RetryPolicy::Immediate,
        ..failure(source_id)
    };
    fixture.capture(queue, letter).await.letter
}

/// A letter whose next retry is its last, and another that depends on it.
async fn two(fixture: &StoreFixture, queue: &QueueName) -> (LetterId, LetterId) {
    let first = fixture.capture(queue, NewLetter { max_retries: 1, ..failure_due("first") }).await.letter;
    (first, after(fixture, queue, "second", &[first]).await)
}

async fn fail_the_due_one(fixture: &StoreFixture, queue: &QueueName) {
    let held = fixture.claim_one(queue).await;
    fixture.settle(queue, held.info.id, failed("again", Category::Transient)).await.unwrap();
}

async fn newest_attempt(fixture: &StoreFixture, queue: &QueueName, letter: LetterId) -> Attempt {
    fixture.record(queue, letter).await.attempts.pop().unwrap()
}

pub(in crate::conformance) async fn a_letter_continues_without_an_exhausted_dependency(fixture: &StoreFixture) {
    let queue = dead(fixture, OnLostDependency::Release).await;
    let (_, second) = two(fixture, &queue).await;
    fail_the_due_one(fixture, &queue).await;
    let held = fixture.claim_one(&queue).await;
    let letter = held.info.letter.unwrap();
    assert_eq!((letter.id, letter.is_blocked, letter.retries), (second, false, 0));
}

pub(in crate::conformance) async fn a_letter_is_exhausted_with_its_dependency(fixture: &StoreFixture) {
    let queue = dead(fixture, OnLostDependency::Exhaust).await;
    let (first, second) = two(fixture, &queue).await;
    fail_the_due_one(fixture, &queue).await;
    let info = fixture.info(&queue, second).await;
    assert_eq!((info.status, info.ended_at, info.is_blocked), (Status::Exhausted, Some(fixture.now()), false));
    assert_eq!((info.retries, info.total_attempts), (0, 1), "it was not tried");
    let record = newest_attempt(fixture, &queue, second).await;
    assert_eq!(record.cause, Some(Cause::LostDependency));
    assert_eq!(record.error, format!("letter {first}, which it waited for, is exhausted"));
    let held = fixture.claim_by_hand(&queue, second).await.unwrap();
    fixture.complete(&queue, held.info.id).await.unwrap();
}

pub(in crate::conformance) async fn a_dependency_is_lost_when_it_is_archived_or_removed(fixture: &StoreFixture) {
    let queue = dead(fixture, OnLostDependency::Exhaust).await;
    let away = fixture.capture(&queue, failure_for_good("away")).await.letter;
    let gone = fixture.capture(&queue, failure_for_good("gone")).await.letter;
    let waiting = [after(fixture, &queue, "a", &[away]).await, after(fixture, &queue, "b", &[gone]).await];
    fixture.archive(&queue, away).await;
    fixture.store().purge(Purge { queue: queue.clone(), letters: vec![gone] }).await.unwrap();
    for (letter, lost, became) in [(waiting[0], away, "archived"), (waiting[1], gone, "gone")] {
        assert_eq!(fixture.status(&queue, letter).await, Status::Exhausted);
        let record = newest_attempt(fixture, &queue, letter).await;
        assert_eq!(record.error, format!("letter {lost}, which it waited for, is {became}"));
    }
    let late = after(fixture, &queue, "c", &[away]).await;
    assert_eq!(fixture.status(&queue, late).await, Status::Exhausted, "its dependency was already lost");
}

pub(in crate::conformance) async fn a_chain_of_letters_is_exhausted_to_its_end(fixture: &StoreFixture) {
    let queue = dead(fixture, OnLostDependency::Exhaust).await;
    let first = fixture.capture(&queue, failure_for_good("0")).await.letter;
    let mut chain = vec![first];
    for number in 1..50 {
        chain.push(after(fixture, &queue, &number.to_string(), &chain[number - 1..]).await);
    }
    // And many that depend on the first letter.
    for number in 50..140 {
        after(fixture, &queue, &number.to_string(), &[first]).await;
    }
    fixture.archive(&queue, first).await;
    // A store may process a few at a time, between other requests.
    let mut stats = fixture.stats(&queue).await;
    for _ in 0..1000 {
        if stats.letters.blocked == 0 {
            break;
        }
        stats = fixture.stats(&queue).await;
    }
    assert_eq!((stats.letters.of(Status::Exhausted), stats.letters.blocked), (139, 0));
    let record = newest_attempt(fixture, &queue, chain[49]).await;
    assert_eq!(record.error, format!("letter {}, which it waited for, is exhausted", chain[48]));
}

pub(in crate::conformance) async fn a_dependency_being_retried_manually_is_not_lost(fixture: &StoreFixture) {
    let queue = dead(fixture, OnLostDependency::Wait).await;
    let (first, second) = two(fixture, &queue).await;
    fail_the_due_one(fixture, &queue).await;
    let held = fixture.claim_by_hand(&queue, first).await.unwrap();
    set(fixture, &queue, OnLostDependency::Exhaust).await;
    assert!(fixture.info(&queue, second).await.is_blocked, "the first one is being retried");
    fixture.complete(&queue, held.info.id).await.unwrap();
    assert_eq!(fixture.claim_one(&queue).await.info.letter.unwrap().id, second);
}

pub(in crate::conformance) async fn changed_settings_apply_to_letters_already_blocked(fixture: &StoreFixture) {
    let queue = dead(fixture, OnLostDependency::Wait).await;
    let (_, second) = two(fixture, &queue).await;
    fail_the_due_one(fixture, &queue).await;
    fixture.advance(HOUR);
    assert!(fixture.info(&queue, second).await.is_blocked);
    fixture.reopen().await;
    assert!(fixture.info(&queue, second).await.is_blocked);
    set(fixture, &queue, OnLostDependency::Release).await;
    fixture.advance(MINUTE);
    assert_eq!(fixture.claim_one(&queue).await.info.letter.unwrap().id, second);
}
