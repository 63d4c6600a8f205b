//! Letters that wait for other letters.

use crate::conformance::bed::Bed;
use redrive_core::{Category, Ksuid, LetterId, QueueName, RetryPolicy, Status};
use redrive_model::{Archive, CaptureContext, NewLetter, Purge, Rejection, Restore};

use crate::conformance::words::{HOUR, MINUTE, failed, failure, failure_due, failure_for_good, refusal};

/// A failure that comes after others.
fn after(source_id: &str, letters: &[LetterId]) -> NewLetter {
    NewLetter {
        context: CaptureContext { depends_on: letters.to_vec(), ..CaptureContext::default() },
        policy: RetryPolicy::Immediate,
        ..failure(source_id)
    }
}

async fn complete_by_hand(bed: &Bed, queue: &QueueName, letter: LetterId) {
    let held = bed.claim_by_hand(queue, letter).await.unwrap();
    bed.complete(queue, held.info.id).await.unwrap();
}

pub(in crate::conformance) async fn a_letter_is_retried_when_all_that_it_waits_for_are_completed(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = bed.capture(&queue, failure_for_good("f-1")).await.letter;
    let second = bed.capture(&queue, failure_for_good("f-2")).await.letter;
    let last = bed.capture(&queue, after("f-3", &[first, second, first])).await.letter;
    let info = bed.info(&queue, last).await;
    assert!(info.is_blocked && info.status == Status::Pending && info.next_retry_at.is_none(), "{info:?}");
    assert_eq!(bed.stats(&queue).await.letters.blocked, 1);
    bed.advance(HOUR);
    assert!(bed.claim_all(&queue).await.is_empty());
    complete_by_hand(bed, &queue, first).await;
    assert!(bed.claim_all(&queue).await.is_empty(), "one is left");
    complete_by_hand(bed, &queue, second).await;
    assert!(!bed.info(&queue, last).await.is_blocked);
    assert_eq!(bed.stats(&queue).await.letters.blocked, 0);
    let held = bed.claim_one(&queue).await;
    assert_eq!(held.info.letter.unwrap().id, last);
}

pub(in crate::conformance) async fn a_letter_waits_across_a_restart(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = bed.capture(&queue, failure_for_good("f-1")).await.letter;
    let second = bed.capture(&queue, failure_for_good("f-2")).await.letter;
    let last = bed.capture(&queue, after("f-3", &[first, second])).await.letter;
    complete_by_hand(bed, &queue, first).await;
    bed.reopen().await;
    assert!(bed.info(&queue, last).await.is_blocked);
    assert!(bed.claim_all(&queue).await.is_empty(), "one is left");
    complete_by_hand(bed, &queue, second).await;
    assert_eq!(bed.claim_one(&queue).await.info.letter.unwrap().id, last);
}

pub(in crate::conformance) async fn completing_frees_whoever_waits_to_claim(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = bed.capture(&queue, failure_for_good("f-1")).await.letter;
    let last = bed.capture(&queue, after("f-2", &[first])).await.letter;
    let waiter = bed.wait_for_letters(&queue, &[]).await;
    complete_by_hand(bed, &queue, first).await;
    let claimed = waiter.answer().await.unwrap();
    assert_eq!(claimed[0].info.letter.as_ref().unwrap().id, last);
}

pub(in crate::conformance) async fn a_letter_that_is_tried_by_hand_waits_on_when_it_fails(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = bed.capture(&queue, failure_for_good("f-1")).await.letter;
    let last = bed.capture(&queue, after("f-2", &[first])).await.letter;
    let held = bed.claim_by_hand(&queue, last).await.unwrap();
    bed.settle(&queue, held.info.id, failed("again", Category::Transient)).await.unwrap();
    let info = bed.info(&queue, last).await;
    assert!(info.is_blocked && info.next_retry_at.is_none() && info.retries == 1, "{info:?}");
    bed.archive(&queue, last).await;
    complete_by_hand(bed, &queue, first).await;
    bed.store().restore(Restore { queue: queue.clone(), letters: vec![last] }).await.unwrap();
    bed.advance(MINUTE);
    assert_eq!(bed.claim_one(&queue).await.info.letter.unwrap().id, last, "it was freed while it was put away");
}

pub(in crate::conformance) async fn a_letter_waits_on_for_what_fails_is_archived_or_is_gone(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let spent = bed.capture(&queue, NewLetter { max_retries: 1, ..failure_due("spent") }).await.letter;
    let away = bed.capture(&queue, failure_for_good("away")).await.letter;
    let gone = bed.capture(&queue, failure_for_good("gone")).await.letter;
    let mut waiting = Vec::new();
    for letter in [spent, away, gone] {
        waiting.push(bed.capture(&queue, after(&format!("after {letter}"), &[letter])).await.letter);
    }
    let held = bed.claim_one(&queue).await;
    bed.settle(&queue, held.info.id, failed("again", Category::Transient)).await.unwrap();
    bed.store().archive(Archive { queue: queue.clone(), letters: vec![away] }).await.unwrap();
    bed.store().purge(Purge { queue: queue.clone(), letters: vec![gone] }).await.unwrap();
    bed.advance(HOUR);
    assert!(bed.claim_all(&queue).await.is_empty());
    complete_by_hand(bed, &queue, spent).await;
    assert_eq!(bed.claim_one(&queue).await.info.letter.unwrap().id, waiting[0], "a person completed it after all");
    complete_by_hand(bed, &queue, waiting[2]).await;
}

pub(in crate::conformance) async fn a_letter_that_is_freed_has_the_schedule_that_it_would_have_had(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = bed.capture(&queue, failure_for_good("f-1")).await.letter;
    let in_a_minute = NewLetter { policy: RetryPolicy::Exponential, failed_at: bed.now(), ..after("f-2", &[first]) };
    let last = bed.capture(&queue, in_a_minute).await.letter;
    let due = bed.after(MINUTE);
    complete_by_hand(bed, &queue, first).await;
    assert_eq!(bed.info(&queue, last).await.next_retry_at, Some(due));
    let completed = bed.capture(&queue, after("f-3", &[first])).await.letter;
    assert!(!bed.info(&queue, completed).await.is_blocked, "that is completed already");
}

pub(in crate::conformance) async fn what_a_letter_waits_for_must_be_there(bed: &Bed) {
    let queue = bed.queue("dead").await;
    let other = bed.queue("other").await;
    let elsewhere = bed.capture(&other, failure("f-1")).await.letter;
    for unknown in [elsewhere, LetterId::new(Ksuid::MAX)] {
        let refused = bed.try_capture(&queue, vec![failure("f-1"), after("f-2", &[unknown])]).await;
        assert_eq!(refusal(refused), Rejection::NoSuchDependency(unknown));
    }
    let first = bed.capture(&queue, failure("f-0")).await.letter;
    let too_many = bed.try_capture(&queue, vec![after("f-2", &[first; 33])]).await;
    assert_eq!(refusal(too_many), Rejection::TooMany { what: "depends_on", count: 33, most: 32 });
    assert_eq!(bed.stats(&queue).await.letters.live(), 1, "all or none");
}

pub(in crate::conformance) async fn no_more_than_a_hundred_wait_for_one_letter(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let first = bed.capture(&queue, failure_for_good("first")).await.letter;
    let waiting = |range: std::ops::Range<u32>| range.map(|number| after(&format!("f-{number}"), &[first])).collect();
    for begin in [0, 30, 60] {
        bed.try_capture(&queue, waiting(begin..begin + 30)).await.unwrap();
    }
    let most = Rejection::TooManyDependents { letter: first, most: 100 };
    assert_eq!(refusal(bed.try_capture(&queue, waiting(90..101)).await), most);
    bed.try_capture(&queue, waiting(90..100)).await.unwrap();
    assert_eq!(refusal(bed.try_capture(&queue, waiting(100..101)).await), most);
    complete_by_hand(bed, &queue, first).await;
    let stats = bed.stats(&queue).await;
    assert_eq!((stats.letters.blocked, stats.overdue), (0, 100), "all of them are free at once");
}
