//! Exhausted letters that are archived by themselves.

use crate::conformance::bed::Bed;
use redrive_core::{Category, LetterId, QueueName, Span, Status};
use redrive_model::{LetterOverrides, NewLetter, QueueSettings, Restore, SettleAction, UpdateQueue};

use crate::conformance::words::{HOUR, INSTANT, MINUTE, failed, failure, failure_due};

/// A dead queue that archives what was exhausted for an hour.
async fn archiving(bed: &Bed) -> QueueName {
    bed.queue_with("dead", |settings: &mut QueueSettings| {
        settings.letters =
            LetterOverrides { letters_expire: Some(false), auto_archive: Some(HOUR), ..LetterOverrides::default() };
    })
    .await
}

/// A letter without any retry.
async fn exhausted(bed: &Bed, queue: &QueueName, source_id: &str) -> LetterId {
    bed.capture(queue, NewLetter { max_retries: 0, ..failure(source_id) }).await.letter
}

async fn status(bed: &Bed, queue: &QueueName, letter: LetterId) -> Status {
    bed.info(queue, letter).await.status
}

pub(in crate::conformance) async fn a_letter_is_archived_so_long_after_it_was_exhausted(bed: &Bed) {
    let queue = archiving(bed).await;
    let letter = bed.capture(&queue, NewLetter { max_retries: 1, ..failure_due("f-1") }).await.letter;
    bed.advance(HOUR);
    let held = bed.claim_one(&queue).await;
    bed.settle(&queue, held.info.id, failed("again", Category::Transient)).await.unwrap();
    assert_eq!(status(bed, &queue, letter).await, Status::Exhausted, "it failed long ago, and is exhausted since now");
    bed.advance(HOUR.saturating_sub(INSTANT));
    assert_eq!(status(bed, &queue, letter).await, Status::Exhausted);
    bed.advance(INSTANT);
    let info = bed.info(&queue, letter).await;
    assert_eq!((info.status, info.ended_at), (Status::Archived, Some(bed.now())));
    assert_eq!(info.before.map(|before| before.status), Some(Status::Exhausted));
    assert_eq!(bed.stats(&queue).await.letters.of(Status::Archived), 1);
}

pub(in crate::conformance) async fn the_time_of_its_archive_survives_a_restart(bed: &Bed) {
    let queue = archiving(bed).await;
    let letter = exhausted(bed, &queue, "f-1").await;
    bed.advance(MINUTE);
    bed.reopen().await;
    bed.advance(HOUR.saturating_sub(MINUTE).saturating_sub(INSTANT));
    assert_eq!(status(bed, &queue, letter).await, Status::Exhausted);
    bed.advance(INSTANT);
    assert_eq!(status(bed, &queue, letter).await, Status::Archived);
}

pub(in crate::conformance) async fn a_letter_that_is_restored_is_left_alone_for_as_long(bed: &Bed) {
    let queue = archiving(bed).await;
    let letter = exhausted(bed, &queue, "f-1").await;
    bed.advance(HOUR);
    bed.store().restore(Restore { queue: queue.clone(), letters: vec![letter] }).await.unwrap();
    bed.advance(HOUR.saturating_sub(INSTANT));
    assert_eq!(status(bed, &queue, letter).await, Status::Exhausted);
    bed.advance(INSTANT);
    assert_eq!(status(bed, &queue, letter).await, Status::Archived);
}

pub(in crate::conformance) async fn a_letter_that_is_archived_at_once_is_left_alone_when_it_is_restored(bed: &Bed) {
    let queue = bed
        .queue_with("dead", |settings: &mut QueueSettings| {
            let letters = LetterOverrides {
                letters_expire: Some(false),
                auto_archive: Some(Span::ZERO),
                ..LetterOverrides::default()
            };
            settings.letters = letters;
        })
        .await;
    let letter = exhausted(bed, &queue, "f-1").await;
    assert_eq!(status(bed, &queue, letter).await, Status::Archived);
    bed.store().restore(Restore { queue: queue.clone(), letters: vec![letter] }).await.unwrap();
    assert_eq!(status(bed, &queue, letter).await, Status::Exhausted);
    bed.advance(HOUR);
    assert_eq!(status(bed, &queue, letter).await, Status::Exhausted);
    let held = bed.claim_by_hand(&queue, letter).await.unwrap();
    bed.settle(&queue, held.info.id, SettleAction::Release).await.unwrap();
    bed.reopen().await;
    bed.advance(HOUR);
    assert_eq!(status(bed, &queue, letter).await, Status::Exhausted, "whoever brought it back decides about it");
    let other = exhausted(bed, &queue, "f-2").await;
    assert_eq!(status(bed, &queue, other).await, Status::Archived);
}

pub(in crate::conformance) async fn nobody_archives_a_letter_that_somebody_holds(bed: &Bed) {
    let queue = archiving(bed).await;
    let letter = exhausted(bed, &queue, "f-1").await;
    bed.advance(HOUR.saturating_sub(Span::from_secs(30)));
    let held = bed.claim_by_hand(&queue, letter).await.unwrap();
    bed.advance(Span::from_secs(45));
    assert_eq!(status(bed, &queue, letter).await, Status::Retrying);
    bed.complete(&queue, held.info.id).await.unwrap();
    bed.advance(HOUR);
    assert_eq!(status(bed, &queue, letter).await, Status::Completed);
}

pub(in crate::conformance) async fn letters_stay_exhausted_where_nothing_is_said(bed: &Bed) {
    let queue = bed.queue_with("dead", |settings| settings.letters.letters_expire = Some(false)).await;
    let letter = exhausted(bed, &queue, "f-1").await;
    bed.advance(Span::from_days(400));
    assert_eq!(status(bed, &queue, letter).await, Status::Exhausted);
    let letters = LetterOverrides {
        letters_expire: Some(false),
        auto_archive: Some(LetterOverrides::FOR_EVER),
        ..LetterOverrides::default()
    };
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
    bed.store().update_queue(update).await.unwrap();
    let other = exhausted(bed, &queue, "f-2").await;
    bed.advance(Span::from_days(400));
    assert_eq!(status(bed, &queue, other).await, Status::Exhausted);
}
