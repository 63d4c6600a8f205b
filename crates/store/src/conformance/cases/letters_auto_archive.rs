//! Automatic archiving of exhausted letters.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, LetterId, QueueName, Span, Status};
use redrive_model::{LetterOverrides, NewLetter, QueueSettings, Restore, SettleAction, UpdateQueue};

use crate::conformance::samples::{HOUR, INSTANT, MINUTE, failed, failure, failure_due};

/// A dead queue that archives letters after they were exhausted for an hour.
async fn archiving(fixture: &StoreFixture) -> QueueName {
    fixture
        .queue_with("dead", |settings: &mut QueueSettings| {
            settings.letters =
                LetterOverrides { letters_expire: Some(false), auto_archive: Some(HOUR), ..LetterOverrides::default() };
        })
        .await
}

/// A letter without any retry.
async fn exhausted(fixture: &StoreFixture, queue: &QueueName, source_id: &str) -> LetterId {
    fixture.capture(queue, NewLetter { max_retries: 0, ..failure(source_id) }).await.letter
}

pub(in crate::conformance) async fn a_letter_is_archived_some_time_after_it_was_exhausted(fixture: &StoreFixture) {
    let queue = archiving(fixture).await;
    let letter = fixture.capture(&queue, NewLetter { max_retries: 1, ..failure_due("f-1") }).await.letter;
    fixture.advance(HOUR);
    let held = fixture.claim_one(&queue).await;
    fixture.settle(&queue, held.info.id, failed("again", Category::Transient)).await.unwrap();
    assert_eq!(
        fixture.status(&queue, letter).await,
        Status::Exhausted,
        "the time counts from exhaustion, not from the failure"
    );
    fixture.advance(HOUR.saturating_sub(INSTANT));
    assert_eq!(fixture.status(&queue, letter).await, Status::Exhausted);
    fixture.advance(INSTANT);
    let info = fixture.info(&queue, letter).await;
    assert_eq!((info.status, info.ended_at), (Status::Archived, Some(fixture.now())));
    assert_eq!(info.before.map(|before| before.status), Some(Status::Exhausted));
    assert_eq!(fixture.stats(&queue).await.letters.of(Status::Archived), 1);
}

pub(in crate::conformance) async fn the_time_of_its_archive_survives_a_restart(fixture: &StoreFixture) {
    let queue = archiving(fixture).await;
    let letter = exhausted(fixture, &queue, "f-1").await;
    fixture.advance(MINUTE);
    fixture.reopen().await;
    fixture.advance(HOUR.saturating_sub(MINUTE).saturating_sub(INSTANT));
    assert_eq!(fixture.status(&queue, letter).await, Status::Exhausted);
    fixture.advance(INSTANT);
    assert_eq!(fixture.status(&queue, letter).await, Status::Archived);
}

pub(in crate::conformance) async fn a_restored_letter_waits_for_the_full_time_again(fixture: &StoreFixture) {
    let queue = archiving(fixture).await;
    let letter = exhausted(fixture, &queue, "f-1").await;
    fixture.advance(HOUR);
    fixture.store().restore(Restore { queue: queue.clone(), letters: vec![letter] }).await.unwrap();
    fixture.advance(HOUR.saturating_sub(INSTANT));
    assert_eq!(fixture.status(&queue, letter).await, Status::Exhausted);
    fixture.advance(INSTANT);
    assert_eq!(fixture.status(&queue, letter).await, Status::Archived);
}

pub(in crate::conformance) async fn a_letter_archived_at_once_is_not_archived_again_after_a_restore(
    fixture: &StoreFixture,
) {
    let queue = fixture
        .queue_with("dead", |settings: &mut QueueSettings| {
            let letters = LetterOverrides {
                letters_expire: Some(false),
                auto_archive: Some(Span::ZERO),
                ..LetterOverrides::default()
            };
            settings.letters = letters;
        })
        .await;
    let letter = exhausted(fixture, &queue, "f-1").await;
    assert_eq!(fixture.status(&queue, letter).await, Status::Archived);
    fixture.store().restore(Restore { queue: queue.clone(), letters: vec![letter] }).await.unwrap();
    assert_eq!(fixture.status(&queue, letter).await, Status::Exhausted);
    fixture.advance(HOUR);
    assert_eq!(fixture.status(&queue, letter).await, Status::Exhausted);
    let held = fixture.claim_by_hand(&queue, letter).await.unwrap();
    fixture.settle(&queue, held.info.id, SettleAction::Release).await.unwrap();
    fixture.reopen().await;
    fixture.advance(HOUR);
    assert_eq!(fixture.status(&queue, letter).await, Status::Exhausted, "a restored letter is left to the operator");
    let other = exhausted(fixture, &queue, "f-2").await;
    assert_eq!(fixture.status(&queue, other).await, Status::Archived);
}

pub(in crate::conformance) async fn a_claimed_letter_is_not_archived(fixture: &StoreFixture) {
    let queue = archiving(fixture).await;
    let letter = exhausted(fixture, &queue, "f-1").await;
    fixture.advance(HOUR.saturating_sub(Span::from_secs(30)));
    let held = fixture.claim_by_hand(&queue, letter).await.unwrap();
    fixture.advance(Span::from_secs(45));
    assert_eq!(fixture.status(&queue, letter).await, Status::Retrying);
    fixture.complete(&queue, held.info.id).await.unwrap();
    fixture.advance(HOUR);
    assert_eq!(fixture.status(&queue, letter).await, Status::Completed);
}

pub(in crate::conformance) async fn letters_are_not_archived_by_default(fixture: &StoreFixture) {
    let queue = fixture.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let letter = exhausted(fixture, &queue, "f-1").await;
    fixture.advance(Span::from_days(400));
    assert_eq!(fixture.status(&queue, letter).await, Status::Exhausted);
    let letters = LetterOverrides {
        letters_expire: Some(false),
        auto_archive: Some(LetterOverrides::FOR_EVER),
        ..LetterOverrides::default()
    };
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
    fixture.store().update_queue(update).await.unwrap();
    let other = exhausted(fixture, &queue, "f-2").await;
    fixture.advance(Span::from_days(400));
    assert_eq!(fixture.status(&queue, other).await, Status::Exhausted);
}
