//! Overflow: letters captured into a full queue are scheduled once the queue has capacity.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, LetterId, QueueName, RetryPolicy, Span, Status, Trigger};
use redrive_model::{
    ClaimById, Clear, DeleteItems, Edit, Event, ItemState, LetterOverrides, NewLetter, OnFull, Purge, Restore, RetryAt,
    SettleAction, UpdateQueue,
};

use crate::conformance::samples::{
    DAY, HOUR, INSTANT, MINUTE, SECOND, failed, failure, failure_due, failure_for_good, rejection, retry,
};

fn overflowing(max_size: u64) -> LetterOverrides {
    LetterOverrides {
        max_size: Some(max_size),
        on_full: Some(OnFull::Overflow),
        letters_expire: Some(false),
        ..LetterOverrides::default()
    }
}

/// A queue with a capacity of one letter, its letter, and an overflow letter.
async fn full(fixture: &StoreFixture, queue: &str) -> (QueueName, LetterId, LetterId) {
    let queue = fixture.queue_with(queue, |settings| settings.letters = overflowing(1)).await;
    let first = fixture.capture(&queue, failure("f-1")).await.letter;
    let over = fixture.capture(&queue, failure("f-2")).await.letter;
    (queue, first, over)
}

async fn purge(fixture: &StoreFixture, queue: &QueueName, letter: LetterId) {
    assert_eq!(fixture.store().purge(Purge { queue: queue.clone(), letters: vec![letter] }).await, Ok(1));
}

async fn restore(fixture: &StoreFixture, queue: &QueueName, letter: LetterId) {
    fixture.store().restore(Restore { queue: queue.clone(), letters: vec![letter] }).await.unwrap();
}

async fn update(fixture: &StoreFixture, queue: &QueueName, letters: LetterOverrides) {
    let mut update = UpdateQueue::of(queue.clone());
    update.letters = Some(letters);
    fixture.store().update_queue(update).await.unwrap();
}

fn edit(queue: &QueueName, letter: LetterId) -> Edit {
    Edit { queue: queue.clone(), letter, content: None, policy: None, max_retries: None, priority: None }
}

async fn assert_waits(fixture: &StoreFixture, queue: &QueueName, letter: LetterId, why: &str) {
    let info = fixture.record(queue, letter).await.info;
    assert_eq!(info.state, ItemState::Ready, "{why}");
    let letter = info.letter.expect("a letter");
    assert_eq!((letter.status, letter.is_overflow, letter.next_retry_at), (Status::Pending, true, None), "{why}");
}

async fn assert_scheduled(fixture: &StoreFixture, queue: &QueueName, letter: LetterId, after: Span, why: &str) {
    let info = fixture.info(queue, letter).await;
    assert_eq!((info.status, info.is_overflow), (Status::Pending, false), "{why}");
    assert_eq!(info.next_retry_at, Some(fixture.after(after)), "{why}");
}

pub(in crate::conformance) async fn only_letters_with_retries_wait_as_overflow(fixture: &StoreFixture) {
    let (queue, first, over) = full(fixture, "dead").await;
    assert!(!fixture.info(&queue, first).await.is_overflow);
    assert_waits(fixture, &queue, over, "it was captured into a full queue").await;
    let never = fixture.capture(&queue, failure_for_good("never")).await.letter;
    let exhausted = fixture.capture(&queue, NewLetter { max_retries: 0, ..failure("exhausted") }).await.letter;
    for letter in [never, exhausted] {
        assert!(!fixture.info(&queue, letter).await.is_overflow, "it would not be retried anyway");
    }
    let letters = fixture.stats(&queue).await.letters;
    assert_eq!((letters.live(), letters.overflow), (4, 1));
}

pub(in crate::conformance) async fn freed_capacity_admits_the_next_letter(fixture: &StoreFixture) {
    let ways = ["complete", "archive", "purge", "delete", "clear", "larger limit", "no limit"];
    for way in ways {
        let (queue, first, over) = full(fixture, &way.replace(' ', "-")).await;
        let before = fixture.record(&queue, over).await.info.id;
        match way {
            "complete" => {
                let held = fixture.claim_by_hand(&queue, first).await.unwrap();
                fixture.complete(&queue, held.info.id).await.unwrap();
            }
            "archive" => assert_eq!(fixture.archive(&queue, first).await, 1),
            "purge" => purge(fixture, &queue, first).await,
            "delete" => {
                let ids = vec![fixture.record(&queue, first).await.info.id];
                let delete = DeleteItems { queue: queue.clone(), partition: 0, ids };
                assert_eq!(fixture.store().delete_items(delete).await, Ok(1));
            }
            "clear" => {
                let clear = Clear { queue: queue.clone(), ready: false, destructive: false, scheduled: true };
                assert_eq!(fixture.store().clear(clear).await, Ok(1));
            }
            "larger limit" => update(fixture, &queue, overflowing(2)).await,
            _ => update(fixture, &queue, LetterOverrides::default()).await,
        }
        let info = fixture.record(&queue, over).await.info;
        assert!(info.id > before, "under a new id: {way}");
        let stats = fixture.stats(&queue).await;
        assert_eq!((stats.letters.overflow, stats.counts.of(Event::Admitted)), (0, 1), "{way}");
        assert_scheduled(fixture, &queue, over, MINUTE, way).await;
        fixture.advance(SECOND);
    }
}

pub(in crate::conformance) async fn an_expired_letter_frees_capacity(fixture: &StoreFixture) {
    let settings = LetterOverrides { letters_expire: Some(true), ..overflowing(1) };
    let queue = fixture.queue_with("dead", |queue| queue.letters = settings).await;
    fixture.capture(&queue, failure_for_good("f-1")).await;
    fixture.advance(HOUR);
    let over = fixture.capture(&queue, failure("f-2")).await.letter;
    assert_waits(fixture, &queue, over, "the queue is full").await;
    fixture.advance(DAY.saturating_sub(HOUR).saturating_add(INSTANT));
    assert_scheduled(fixture, &queue, over, MINUTE, "the first was removed").await;
}

pub(in crate::conformance) async fn the_oldest_overflow_letter_is_admitted_first(fixture: &StoreFixture) {
    let (queue, first, second) = full(fixture, "dead").await;
    let third = fixture.capture(&queue, failure("f-3")).await.letter;
    // Releasing it does not change its position.
    let held = fixture.claim_by_hand(&queue, second).await.unwrap();
    fixture.settle(&queue, held.info.id, SettleAction::Release).await.unwrap();
    purge(fixture, &queue, first).await;
    assert_scheduled(fixture, &queue, second, MINUTE, "it was captured before the third").await;
    assert_waits(fixture, &queue, third, "there was capacity for one").await;
    let fourth = fixture.capture(&queue, failure("f-4")).await.letter;
    assert_waits(fixture, &queue, fourth, "later letters come after it").await;
    update(fixture, &queue, overflowing(3)).await;
    for letter in [third, fourth] {
        assert_scheduled(fixture, &queue, letter, MINUTE, "there is capacity for all").await;
    }
}

pub(in crate::conformance) async fn an_overflow_letter_can_be_retried_manually(fixture: &StoreFixture) {
    let (queue, _, over) = full(fixture, "dead").await;
    for trigger in [Trigger::Manual, Trigger::Replay] {
        for verb in [SettleAction::Release, SettleAction::Defer { until: fixture.after(HOUR) }] {
            let claim = ClaimById { queue: queue.clone(), letters: vec![over.into()], lease: MINUTE, trigger };
            let held = fixture.store().claim_by_id(claim).await.unwrap().letters.remove(0).info.id;
            assert_eq!(fixture.stats(&queue).await.letters.overflow, 0, "it is not overflow while it is retried");
            fixture.settle(&queue, held, verb.clone()).await.unwrap();
            assert_waits(fixture, &queue, over, &format!("not tried: {trigger:?} {verb:?}")).await;
        }
    }
    let held = fixture.lease_one(&queue).await;
    fixture
        .settle(
            &queue,
            held.info.id,
            SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: false },
        )
        .await
        .unwrap();
    assert_waits(fixture, &queue, over, "an uncharged retry is not an attempt").await;
    let held = fixture.lease_one(&queue).await;
    fixture.settle(&queue, held.info.id, failed("again", Category::Network)).await.unwrap();
    assert_scheduled(fixture, &queue, over, Span::from_mins(2), "after a failed retry it has a regular schedule").await;
    let counts = fixture.stats(&queue).await.counts;
    assert_eq!(counts.of(Event::Admitted), 0, "the queue was full all the time");
}

pub(in crate::conformance) async fn a_lost_retry_ends_overflow(fixture: &StoreFixture) {
    let (queue, _, over) = full(fixture, "dead").await;
    fixture.lease_one(&queue).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_scheduled(fixture, &queue, over, Span::from_mins(2), "a lost retry counts as failed").await;
}

pub(in crate::conformance) async fn overflow_survives_merges_and_edits(fixture: &StoreFixture) {
    let (queue, _, over) = full(fixture, "dead").await;
    fixture.capture(&queue, failure("f-2")).await;
    assert_waits(fixture, &queue, over, "merged").await;
    fixture.store().edit(Edit { policy: Some(RetryPolicy::Linear), ..edit(&queue, over) }).await.unwrap();
    assert_waits(fixture, &queue, over, "edited").await;
    fixture.store().edit(Edit { max_retries: Some(0), ..edit(&queue, over) }).await.unwrap();
    let info = fixture.info(&queue, over).await;
    let state = (info.status, info.is_overflow);
    assert_eq!(state, (Status::Exhausted, false), "an exhausted letter waits for an operator");
    assert_eq!(fixture.stats(&queue).await.letters.overflow, 0);
}

pub(in crate::conformance) async fn a_restored_letter_is_overflow_again(fixture: &StoreFixture) {
    let (queue, first, over) = full(fixture, "dead").await;
    fixture.archive(&queue, over).await;
    purge(fixture, &queue, first).await;
    assert_eq!(fixture.stats(&queue).await.letters.overflow, 0, "an archived letter is not overflow");
    let third = fixture.capture(&queue, failure("f-3")).await.letter;
    restore(fixture, &queue, over).await;
    assert_waits(fixture, &queue, over, "it is overflow as before").await;
    fixture.claim_by_hand(&queue, over).await.unwrap();
    fixture.archive(&queue, over).await;
    restore(fixture, &queue, over).await;
    assert_scheduled(fixture, &queue, over, Span::from_mins(2), "it was being retried, which counts as failed").await;
    assert_scheduled(fixture, &queue, third, MINUTE, "it was captured while there was capacity").await;
}

pub(in crate::conformance) async fn freed_capacity_wakes_a_claim(fixture: &StoreFixture) {
    let queue = fixture.queue_with("dead", |settings| settings.letters = overflowing(1)).await;
    let first = fixture.capture(&queue, failure("f-1")).await.letter;
    let over = fixture.capture(&queue, failure_due("f-2")).await.letter;
    let waiter = fixture.wait_for_letters(&queue, &[]).await;
    waiter.assert_waits(fixture).await;
    purge(fixture, &queue, first).await;
    let got = waiter.reply().await;
    assert_eq!(got[0].info.letter.as_ref().map(|letter| letter.id), Some(over));
}

pub(in crate::conformance) async fn a_retried_letter_counts_until_it_is_finished(fixture: &StoreFixture) {
    let queue = fixture.queue_with("dead", |settings| settings.letters = overflowing(1)).await;
    let first = fixture.capture(&queue, NewLetter { max_retries: 1, ..failure_due("f-1") }).await.letter;
    let over = fixture.capture(&queue, failure("f-2")).await.letter;
    let held = fixture.claim_one(&queue).await;
    fixture.advance(SECOND);
    assert_waits(fixture, &queue, over, "the first is being retried").await;
    fixture.settle(&queue, held.info.id, retry()).await.unwrap();
    assert_eq!(fixture.status(&queue, first).await, Status::Exhausted);
    assert_waits(fixture, &queue, over, "the first is exhausted, but live").await;
    rejection(fixture.complete(&queue, held.info.id).await);
    fixture.archive(&queue, first).await;
    assert_scheduled(fixture, &queue, over, MINUTE, "the first is archived").await;
}

pub(in crate::conformance) async fn overflow_survives_a_restart(fixture: &StoreFixture) {
    let (queue, first, over) = full(fixture, "dead").await;
    let third = fixture.capture(&queue, failure("f-3")).await.letter;
    if !fixture.reopen().await {
        return;
    }
    purge(fixture, &queue, first).await;
    assert_scheduled(fixture, &queue, over, MINUTE, "the oldest is next").await;
    assert_waits(fixture, &queue, third, "there was capacity for one").await;
    // Capacity that was freed before closing is used after reopening.
    purge(fixture, &queue, over).await;
    fixture.reopen().await;
    assert_scheduled(fixture, &queue, third, MINUTE, "it is next").await;
}
