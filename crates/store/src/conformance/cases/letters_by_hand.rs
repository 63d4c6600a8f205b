//! Manual operations on letters.

use std::sync::Arc;

use crate::{StoreError, conformance::fixture::StoreFixture};
use bytes::Bytes;
use redrive_core::{Category, LetterId, Priority, QueueName, RetryPolicy, Span, Status, Trigger};
use redrive_model::{
    Annotate, Archive, ClaimById, Content, Edit, EndReason, Event, GetLetter, ListLetters, NewLetter, Purge, Rejection,
    Restore, SettleAction,
};

use crate::conformance::samples::{
    HOUR, INSTANT, MINUTE, SECOND, complete, failed, failure, failure_due, failure_for_good, ids, payload, payloads,
    rejection, retry, retry_at,
};

const NEVER_WAS: LetterId = LetterId::new(redrive_core::Ksuid::MAX);

async fn restore(fixture: &StoreFixture, queue: &QueueName, letters: &[LetterId]) -> Result<u64, StoreError> {
    fixture.store().restore(Restore { queue: queue.clone(), letters: letters.to_vec() }).await
}

async fn purge(fixture: &StoreFixture, queue: &QueueName, letters: &[LetterId]) -> u64 {
    fixture.store().purge(Purge { queue: queue.clone(), letters: letters.to_vec() }).await.unwrap()
}

fn edit(queue: &QueueName, letter: LetterId) -> Edit {
    Edit { queue: queue.clone(), letter, content: None, policy: None, max_retries: None, priority: None }
}

/// A letter in each of the five statuses.
async fn one_of_each(fixture: &StoreFixture, queue: &QueueName) -> [(Status, LetterId); 5] {
    let pending = fixture.capture(queue, failure("pending")).await.letter;
    let retrying = fixture.capture(queue, failure_due("retrying")).await.letter;
    fixture.claim_one(queue).await;
    let exhausted = fixture.capture(queue, NewLetter { max_retries: 0, ..failure("exhausted") }).await.letter;
    let completed = fixture.capture(queue, failure_due("completed")).await.letter;
    let held = fixture.claim_one(queue).await;
    fixture.complete(queue, held.info.id).await.unwrap();
    let archived = fixture.capture(queue, failure("archived")).await.letter;
    fixture.archive(queue, archived).await;
    [
        (Status::Pending, pending),
        (Status::Retrying, retrying),
        (Status::Exhausted, exhausted),
        (Status::Completed, completed),
        (Status::Archived, archived),
    ]
}

// Manual retries

pub(in crate::conformance) async fn a_manual_claim_ignores_the_schedule(fixture: &StoreFixture) {
    let (dead_queue, scheduled) = fixture.captured(failure("scheduled")).await;
    let never = fixture.capture(&dead_queue, failure_for_good("never")).await.letter;
    let exhausted = fixture.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("exhausted") }).await.letter;
    for letter in [scheduled, never, exhausted] {
        let before = fixture.record(&dead_queue, letter).await.info.id;
        let held = fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
        assert!(held.info.id > before, "under a new id");
        let info = held.info.letter.expect("a letter");
        assert_eq!((info.status, info.trigger), (Status::Retrying, Trigger::Manual));
    }
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Claimed), 3);
}

pub(in crate::conformance) async fn only_waiting_letters_can_be_claimed_manually(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for (status, letter) in one_of_each(fixture, &dead_queue).await {
        let claimed = fixture.claim_by_hand(&dead_queue, letter).await;
        if matches!(status, Status::Pending | Status::Exhausted) {
            assert!(claimed.is_ok(), "{status}");
        } else {
            let conflict = Rejection::LetterConflict { letter, status, verb: "retried" };
            assert_eq!(rejection(claimed), conflict, "a conflict names the status");
        }
    }
    let unknown = fixture.claim_by_hand(&dead_queue, NEVER_WAS).await;
    assert_eq!(rejection(unknown), Rejection::NoSuchLetter(NEVER_WAS));
}

pub(in crate::conformance) async fn one_unavailable_letter_rejects_the_whole_claim(fixture: &StoreFixture) {
    let (dead_queue, free) = fixture.captured(failure("free")).await;
    let taken = fixture.capture(&dead_queue, failure("taken")).await.letter;
    fixture.claim_by_hand(&dead_queue, taken).await.unwrap();
    for letters in [vec![free, taken], vec![free, free], vec![free, NEVER_WAS]] {
        let letters = letters.into_iter().map(Into::into).collect();
        let claim = ClaimById { queue: dead_queue.clone(), letters, lease: MINUTE, trigger: Trigger::Manual };
        rejection(fixture.store().claim_by_id(claim).await);
        assert_eq!(fixture.status(&dead_queue, free).await, Status::Pending);
    }
}

pub(in crate::conformance) async fn a_failed_manual_retry_of_an_exhausted_letter_stays_exhausted(
    fixture: &StoreFixture,
) {
    let (dead_queue, letter) = fixture.captured(NewLetter { max_retries: 0, ..failure("f-1") }).await;
    for retries in 1..=2 {
        let held = fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
        fixture.settle(&dead_queue, held.info.id, failed("again", Category::Network)).await.unwrap();
        let info = fixture.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.retries), (Status::Exhausted, retries));
    }
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Exhausted), 1, "it became exhausted once");
}

pub(in crate::conformance) async fn a_failed_manual_retry_goes_back_to_the_schedule(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for at in [None, Some(fixture.after(HOUR))] {
        let letter = fixture.capture(&dead_queue, failure(&format!("{at:?}"))).await.letter;
        let held = fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
        let verb = at.map_or_else(retry, retry_at);
        fixture.settle(&dead_queue, held.info.id, verb).await.unwrap();
        let info = fixture.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.retries), (Status::Pending, 1));
        let due = info.next_retry_at;
        assert!(due.is_some(), "its policy retries it automatically; the holder's time was {at:?}");
    }
}

pub(in crate::conformance) async fn a_manual_retry_that_was_not_tried_restores_the_schedule(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    let due = fixture.after(MINUTE);
    for verb in [SettleAction::Defer { until: fixture.after(HOUR) }, SettleAction::Release] {
        let held = fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
        fixture.settle(&dead_queue, held.info.id, verb).await.unwrap();
        let info = fixture.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.retries, info.next_retry_at), (Status::Pending, 0, Some(due)));
    }
}

pub(in crate::conformance) async fn a_manual_retry_that_is_lost_counts(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
    fixture.advance(MINUTE.saturating_add(INSTANT));
    let info = fixture.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.retries, info.is_outcome_unknown), (Status::Pending, 1, true));
    assert_eq!(info.next_retry_at, Some(fixture.after(Span::from_mins(2))));
}

// Archive and restore

pub(in crate::conformance) async fn a_letter_is_archived_from_any_state_once(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let all = one_of_each(fixture, &dead_queue).await;
    let letters = all.map(|(_, letter)| letter).to_vec();
    let archive = Archive { queue: dead_queue.clone(), letters };
    assert_eq!(fixture.store().archive(archive.clone()).await.unwrap(), 4, "one was already archived");
    assert_eq!(fixture.store().archive(archive).await.unwrap(), 0);
    for (status, letter) in all {
        let info = fixture.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.ended_at), (Status::Archived, Some(fixture.now())));
        if status != Status::Archived {
            assert_eq!(info.before.map(|before| before.status), Some(status));
        }
    }
    fixture.advance(HOUR);
    assert!(fixture.claim(&dead_queue, 1).await.is_empty());
    fixture.assert_nothing_to_lease(&dead_queue).await;
}

pub(in crate::conformance) async fn an_unknown_letter_rejects_the_whole_archive(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    let archive = Archive { queue: dead_queue.clone(), letters: vec![letter, NEVER_WAS] };
    assert_eq!(rejection(fixture.store().archive(archive).await), Rejection::NoSuchLetter(NEVER_WAS));
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Pending);
}

pub(in crate::conformance) async fn archiving_makes_a_running_retry_stale(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for verb in [complete(), retry(), SettleAction::Release] {
        let letter = fixture.capture(&dead_queue, failure_due("f-1")).await.letter;
        let held = fixture.claim_one(&dead_queue).await.info.id;
        fixture.archive(&dead_queue, letter).await;
        assert_eq!(rejection(fixture.settle(&dead_queue, held, verb).await), Rejection::NoSuchItem(held));
        let archived = fixture.record(&dead_queue, letter).await.info;
        assert!(archived.id > held, "under a new id");
        let info = archived.letter.expect("a letter");
        assert_eq!((info.status, info.retries), (Status::Archived, 0), "the late result changed nothing");
    }
    fixture.advance(HOUR);
    assert_eq!(fixture.stats(&dead_queue).await.letters.of(Status::Archived), 3, "nor does the end of the lease");
}

pub(in crate::conformance) async fn a_restored_letter_has_its_previous_status(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let due = fixture.after(MINUTE);
    let all = one_of_each(fixture, &dead_queue).await;
    let letters = all.map(|(_, letter)| letter);
    fixture.store().archive(Archive { queue: dead_queue.clone(), letters: letters.to_vec() }).await.unwrap();
    fixture.advance(SECOND);
    restore(fixture, &dead_queue, &letters).await.unwrap();
    let [pending, retrying, exhausted, completed, archived] = letters;
    let info = fixture.info(&dead_queue, pending).await;
    assert_eq!((info.status, info.next_retry_at, info.ended_at), (Status::Pending, Some(due), None));
    let info = fixture.info(&dead_queue, retrying).await;
    assert_eq!((info.status, info.retries, info.is_outcome_unknown), (Status::Pending, 1, true), "counted as failed");
    assert_eq!(fixture.status(&dead_queue, exhausted).await, Status::Exhausted);
    assert_eq!(fixture.status(&dead_queue, completed).await, Status::Completed);
    assert_eq!(fixture.status(&dead_queue, archived).await, Status::Pending);
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Restored), 5);
}

pub(in crate::conformance) async fn an_exhausted_letter_keeps_its_time_through_the_archive(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(NewLetter { max_retries: 0, ..failure("f-1") }).await;
    let exhausted_at = Some(fixture.now());
    for is_claimed in [false, true] {
        fixture.advance(SECOND);
        if is_claimed {
            fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
        }
        fixture.archive(&dead_queue, letter).await;
        let info = fixture.info(&dead_queue, letter).await;
        assert_eq!(info.ended_at, Some(fixture.now()), "the time of the archive");
        assert_eq!(info.before.and_then(|before| before.since), exhausted_at);
        fixture.advance(HOUR);
        restore(fixture, &dead_queue, &[letter]).await.unwrap();
        let info = fixture.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.ended_at), (Status::Exhausted, exhausted_at), "claimed: {is_claimed}");
    }
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Exhausted), 1, "it became exhausted once");
}

pub(in crate::conformance) async fn a_completed_letter_keeps_its_time_through_the_archive(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.letters.completed_retention = Some(HOUR)).await;
    let letter = fixture.capture(&dead_queue, failure_due("f-1")).await.letter;
    fixture.complete_letter(&dead_queue).await;
    let completed_at = fixture.now();
    fixture.advance(MINUTE);
    fixture.archive(&dead_queue, letter).await;
    fixture.advance(HOUR);
    restore(fixture, &dead_queue, &[letter]).await.unwrap();
    let info = fixture.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.ended_at), (Status::Completed, Some(completed_at)));
    fixture.advance(HOUR.saturating_sub(INSTANT));
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Completed, "its retention counts from the restore");
    fixture.advance(INSTANT);
    assert_eq!(fixture.stats(&dead_queue).await.counts.ended(EndReason::Completed), 1);
}

pub(in crate::conformance) async fn a_due_time_passed_in_the_archive_means_now(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    fixture.archive(&dead_queue, letter).await;
    fixture.advance(HOUR);
    restore(fixture, &dead_queue, &[letter]).await.unwrap();
    assert_eq!(fixture.info(&dead_queue, letter).await.next_retry_at, Some(fixture.now()));
    fixture.claim_one(&dead_queue).await;
}

pub(in crate::conformance) async fn a_letter_that_was_on_its_last_retry_is_restored_exhausted(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(NewLetter { max_retries: 1, ..failure_due("f-1") }).await;
    fixture.claim_one(&dead_queue).await;
    fixture.archive(&dead_queue, letter).await;
    restore(fixture, &dead_queue, &[letter]).await.unwrap();
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Exhausted);
}

pub(in crate::conformance) async fn only_archived_letters_are_restored(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let all = one_of_each(fixture, &dead_queue).await;
    let archived = all[4].1;
    for (status, letter) in &all[..4] {
        let before = fixture.info(&dead_queue, *letter).await;
        assert_eq!(restore(fixture, &dead_queue, &[*letter]).await.unwrap(), 0, "{status}");
        assert_eq!(fixture.info(&dead_queue, *letter).await, before, "a letter that is not archived is not changed");
    }
    let named: Vec<LetterId> = all.iter().map(|(_, letter)| *letter).collect();
    assert_eq!(restore(fixture, &dead_queue, &named).await.unwrap(), 1);
    assert_ne!(fixture.status(&dead_queue, archived).await, Status::Archived);
}

pub(in crate::conformance) async fn a_restore_conflict_names_the_holder(fixture: &StoreFixture) {
    let (dead_queue, first) = fixture.captured(failure("f-1")).await;
    fixture.archive(&dead_queue, first).await;
    let second = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    let by = fixture.record(&dead_queue, second).await.info.id;
    let rejected = restore(fixture, &dead_queue, &[first]).await;
    assert_eq!(rejection(rejected), Rejection::SourceHeld { source_id: "f-1".into(), by });
    fixture.archive(&dead_queue, second).await;
    rejection(restore(fixture, &dead_queue, &[first, second]).await);
    restore(fixture, &dead_queue, &[first]).await.unwrap();
    assert_eq!(fixture.stats(&dead_queue).await.letters.live(), 1);
}

pub(in crate::conformance) async fn a_plain_item_with_the_source_id_blocks_a_restore(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    fixture.archive(&dead_queue, letter).await;
    let by = fixture.produce_one(&dead_queue, crate::conformance::samples::item_named("plain", "f-1")).await;
    let rejected = restore(fixture, &dead_queue, &[letter]).await;
    assert_eq!(rejection(rejected), Rejection::SourceHeld { source_id: "f-1".into(), by });
}

pub(in crate::conformance) async fn archived_letters_may_have_a_retention(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.letters.archive_retention = Some(HOUR)).await;
    let letter = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    fixture.archive(&dead_queue, letter).await;
    fixture.advance(HOUR.saturating_sub(INSTANT));
    assert_eq!(fixture.stats(&dead_queue).await.letters.of(Status::Archived), 1);
    fixture.advance(SECOND);
    let stats = fixture.stats(&dead_queue).await;
    assert_eq!((stats.letters.of(Status::Archived), stats.counts.ended(EndReason::Forgotten)), (0, 1));
}

pub(in crate::conformance) async fn archived_letters_are_kept_forever_by_default(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure_for_good("f-1")).await;
    fixture.archive(&dead_queue, letter).await;
    fixture.advance(Span::from_days(100_000));
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Archived);
}

// Edit

pub(in crate::conformance) async fn an_edit_keeps_the_original(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    let before = fixture.record(&dead_queue, letter).await;
    for text in ["edited", "edited twice"] {
        let content = Some(Arc::new(Content::of_payload(text)));
        let edited = fixture.store().edit(Edit { content, ..edit(&dead_queue, letter) }).await.unwrap();
        assert!(edited.id > before.info.id, "the id changes");
        let after = fixture.record(&dead_queue, letter).await;
        assert_eq!(payload(&after), text);
        assert_eq!(after.original.as_ref(), Some(&before.content), "the original is always the first content");
    }
    fixture.advance(MINUTE);
    assert_eq!(payloads(&fixture.claim(&dead_queue, 1).await), ["edited twice"], "the edited content is retried");
}

pub(in crate::conformance) async fn an_edit_reschedules_a_letter(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(NewLetter { max_retries: 1, ..failure_due("f-1") }).await;
    let held = fixture.claim_one(&dead_queue).await;
    fixture.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Exhausted);
    let more = Edit {
        max_retries: Some(5),
        policy: Some(RetryPolicy::Linear),
        priority: Some(Priority::High),
        ..edit(&dead_queue, letter)
    };
    let edited = fixture.store().edit(more).await.unwrap();
    assert_eq!(edited.priority, Priority::High);
    let info = fixture.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.retries, info.max_retries), (Status::Pending, 1, 5));
    assert_eq!(info.next_retry_at, Some(fixture.after(Span::from_mins(10))), "after one failed retry");
    assert_eq!((info.policy, info.ended_at), (RetryPolicy::Linear, None));
    let less = Edit { max_retries: Some(1), ..edit(&dead_queue, letter) };
    fixture.store().edit(less).await.unwrap();
    let info = fixture.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.next_retry_at), (Status::Exhausted, None));
}

pub(in crate::conformance) async fn only_waiting_letters_can_be_edited(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for (status, letter) in one_of_each(fixture, &dead_queue).await {
        let before = fixture.record(&dead_queue, letter).await;
        let change = Edit { max_retries: Some(7), ..edit(&dead_queue, letter) };
        let edited = fixture.store().edit(change).await;
        if matches!(status, Status::Pending | Status::Exhausted) {
            assert!(edited.is_ok(), "{status}");
        } else {
            assert_eq!(rejection(edited), Rejection::LetterConflict { letter, status, verb: "edited" });
            assert_eq!(fixture.record(&dead_queue, letter).await, before);
        }
    }
    let unknown = fixture.store().edit(edit(&dead_queue, NEVER_WAS)).await;
    assert_eq!(rejection(unknown), Rejection::NoSuchLetter(NEVER_WAS));
}

pub(in crate::conformance) async fn an_invalid_edit_changes_nothing(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    let before = fixture.record(&dead_queue, letter).await;
    let too_many = Edit { max_retries: Some(101), ..edit(&dead_queue, letter) };
    assert_eq!(rejection(fixture.store().edit(too_many).await), Rejection::TooManyRetries);
    let content = Content { kind: "k".repeat(2_001), ..Content::default() };
    let too_long = Edit { content: Some(Arc::new(content)), ..edit(&dead_queue, letter) };
    assert!(matches!(rejection(fixture.store().edit(too_long).await), Rejection::ContentTooLong { .. }));
    assert_eq!(fixture.record(&dead_queue, letter).await, before);
}

// Purge, notes, lists

pub(in crate::conformance) async fn a_letter_is_purged_from_any_state(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let letters = one_of_each(fixture, &dead_queue).await.map(|(_, letter)| letter);
    let held = fixture.record(&dead_queue, letters[1]).await.info.id;
    assert_eq!(purge(fixture, &dead_queue, &letters).await, 5);
    assert_eq!(purge(fixture, &dead_queue, &letters).await, 0, "purging again succeeds");
    for letter in letters {
        let gone = fixture.store().letter(GetLetter { queue: dead_queue.clone(), letter }).await;
        assert_eq!(rejection(gone), Rejection::NoSuchLetter(letter));
    }
    assert_eq!(rejection(fixture.complete(&dead_queue, held).await), Rejection::NoSuchItem(held), "a late result");
    assert_eq!(fixture.stats(&dead_queue).await.counts.ended(EndReason::Purged), 5);
}

pub(in crate::conformance) async fn a_purged_letter_is_forgotten(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, failure("f-1")).await;
    assert_eq!(purge(fixture, &dead_queue, &[first.letter]).await, 1);
    let again = fixture.capture(&dead_queue, failure("f-1")).await;
    assert_ne!(again.letter, first.letter);
    assert_eq!(again.reason, redrive_core::CaptureReason::Enqueued);
    rejection(restore(fixture, &dead_queue, &[first.letter]).await);
}

pub(in crate::conformance) async fn notes_are_kept_in_any_state(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for (status, letter) in one_of_each(fixture, &dead_queue).await {
        let before = fixture.record(&dead_queue, letter).await;
        for note in [b"seen".as_slice(), b"\xFF\x00", b""] {
            let note = Bytes::from_static(note);
            fixture.store().annotate(Annotate { queue: dead_queue.clone(), letter, note }).await.unwrap();
        }
        let after = fixture.record(&dead_queue, letter).await;
        assert_eq!(after.notes, [b"seen".as_slice(), b"\xFF\x00", b""], "{status}");
        assert_eq!(after.info.id, before.info.id, "a note does not change the id");
    }
    let unknown = Annotate { queue: dead_queue.clone(), letter: NEVER_WAS, note: Bytes::new() };
    assert_eq!(rejection(fixture.store().annotate(unknown).await), Rejection::NoSuchLetter(NEVER_WAS));
}

pub(in crate::conformance) async fn the_first_and_the_newest_notes_are_kept(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    for number in 0..110 {
        let note = Bytes::from(number.to_string());
        fixture.store().annotate(Annotate { queue: dead_queue.clone(), letter, note }).await.unwrap();
    }
    let notes = fixture.record(&dead_queue, letter).await.notes;
    assert_eq!((notes.len(), &notes[0][..], &notes[1][..], &notes[99][..]), (100, &b"0"[..], &b"11"[..], &b"109"[..]));
}

pub(in crate::conformance) async fn letters_are_listed_by_status_in_pages(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let all = one_of_each(fixture, &dead_queue).await;
    let list = async |statuses: &[Status], after, limit| {
        let list = ListLetters { queue: dead_queue.clone(), statuses: statuses.to_vec(), after, limit };
        let letters = fixture.store().letters(list).await.unwrap();
        letters.into_iter().map(|letter| letter.info.letter.expect("a letter").id).collect::<Vec<_>>()
    };
    let ids = all.map(|(_, letter)| letter);
    assert_eq!(list(&[], None, 9).await, ids, "without statuses: all letters, by id");
    for (status, letter) in all {
        assert_eq!(list(&[status], None, 9).await, [letter]);
    }
    assert_eq!(list(&[Status::Archived, Status::Pending], None, 9).await, [ids[0], ids[4]]);
    assert_eq!(list(&[], None, 2).await, ids[..2]);
    assert_eq!(list(&[], Some(ids[1]), 2).await, ids[2..4], "after the last one of the page before");
    assert_eq!(list(&[], Some(ids[4]), 2).await, []);
}

pub(in crate::conformance) async fn a_letter_is_found_in_its_queue_only(fixture: &StoreFixture) {
    let (dead_queue, other) = (fixture.queue("dead").await, fixture.queue("other").await);
    let letter = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    let elsewhere = fixture.store().letter(GetLetter { queue: other.clone(), letter }).await;
    assert_eq!(rejection(elsewhere), Rejection::NoSuchLetter(letter));
    assert_eq!(rejection(fixture.claim_by_hand(&other, letter).await), Rejection::NoSuchLetter(letter));
    assert_eq!(purge(fixture, &other, &[letter]).await, 0);
    assert_eq!(ids(&fixture.scheduled(&dead_queue, 0).await).len(), 1);
}
