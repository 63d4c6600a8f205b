//! Letters that are put back from a copy elsewhere.

use crate::conformance::bed::Bed;
use bytes::Bytes;
use redrive_core::{Category, ItemId, LetterId, QueueName, Status};
use redrive_model::{
    Annotate, Cause, Content, Cursor, Edit, EndReason, Event, FeedChange, FullLetter, GetConservation, OnOlderRevision,
    Purge, ReadChanges, Reinstate, Reinstated, Rejection, Restore,
};

use crate::conformance::words::{
    HOUR, MINUTE, complete, failed, failure, failure_due, failure_for_good, failure_of_offset, refusal,
};

async fn put_back(
    bed: &Bed,
    queue: &QueueName,
    record: &FullLetter,
    older: OnOlderRevision,
) -> Result<Reinstated, Rejection> {
    let letters = vec![record.clone()];
    let mut answers = bed.store().reinstate(Reinstate { queue: queue.clone(), letters, older }).await.unwrap();
    answers.remove(0)
}

async fn purge(bed: &Bed, queue: &QueueName, letters: &[LetterId]) {
    let purge = Purge { queue: queue.clone(), letters: letters.to_vec() };
    assert_eq!(bed.store().purge(purge).await.unwrap(), letters.len() as u64);
}

/// A letter without its fence, which is the store's own.
fn content_of(mut record: FullLetter) -> FullLetter {
    record.info.id = ItemId::new(record.info.first_id.ksuid());
    record
}

/// A letter to which everything has happened that leaves something behind.
async fn a_life(bed: &Bed, queue: &QueueName) -> LetterId {
    let letter = bed.capture(queue, failure_of_offset("f-1", 7)).await.letter;
    bed.advance(MINUTE);
    let held = bed.claim_one(queue).await;
    bed.settle(queue, held.info.id, failed("again", Category::Network)).await.unwrap();
    let note = Annotate { queue: queue.clone(), letter, note: Bytes::from_static(b"seen \xff") };
    bed.store().annotate(note).await.unwrap();
    let content = Some(Content::of_payload("mended").into());
    let edit = Edit { queue: queue.clone(), letter, content, policy: None, max_retries: Some(9), priority: None };
    bed.store().edit(edit).await.unwrap();
    letter
}

pub(in crate::conformance) async fn a_letter_comes_back_whole_and_survives(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = a_life(bed, &dead_queue).await;
    let before = bed.record(&dead_queue, letter).await;
    assert!(before.original.is_some() && before.attempts.len() == 2 && before.notes.len() == 1, "{before:?}");
    purge(bed, &dead_queue, &[letter]).await;
    assert_eq!(put_back(bed, &dead_queue, &before, OnOlderRevision::Stays).await, Ok(Reinstated::New));
    let after = bed.record(&dead_queue, letter).await;
    assert!(after.info.id > before.info.id, "whoever held it holds nothing");
    assert_eq!(content_of(after), content_of(before.clone()));
    if bed.reopen().await {
        assert_eq!(content_of(bed.record(&dead_queue, letter).await), content_of(before));
    }
    bed.advance(HOUR);
    let held = bed.claim_one(&dead_queue).await;
    assert_eq!(held.info.first_id.ksuid(), letter.ksuid(), "and is worked on like any other");
    bed.settle(&dead_queue, held.info.id, complete()).await.unwrap();
    assert_eq!(bed.info(&dead_queue, letter).await.status, Status::Completed);
}

pub(in crate::conformance) async fn a_letter_comes_back_in_its_status(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let pending = bed.capture(&dead_queue, failure("pending")).await.letter;
    let waiting = bed.capture(&dead_queue, failure_for_good("waiting")).await.letter;
    let mut spent = failure("exhausted");
    spent.max_retries = 0;
    let exhausted = bed.capture(&dead_queue, spent).await.letter;
    let completed = bed.capture(&dead_queue, failure_due("completed")).await.letter;
    let held = bed.claim_one(&dead_queue).await;
    bed.complete(&dead_queue, held.info.id).await.unwrap();
    let archived = bed.capture(&dead_queue, failure("archived")).await.letter;
    bed.archive(&dead_queue, archived).await;
    for letter in [pending, waiting, exhausted, completed, archived] {
        let before = bed.record(&dead_queue, letter).await;
        purge(bed, &dead_queue, &[letter]).await;
        assert_eq!(put_back(bed, &dead_queue, &before, OnOlderRevision::Stays).await, Ok(Reinstated::New));
        assert_eq!(content_of(bed.record(&dead_queue, letter).await), content_of(before));
    }
    let restore = Restore { queue: dead_queue.clone(), letters: vec![archived] };
    bed.store().restore(restore).await.expect("what it was before is known");
    assert_eq!(bed.info(&dead_queue, archived).await.status, Status::Pending);
}

pub(in crate::conformance) async fn a_claimed_letter_comes_back_unclaimed_and_its_attempt_counts(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure_due("f-1")).await.letter;
    let held = bed.claim_one(&dead_queue).await;
    let before = bed.record(&dead_queue, letter).await;
    purge(bed, &dead_queue, &[letter]).await;
    assert_eq!(put_back(bed, &dead_queue, &before, OnOlderRevision::Stays).await, Ok(Reinstated::New));
    let after = bed.record(&dead_queue, letter).await;
    let info = after.info.letter.as_ref().expect("a letter");
    assert_eq!((info.status, info.retries, info.is_outcome_unknown), (Status::Pending, 1, true));
    assert_eq!(after.attempts.last().and_then(|attempt| attempt.cause), Some(Cause::Lost));
    let late = bed.complete(&dead_queue, held.info.id).await;
    assert_eq!(refusal(late), Rejection::NoSuchItem(held.info.id), "its holder was one of elsewhere");
    assert_eq!(
        put_back(bed, &dead_queue, &before, OnOlderRevision::Stays).await,
        Ok(Reinstated::There),
        "and only once"
    );
}

pub(in crate::conformance) async fn a_letter_that_is_there_is_left_alone(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = a_life(bed, &dead_queue).await;
    let before = bed.record(&dead_queue, letter).await;
    assert_eq!(put_back(bed, &dead_queue, &before, OnOlderRevision::Stays).await, Ok(Reinstated::There));
    assert_eq!(put_back(bed, &dead_queue, &before, OnOlderRevision::GoesAway).await, Ok(Reinstated::There));
    let mut other = before.clone();
    other.info.letter.as_mut().expect("a letter").retries = 7;
    let answer = put_back(bed, &dead_queue, &other, OnOlderRevision::GoesAway).await;
    assert_eq!(answer, Err(Rejection::OtherLetter { letter }), "the same revision, and another");
    assert_eq!(bed.record(&dead_queue, letter).await, before);
    bed.archive(&dead_queue, letter).await;
    let went_on = bed.record(&dead_queue, letter).await;
    assert_eq!(
        put_back(bed, &dead_queue, &before, OnOlderRevision::GoesAway).await,
        Ok(Reinstated::There),
        "it went on"
    );
    assert_eq!(bed.record(&dead_queue, letter).await, went_on);
}

pub(in crate::conformance) async fn a_newer_revision_takes_the_place_of_an_older_one_if_it_may(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let old = bed.record(&dead_queue, letter).await;
    let note = Annotate { queue: dead_queue.clone(), letter, note: Bytes::from_static(b"newer") };
    bed.store().annotate(note).await.unwrap();
    let new = bed.record(&dead_queue, letter).await;
    purge(bed, &dead_queue, &[letter]).await;
    put_back(bed, &dead_queue, &old, OnOlderRevision::Stays).await.unwrap();
    let revision = old.info.letter.as_ref().expect("a letter").revision;
    let refused = put_back(bed, &dead_queue, &new, OnOlderRevision::Stays).await;
    assert_eq!(refused, Err(Rejection::OlderLetter { letter, revision }));
    assert_eq!(put_back(bed, &dead_queue, &new, OnOlderRevision::GoesAway).await, Ok(Reinstated::Newer));
    assert_eq!(content_of(bed.record(&dead_queue, letter).await), content_of(new));
}

pub(in crate::conformance) async fn a_source_that_somebody_holds_keeps_a_letter_out(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let first = bed.capture(&dead_queue, failure_of_offset("f-1", 1)).await.letter;
    let before = bed.record(&dead_queue, first).await;
    purge(bed, &dead_queue, &[first]).await;
    for twin in [failure("f-1"), failure_of_offset("f-2", 1)] {
        let twin = bed.capture(&dead_queue, twin).await.letter;
        let by = bed.record(&dead_queue, twin).await.info.id;
        let refused = put_back(bed, &dead_queue, &before, OnOlderRevision::GoesAway).await;
        assert_eq!(refused, Err(Rejection::SourceHeld { source_id: "f-1".into(), by }));
        bed.archive(&dead_queue, twin).await;
    }
    assert_eq!(
        put_back(bed, &dead_queue, &before, OnOlderRevision::Stays).await,
        Ok(Reinstated::New),
        "nobody live holds it"
    );
    let other = bed.queue("other").await;
    let refused = put_back(bed, &other, &before, OnOlderRevision::Stays).await;
    assert_eq!(refused, Err(Rejection::LetterElsewhere { letter: first, queue: dead_queue }));
}

pub(in crate::conformance) async fn one_that_is_refused_keeps_nobody_else_out(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let [one, two] = [failure("f-1"), failure("f-2")];
    let one = bed.capture(&dead_queue, one).await.letter;
    let two = bed.capture(&dead_queue, two).await.letter;
    let records = [bed.record(&dead_queue, one).await, bed.record(&dead_queue, two).await];
    purge(bed, &dead_queue, &[one, two]).await;
    bed.capture(&dead_queue, failure("f-1")).await;
    let letters = records.to_vec();
    let reinstate = Reinstate { queue: dead_queue.clone(), letters, older: OnOlderRevision::Stays };
    let answers = bed.store().reinstate(reinstate).await.unwrap();
    assert!(matches!(answers[..], [Err(Rejection::SourceHeld { .. }), Ok(Reinstated::New)]), "{answers:?}");
    let [mut record, _] = records;
    record.info.letter = None;
    let letters = vec![record.clone()];
    let reinstate = Reinstate { queue: dead_queue.clone(), letters, older: OnOlderRevision::Stays };
    assert_eq!(refusal(bed.store().reinstate(reinstate).await), Rejection::NoFailure(record.info.id));
}

pub(in crate::conformance) async fn a_letter_is_found_by_its_id_wherever_there_was_room(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = a_life(bed, &dead_queue).await;
    let before = bed.record(&dead_queue, letter).await;
    purge(bed, &dead_queue, &[letter]).await;
    // Whatever place it had, somebody has it now.
    let newer = bed.capture(&dead_queue, failure("f-2")).await.letter;
    bed.produce(&dead_queue, &["plain"]).await;
    put_back(bed, &dead_queue, &before, OnOlderRevision::Stays).await.unwrap();
    let list = redrive_model::ListLetters { queue: dead_queue.clone(), statuses: vec![], after: None, limit: 10 };
    let listed = bed.store().letters(list.clone()).await.unwrap();
    let ids = |letters: &[redrive_model::StoredItem]| -> Vec<_> {
        letters.iter().map(|item| item.info.letter.as_ref().map(|letter| letter.id)).collect()
    };
    assert_eq!(ids(&listed), [Some(letter), Some(newer)], "in the order of their own ids");
    let behind = redrive_model::ListLetters { after: Some(letter), ..list };
    assert_eq!(ids(&bed.store().letters(behind).await.unwrap()), [Some(newer)]);
    let _survived = bed.reopen().await;
    bed.archive(&dead_queue, letter).await;
    assert_eq!(bed.info(&dead_queue, letter).await.status, Status::Archived);
    purge(bed, &dead_queue, &[letter]).await;
    assert_eq!(bed.stats(&dead_queue).await.letters.of(Status::Pending), 1);
}

pub(in crate::conformance) async fn what_is_put_back_is_counted_and_told(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.letters.max_size = Some(1)).await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let before = bed.record(&dead_queue, letter).await;
    purge(bed, &dead_queue, &[letter]).await;
    bed.capture(&dead_queue, failure("f-2")).await;
    let cursor = || "copy".to_owned();
    bed.store().cursor(Cursor::Register { name: cursor() }).await.unwrap();
    assert_eq!(
        put_back(bed, &dead_queue, &before, OnOlderRevision::Stays).await,
        Ok(Reinstated::New),
        "a size binds captures"
    );
    let tally = bed.stats(&dead_queue).await.tally;
    assert_eq!((tally.of(Event::Captured), tally.of(Event::Reinstated), tally.ended(EndReason::Purged)), (2, 1, 1));
    let sums = bed.store().conservation(GetConservation).await.unwrap();
    assert!(sums.holds() && sums.arrived == 3 && sums.present == 2, "{sums:?}");
    let page = bed
        .store()
        .changes(ReadChanges { cursor: cursor(), after: None, limit: 10, wait: redrive_core::Span::ZERO })
        .await
        .unwrap();
    let [FeedChange::Now { letter: told, .. }] = &page.changes[..] else { panic!("{page:?}") };
    assert_eq!(content_of((**told).clone()), content_of(before));
}
