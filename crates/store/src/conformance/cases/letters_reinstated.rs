//! Reinstating letters from an external copy.

use crate::conformance::fixture::StoreFixture;
use bytes::Bytes;
use redrive_core::{Category, ItemId, LetterId, QueueName, Status};
use redrive_model::{
    Annotate, Cause, Content, Cursor, Edit, EndReason, Event, FeedChange, FullLetter, GetConservation, OnOlderRevision,
    Purge, ReadChanges, Reinstate, Reinstated, Rejection, Restore,
};

use crate::conformance::samples::{
    HOUR, MINUTE, complete, failed, failure, failure_due, failure_for_good, failure_of_offset, rejection,
};

async fn reinstate(
    fixture: &StoreFixture,
    queue: &QueueName,
    record: &FullLetter,
    older: OnOlderRevision,
) -> Result<Reinstated, Rejection> {
    let letters = vec![record.clone()];
    let mut answers = fixture.store().reinstate(Reinstate { queue: queue.clone(), letters, older }).await.unwrap();
    answers.remove(0)
}

async fn purge(fixture: &StoreFixture, queue: &QueueName, letters: &[LetterId]) {
    let purge = Purge { queue: queue.clone(), letters: letters.to_vec() };
    assert_eq!(fixture.store().purge(purge).await.unwrap(), letters.len() as u64);
}

/// A letter without its item id, which the store assigns.
fn content_of(mut record: FullLetter) -> FullLetter {
    record.info.id = ItemId::new(record.info.first_id.ksuid());
    record
}

/// A letter with documents of every kind.
async fn eventful_letter(fixture: &StoreFixture, queue: &QueueName) -> LetterId {
    let letter = fixture.capture(queue, failure_of_offset("f-1", 7)).await.letter;
    fixture.advance(MINUTE);
    let held = fixture.claim_one(queue).await;
    fixture.settle(queue, held.info.id, failed("again", Category::Network)).await.unwrap();
    let note = Annotate { queue: queue.clone(), letter, note: Bytes::from_static(b"seen \xff") };
    fixture.store().annotate(note).await.unwrap();
    let content = Some(Content::of_payload("mended").into());
    let edit = Edit { queue: queue.clone(), letter, content, policy: None, max_retries: Some(9), priority: None };
    fixture.store().edit(edit).await.unwrap();
    letter
}

pub(in crate::conformance) async fn a_letter_is_reinstated_completely_and_survives(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let letter = eventful_letter(fixture, &dead_queue).await;
    let before = fixture.record(&dead_queue, letter).await;
    assert!(before.original.is_some() && before.attempts.len() == 2 && before.notes.len() == 1, "{before:?}");
    purge(fixture, &dead_queue, &[letter]).await;
    assert_eq!(reinstate(fixture, &dead_queue, &before, OnOlderRevision::Keep).await, Ok(Reinstated::New));
    let after = fixture.record(&dead_queue, letter).await;
    assert!(after.info.id > before.info.id, "former holders have no lease any more");
    assert_eq!(content_of(after), content_of(before.clone()));
    if fixture.reopen().await {
        assert_eq!(content_of(fixture.record(&dead_queue, letter).await), content_of(before));
    }
    fixture.advance(HOUR);
    let held = fixture.claim_one(&dead_queue).await;
    assert_eq!(held.info.first_id.ksuid(), letter.ksuid(), "it can be retried like any other letter");
    fixture.settle(&dead_queue, held.info.id, complete()).await.unwrap();
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Completed);
}

pub(in crate::conformance) async fn a_letter_is_reinstated_in_its_status(fixture: &StoreFixture) {
    let (dead_queue, pending) = fixture.captured(failure("pending")).await;
    let waiting = fixture.capture(&dead_queue, failure_for_good("waiting")).await.letter;
    let mut spent = failure("exhausted");
    spent.max_retries = 0;
    let exhausted = fixture.capture(&dead_queue, spent).await.letter;
    let completed = fixture.capture(&dead_queue, failure_due("completed")).await.letter;
    fixture.complete_letter(&dead_queue).await;
    let archived = fixture.capture(&dead_queue, failure("archived")).await.letter;
    fixture.archive(&dead_queue, archived).await;
    for letter in [pending, waiting, exhausted, completed, archived] {
        let before = fixture.record(&dead_queue, letter).await;
        purge(fixture, &dead_queue, &[letter]).await;
        assert_eq!(reinstate(fixture, &dead_queue, &before, OnOlderRevision::Keep).await, Ok(Reinstated::New));
        assert_eq!(content_of(fixture.record(&dead_queue, letter).await), content_of(before));
    }
    let restore = Restore { queue: dead_queue.clone(), letters: vec![archived] };
    fixture.store().restore(restore).await.expect("its previous status is known");
    assert_eq!(fixture.status(&dead_queue, archived).await, Status::Pending);
}

pub(in crate::conformance) async fn a_claimed_letter_is_reinstated_unclaimed_and_its_attempt_counts(
    fixture: &StoreFixture,
) {
    let (dead_queue, letter, held) = fixture.claimed(failure_due("f-1")).await;
    let before = fixture.record(&dead_queue, letter).await;
    purge(fixture, &dead_queue, &[letter]).await;
    assert_eq!(reinstate(fixture, &dead_queue, &before, OnOlderRevision::Keep).await, Ok(Reinstated::New));
    let after = fixture.record(&dead_queue, letter).await;
    let info = after.info.letter.as_ref().expect("a letter");
    assert_eq!((info.status, info.retries, info.is_outcome_unknown), (Status::Pending, 1, true));
    assert_eq!(after.attempts.last().and_then(|attempt| attempt.cause), Some(Cause::Lost));
    let late = fixture.complete(&dead_queue, held.info.id).await;
    assert_eq!(rejection(late), Rejection::NoSuchItem(held.info.id), "its holder belongs to another store");
    let reinstated = reinstate(fixture, &dead_queue, &before, OnOlderRevision::Keep).await;
    assert_eq!(reinstated, Ok(Reinstated::There), "and only once");
}

pub(in crate::conformance) async fn an_existing_letter_is_not_changed(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let letter = eventful_letter(fixture, &dead_queue).await;
    let before = fixture.record(&dead_queue, letter).await;
    assert_eq!(reinstate(fixture, &dead_queue, &before, OnOlderRevision::Keep).await, Ok(Reinstated::There));
    assert_eq!(reinstate(fixture, &dead_queue, &before, OnOlderRevision::Replace).await, Ok(Reinstated::There));
    let mut other = before.clone();
    other.info.letter.as_mut().expect("a letter").retries = 7;
    let answer = reinstate(fixture, &dead_queue, &other, OnOlderRevision::Replace).await;
    assert_eq!(answer, Err(Rejection::OtherLetter { letter }), "the same revision with another content");
    assert_eq!(fixture.record(&dead_queue, letter).await, before);
    fixture.archive(&dead_queue, letter).await;
    let went_on = fixture.record(&dead_queue, letter).await;
    let reinstated = reinstate(fixture, &dead_queue, &before, OnOlderRevision::Replace).await;
    assert_eq!(reinstated, Ok(Reinstated::There), "it was changed since");
    assert_eq!(fixture.record(&dead_queue, letter).await, went_on);
}

pub(in crate::conformance) async fn a_newer_revision_replaces_an_older_one_if_allowed(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    let old = fixture.record(&dead_queue, letter).await;
    let note = Annotate { queue: dead_queue.clone(), letter, note: Bytes::from_static(b"newer") };
    fixture.store().annotate(note).await.unwrap();
    let new = fixture.record(&dead_queue, letter).await;
    purge(fixture, &dead_queue, &[letter]).await;
    reinstate(fixture, &dead_queue, &old, OnOlderRevision::Keep).await.unwrap();
    let revision = old.info.letter.as_ref().expect("a letter").revision;
    let rejected = reinstate(fixture, &dead_queue, &new, OnOlderRevision::Keep).await;
    assert_eq!(rejected, Err(Rejection::OlderLetter { letter, revision }));
    assert_eq!(reinstate(fixture, &dead_queue, &new, OnOlderRevision::Replace).await, Ok(Reinstated::Newer));
    assert_eq!(content_of(fixture.record(&dead_queue, letter).await), content_of(new));
}

pub(in crate::conformance) async fn a_held_source_id_prevents_reinstatement(fixture: &StoreFixture) {
    let (dead_queue, first) = fixture.captured(failure_of_offset("f-1", 1)).await;
    let before = fixture.record(&dead_queue, first).await;
    purge(fixture, &dead_queue, &[first]).await;
    for twin in [failure("f-1"), failure_of_offset("f-2", 1)] {
        let twin = fixture.capture(&dead_queue, twin).await.letter;
        let by = fixture.record(&dead_queue, twin).await.info.id;
        let rejected = reinstate(fixture, &dead_queue, &before, OnOlderRevision::Replace).await;
        assert_eq!(rejected, Err(Rejection::SourceHeld { source_id: "f-1".into(), by }));
        fixture.archive(&dead_queue, twin).await;
    }
    let reinstated = reinstate(fixture, &dead_queue, &before, OnOlderRevision::Keep).await;
    assert_eq!(reinstated, Ok(Reinstated::New), "no live letter holds it");
    let other = fixture.queue("other").await;
    let rejected = reinstate(fixture, &other, &before, OnOlderRevision::Keep).await;
    assert_eq!(rejected, Err(Rejection::LetterElsewhere { letter: first, queue: dead_queue }));
}

pub(in crate::conformance) async fn a_rejected_letter_does_not_affect_the_others(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let [one, two] = [failure("f-1"), failure("f-2")];
    let one = fixture.capture(&dead_queue, one).await.letter;
    let two = fixture.capture(&dead_queue, two).await.letter;
    let records = [fixture.record(&dead_queue, one).await, fixture.record(&dead_queue, two).await];
    purge(fixture, &dead_queue, &[one, two]).await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    let letters = records.to_vec();
    let reinstate = Reinstate { queue: dead_queue.clone(), letters, older: OnOlderRevision::Keep };
    let answers = fixture.store().reinstate(reinstate).await.unwrap();
    assert!(matches!(answers[..], [Err(Rejection::SourceHeld { .. }), Ok(Reinstated::New)]), "{answers:?}");
    let [mut record, _] = records;
    record.info.letter = None;
    let letters = vec![record.clone()];
    let reinstate = Reinstate { queue: dead_queue.clone(), letters, older: OnOlderRevision::Keep };
    assert_eq!(rejection(fixture.store().reinstate(reinstate).await), Rejection::NoFailure(record.info.id));
}

pub(in crate::conformance) async fn a_reinstated_letter_is_found_by_its_id_in_any_slot(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let letter = eventful_letter(fixture, &dead_queue).await;
    let before = fixture.record(&dead_queue, letter).await;
    purge(fixture, &dead_queue, &[letter]).await;
    // Its former slot is in use.
    let newer = fixture.capture(&dead_queue, failure("f-2")).await.letter;
    fixture.produce(&dead_queue, &["plain"]).await;
    reinstate(fixture, &dead_queue, &before, OnOlderRevision::Keep).await.unwrap();
    let list = redrive_model::ListLetters { queue: dead_queue.clone(), statuses: vec![], after: None, limit: 10 };
    let listed = fixture.store().letters(list.clone()).await.unwrap();
    let ids = |letters: &[redrive_model::StoredItem]| -> Vec<_> {
        letters.iter().map(|item| item.info.letter.as_ref().map(|letter| letter.id)).collect()
    };
    assert_eq!(ids(&listed), [Some(letter), Some(newer)], "in the order of their own ids");
    let behind = redrive_model::ListLetters { after: Some(letter), ..list };
    assert_eq!(ids(&fixture.store().letters(behind).await.unwrap()), [Some(newer)]);
    let _survived = fixture.reopen().await;
    fixture.archive(&dead_queue, letter).await;
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Archived);
    purge(fixture, &dead_queue, &[letter]).await;
    assert_eq!(fixture.stats(&dead_queue).await.letters.of(Status::Pending), 1);
}

pub(in crate::conformance) async fn reinstated_letters_are_counted_and_in_the_feed(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.letters.max_size = Some(1)).await;
    let letter = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    let before = fixture.record(&dead_queue, letter).await;
    purge(fixture, &dead_queue, &[letter]).await;
    fixture.capture(&dead_queue, failure("f-2")).await;
    let cursor = || "copy".to_owned();
    fixture.store().cursor(Cursor::Register { name: cursor() }).await.unwrap();
    let reinstated = reinstate(fixture, &dead_queue, &before, OnOlderRevision::Keep).await;
    assert_eq!(reinstated, Ok(Reinstated::New), "a size limit applies to captures only");
    let counts = fixture.stats(&dead_queue).await.counts;
    assert_eq!((counts.of(Event::Captured), counts.of(Event::Reinstated), counts.ended(EndReason::Purged)), (2, 1, 1));
    let sums = fixture.store().conservation(GetConservation).await.unwrap();
    assert!(sums.holds() && sums.arrived == 3 && sums.present == 2, "{sums:?}");
    let page = fixture
        .store()
        .changes(ReadChanges { cursor: cursor(), after: None, limit: 10, wait: redrive_core::Span::ZERO })
        .await
        .unwrap();
    let [FeedChange::Now { letter: listed, .. }] = &page.changes[..] else { panic!("{page:?}") };
    assert_eq!(content_of((**listed).clone()), content_of(before));
}
