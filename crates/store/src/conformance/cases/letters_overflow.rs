//! Letters that came when their queue was full are scheduled when there is room.

use crate::conformance::bed::Bed;
use redrive_core::{Category, LetterId, QueueName, RetryPolicy, Span, Status, Trigger};
use redrive_model::{
    ClaimById, Clear, DeleteItems, Edit, Event, ItemState, LetterOverrides, NewLetter, OnFull, Purge, Restore, RetryAt,
    SettleAction, UpdateQueue,
};

use crate::conformance::words::{
    DAY, HOUR, INSTANT, MINUTE, SECOND, failed, failure, failure_due, failure_for_good, refusal, retry,
};

fn overflowing(max_size: u64) -> LetterOverrides {
    LetterOverrides {
        max_size: Some(max_size),
        on_full: Some(OnFull::Overflow),
        letters_expire: Some(false),
        ..LetterOverrides::default()
    }
}

/// A queue for one letter, which it has, and another that is over its size.
async fn full(bed: &Bed, queue: &str) -> (QueueName, LetterId, LetterId) {
    let queue = bed.queue_with(queue, |settings| settings.letters = overflowing(1)).await;
    let first = bed.capture(&queue, failure("f-1")).await.letter;
    let over = bed.capture(&queue, failure("f-2")).await.letter;
    (queue, first, over)
}

async fn purge(bed: &Bed, queue: &QueueName, letter: LetterId) {
    assert_eq!(bed.store().purge(Purge { queue: queue.clone(), letters: vec![letter] }).await, Ok(1));
}

async fn restore(bed: &Bed, queue: &QueueName, letter: LetterId) {
    bed.store().restore(Restore { queue: queue.clone(), letters: vec![letter] }).await.unwrap();
}

async fn update(bed: &Bed, queue: &QueueName, letters: LetterOverrides) {
    let mut update = UpdateQueue::of(queue.clone());
    update.letters = Some(letters);
    bed.store().update_queue(update).await.unwrap();
}

fn edit(queue: &QueueName, letter: LetterId) -> Edit {
    Edit { queue: queue.clone(), letter, content: None, policy: None, max_retries: None, priority: None }
}

async fn assert_waits(bed: &Bed, queue: &QueueName, letter: LetterId, why: &str) {
    let info = bed.record(queue, letter).await.info;
    assert_eq!(info.state, ItemState::Ready, "{why}");
    let letter = info.letter.expect("a letter");
    assert_eq!((letter.status, letter.is_overflow, letter.next_retry_at), (Status::Pending, true, None), "{why}");
}

async fn assert_scheduled(bed: &Bed, queue: &QueueName, letter: LetterId, after: Span, why: &str) {
    let info = bed.info(queue, letter).await;
    assert_eq!((info.status, info.is_overflow), (Status::Pending, false), "{why}");
    assert_eq!(info.next_retry_at, Some(bed.after(after)), "{why}");
}

pub(in crate::conformance) async fn only_what_would_be_retried_waits_for_room(bed: &Bed) {
    let (queue, first, over) = full(bed, "dead").await;
    assert!(!bed.info(&queue, first).await.is_overflow);
    assert_waits(bed, &queue, over, "it came to a full queue").await;
    let never = bed.capture(&queue, failure_for_good("never")).await.letter;
    let exhausted = bed.capture(&queue, NewLetter { max_retries: 0, ..failure("exhausted") }).await.letter;
    for letter in [never, exhausted] {
        assert!(!bed.info(&queue, letter).await.is_overflow, "room would not get it retried");
    }
    let letters = bed.stats(&queue).await.letters;
    assert_eq!((letters.live(), letters.overflow), (4, 1));
}

pub(in crate::conformance) async fn whatever_makes_room_lets_the_next_one_in(bed: &Bed) {
    let ways = ["complete", "archive", "purge", "delete", "clear", "more room", "no limit"];
    for way in ways {
        let (queue, first, over) = full(bed, &way.replace(' ', "-")).await;
        let before = bed.record(&queue, over).await.info.id;
        match way {
            "complete" => {
                let held = bed.claim_by_hand(&queue, first).await.unwrap();
                bed.complete(&queue, held.info.id).await.unwrap();
            }
            "archive" => assert_eq!(bed.archive(&queue, first).await, 1),
            "purge" => purge(bed, &queue, first).await,
            "delete" => {
                let ids = vec![bed.record(&queue, first).await.info.id];
                let delete = DeleteItems { queue: queue.clone(), partition: 0, ids };
                assert_eq!(bed.store().delete_items(delete).await, Ok(1));
            }
            "clear" => {
                let clear = Clear { queue: queue.clone(), ready: false, destructive: false, scheduled: true };
                assert_eq!(bed.store().clear(clear).await, Ok(1));
            }
            "more room" => update(bed, &queue, overflowing(2)).await,
            _ => update(bed, &queue, LetterOverrides::default()).await,
        }
        let info = bed.record(&queue, over).await.info;
        assert!(info.id > before, "under a new id: {way}");
        let stats = bed.stats(&queue).await;
        assert_eq!((stats.letters.overflow, stats.tally.of(Event::Admitted)), (0, 1), "{way}");
        assert_scheduled(bed, &queue, over, MINUTE, way).await;
        bed.advance(SECOND);
    }
}

pub(in crate::conformance) async fn a_letter_that_expires_makes_room(bed: &Bed) {
    let settings = LetterOverrides { letters_expire: Some(true), ..overflowing(1) };
    let queue = bed.queue_with("dead", |queue| queue.letters = settings).await;
    bed.capture(&queue, failure_for_good("f-1")).await;
    bed.advance(HOUR);
    let over = bed.capture(&queue, failure("f-2")).await.letter;
    assert_waits(bed, &queue, over, "the queue is full").await;
    bed.advance(DAY.saturating_sub(HOUR).saturating_add(INSTANT));
    assert_scheduled(bed, &queue, over, MINUTE, "the first is gone").await;
}

pub(in crate::conformance) async fn the_oldest_that_waits_is_next(bed: &Bed) {
    let (queue, first, second) = full(bed, "dead").await;
    let third = bed.capture(&queue, failure("f-3")).await.letter;
    // Giving it back makes it no younger.
    let held = bed.claim_by_hand(&queue, second).await.unwrap();
    bed.settle(&queue, held.info.id, SettleAction::Release).await.unwrap();
    purge(bed, &queue, first).await;
    assert_scheduled(bed, &queue, second, MINUTE, "it came before the third").await;
    assert_waits(bed, &queue, third, "there was room for one").await;
    let fourth = bed.capture(&queue, failure("f-4")).await.letter;
    assert_waits(bed, &queue, fourth, "who comes later goes behind").await;
    update(bed, &queue, overflowing(3)).await;
    for letter in [third, fourth] {
        assert_scheduled(bed, &queue, letter, MINUTE, "there is room for all").await;
    }
}

pub(in crate::conformance) async fn a_person_may_retry_what_waits_for_room(bed: &Bed) {
    let (queue, _, over) = full(bed, "dead").await;
    for trigger in [Trigger::Manual, Trigger::Replay] {
        for verb in [SettleAction::Release, SettleAction::Defer { until: bed.after(HOUR) }] {
            let claim = ClaimById { queue: queue.clone(), letters: vec![over.into()], lease: MINUTE, trigger };
            let held = bed.store().claim_by_id(claim).await.unwrap().letters.remove(0).info.id;
            assert_eq!(bed.stats(&queue).await.letters.overflow, 0, "it does not wait while it is retried");
            bed.settle(&queue, held, verb.clone()).await.unwrap();
            assert_waits(bed, &queue, over, &format!("not tried: {trigger:?} {verb:?}")).await;
        }
    }
    let held = bed.lease_one(&queue).await;
    bed.settle(
        &queue,
        held.info.id,
        SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: false },
    )
    .await
    .unwrap();
    assert_waits(bed, &queue, over, "what is not charged was not tried").await;
    let held = bed.lease_one(&queue).await;
    bed.settle(&queue, held.info.id, failed("again", Category::Network)).await.unwrap();
    assert_scheduled(bed, &queue, over, Span::from_mins(2), "a failed retry goes on like any other").await;
    let tally = bed.stats(&queue).await.tally;
    assert_eq!(tally.of(Event::Admitted), 0, "there was no room all the time");
}

pub(in crate::conformance) async fn a_lost_retry_leaves_the_line(bed: &Bed) {
    let (queue, _, over) = full(bed, "dead").await;
    bed.lease_one(&queue).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_scheduled(bed, &queue, over, Span::from_mins(2), "lost is failed").await;
}

pub(in crate::conformance) async fn waiting_for_room_outlives_merges_and_edits(bed: &Bed) {
    let (queue, _, over) = full(bed, "dead").await;
    bed.capture(&queue, failure("f-2")).await;
    assert_waits(bed, &queue, over, "merged").await;
    bed.store().edit(Edit { policy: Some(RetryPolicy::Linear), ..edit(&queue, over) }).await.unwrap();
    assert_waits(bed, &queue, over, "edited").await;
    bed.store().edit(Edit { max_retries: Some(0), ..edit(&queue, over) }).await.unwrap();
    let info = bed.info(&queue, over).await;
    assert_eq!((info.status, info.is_overflow), (Status::Exhausted, false), "an exhausted one waits for a person");
    assert_eq!(bed.stats(&queue).await.letters.overflow, 0);
}

pub(in crate::conformance) async fn a_letter_comes_back_from_the_archive_to_its_line(bed: &Bed) {
    let (queue, first, over) = full(bed, "dead").await;
    bed.archive(&queue, over).await;
    purge(bed, &queue, first).await;
    assert_eq!(bed.stats(&queue).await.letters.overflow, 0, "what is archived waits for nothing");
    let third = bed.capture(&queue, failure("f-3")).await.letter;
    restore(bed, &queue, over).await;
    assert_waits(bed, &queue, over, "as it was").await;
    bed.claim_by_hand(&queue, over).await.unwrap();
    bed.archive(&queue, over).await;
    restore(bed, &queue, over).await;
    assert_scheduled(bed, &queue, over, Span::from_mins(2), "it was being retried, which counts as failed").await;
    assert_scheduled(bed, &queue, third, MINUTE, "it came when there was room").await;
}

pub(in crate::conformance) async fn room_wakes_a_claim(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters = overflowing(1)).await;
    let first = bed.capture(&queue, failure("f-1")).await.letter;
    let over = bed.capture(&queue, failure_due("f-2")).await.letter;
    let waiter = bed.wait_for_letters(&queue, &[]).await;
    waiter.assert_waits(bed).await;
    purge(bed, &queue, first).await;
    let got = waiter.got().await;
    assert_eq!(got[0].info.letter.as_ref().map(|letter| letter.id), Some(over));
}

pub(in crate::conformance) async fn a_retried_letter_takes_room_until_it_is_done(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters = overflowing(1)).await;
    let first = bed.capture(&queue, NewLetter { max_retries: 1, ..failure_due("f-1") }).await.letter;
    let over = bed.capture(&queue, failure("f-2")).await.letter;
    let held = bed.claim_one(&queue).await;
    bed.advance(SECOND);
    assert_waits(bed, &queue, over, "the first is being retried").await;
    bed.settle(&queue, held.info.id, retry()).await.unwrap();
    assert_eq!(bed.info(&queue, first).await.status, Status::Exhausted);
    assert_waits(bed, &queue, over, "the first is exhausted, and live").await;
    refusal(bed.complete(&queue, held.info.id).await);
    bed.archive(&queue, first).await;
    assert_scheduled(bed, &queue, over, MINUTE, "the first is away").await;
}

pub(in crate::conformance) async fn the_line_survives_a_restart(bed: &Bed) {
    let (queue, first, over) = full(bed, "dead").await;
    let third = bed.capture(&queue, failure("f-3")).await.letter;
    if !bed.reopen().await {
        return;
    }
    purge(bed, &queue, first).await;
    assert_scheduled(bed, &queue, over, MINUTE, "the oldest is next").await;
    assert_waits(bed, &queue, third, "there was room for one").await;
    // Room that was made before the end is found after it.
    purge(bed, &queue, over).await;
    bed.reopen().await;
    assert_scheduled(bed, &queue, third, MINUTE, "it is next").await;
}
