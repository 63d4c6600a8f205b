//! What people do with letters.

use std::sync::Arc;

use crate::{StoreError, conformance::bed::Bed};
use bytes::Bytes;
use redrive_core::{Category, LetterId, Priority, QueueName, RetryPolicy, Span, Status, Trigger};
use redrive_model::{
    Annotate, Archive, ClaimById, Content, Edit, EndReason, Event, GetLetter, ListLetters, NewLetter, Purge, Rejection,
    Restore, SettleAction,
};

use crate::conformance::words::{
    HOUR, INSTANT, MINUTE, SECOND, complete, failed, failure, failure_due, failure_for_good, ids, payload, payloads,
    refusal, retry, retry_at,
};

const NEVER_WAS: LetterId = LetterId::new(redrive_core::Ksuid::MAX);

async fn restore(bed: &Bed, queue: &QueueName, letters: &[LetterId]) -> Result<u64, StoreError> {
    bed.store().restore(Restore { queue: queue.clone(), letters: letters.to_vec() }).await
}

async fn purge(bed: &Bed, queue: &QueueName, letters: &[LetterId]) -> u64 {
    bed.store().purge(Purge { queue: queue.clone(), letters: letters.to_vec() }).await.unwrap()
}

fn edit(queue: &QueueName, letter: LetterId) -> Edit {
    Edit { queue: queue.clone(), letter, content: None, policy: None, max_retries: None, priority: None }
}

/// A letter in each of the five states.
async fn one_of_each(bed: &Bed, queue: &QueueName) -> [(Status, LetterId); 5] {
    let pending = bed.capture(queue, failure("pending")).await.letter;
    let retrying = bed.capture(queue, failure_due("retrying")).await.letter;
    bed.claim_one(queue).await;
    let exhausted = bed.capture(queue, NewLetter { max_retries: 0, ..failure("exhausted") }).await.letter;
    let completed = bed.capture(queue, failure_due("completed")).await.letter;
    let held = bed.claim_one(queue).await;
    bed.complete(queue, held.info.id).await.unwrap();
    let archived = bed.capture(queue, failure("archived")).await.letter;
    bed.archive(queue, archived).await;
    [
        (Status::Pending, pending),
        (Status::Retrying, retrying),
        (Status::Exhausted, exhausted),
        (Status::Completed, completed),
        (Status::Archived, archived),
    ]
}

// Retrying by hand

pub(in crate::conformance) async fn a_person_claims_whatever_the_schedule_says(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let scheduled = bed.capture(&dead_queue, failure("scheduled")).await.letter;
    let never = bed.capture(&dead_queue, failure_for_good("never")).await.letter;
    let exhausted = bed.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("exhausted") }).await.letter;
    for letter in [scheduled, never, exhausted] {
        let before = bed.record(&dead_queue, letter).await.info.id;
        let held = bed.claim_by_hand(&dead_queue, letter).await.unwrap();
        assert!(held.info.id > before, "under a new id");
        let info = held.info.letter.expect("a letter");
        assert_eq!((info.status, info.trigger), (Status::Retrying, Trigger::Manual));
    }
    assert_eq!(bed.stats(&dead_queue).await.tally.of(Event::Claimed), 3);
}

pub(in crate::conformance) async fn only_waiting_letters_are_claimed_by_hand(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    for (status, letter) in one_of_each(bed, &dead_queue).await {
        let claimed = bed.claim_by_hand(&dead_queue, letter).await;
        if matches!(status, Status::Pending | Status::Exhausted) {
            assert!(claimed.is_ok(), "{status}");
        } else {
            let conflict = Rejection::LetterConflict { letter, status, verb: "retried" };
            assert_eq!(refusal(claimed), conflict, "a conflict names the state");
        }
    }
    let unknown = bed.claim_by_hand(&dead_queue, NEVER_WAS).await;
    assert_eq!(refusal(unknown), Rejection::NoSuchLetter(NEVER_WAS));
}

pub(in crate::conformance) async fn one_letter_that_is_not_free_refuses_the_whole_claim(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let free = bed.capture(&dead_queue, failure("free")).await.letter;
    let taken = bed.capture(&dead_queue, failure("taken")).await.letter;
    bed.claim_by_hand(&dead_queue, taken).await.unwrap();
    for letters in [vec![free, taken], vec![free, free], vec![free, NEVER_WAS]] {
        let letters = letters.into_iter().map(Into::into).collect();
        let claim = ClaimById { queue: dead_queue.clone(), letters, lease: MINUTE, trigger: Trigger::Manual };
        refusal(bed.store().claim_by_id(claim).await);
        assert_eq!(bed.info(&dead_queue, free).await.status, Status::Pending);
    }
}

pub(in crate::conformance) async fn a_failed_manual_retry_of_an_exhausted_letter_stays_exhausted(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-1") }).await.letter;
    for retries in 1..=2 {
        let held = bed.claim_by_hand(&dead_queue, letter).await.unwrap();
        bed.settle(&dead_queue, held.info.id, failed("again", Category::Network)).await.unwrap();
        let info = bed.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.retries), (Status::Exhausted, retries));
    }
    assert_eq!(bed.stats(&dead_queue).await.tally.of(Event::Exhausted), 1, "it entered that state once");
}

pub(in crate::conformance) async fn a_failed_manual_retry_goes_back_to_the_schedule(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    for at in [None, Some(bed.after(HOUR))] {
        let letter = bed.capture(&dead_queue, failure(&format!("{at:?}"))).await.letter;
        let held = bed.claim_by_hand(&dead_queue, letter).await.unwrap();
        let verb = at.map_or_else(retry, retry_at);
        bed.settle(&dead_queue, held.info.id, verb).await.unwrap();
        let info = bed.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.retries), (Status::Pending, 1));
        let due = info.next_retry_at;
        assert!(due.is_some(), "its policy is to be retried by itself; the holder said {at:?}");
    }
}

pub(in crate::conformance) async fn a_manual_retry_that_was_not_tried_restores_the_schedule(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let due = bed.after(MINUTE);
    for verb in [SettleAction::Defer { until: bed.after(HOUR) }, SettleAction::Release] {
        let held = bed.claim_by_hand(&dead_queue, letter).await.unwrap();
        bed.settle(&dead_queue, held.info.id, verb).await.unwrap();
        let info = bed.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.retries, info.next_retry_at), (Status::Pending, 0, Some(due)));
    }
}

pub(in crate::conformance) async fn a_manual_retry_that_is_lost_counts(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    bed.claim_by_hand(&dead_queue, letter).await.unwrap();
    bed.advance(MINUTE.saturating_add(INSTANT));
    let info = bed.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.retries, info.is_outcome_unknown), (Status::Pending, 1, true));
    assert_eq!(info.next_retry_at, Some(bed.after(Span::from_mins(2))));
}

// Archive and restore

pub(in crate::conformance) async fn a_letter_is_archived_from_any_state_once(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let all = one_of_each(bed, &dead_queue).await;
    let letters = all.map(|(_, letter)| letter).to_vec();
    let archive = Archive { queue: dead_queue.clone(), letters };
    assert_eq!(bed.store().archive(archive.clone()).await.unwrap(), 4, "one was away already");
    assert_eq!(bed.store().archive(archive).await.unwrap(), 0);
    for (status, letter) in all {
        let info = bed.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.ended_at), (Status::Archived, Some(bed.now())));
        if status != Status::Archived {
            assert_eq!(info.before.map(|before| before.status), Some(status));
        }
    }
    bed.advance(HOUR);
    assert!(bed.claim(&dead_queue, 1).await.is_empty());
    bed.assert_nothing_to_lease(&dead_queue).await;
}

pub(in crate::conformance) async fn an_unknown_letter_refuses_the_whole_archive(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let archive = Archive { queue: dead_queue.clone(), letters: vec![letter, NEVER_WAS] };
    assert_eq!(refusal(bed.store().archive(archive).await), Rejection::NoSuchLetter(NEVER_WAS));
    assert_eq!(bed.info(&dead_queue, letter).await.status, Status::Pending);
}

pub(in crate::conformance) async fn archiving_makes_a_running_retry_stale(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    for verb in [complete(), retry(), SettleAction::Release] {
        let letter = bed.capture(&dead_queue, failure_due("f-1")).await.letter;
        let held = bed.claim_one(&dead_queue).await.info.id;
        bed.archive(&dead_queue, letter).await;
        assert_eq!(refusal(bed.settle(&dead_queue, held, verb).await), Rejection::NoSuchItem(held));
        let archived = bed.record(&dead_queue, letter).await.info;
        assert!(archived.id > held, "under a new id");
        let info = archived.letter.expect("a letter");
        assert_eq!((info.status, info.retries), (Status::Archived, 0), "the late result changed nothing");
    }
    bed.advance(HOUR);
    assert_eq!(bed.stats(&dead_queue).await.letters.of(Status::Archived), 3, "nor does the lease's end");
}

pub(in crate::conformance) async fn a_restored_letter_is_where_it_was(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let due = bed.after(MINUTE);
    let all = one_of_each(bed, &dead_queue).await;
    let letters = all.map(|(_, letter)| letter);
    bed.store().archive(Archive { queue: dead_queue.clone(), letters: letters.to_vec() }).await.unwrap();
    bed.advance(SECOND);
    restore(bed, &dead_queue, &letters).await.unwrap();
    let [pending, retrying, exhausted, completed, archived] = letters;
    let info = bed.info(&dead_queue, pending).await;
    assert_eq!((info.status, info.next_retry_at, info.ended_at), (Status::Pending, Some(due), None));
    let info = bed.info(&dead_queue, retrying).await;
    assert_eq!((info.status, info.retries, info.is_outcome_unknown), (Status::Pending, 1, true), "counted as failed");
    assert_eq!(bed.info(&dead_queue, exhausted).await.status, Status::Exhausted);
    assert_eq!(bed.info(&dead_queue, completed).await.status, Status::Completed);
    assert_eq!(bed.info(&dead_queue, archived).await.status, Status::Pending);
    assert_eq!(bed.stats(&dead_queue).await.tally.of(Event::Restored), 5);
}

pub(in crate::conformance) async fn an_exhausted_letter_is_so_since_before_its_archive(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-1") }).await.letter;
    let exhausted_at = Some(bed.now());
    for is_claimed in [false, true] {
        bed.advance(SECOND);
        if is_claimed {
            bed.claim_by_hand(&dead_queue, letter).await.unwrap();
        }
        bed.archive(&dead_queue, letter).await;
        let info = bed.info(&dead_queue, letter).await;
        assert_eq!(info.ended_at, Some(bed.now()), "archived now");
        assert_eq!(info.before.and_then(|before| before.since), exhausted_at);
        bed.advance(HOUR);
        restore(bed, &dead_queue, &[letter]).await.unwrap();
        let info = bed.info(&dead_queue, letter).await;
        assert_eq!((info.status, info.ended_at), (Status::Exhausted, exhausted_at), "claimed: {is_claimed}");
    }
    assert_eq!(bed.stats(&dead_queue).await.tally.of(Event::Exhausted), 1, "it entered that state once");
}

pub(in crate::conformance) async fn a_completed_letter_keeps_its_time_through_the_archive(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.letters.completed_retention = Some(HOUR)).await;
    let letter = bed.capture(&dead_queue, failure_due("f-1")).await.letter;
    let held = bed.claim_one(&dead_queue).await;
    bed.complete(&dead_queue, held.info.id).await.unwrap();
    let completed_at = bed.now();
    bed.advance(MINUTE);
    bed.archive(&dead_queue, letter).await;
    bed.advance(HOUR);
    restore(bed, &dead_queue, &[letter]).await.unwrap();
    let info = bed.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.ended_at), (Status::Completed, Some(completed_at)));
    bed.advance(HOUR.saturating_sub(INSTANT));
    assert_eq!(bed.info(&dead_queue, letter).await.status, Status::Completed, "kept from its restore on");
    bed.advance(INSTANT);
    assert_eq!(bed.stats(&dead_queue).await.tally.ended(EndReason::Completed), 1);
}

pub(in crate::conformance) async fn a_due_time_that_passed_in_the_archive_is_now(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    bed.archive(&dead_queue, letter).await;
    bed.advance(HOUR);
    restore(bed, &dead_queue, &[letter]).await.unwrap();
    assert_eq!(bed.info(&dead_queue, letter).await.next_retry_at, Some(bed.now()));
    bed.claim_one(&dead_queue).await;
}

pub(in crate::conformance) async fn a_letter_that_was_on_its_last_retry_is_restored_exhausted(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, NewLetter { max_retries: 1, ..failure_due("f-1") }).await.letter;
    bed.claim_one(&dead_queue).await;
    bed.archive(&dead_queue, letter).await;
    restore(bed, &dead_queue, &[letter]).await.unwrap();
    assert_eq!(bed.info(&dead_queue, letter).await.status, Status::Exhausted);
}

pub(in crate::conformance) async fn only_archived_letters_are_restored(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let all = one_of_each(bed, &dead_queue).await;
    let archived = all[4].1;
    for (status, letter) in &all[..4] {
        let before = bed.info(&dead_queue, *letter).await;
        assert_eq!(restore(bed, &dead_queue, &[*letter]).await.unwrap(), 0, "{status}");
        assert_eq!(bed.info(&dead_queue, *letter).await, before, "what is not archived stays as it is");
    }
    let named: Vec<LetterId> = all.iter().map(|(_, letter)| *letter).collect();
    assert_eq!(restore(bed, &dead_queue, &named).await.unwrap(), 1);
    assert_ne!(bed.info(&dead_queue, archived).await.status, Status::Archived);
}

pub(in crate::conformance) async fn a_restore_conflict_names_the_holder(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let first = bed.capture(&dead_queue, failure("f-1")).await.letter;
    bed.archive(&dead_queue, first).await;
    let second = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let by = bed.record(&dead_queue, second).await.info.id;
    let refused = restore(bed, &dead_queue, &[first]).await;
    assert_eq!(refusal(refused), Rejection::SourceHeld { source_id: "f-1".into(), by });
    bed.archive(&dead_queue, second).await;
    refusal(restore(bed, &dead_queue, &[first, second]).await);
    restore(bed, &dead_queue, &[first]).await.unwrap();
    assert_eq!(bed.stats(&dead_queue).await.letters.live(), 1);
}

pub(in crate::conformance) async fn a_plain_item_stands_in_the_way_of_a_restore(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    bed.archive(&dead_queue, letter).await;
    let by = bed.produce_one(&dead_queue, crate::conformance::words::item_named("plain", "f-1")).await;
    let refused = restore(bed, &dead_queue, &[letter]).await;
    assert_eq!(refusal(refused), Rejection::SourceHeld { source_id: "f-1".into(), by });
}

pub(in crate::conformance) async fn an_archive_may_be_forgotten_after_a_while(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.letters.archive_retention = Some(HOUR)).await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    bed.archive(&dead_queue, letter).await;
    bed.advance(HOUR.saturating_sub(INSTANT));
    assert_eq!(bed.stats(&dead_queue).await.letters.of(Status::Archived), 1);
    bed.advance(SECOND);
    let stats = bed.stats(&dead_queue).await;
    assert_eq!((stats.letters.of(Status::Archived), stats.tally.ended(EndReason::Forgotten)), (0, 1));
}

pub(in crate::conformance) async fn an_archive_is_kept_for_ever_by_default(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure_for_good("f-1")).await.letter;
    bed.archive(&dead_queue, letter).await;
    bed.advance(Span::from_days(100_000));
    assert_eq!(bed.info(&dead_queue, letter).await.status, Status::Archived);
}

// Edit

pub(in crate::conformance) async fn an_edit_keeps_the_original(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let before = bed.record(&dead_queue, letter).await;
    for text in ["mended", "mended twice"] {
        let content = Some(Arc::new(Content::of_payload(text)));
        let edited = bed.store().edit(Edit { content, ..edit(&dead_queue, letter) }).await.unwrap();
        assert!(edited.id > before.info.id, "the id changes");
        let after = bed.record(&dead_queue, letter).await;
        assert_eq!(payload(&after), text);
        assert_eq!(after.original.as_ref(), Some(&before.content), "the first content, always");
    }
    bed.advance(MINUTE);
    assert_eq!(payloads(&bed.claim(&dead_queue, 1).await), ["mended twice"], "what is retried is the edited one");
}

pub(in crate::conformance) async fn an_edit_settles_a_letter_anew(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, NewLetter { max_retries: 1, ..failure_due("f-1") }).await.letter;
    let held = bed.claim_one(&dead_queue).await;
    bed.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(bed.info(&dead_queue, letter).await.status, Status::Exhausted);
    let more = Edit {
        max_retries: Some(5),
        policy: Some(RetryPolicy::Linear),
        priority: Some(Priority::High),
        ..edit(&dead_queue, letter)
    };
    let edited = bed.store().edit(more).await.unwrap();
    assert_eq!(edited.priority, Priority::High);
    let info = bed.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.retries, info.max_retries), (Status::Pending, 1, 5));
    assert_eq!(info.next_retry_at, Some(bed.after(Span::from_mins(10))), "after one failed retry");
    assert_eq!((info.policy, info.ended_at), (RetryPolicy::Linear, None));
    let less = Edit { max_retries: Some(1), ..edit(&dead_queue, letter) };
    bed.store().edit(less).await.unwrap();
    let info = bed.info(&dead_queue, letter).await;
    assert_eq!((info.status, info.next_retry_at), (Status::Exhausted, None));
}

pub(in crate::conformance) async fn only_waiting_letters_are_edited(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    for (status, letter) in one_of_each(bed, &dead_queue).await {
        let before = bed.record(&dead_queue, letter).await;
        let change = Edit { max_retries: Some(7), ..edit(&dead_queue, letter) };
        let edited = bed.store().edit(change).await;
        if matches!(status, Status::Pending | Status::Exhausted) {
            assert!(edited.is_ok(), "{status}");
        } else {
            assert_eq!(refusal(edited), Rejection::LetterConflict { letter, status, verb: "edited" });
            assert_eq!(bed.record(&dead_queue, letter).await, before);
        }
    }
    let unknown = bed.store().edit(edit(&dead_queue, NEVER_WAS)).await;
    assert_eq!(refusal(unknown), Rejection::NoSuchLetter(NEVER_WAS));
}

pub(in crate::conformance) async fn a_bad_edit_changes_nothing(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let before = bed.record(&dead_queue, letter).await;
    let too_many = Edit { max_retries: Some(101), ..edit(&dead_queue, letter) };
    assert_eq!(refusal(bed.store().edit(too_many).await), Rejection::TooManyRetries);
    let content = Content { kind: "k".repeat(2_001), ..Content::default() };
    let too_long = Edit { content: Some(Arc::new(content)), ..edit(&dead_queue, letter) };
    assert!(matches!(refusal(bed.store().edit(too_long).await), Rejection::Content(_)));
    assert_eq!(bed.record(&dead_queue, letter).await, before);
}

// Purge, notes, lists

pub(in crate::conformance) async fn a_letter_is_purged_from_any_state(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letters = one_of_each(bed, &dead_queue).await.map(|(_, letter)| letter);
    let held = bed.record(&dead_queue, letters[1]).await.info.id;
    assert_eq!(purge(bed, &dead_queue, &letters).await, 5);
    assert_eq!(purge(bed, &dead_queue, &letters).await, 0, "purging twice is purging");
    for letter in letters {
        let gone = bed.store().letter(GetLetter { queue: dead_queue.clone(), letter }).await;
        assert_eq!(refusal(gone), Rejection::NoSuchLetter(letter));
    }
    assert_eq!(refusal(bed.complete(&dead_queue, held).await), Rejection::NoSuchItem(held), "a late result");
    assert_eq!(bed.stats(&dead_queue).await.tally.ended(EndReason::Purged), 5);
}

pub(in crate::conformance) async fn a_purged_letter_is_forgotten(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let first = bed.capture(&dead_queue, failure("f-1")).await;
    assert_eq!(purge(bed, &dead_queue, &[first.letter]).await, 1);
    let again = bed.capture(&dead_queue, failure("f-1")).await;
    assert_ne!(again.letter, first.letter);
    assert_eq!(again.reason, redrive_core::CaptureReason::Enqueued);
    refusal(restore(bed, &dead_queue, &[first.letter]).await);
}

pub(in crate::conformance) async fn notes_are_kept_in_any_state(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    for (status, letter) in one_of_each(bed, &dead_queue).await {
        let before = bed.record(&dead_queue, letter).await;
        for note in [b"seen".as_slice(), b"\xFF\x00", b""] {
            let note = Bytes::from_static(note);
            bed.store().annotate(Annotate { queue: dead_queue.clone(), letter, note }).await.unwrap();
        }
        let after = bed.record(&dead_queue, letter).await;
        assert_eq!(after.notes, [b"seen".as_slice(), b"\xFF\x00", b""], "{status}");
        assert_eq!(after.info.id, before.info.id, "a note disturbs nobody");
    }
    let unknown = Annotate { queue: dead_queue.clone(), letter: NEVER_WAS, note: Bytes::new() };
    assert_eq!(refusal(bed.store().annotate(unknown).await), Rejection::NoSuchLetter(NEVER_WAS));
}

pub(in crate::conformance) async fn the_first_and_the_newest_notes_are_kept(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    for number in 0..110 {
        let note = Bytes::from(number.to_string());
        bed.store().annotate(Annotate { queue: dead_queue.clone(), letter, note }).await.unwrap();
    }
    let notes = bed.record(&dead_queue, letter).await.notes;
    assert_eq!((notes.len(), &notes[0][..], &notes[1][..], &notes[99][..]), (100, &b"0"[..], &b"11"[..], &b"109"[..]));
}

pub(in crate::conformance) async fn letters_are_listed_by_status_in_pages(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let all = one_of_each(bed, &dead_queue).await;
    let list = async |statuses: &[Status], after, limit| {
        let list = ListLetters { queue: dead_queue.clone(), statuses: statuses.to_vec(), after, limit };
        let letters = bed.store().letters(list).await.unwrap();
        letters.into_iter().map(|letter| letter.info.letter.expect("a letter").id).collect::<Vec<_>>()
    };
    let ids = all.map(|(_, letter)| letter);
    assert_eq!(list(&[], None, 9).await, ids, "none named: all of them, by id");
    for (status, letter) in all {
        assert_eq!(list(&[status], None, 9).await, [letter]);
    }
    assert_eq!(list(&[Status::Archived, Status::Pending], None, 9).await, [ids[0], ids[4]]);
    assert_eq!(list(&[], None, 2).await, ids[..2]);
    assert_eq!(list(&[], Some(ids[1]), 2).await, ids[2..4], "behind the last one that was seen");
    assert_eq!(list(&[], Some(ids[4]), 2).await, []);
}

pub(in crate::conformance) async fn a_letter_belongs_to_its_queue(bed: &Bed) {
    let (dead_queue, other) = (bed.queue("dead").await, bed.queue("other").await);
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let elsewhere = bed.store().letter(GetLetter { queue: other.clone(), letter }).await;
    assert_eq!(refusal(elsewhere), Rejection::NoSuchLetter(letter));
    assert_eq!(refusal(bed.claim_by_hand(&other, letter).await), Rejection::NoSuchLetter(letter));
    assert_eq!(purge(bed, &other, &[letter]).await, 0);
    assert_eq!(ids(&bed.scheduled(&dead_queue, 0).await).len(), 1);
}
