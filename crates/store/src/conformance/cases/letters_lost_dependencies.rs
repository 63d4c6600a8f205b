//! Letters that wait for one which will not be completed.

use crate::conformance::bed::Bed;
use redrive_core::{Category, Cause, LetterId, QueueName, RetryPolicy, Status};
use redrive_model::{
    Attempt, CaptureContext, GetQueue, LetterOverrides, NewLetter, OnLostDependency, Purge, UpdateQueue,
};

use crate::conformance::words::{HOUR, MINUTE, failed, failure, failure_due, failure_for_good};

async fn dead(bed: &Bed, then: OnLostDependency) -> QueueName {
    bed.queue_with("dead", |settings| {
        settings.letters.letters_expire = Some(false);
        settings.letters.on_lost_dependency = Some(then);
    })
    .await
}

/// Tells a queue otherwise.
async fn say(bed: &Bed, queue: &QueueName, then: OnLostDependency) {
    let letters = bed.store().queue(GetQueue { name: queue.clone() }).await.unwrap().letters;
    let letters = LetterOverrides { on_lost_dependency: Some(then), ..letters };
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
    bed.store().update_queue(update).await.unwrap();
}

/// A failure that comes after another.
async fn after(bed: &Bed, queue: &QueueName, source_id: &str, letters: &[LetterId]) -> LetterId {
    let letter = NewLetter {
        context: CaptureContext { depends_on: letters.to_vec(), ..CaptureContext::default() },
        policy: RetryPolicy::Immediate,
        ..failure(source_id)
    };
    bed.capture(queue, letter).await.letter
}

/// A letter whose next retry is its last, with another that waits for it.
async fn two(bed: &Bed, queue: &QueueName) -> (LetterId, LetterId) {
    let first = bed.capture(queue, NewLetter { max_retries: 1, ..failure_due("first") }).await.letter;
    (first, after(bed, queue, "second", &[first]).await)
}

async fn fail_the_due_one(bed: &Bed, queue: &QueueName) {
    let held = bed.claim_one(queue).await;
    bed.settle(queue, held.info.id, failed("again", Category::Transient)).await.unwrap();
}

async fn newest_attempt(bed: &Bed, queue: &QueueName, letter: LetterId) -> Attempt {
    bed.record(queue, letter).await.attempts.pop().unwrap()
}

pub(in crate::conformance) async fn a_letter_goes_on_without_one_that_is_exhausted(bed: &Bed) {
    let queue = dead(bed, OnLostDependency::Release).await;
    let (_, second) = two(bed, &queue).await;
    fail_the_due_one(bed, &queue).await;
    let held = bed.claim_one(&queue).await;
    let letter = held.info.letter.unwrap();
    assert_eq!((letter.id, letter.is_blocked, letter.retries), (second, false, 0));
}

pub(in crate::conformance) async fn a_letter_is_exhausted_with_the_one_that_it_waits_for(bed: &Bed) {
    let queue = dead(bed, OnLostDependency::Exhaust).await;
    let (first, second) = two(bed, &queue).await;
    fail_the_due_one(bed, &queue).await;
    let info = bed.info(&queue, second).await;
    assert_eq!((info.status, info.ended_at, info.is_blocked), (Status::Exhausted, Some(bed.now()), false));
    assert_eq!((info.retries, info.total_attempts), (0, 1), "it was not tried");
    let record = newest_attempt(bed, &queue, second).await;
    assert_eq!(record.cause, Some(Cause::LostDependency));
    assert_eq!(record.error, format!("letter {first}, which it waited for, is exhausted"));
    let held = bed.claim_by_hand(&queue, second).await.unwrap();
    bed.complete(&queue, held.info.id).await.unwrap();
}

pub(in crate::conformance) async fn a_letter_is_lost_when_it_is_archived_or_gone(bed: &Bed) {
    let queue = dead(bed, OnLostDependency::Exhaust).await;
    let away = bed.capture(&queue, failure_for_good("away")).await.letter;
    let gone = bed.capture(&queue, failure_for_good("gone")).await.letter;
    let waiting = [after(bed, &queue, "a", &[away]).await, after(bed, &queue, "b", &[gone]).await];
    bed.archive(&queue, away).await;
    bed.store().purge(Purge { queue: queue.clone(), letters: vec![gone] }).await.unwrap();
    for (letter, lost, became) in [(waiting[0], away, "archived"), (waiting[1], gone, "gone")] {
        assert_eq!(bed.info(&queue, letter).await.status, Status::Exhausted);
        let record = newest_attempt(bed, &queue, letter).await;
        assert_eq!(record.error, format!("letter {lost}, which it waited for, is {became}"));
    }
    let late = after(bed, &queue, "c", &[away]).await;
    assert_eq!(bed.info(&queue, late).await.status, Status::Exhausted, "it was lost before");
}

pub(in crate::conformance) async fn a_chain_of_letters_is_exhausted_to_its_end(bed: &Bed) {
    let queue = dead(bed, OnLostDependency::Exhaust).await;
    let first = bed.capture(&queue, failure_for_good("0")).await.letter;
    let mut chain = vec![first];
    for number in 1..50 {
        chain.push(after(bed, &queue, &number.to_string(), &chain[number - 1..]).await);
    }
    // And many that wait for the first of all.
    for number in 50..140 {
        after(bed, &queue, &number.to_string(), &[first]).await;
    }
    bed.archive(&queue, first).await;
    // A small store does a few at a time, between other requests.
    let mut stats = bed.stats(&queue).await;
    for _ in 0..1000 {
        if stats.letters.blocked == 0 {
            break;
        }
        stats = bed.stats(&queue).await;
    }
    assert_eq!((stats.letters.of(Status::Exhausted), stats.letters.blocked), (139, 0));
    let record = newest_attempt(bed, &queue, chain[49]).await;
    assert_eq!(record.error, format!("letter {}, which it waited for, is exhausted", chain[48]));
}

pub(in crate::conformance) async fn one_that_is_retried_by_hand_is_not_lost_yet(bed: &Bed) {
    let queue = dead(bed, OnLostDependency::Wait).await;
    let (first, second) = two(bed, &queue).await;
    fail_the_due_one(bed, &queue).await;
    let held = bed.claim_by_hand(&queue, first).await.unwrap();
    say(bed, &queue, OnLostDependency::Exhaust).await;
    assert!(bed.info(&queue, second).await.is_blocked, "somebody tries the first one");
    bed.complete(&queue, held.info.id).await.unwrap();
    assert_eq!(bed.claim_one(&queue).await.info.letter.unwrap().id, second);
}

pub(in crate::conformance) async fn new_settings_hold_for_those_who_wait_already(bed: &Bed) {
    let queue = dead(bed, OnLostDependency::Wait).await;
    let (_, second) = two(bed, &queue).await;
    fail_the_due_one(bed, &queue).await;
    bed.advance(HOUR);
    assert!(bed.info(&queue, second).await.is_blocked);
    bed.reopen().await;
    assert!(bed.info(&queue, second).await.is_blocked);
    say(bed, &queue, OnLostDependency::Release).await;
    bed.advance(MINUTE);
    assert_eq!(bed.claim_one(&queue).await.info.letter.unwrap().id, second);
}
