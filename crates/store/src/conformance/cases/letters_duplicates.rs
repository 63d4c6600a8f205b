//! Further failures of work that already has a letter: merged, rejected, or a new generation.

use std::sync::Arc;

use crate::conformance::fixture::StoreFixture;
use redrive_core::{CaptureReason, Category, PolicySource, RetryPolicy, Span, Status, Time};
use redrive_model::{
    CaptureContext, Content, Edit, Event, FullLetter, Import, ImportItem, NewLetter, OnDuplicate, Origin, Rejection,
    Settle, Settled,
};

use super::letters_capture::dead_queue_with;
use crate::conformance::samples::{
    FAULT, HOUR, MINUTE, attempt, complete, failed, failure, failure_due, failure_of_offset, fingerprint, origin,
    rejection,
};

pub(in crate::conformance) async fn a_second_failure_of_a_live_letter_is_merged(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, failure("f-1")).await;
    let before = fixture.info(&dead_queue, first.letter).await;
    fixture.advance(Span::from_secs(30));
    let again = NewLetter {
        attempt: attempt("disk full", Category::Resource),
        category: Category::Resource,
        fingerprint: fingerprint("disk full"),
        failed_at: fixture.now(),
        max_retries: 9,
        policy: RetryPolicy::Never,
        ..failure("f-1")
    };
    let merged = fixture.capture(&dead_queue, again).await;
    assert_eq!((merged.letter, merged.generation, merged.reason), (first.letter, 1, CaptureReason::Merged));
    let letter = fixture.record(&dead_queue, first.letter).await;
    let info = letter.info.letter.expect("a letter");
    assert_eq!((info.category, info.fingerprint), (Category::Resource, fingerprint("disk full")), "the newest error");
    assert_eq!((info.first_failed_at, info.last_failed_at), (before.first_failed_at, fixture.now()));
    let budget = (info.retries, info.max_retries, info.policy, info.next_retry_at);
    assert_eq!(budget, (0, 3, RetryPolicy::Exponential, before.next_retry_at), "the retry budget is not changed");
    let errors: Vec<_> = letter.attempts.iter().map(|attempt| attempt.error.as_str()).collect();
    assert_eq!(errors, [FAULT, "disk full"]);
    let stats = fixture.stats(&dead_queue).await;
    assert_eq!((stats.counts.of(Event::Captured), stats.counts.of(Event::Merged), stats.letters.live()), (1, 1, 1));
}

pub(in crate::conformance) async fn a_merge_with_policy_never_ends_the_schedule_of_a_derived_policy(
    fixture: &StoreFixture,
) {
    let dead_queue = fixture.queue("dead").await;
    let derived = NewLetter { policy_source: PolicySource::Derived, ..failure("f-1") };
    let letter = fixture.capture(&dead_queue, derived.clone()).await.letter;
    let again = NewLetter { category: Category::Validation, policy: RetryPolicy::Never, ..derived };
    fixture.capture(&dead_queue, again).await;
    let info = fixture.info(&dead_queue, letter).await;
    let schedule = (info.policy, info.next_retry_at);
    assert_eq!(schedule, (RetryPolicy::Never, None), "a letter with policy never is never due");
}

pub(in crate::conformance) async fn an_exhausted_letter_accepts_merges_too(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-1") }).await;
    let again = fixture.capture(&dead_queue, failure("f-1")).await;
    assert_eq!((again.letter, again.status, again.reason), (first.letter, Status::Exhausted, CaptureReason::Merged));
}

pub(in crate::conformance) async fn a_failure_captured_during_a_retry_is_only_recorded(fixture: &StoreFixture) {
    for on_duplicate in [OnDuplicate::Merge, OnDuplicate::Reject, OnDuplicate::NewGeneration] {
        let queue = fixture
            .queue_with(&format!("{on_duplicate:?}"), |settings| settings.letters.on_duplicate = Some(on_duplicate))
            .await;
        let first = fixture.capture(&queue, failure_due("f-1")).await;
        let held = fixture.claim_one(&queue).await;
        let again = NewLetter {
            category: Category::Validation,
            attempt: attempt("captured again", Category::Validation),
            ..failure_due("f-1")
        };
        let merged = fixture.capture(&queue, again).await;
        let captured = (merged.letter, merged.status, merged.reason);
        assert_eq!(captured, (first.letter, Status::Retrying, CaptureReason::Merged), "{on_duplicate:?}");
        let letter = fixture.record(&queue, first.letter).await;
        assert_eq!(letter.info.letter.expect("a letter").category, Category::Network);
        assert_eq!(letter.attempts.len(), 2);
        let other = NewLetter { content: Arc::new(Content::of_payload("other work")), ..failure("f-1") };
        let rejected = fixture.try_capture(&queue, vec![other]).await;
        assert_eq!(rejection(rejected), Rejection::OtherPayload { letter: first.letter }, "{on_duplicate:?}");
        fixture.settle(&queue, held.info.id, complete()).await.expect("the running attempt still holds it");
    }
}

pub(in crate::conformance) async fn another_payload_under_a_live_source_id_is_a_conflict(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, failure("f-1")).await;
    let other = NewLetter { content: Arc::new(Content::of_payload("other work")), ..failure("f-1") };
    let rejected = fixture.try_capture(&dead_queue, vec![other]).await;
    assert_eq!(rejection(rejected), Rejection::OtherPayload { letter: first.letter });
    let letter = fixture.record(&dead_queue, first.letter).await;
    assert_eq!((letter.content.payload.as_ref(), letter.attempts.len()), (b"the work of f-1".as_ref(), 1));
}

pub(in crate::conformance) async fn a_queue_may_reject_duplicates(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with(fixture, |letters| letters.on_duplicate = Some(OnDuplicate::Reject)).await;
    let first = fixture.capture(&dead_queue, failure("f-1")).await;
    let rejected = fixture.try_capture(&dead_queue, vec![failure("f-2"), failure("f-1")]).await;
    assert_eq!(rejection(rejected), Rejection::DuplicateLetter { letter: first.letter });
    assert_eq!(fixture.stats(&dead_queue).await.letters.live(), 1, "one rejected letter rejects the request");
    fixture.archive(&dead_queue, first.letter).await;
    let again = fixture.capture(&dead_queue, failure("f-1")).await;
    assert_eq!(again.generation, 2, "only live letters count as duplicates");
}

pub(in crate::conformance) async fn a_queue_that_rejects_duplicates_rejects_them_within_a_request(
    fixture: &StoreFixture,
) {
    let dead_queue = dead_queue_with(fixture, |letters| letters.on_duplicate = Some(OnDuplicate::Reject)).await;
    let rejected = fixture.try_capture(&dead_queue, vec![failure("f-1"), failure("f-1")]).await;
    assert!(rejected.is_err(), "the second was accepted: {rejected:?}");
    assert_eq!(fixture.stats(&dead_queue).await.letters.live(), 0);
}

pub(in crate::conformance) async fn a_new_generation_replaces_a_waiting_letter(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with(fixture, |letters| {
        letters.on_duplicate = Some(OnDuplicate::NewGeneration);
        letters.archive_retention = Some(HOUR);
    })
    .await;
    for (number, max_retries) in [(0, 3), (1, 0)] {
        let source_id = format!("f-{number}");
        let first = fixture.capture(&dead_queue, NewLetter { max_retries, ..failure(&source_id) }).await;
        let waited = fixture.info(&dead_queue, first.letter).await;
        let content = Arc::new(Content::of_payload("other work"));
        let second = fixture.capture(&dead_queue, NewLetter { content, ..failure(&source_id) }).await;
        assert_eq!((second.generation, second.status, second.reason), (2, Status::Pending, CaptureReason::Enqueued));
        assert_ne!(second.letter, first.letter);
        let archived = fixture.info(&dead_queue, first.letter).await;
        assert_eq!((archived.status, archived.ended_at), (Status::Archived, Some(fixture.now())));
        let before = archived.before.map(|before| (before.status, before.due, before.since));
        let expected = Some((waited.status, waited.next_retry_at, waited.ended_at));
        assert_eq!(before, expected, "its previous state is kept, as with any archived letter");
        let attempts = fixture.record(&dead_queue, second.letter).await.attempts;
        assert_eq!(attempts.len(), 1, "the new generation has its own attempts");
    }
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Archived), 2);
    fixture.advance(HOUR);
    assert_eq!(fixture.stats(&dead_queue).await.letters.of(Status::Archived), 0, "its archive has the usual retention");
}

pub(in crate::conformance) async fn a_known_message_is_not_a_new_generation(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with(fixture, |letters| letters.on_duplicate = Some(OnDuplicate::NewGeneration)).await;
    let first = fixture.capture(&dead_queue, failure_of_offset("f-1", 1)).await;
    let again = fixture.capture(&dead_queue, failure_of_offset("f-1", 1)).await;
    assert_eq!((again.letter, again.reason), (first.letter, CaptureReason::Duplicate));
    let second = fixture.capture(&dead_queue, failure_of_offset("f-1", 2)).await;
    assert_eq!(second.generation, 2);
    let late = fixture.capture(&dead_queue, failure_of_offset("f-1", 1)).await;
    assert_eq!((late.letter, late.reason, late.status), (first.letter, CaptureReason::Duplicate, Status::Archived));
    assert_eq!(fixture.status(&dead_queue, second.letter).await, Status::Pending);
}

pub(in crate::conformance) async fn generations_of_one_request_follow_each_other(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with(fixture, |letters| letters.on_duplicate = Some(OnDuplicate::NewGeneration)).await;
    let other = NewLetter { content: Arc::new(Content::of_payload("other work")), ..failure("f-1") };
    let all = fixture.try_capture(&dead_queue, vec![failure("f-1"), other, failure("f-1")]).await.unwrap();
    let generations: Vec<_> = all.iter().map(|captured| (captured.generation, captured.reason)).collect();
    assert_eq!(generations, [1, 2, 3].map(|generation| (generation, CaptureReason::Enqueued)));
    let counts = fixture.stats(&dead_queue).await.letters;
    assert_eq!((counts.live(), counts.of(Status::Archived)), (1, 2));
    assert_eq!(fixture.status(&dead_queue, all[2].letter).await, Status::Pending, "the last one is live");
}

pub(in crate::conformance) async fn one_request_may_capture_one_failure_twice(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let both = fixture.try_capture(&dead_queue, vec![failure("f-1"), failure("f-1")]).await.unwrap();
    assert_eq!(both[0].letter, both[1].letter);
    assert_eq!([both[0].reason, both[1].reason], [CaptureReason::Enqueued, CaptureReason::Merged]);
}

pub(in crate::conformance) async fn a_failure_after_the_end_of_a_letter_is_the_next_generation(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, failure_due("f-1")).await;
    fixture.complete_letter(&dead_queue).await;
    let second = fixture.capture(&dead_queue, failure("f-1")).await;
    assert_eq!((second.generation, second.reason), (2, CaptureReason::Enqueued));
    assert_ne!(second.letter, first.letter);
    fixture.archive(&dead_queue, second.letter).await;
    let third = fixture.capture(&dead_queue, failure("f-1")).await;
    assert_eq!(third.generation, 3);
    let statuses = [
        fixture.status(&dead_queue, first.letter).await,
        fixture.status(&dead_queue, second.letter).await,
        fixture.status(&dead_queue, third.letter).await,
    ];
    assert_eq!(statuses, [Status::Completed, Status::Archived, Status::Pending], "older ones stay readable");
}

pub(in crate::conformance) async fn the_same_message_is_captured_once(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, failure_of_offset("f-1", 42)).await;
    let same = NewLetter { source_id: "f-2".into(), ..failure_of_offset("f-1", 42) };
    let by_other_id = fixture.capture(&dead_queue, same).await;
    assert_eq!((by_other_id.letter, by_other_id.reason), (first.letter, CaptureReason::Duplicate));
    let told_again = fixture.capture(&dead_queue, failure_of_offset("f-1", 42)).await;
    assert_eq!((told_again.letter, told_again.reason), (first.letter, CaptureReason::Duplicate));
    assert_eq!(fixture.record(&dead_queue, first.letter).await.attempts.len(), 1, "a duplicate leaves no record");
    assert_eq!(fixture.capture(&dead_queue, failure_of_offset("f-3", 43)).await.reason, CaptureReason::Enqueued);
    assert_eq!(fixture.capture(&dead_queue, failure_of_offset("f-1", 44)).await.reason, CaptureReason::Merged);
}

pub(in crate::conformance) async fn the_message_of_a_finished_letter_is_still_known(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let new = NewLetter { policy: RetryPolicy::Immediate, ..failure_of_offset("f-1", 42) };
    let first = fixture.capture(&dead_queue, new).await;
    fixture.complete_letter(&dead_queue).await;
    let again = fixture.capture(&dead_queue, failure_of_offset("f-1", 42)).await;
    assert_eq!((again.letter, again.reason), (first.letter, CaptureReason::Duplicate));
    assert_eq!(again.status, Status::Completed);
    fixture.archive(&dead_queue, first.letter).await;
    let again = fixture.capture(&dead_queue, failure_of_offset("f-1", 42)).await;
    assert_eq!((again.letter, again.status), (first.letter, Status::Archived));
    let new_failure = fixture.capture(&dead_queue, failure_of_offset("f-1", 43)).await;
    assert_eq!((new_failure.generation, new_failure.reason), (2, CaptureReason::Enqueued));
}

pub(in crate::conformance) async fn messages_are_distinguished_by_coordinates_only(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let base = Origin { partition: Some(0), offset: Some(42), ..origin() };
    let others = [
        base.clone(),
        Origin { partition: Some(1), ..base.clone() },
        Origin { consumer: Some("other".into()), ..base.clone() },
        Origin { name: "other".into(), ..base.clone() },
        Origin { transport: "redis".into(), ..base.clone() },
        Origin { timestamp: Some(Time::from_secs(1)), ..base.clone() },
        Origin { offset: None, message_id: Some("42".to_owned()), ..base },
    ];
    for (number, origin) in others.into_iter().enumerate() {
        let new = NewLetter {
            context: CaptureContext { origin, ..CaptureContext::default() },
            ..failure(&format!("f-{number}"))
        };
        assert_eq!(fixture.capture(&dead_queue, new).await.reason, CaptureReason::Enqueued, "{number}");
    }
}

pub(in crate::conformance) async fn a_plain_item_holds_its_source_id_too(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let plain = ImportItem { source_id: Some("f-1".into()), ..ImportItem::default() };
    let import = Import { queue: dead_queue.clone(), partition: 0, items: vec![plain] };
    fixture.store().import(import).await.unwrap();
    assert_eq!(fixture.capture(&dead_queue, failure("f-1")).await.reason, CaptureReason::Duplicate);
    assert_eq!(fixture.numbers(&dead_queue).await.0, 1);
}

/// The failure of a message after it was handed back this many times. It is due at once.
fn replayed(source_id: &str, offset: i64, replays: u32) -> NewLetter {
    let failed = failure_of_offset(source_id, offset);
    let origin = Origin { replays, ..failed.context.origin.clone() };
    NewLetter {
        context: CaptureContext { origin, ..failed.context.clone() },
        attempt: attempt(&format!("failed after replay {replays}"), Category::Network),
        policy: RetryPolicy::Immediate,
        ..failed
    }
}

fn errors(letter: &FullLetter) -> Vec<&str> {
    letter.attempts.iter().map(|attempt| attempt.error.as_str()).collect()
}

pub(in crate::conformance) async fn work_that_fails_again_after_it_was_handed_back_opens_its_letter(
    fixture: &StoreFixture,
) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, replayed("f-1", 42, 0)).await;
    for replays in 1..=2 {
        let held = fixture.claim_one(&dead_queue).await;
        assert_eq!(held.info.letter.as_ref().map(|letter| letter.replays), Some(replays - 1));
        fixture.complete(&dead_queue, held.info.id).await.unwrap();
        fixture.advance(MINUTE);
        let again = fixture.capture(&dead_queue, replayed("f-1", 42, replays)).await;
        let captured = (again.letter, again.generation, again.status, again.reason);
        assert_eq!(captured, (first.letter, 1, Status::Pending, CaptureReason::Merged));
        let info = fixture.info(&dead_queue, first.letter).await;
        assert_eq!((info.replays, info.retries, info.total_attempts), (replays, replays, replays + 1));
        assert_eq!((info.ended_at, info.next_retry_at), (None, Some(fixture.now().saturating_add(MINUTE))));
        // A repeated report changes nothing, nor does one of an earlier failure.
        for known in 0..=replays {
            let again = fixture.capture(&dead_queue, replayed("f-1", 42, known)).await;
            assert_eq!((again.letter, again.reason), (first.letter, CaptureReason::Duplicate), "{known}");
        }
        assert_eq!(fixture.info(&dead_queue, first.letter).await, info);
        fixture.advance(MINUTE);
    }
    let letter = fixture.record(&dead_queue, first.letter).await;
    let expected = ["failed after replay 0", "", "failed after replay 1", "", "failed after replay 2"];
    assert_eq!(errors(&letter), expected, "each hand-back, and what followed");
    let counts = fixture.stats(&dead_queue).await;
    assert_eq!((counts.letters.live(), counts.letters.of(Status::Completed)), (1, 0));
    assert_eq!((counts.counts.of(Event::Captured), counts.counts.of(Event::RetryCharged)), (1, 2));
}

pub(in crate::conformance) async fn work_that_always_fails_after_its_hand_back_is_exhausted(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, NewLetter { max_retries: 1, ..replayed("f-1", 42, 0) }).await;
    fixture.complete_letter(&dead_queue).await;
    let again = fixture.capture(&dead_queue, replayed("f-1", 42, 1)).await;
    assert_eq!((again.letter, again.status), (first.letter, Status::Exhausted));
    assert_eq!(fixture.info(&dead_queue, first.letter).await.ended_at, Some(fixture.now()));
}

/// The report of the hand-back and the failure race each other.
pub(in crate::conformance) async fn work_may_fail_again_before_its_hand_back_is_settled(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, replayed("f-1", 42, 0)).await;
    let held = fixture.claim_one(&dead_queue).await;
    for reason in [CaptureReason::Merged, CaptureReason::Duplicate] {
        let again = fixture.capture(&dead_queue, replayed("f-1", 42, 1)).await;
        assert_eq!((again.letter, again.status, again.reason), (first.letter, Status::Retrying, reason));
    }
    let settle = Settle::all(dead_queue.clone(), None, vec![held.info.id], &complete());
    let settled = fixture.store().settle(settle).await.unwrap();
    assert!(matches!(settled[..], [Ok(Settled::Requeued { at: Some(_) })]), "{settled:?}");
    let info = fixture.info(&dead_queue, first.letter).await;
    assert_eq!((info.status, info.retries, info.total_attempts, info.replays), (Status::Pending, 1, 2, 1));
    let letter = fixture.record(&dead_queue, first.letter).await;
    assert_eq!(errors(&letter), ["failed after replay 0", "failed after replay 1", ""]);
    // The next attempt is not affected.
    fixture.advance(MINUTE);
    fixture.complete_letter(&dead_queue).await;
    assert_eq!(fixture.status(&dead_queue, first.letter).await, Status::Completed);
}

pub(in crate::conformance) async fn a_failed_hand_back_may_still_have_arrived(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, replayed("f-1", 42, 0)).await;
    let held = fixture.claim_one(&dead_queue).await;
    fixture.settle(&dead_queue, held.info.id, failed("timed out", Category::Network)).await.unwrap();
    let before = fixture.info(&dead_queue, first.letter).await;
    let again = fixture.capture(&dead_queue, replayed("f-1", 42, 1)).await;
    assert_eq!((again.letter, again.status, again.reason), (first.letter, Status::Pending, CaptureReason::Merged));
    let info = fixture.info(&dead_queue, first.letter).await;
    assert_eq!((info.retries, info.next_retry_at), (before.retries, before.next_retry_at), "it was charged before");
}

pub(in crate::conformance) async fn an_archived_letter_opens_again_only_if_it_was_done(fixture: &StoreFixture) {
    let (dead_queue, done) = fixture.captured(replayed("f-1", 42, 0)).await;
    fixture.complete_letter(&dead_queue).await;
    let unsolved = fixture.capture(&dead_queue, replayed("f-2", 43, 0)).await.letter;
    fixture.archive(&dead_queue, done).await;
    fixture.archive(&dead_queue, unsolved).await;
    let again = fixture.capture(&dead_queue, replayed("f-1", 42, 1)).await;
    assert_eq!((again.letter, again.status), (done, Status::Pending));
    let again = fixture.capture(&dead_queue, replayed("f-2", 43, 1)).await;
    assert_eq!((again.letter, again.status), (unsolved, Status::Archived));
    assert_eq!(fixture.record(&dead_queue, unsolved).await.attempts.len(), 2, "its failure is recorded");
}

/// The failure of another message that has the place of an earlier one: its topic was created again, or its headers are
/// those of another record.
fn misplaced(source_id: &str, offset: i64, replays: u32) -> NewLetter {
    NewLetter { content: Arc::new(Content::of_payload("other work")), ..replayed(source_id, offset, replays) }
}

pub(in crate::conformance) async fn another_payload_with_the_coordinates_of_a_letter_is_a_conflict(
    fixture: &StoreFixture,
) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, replayed("f-1", 42, 0)).await;
    let conflict = Rejection::OtherPayload { letter: first.letter };
    // While it is live, under any source id.
    for source_id in ["f-1", "f-2"] {
        let rejected = fixture.try_capture(&dead_queue, vec![misplaced(source_id, 42, 0)]).await;
        assert_eq!(rejection(rejected), conflict, "{source_id}");
    }
    // After its end, and after a hand-back.
    fixture.complete_letter(&dead_queue).await;
    let rejected = fixture.try_capture(&dead_queue, vec![misplaced("f-1", 42, 0)]).await;
    assert_eq!(rejection(rejected), conflict, "completed");
    fixture.capture(&dead_queue, replayed("f-1", 42, 1)).await;
    let rejected = fixture.try_capture(&dead_queue, vec![misplaced("f-1", 42, 1)]).await;
    assert_eq!(rejection(rejected), conflict, "handed back");
    // A caller that knows another identity of the message captures it as another letter.
    let second = fixture.capture(&dead_queue, misplaced("f-3", 43, 0)).await;
    assert_eq!((second.reason, fixture.stats(&dead_queue).await.letters.live()), (CaptureReason::Enqueued, 2));
    let payload = fixture.record(&dead_queue, second.letter).await.content.payload.clone();
    assert_eq!(payload.as_ref(), b"other work");
}

pub(in crate::conformance) async fn two_payloads_with_the_same_coordinates_in_a_request_are_a_conflict(
    fixture: &StoreFixture,
) {
    let dead_queue = fixture.queue("dead").await;
    let rejected = fixture.try_capture(&dead_queue, vec![replayed("f-1", 42, 0), misplaced("f-2", 42, 0)]).await;
    assert_eq!(rejection(rejected), Rejection::OtherPayloadInRequest("f-2".into()));
    assert_eq!(fixture.stats(&dead_queue).await.letters.live(), 0);
}

/// A letter is handed back once more than it failed: a greater number is damaged or forged, and would make a duplicate of
/// each later failure.
pub(in crate::conformance) async fn replays_that_skip_a_number_are_rejected(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, replayed("f-1", 42, 0)).await;
    fixture.complete_letter(&dead_queue).await;
    for replays in [2, u32::MAX] {
        let rejected = fixture.try_capture(&dead_queue, vec![replayed("f-1", 42, replays)]).await;
        assert_eq!(rejection(rejected), Rejection::TooManyReplays { replays, most: 1 });
    }
    let info = fixture.info(&dead_queue, first.letter).await;
    assert_eq!((info.status, info.replays), (Status::Completed, 0), "nothing was opened");
    let rejected = fixture.try_capture(&dead_queue, vec![replayed("f-1", 42, 1), replayed("f-1", 42, 3)]).await;
    assert_eq!(rejection(rejected), Rejection::TooManyReplays { replays: 3, most: 2 }, "the request counts");
    let again = fixture.capture(&dead_queue, replayed("f-1", 42, 1)).await;
    assert_eq!((again.letter, again.status), (first.letter, Status::Pending));
    // A letter may begin with any number: the earlier ones may be gone.
    let late = fixture.capture(&dead_queue, replayed("f-2", 43, 7)).await;
    assert_eq!(late.reason, CaptureReason::Enqueued);
}

pub(in crate::conformance) async fn an_edited_letter_opens_again_with_what_was_handed_back(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.capture(&dead_queue, replayed("f-1", 42, 0)).await;
    let edited = |payload: &'static str, replays| NewLetter {
        content: Arc::new(Content::of_payload(payload)),
        ..replayed("f-1", 42, replays)
    };
    let conflict = Rejection::OtherPayload { letter: first.letter };
    let rejected = fixture.try_capture(&dead_queue, vec![edited("corrected work", 1)]).await;
    assert_eq!(rejection(rejected), conflict, "a payload is never lost");
    for payload in ["wrong work", "corrected work"] {
        let content = Some(Arc::new(Content::of_payload(payload)));
        let (queue, letter) = (dead_queue.clone(), first.letter);
        let edit = Edit { queue, letter, content, policy: None, max_retries: None, priority: None };
        fixture.store().edit(edit).await.unwrap();
    }
    fixture.complete_letter(&dead_queue).await;
    // What it was before is not what was handed back, nor is other work with its headers.
    for payload in ["wrong work", "other work", "the work of f-1"] {
        let rejected = fixture.try_capture(&dead_queue, vec![edited(payload, 1)]).await;
        assert_eq!(rejection(rejected), conflict, "{payload}");
    }
    assert_eq!(fixture.status(&dead_queue, first.letter).await, Status::Completed);
    let again = fixture.capture(&dead_queue, edited("corrected work", 1)).await;
    assert_eq!((again.letter, again.status), (first.letter, Status::Pending));
    assert_eq!(fixture.record(&dead_queue, first.letter).await.content.payload.as_ref(), b"corrected work");
    // Both failures may be reported again.
    for known in [replayed("f-1", 42, 0), edited("corrected work", 1)] {
        assert_eq!(fixture.capture(&dead_queue, known).await.reason, CaptureReason::Duplicate);
    }
    let rejected = fixture.try_capture(&dead_queue, vec![edited("other work", 1)]).await;
    assert_eq!(rejection(rejected), conflict, "other work with a known number");
}

pub(in crate::conformance) async fn a_letter_that_opens_again_needs_space(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with(fixture, |letters| letters.max_size = Some(1)).await;
    let first = fixture.capture(&dead_queue, replayed("f-1", 42, 0)).await;
    fixture.complete_letter(&dead_queue).await;
    let second = fixture.capture(&dead_queue, failure("f-2")).await;
    let rejected = fixture.try_capture(&dead_queue, vec![replayed("f-1", 42, 1)]).await;
    assert_eq!(rejection(rejected), Rejection::QueueFull { max_size: 1 });
    fixture.archive(&dead_queue, second.letter).await;
    assert_eq!(fixture.capture(&dead_queue, replayed("f-1", 42, 1)).await.letter, first.letter);
}

pub(in crate::conformance) async fn all_failures_of_one_message_may_come_in_one_request(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let all = (0..3).chain(0..3).map(|replays| replayed("f-1", 42, replays)).collect();
    let captured = fixture.try_capture(&dead_queue, all).await.unwrap();
    let reasons: Vec<_> = captured.iter().map(|captured| captured.reason).collect();
    let (enqueued, merged, duplicate) = (CaptureReason::Enqueued, CaptureReason::Merged, CaptureReason::Duplicate);
    assert_eq!(reasons, [enqueued, merged, merged, duplicate, duplicate, duplicate]);
    let letter = fixture.record(&dead_queue, captured[0].letter).await;
    assert_eq!((letter.attempts.len(), letter.info.letter.map(|letter| letter.replays)), (3, Some(2)));
}
