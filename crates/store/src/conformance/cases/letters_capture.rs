//! Failures become letters.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::conformance::bed::Bed;
use redrive_core::{
    CaptureReason, Category, PolicySource, Priority, QueueName, RetryPolicy, Span, Status, Strategy, Time,
};
use redrive_model::{
    Capture, CaptureContext, Content, DeleteQueue, Event, Import, ImportItem, ItemState, LetterOverrides, NewLetter,
    OnDuplicate, OnFull, Origin, Rejection, UpdateQueue,
};

use crate::conformance::words::{
    FAULT, HOUR, INSTANT, MINUTE, attempt, complete, failure, failure_due, failure_for_good, failure_of_offset,
    fingerprint, origin, refusal,
};

async fn dead_queue_with(bed: &Bed, change: impl FnOnce(&mut LetterOverrides)) -> QueueName {
    bed.queue_with("dead", |settings| change(&mut settings.letters)).await
}

pub(in crate::conformance) async fn everything_that_was_said_is_kept(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let context = CaptureContext {
        origin: Origin {
            consumer: Some("group".to_owned()),
            partition: Some(7),
            offset: Some(42),
            timestamp: Some(bed.now()),
            message_id: Some("m-1".to_owned()),
            ..origin()
        },
        death: None,
        parts: vec!["eu".to_owned(), "us".to_owned()],
        metadata: BTreeMap::from([("tenant".to_owned(), "a \"quoted\" ✓".to_owned())]),
        depends_on: Vec::new(),
        reply_to: Some("replies".to_owned()),
        trace_id: Some("trace".to_owned()),
        request_id: Some("request".to_owned()),
        submitted_by: Some("somebody".to_owned()),
        note: Some("call them first".to_owned()),
    };
    let mut record = attempt(FAULT, Category::Network);
    record.failed_parts = vec!["eu".to_owned()];
    record.worker = Some("w-1".into());
    let new = NewLetter {
        context: context.clone(),
        attempt: record.clone(),
        priority: Priority::Low,
        failed_at: bed.now().saturating_sub(HOUR),
        ..failure("f-1")
    };
    let captured = bed.capture(&dead_queue, new.clone()).await;
    assert_eq!((captured.generation, captured.reason), (1, CaptureReason::Enqueued));
    let letter = bed.record(&dead_queue, captured.letter).await;
    assert_eq!(letter.context, Some(context));
    assert_eq!(letter.attempts, [record]);
    assert_eq!((letter.original, letter.notes.len()), (None, 0));
    assert_eq!(letter.content, new.content);
    assert_eq!(letter.info.source_id.as_deref(), Some("f-1"));
    assert_eq!((letter.info.priority, letter.info.created_at), (Priority::Low, bed.now()));
    let info = letter.info.letter.expect("a letter");
    assert_eq!((info.id, info.category, info.fingerprint), (captured.letter, Category::Network, fingerprint(FAULT)));
    assert_eq!((info.policy, info.policy_source), (RetryPolicy::Exponential, PolicySource::Explicit));
    assert_eq!((info.retries, info.max_retries, info.total_attempts), (0, 3, 1));
    assert_eq!((info.first_failed_at, info.last_failed_at), (new.failed_at, new.failed_at));
    assert_eq!((&*info.destination, info.ended_at, info.is_outcome_unknown), ("billing", None, false));
}

// What a failure becomes: settle(0)

pub(in crate::conformance) async fn a_policy_decides_when_a_letter_is_due(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let delays = [
        (RetryPolicy::Exponential, Some(MINUTE)),
        (RetryPolicy::Linear, Some(Span::from_mins(5))),
        (RetryPolicy::Immediate, Some(Span::ZERO)),
        (RetryPolicy::Never, None),
    ];
    for (policy, delay) in delays {
        let captured = bed.capture(&dead_queue, NewLetter { policy, ..failure(&policy.to_string()) }).await;
        assert_eq!(captured.status, Status::Pending);
        let info = bed.info(&dead_queue, captured.letter).await;
        assert_eq!(info.next_retry_at, delay.map(|delay| bed.after(delay)), "{policy}");
    }
}

pub(in crate::conformance) async fn without_retries_a_letter_is_exhausted_at_once(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    for policy in [RetryPolicy::Exponential, RetryPolicy::Never, RetryPolicy::Immediate] {
        let new = NewLetter { policy, max_retries: 0, ..failure(&policy.to_string()) };
        let captured = bed.capture(&dead_queue, new).await;
        assert_eq!(captured.status, Status::Exhausted, "{policy}");
        let info = bed.info(&dead_queue, captured.letter).await;
        assert_eq!((info.next_retry_at, info.ended_at), (None, Some(bed.now())));
    }
    assert_eq!(bed.stats(&dead_queue).await.tally.of(Event::Exhausted), 3);
    bed.advance(HOUR);
    assert!(bed.claim(&dead_queue, 9).await.is_empty());
}

// Told before

pub(in crate::conformance) async fn a_second_failure_of_a_live_letter_is_merged(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let first = bed.capture(&dead_queue, failure("f-1")).await;
    let before = bed.info(&dead_queue, first.letter).await;
    bed.advance(Span::from_secs(30));
    let again = NewLetter {
        attempt: attempt("disk full", Category::Resource),
        category: Category::Resource,
        fingerprint: fingerprint("disk full"),
        failed_at: bed.now(),
        max_retries: 9,
        policy: RetryPolicy::Never,
        ..failure("f-1")
    };
    let merged = bed.capture(&dead_queue, again).await;
    assert_eq!((merged.letter, merged.generation, merged.reason), (first.letter, 1, CaptureReason::Merged));
    let letter = bed.record(&dead_queue, first.letter).await;
    let info = letter.info.letter.expect("a letter");
    assert_eq!((info.category, info.fingerprint), (Category::Resource, fingerprint("disk full")), "the newest error");
    assert_eq!((info.first_failed_at, info.last_failed_at), (before.first_failed_at, bed.now()));
    let budget = (info.retries, info.max_retries, info.policy, info.next_retry_at);
    assert_eq!(budget, (0, 3, RetryPolicy::Exponential, before.next_retry_at), "the budget is not touched");
    let errors: Vec<_> = letter.attempts.iter().map(|attempt| attempt.error.as_str()).collect();
    assert_eq!(errors, [FAULT, "disk full"]);
    let stats = bed.stats(&dead_queue).await;
    assert_eq!((stats.tally.of(Event::Captured), stats.tally.of(Event::Merged), stats.letters.live()), (1, 1, 1));
}

pub(in crate::conformance) async fn a_merge_that_says_never_ends_the_schedule_of_a_derived_policy(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let derived = NewLetter { policy_source: PolicySource::Derived, ..failure("f-1") };
    let letter = bed.capture(&dead_queue, derived.clone()).await.letter;
    let again = NewLetter { category: Category::Validation, policy: RetryPolicy::Never, ..derived };
    bed.capture(&dead_queue, again).await;
    let info = bed.info(&dead_queue, letter).await;
    assert_eq!((info.policy, info.next_retry_at), (RetryPolicy::Never, None), "what is never retried is never due");
}

pub(in crate::conformance) async fn an_exhausted_letter_takes_merges_too(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let first = bed.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-1") }).await;
    let again = bed.capture(&dead_queue, failure("f-1")).await;
    assert_eq!((again.letter, again.status, again.reason), (first.letter, Status::Exhausted, CaptureReason::Merged));
}

pub(in crate::conformance) async fn a_failure_told_while_it_is_retried_is_a_record_only(bed: &Bed) {
    for wanted in [OnDuplicate::Merge, OnDuplicate::Reject, OnDuplicate::NewGeneration] {
        let queue =
            bed.queue_with(&format!("{wanted:?}"), |settings| settings.letters.on_duplicate = Some(wanted)).await;
        let first = bed.capture(&queue, failure_due("f-1")).await;
        let held = bed.claim_one(&queue).await;
        let again = NewLetter {
            category: Category::Validation,
            attempt: attempt("told again", Category::Validation),
            ..failure_due("f-1")
        };
        let merged = bed.capture(&queue, again).await;
        let told = (merged.letter, merged.status, merged.reason);
        assert_eq!(told, (first.letter, Status::Retrying, CaptureReason::Merged), "{wanted:?}");
        let letter = bed.record(&queue, first.letter).await;
        assert_eq!(letter.info.letter.expect("a letter").category, Category::Network);
        assert_eq!(letter.attempts.len(), 2);
        let other = NewLetter { content: Arc::new(Content::of_payload("other work")), ..failure("f-1") };
        let refused = bed.try_capture(&queue, vec![other]).await;
        assert_eq!(refusal(refused), Rejection::OtherPayload { letter: first.letter }, "{wanted:?}");
        bed.settle(&queue, held.info.id, complete()).await.expect("the running attempt still holds it");
    }
}

pub(in crate::conformance) async fn another_payload_under_a_live_source_id_is_a_conflict(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let first = bed.capture(&dead_queue, failure("f-1")).await;
    let other = NewLetter { content: Arc::new(Content::of_payload("other work")), ..failure("f-1") };
    let refused = bed.try_capture(&dead_queue, vec![other]).await;
    assert_eq!(refusal(refused), Rejection::OtherPayload { letter: first.letter });
    let letter = bed.record(&dead_queue, first.letter).await;
    assert_eq!((letter.content.payload.as_ref(), letter.attempts.len()), (b"the work of f-1".as_ref(), 1));
}

pub(in crate::conformance) async fn a_queue_may_refuse_duplicates(bed: &Bed) {
    let dead_queue = dead_queue_with(bed, |letters| letters.on_duplicate = Some(OnDuplicate::Reject)).await;
    let first = bed.capture(&dead_queue, failure("f-1")).await;
    let refused = bed.try_capture(&dead_queue, vec![failure("f-2"), failure("f-1")]).await;
    assert_eq!(refusal(refused), Rejection::DuplicateLetter { letter: first.letter });
    assert_eq!(bed.stats(&dead_queue).await.letters.live(), 1, "one refused letter refuses all");
    bed.archive(&dead_queue, first.letter).await;
    assert_eq!(bed.capture(&dead_queue, failure("f-1")).await.generation, 2, "only live letters stand in the way");
}

pub(in crate::conformance) async fn a_queue_that_refuses_duplicates_refuses_them_in_one_request(bed: &Bed) {
    let dead_queue = dead_queue_with(bed, |letters| letters.on_duplicate = Some(OnDuplicate::Reject)).await;
    let refused = bed.try_capture(&dead_queue, vec![failure("f-1"), failure("f-1")]).await;
    assert!(refused.is_err(), "the second was taken: {refused:?}");
    assert_eq!(bed.stats(&dead_queue).await.letters.live(), 0);
}

pub(in crate::conformance) async fn a_new_generation_takes_the_place_of_a_waiting_letter(bed: &Bed) {
    let dead_queue = dead_queue_with(bed, |letters| {
        letters.on_duplicate = Some(OnDuplicate::NewGeneration);
        letters.archive_retention = Some(HOUR);
    })
    .await;
    for (number, max_retries) in [(0, 3), (1, 0)] {
        let source_id = format!("f-{number}");
        let first = bed.capture(&dead_queue, NewLetter { max_retries, ..failure(&source_id) }).await;
        let waited = bed.info(&dead_queue, first.letter).await;
        let content = Arc::new(Content::of_payload("other work"));
        let second = bed.capture(&dead_queue, NewLetter { content, ..failure(&source_id) }).await;
        assert_eq!((second.generation, second.status, second.reason), (2, Status::Pending, CaptureReason::Enqueued));
        assert_ne!(second.letter, first.letter);
        let archived = bed.info(&dead_queue, first.letter).await;
        assert_eq!((archived.status, archived.ended_at), (Status::Archived, Some(bed.now())));
        let before = archived.before.map(|before| (before.status, before.due, before.since));
        assert_eq!(before, Some((waited.status, waited.next_retry_at, waited.ended_at)), "as any archive keeps it");
        assert_eq!(bed.record(&dead_queue, second.letter).await.attempts.len(), 1, "it begins anew");
    }
    assert_eq!(bed.stats(&dead_queue).await.tally.of(Event::Archived), 2);
    bed.advance(HOUR);
    assert_eq!(bed.stats(&dead_queue).await.letters.of(Status::Archived), 0, "and as long as any archive");
}

pub(in crate::conformance) async fn a_message_that_was_told_is_no_new_generation(bed: &Bed) {
    let dead_queue = dead_queue_with(bed, |letters| letters.on_duplicate = Some(OnDuplicate::NewGeneration)).await;
    let first = bed.capture(&dead_queue, failure_of_offset("f-1", 1)).await;
    let again = bed.capture(&dead_queue, failure_of_offset("f-1", 1)).await;
    assert_eq!((again.letter, again.reason), (first.letter, CaptureReason::Duplicate));
    let second = bed.capture(&dead_queue, failure_of_offset("f-1", 2)).await;
    assert_eq!(second.generation, 2);
    let late = bed.capture(&dead_queue, failure_of_offset("f-1", 1)).await;
    assert_eq!((late.letter, late.reason, late.status), (first.letter, CaptureReason::Duplicate, Status::Archived));
    assert_eq!(bed.info(&dead_queue, second.letter).await.status, Status::Pending);
}

pub(in crate::conformance) async fn generations_of_one_request_follow_each_other(bed: &Bed) {
    let dead_queue = dead_queue_with(bed, |letters| letters.on_duplicate = Some(OnDuplicate::NewGeneration)).await;
    let other = NewLetter { content: Arc::new(Content::of_payload("other work")), ..failure("f-1") };
    let all = bed.try_capture(&dead_queue, vec![failure("f-1"), other, failure("f-1")]).await.unwrap();
    let generations: Vec<_> = all.iter().map(|captured| (captured.generation, captured.reason)).collect();
    assert_eq!(generations, [1, 2, 3].map(|generation| (generation, CaptureReason::Enqueued)));
    let counts = bed.stats(&dead_queue).await.letters;
    assert_eq!((counts.live(), counts.of(Status::Archived)), (1, 2));
    assert_eq!(bed.info(&dead_queue, all[2].letter).await.status, Status::Pending, "the last one is live");
}

pub(in crate::conformance) async fn one_request_may_tell_one_failure_twice(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let both = bed.try_capture(&dead_queue, vec![failure("f-1"), failure("f-1")]).await.unwrap();
    assert_eq!(both[0].letter, both[1].letter);
    assert_eq!([both[0].reason, both[1].reason], [CaptureReason::Enqueued, CaptureReason::Merged]);
}

pub(in crate::conformance) async fn a_failure_after_the_end_of_a_letter_is_the_next_generation(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let first = bed.capture(&dead_queue, failure_due("f-1")).await;
    let held = bed.claim_one(&dead_queue).await;
    bed.complete(&dead_queue, held.info.id).await.unwrap();
    let second = bed.capture(&dead_queue, failure("f-1")).await;
    assert_eq!((second.generation, second.reason), (2, CaptureReason::Enqueued));
    assert_ne!(second.letter, first.letter);
    bed.archive(&dead_queue, second.letter).await;
    let third = bed.capture(&dead_queue, failure("f-1")).await;
    assert_eq!(third.generation, 3);
    let statuses = [
        bed.info(&dead_queue, first.letter).await.status,
        bed.info(&dead_queue, second.letter).await.status,
        bed.info(&dead_queue, third.letter).await.status,
    ];
    assert_eq!(statuses, [Status::Completed, Status::Archived, Status::Pending], "older ones stay readable");
}

pub(in crate::conformance) async fn the_same_message_is_captured_once(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let first = bed.capture(&dead_queue, failure_of_offset("f-1", 42)).await;
    let by_other_id = bed.capture(&dead_queue, failure_of_offset("f-2", 42)).await;
    assert_eq!((by_other_id.letter, by_other_id.reason), (first.letter, CaptureReason::Duplicate));
    let told_again = bed.capture(&dead_queue, failure_of_offset("f-1", 42)).await;
    assert_eq!((told_again.letter, told_again.reason), (first.letter, CaptureReason::Duplicate));
    assert_eq!(bed.record(&dead_queue, first.letter).await.attempts.len(), 1, "a duplicate leaves no record");
    assert_eq!(bed.capture(&dead_queue, failure_of_offset("f-3", 43)).await.reason, CaptureReason::Enqueued);
    assert_eq!(bed.capture(&dead_queue, failure_of_offset("f-1", 44)).await.reason, CaptureReason::Merged);
}

pub(in crate::conformance) async fn the_message_of_a_finished_letter_is_still_known(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let new = NewLetter { policy: RetryPolicy::Immediate, ..failure_of_offset("f-1", 42) };
    let first = bed.capture(&dead_queue, new).await;
    let held = bed.claim_one(&dead_queue).await;
    bed.complete(&dead_queue, held.info.id).await.unwrap();
    let again = bed.capture(&dead_queue, failure_of_offset("f-1", 42)).await;
    assert_eq!((again.letter, again.reason), (first.letter, CaptureReason::Duplicate));
    assert_eq!(again.status, Status::Completed);
    bed.archive(&dead_queue, first.letter).await;
    let again = bed.capture(&dead_queue, failure_of_offset("f-1", 42)).await;
    assert_eq!((again.letter, again.status), (first.letter, Status::Archived));
    let new_failure = bed.capture(&dead_queue, failure_of_offset("f-1", 43)).await;
    assert_eq!((new_failure.generation, new_failure.reason), (2, CaptureReason::Enqueued));
}

pub(in crate::conformance) async fn coordinates_are_all_that_tell_messages_apart(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let base = Origin { partition: Some(0), offset: Some(42), ..origin() };
    let others = [
        base.clone(),
        Origin { partition: Some(1), ..base.clone() },
        Origin { consumer: Some("other".to_owned()), ..base.clone() },
        Origin { name: "other".to_owned(), ..base.clone() },
        Origin { transport: "redis".to_owned(), ..base.clone() },
        Origin { timestamp: Some(Time::from_secs(1)), ..base.clone() },
        Origin { offset: None, message_id: Some("42".to_owned()), ..base },
    ];
    for (number, origin) in others.into_iter().enumerate() {
        let new = NewLetter {
            context: CaptureContext { origin, ..CaptureContext::default() },
            ..failure(&format!("f-{number}"))
        };
        assert_eq!(bed.capture(&dead_queue, new).await.reason, CaptureReason::Enqueued, "{number}");
    }
}

pub(in crate::conformance) async fn a_plain_item_holds_its_source_id_too(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let plain = ImportItem { source_id: Some("f-1".into()), ..ImportItem::default() };
    let import = Import { queue: dead_queue.clone(), partition: 0, items: vec![plain] };
    bed.store().import(import).await.unwrap();
    assert_eq!(bed.capture(&dead_queue, failure("f-1")).await.reason, CaptureReason::Duplicate);
    assert_eq!(bed.numbers(&dead_queue).await.0, 1);
}

pub(in crate::conformance) async fn a_queue_says_by_what_failures_are_assessed(bed: &Bed) {
    let queue = dead_queue_with(bed, |letters| letters.max_retries = Some(7)).await;
    let other = bed.queue("other").await;
    let first = bed.capture_settings(&queue).await;
    assert_eq!((first.letters.max_retries, first.letters.strategy()), (7, Strategy::Automatic));
    assert_eq!(bed.capture_settings(&queue).await, first, "nothing was changed");
    assert_ne!(bed.capture_settings(&other).await.letters.max_retries, 7);
    let letters = LetterOverrides { strategy: Some(Strategy::Manual), ..LetterOverrides::default() };
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
    bed.store().update_queue(update).await.unwrap();
    let second = bed.capture_settings(&queue).await;
    assert_eq!(second.letters.strategy(), Strategy::Manual);
    assert_ne!(second.revision, first.revision);
}

pub(in crate::conformance) async fn letters_that_were_assessed_by_old_settings_are_rejected(bed: &Bed) {
    let queue = bed.queue("dead").await;
    let before = bed.capture_settings(&queue).await.revision;
    let capture = |revision| Capture { revision: Some(revision), ..Capture::new(queue.clone(), vec![failure("f-1")]) };
    let update = UpdateQueue { reference: Some("another".to_owned()), ..UpdateQueue::of(queue.clone()) };
    bed.store().update_queue(update).await.unwrap();
    let rejected = bed.store().capture(capture(before)).await;
    assert_eq!(refusal(rejected), Rejection::SettingsChanged);
    assert_eq!(bed.stats(&queue).await.letters.live(), 0);
    let now = bed.capture_settings(&queue).await.revision;
    bed.store().capture(capture(now)).await.unwrap();

    // A queue of the same name is another one.
    bed.store().delete_queue(DeleteQueue { name: queue.clone(), force: false }).await.unwrap();
    assert_eq!(bed.queue("dead").await, queue);
    assert_eq!(refusal(bed.store().capture(capture(now)).await), Rejection::SettingsChanged);
}

// Size

pub(in crate::conformance) async fn a_full_queue_refuses_captures(bed: &Bed) {
    let dead_queue = dead_queue_with(bed, |letters| letters.max_size = Some(2)).await;
    let first = bed.capture(&dead_queue, failure("f-1")).await;
    let refused = bed.try_capture(&dead_queue, vec![failure("f-2"), failure("f-3")]).await;
    assert_eq!(refusal(refused), Rejection::QueueFull { max_size: 2 });
    assert_eq!(bed.stats(&dead_queue).await.letters.live(), 1, "all of a request or nothing");
    bed.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-2") }).await;
    let refused = bed.try_capture(&dead_queue, vec![failure("f-3")]).await;
    assert_eq!(refusal(refused), Rejection::QueueFull { max_size: 2 }, "exhausted letters count");
    assert_eq!(bed.capture(&dead_queue, failure("f-1")).await.reason, CaptureReason::Merged, "merging needs no room");
    bed.archive(&dead_queue, first.letter).await;
    bed.capture(&dead_queue, failure("f-3")).await;
}

pub(in crate::conformance) async fn a_full_queue_takes_a_new_generation(bed: &Bed) {
    let dead_queue = dead_queue_with(bed, |letters| {
        letters.max_size = Some(1);
        letters.on_duplicate = Some(OnDuplicate::NewGeneration);
    })
    .await;
    bed.capture(&dead_queue, failure("f-1")).await;
    let second = bed.capture(&dead_queue, failure("f-1")).await;
    assert_eq!((second.generation, second.reason), (2, CaptureReason::Enqueued), "no more are live than before");
    let due = bed.info(&dead_queue, second.letter).await.next_retry_at;
    assert_eq!(due, Some(bed.after(MINUTE)), "it is retried like any other");
    let refused = bed.try_capture(&dead_queue, vec![failure("f-1"), failure("f-2")]).await;
    assert_eq!(refusal(refused), Rejection::QueueFull { max_size: 1 });
    assert_eq!(bed.info(&dead_queue, second.letter).await.status, Status::Pending, "nothing of it was done");
}

pub(in crate::conformance) async fn a_message_may_make_a_letter_after_it_was_merged_into_another(bed: &Bed) {
    let dead_queue = dead_queue_with(bed, |letters| letters.max_size = Some(1)).await;
    let letters = vec![failure_of_offset("f-1", 1), failure_of_offset("f-1", 2), failure_of_offset("f-2", 2)];
    let refused = bed.try_capture(&dead_queue, letters.clone()).await;
    assert_eq!(refusal(refused), Rejection::QueueFull { max_size: 1 }, "two letters, and room for one");
    let mut update = UpdateQueue::of(dead_queue.clone());
    update.letters = Some(LetterOverrides { max_size: Some(2), ..LetterOverrides::default() });
    bed.store().update_queue(update).await.unwrap();
    let reasons = bed.try_capture(&dead_queue, letters).await.unwrap().into_iter().map(|captured| captured.reason);
    let expected = [CaptureReason::Enqueued, CaptureReason::Merged, CaptureReason::Enqueued];
    assert_eq!(reasons.collect::<Vec<_>>(), expected);
}

pub(in crate::conformance) async fn a_queue_may_overflow(bed: &Bed) {
    let dead_queue = dead_queue_with(bed, |letters| {
        letters.max_size = Some(1);
        letters.on_full = Some(OnFull::Overflow);
    })
    .await;
    bed.capture(&dead_queue, failure("f-1")).await;
    let over = bed.capture(&dead_queue, failure("f-2")).await;
    assert_eq!((over.status, over.reason), (Status::Pending, CaptureReason::Enqueued));
    let letter = bed.record(&dead_queue, over.letter).await;
    assert_eq!(letter.info.state, ItemState::Ready, "kept, and not scheduled");
    bed.advance(HOUR);
    assert_eq!(bed.claim_all(&dead_queue).await.len(), 1, "nor is it, while there is no room");
}

// Bad input

pub(in crate::conformance) async fn one_bad_letter_refuses_all(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let too_long = Content { reference: "r".repeat(2_001), ..Content::default() };
    let bad = [
        failure(""),
        failure(&"f".repeat(513)),
        NewLetter { max_retries: 101, ..failure("f-2") },
        NewLetter { content: Arc::new(too_long), ..failure("f-2") },
    ];
    for bad in bad {
        refusal(bed.try_capture(&dead_queue, vec![failure("f-1"), bad]).await);
        assert_eq!(bed.stats(&dead_queue).await.letters.live(), 0);
    }
    let refused = bed.store().capture(Capture::new(dead_queue, Vec::new())).await;
    assert_eq!(refusal(refused), Rejection::Empty { what: "letters" });
}

pub(in crate::conformance) async fn a_captured_letter_is_spread_over_the_partitions(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.partitions = 3).await;
    for number in 0..6 {
        bed.capture(&dead_queue, failure_for_good(&format!("f-{number}"))).await;
    }
    let totals: Vec<_> = bed.stats(&dead_queue).await.partitions.iter().map(|partition| partition.total).collect();
    assert_eq!(totals, [2, 2, 2]);
    bed.advance(INSTANT);
}
