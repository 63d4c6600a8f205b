//! Capturing failures as letters.

use std::sync::Arc;

use crate::conformance::fixture::StoreFixture;
use redrive_core::{
    CaptureReason, Category, DelayHint, Metadata, PolicySource, Priority, QueueName, RetryPolicy, Span, Status,
    Strategy,
};
use redrive_model::{
    Capture, CaptureContext, Content, DeleteQueue, Event, ItemState, LetterOverrides, MetadataSize, NewLetter,
    OnDuplicate, OnFull, Origin, Rejection, UpdateQueue,
};
use serde_json::json;

use crate::conformance::samples::{
    FAULT, HOUR, INSTANT, MINUTE, SECOND, attempt, failure, failure_for_good, failure_of_offset, fingerprint, origin,
    rejection,
};

pub(super) async fn dead_queue_with(fixture: &StoreFixture, change: impl FnOnce(&mut LetterOverrides)) -> QueueName {
    fixture.queue_with("dead", |settings| change(&mut settings.letters)).await
}

pub(in crate::conformance) async fn everything_that_was_said_is_kept(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let context = CaptureContext {
        origin: Origin {
            consumer: Some("group".into()),
            partition: Some(7),
            offset: Some(42),
            timestamp: Some(fixture.now()),
            message_id: Some("m-1".to_owned()),
            ..origin()
        },
        death: None,
        parts: vec!["eu".to_owned(), "us".to_owned()],
        metadata: Metadata::from([
            ("tenant".to_owned(), "a \"quoted\" ✓".into()),
            ("order".to_owned(), json!({ "id": u64::MAX, "rate": 0.1, "lines": [{ "sku": null }, [], true, 2, 2.0] })),
        ]),
        depends_on: Vec::new(),
        reply_to: Some("replies".to_owned()),
        trace_id: Some("trace".to_owned()),
        request_id: Some("request".to_owned()),
        submitted_by: Some("an operator".to_owned()),
        note: Some("call them first".to_owned()),
    };
    let mut record = attempt(FAULT, Category::Network);
    record.failed_parts = vec!["eu".to_owned()];
    record.worker = Some("w-1".into());
    let new = NewLetter {
        context: context.clone(),
        attempt: record.clone(),
        priority: Priority::Low,
        failed_at: fixture.now().saturating_sub(HOUR),
        ..failure("f-1")
    };
    let captured = fixture.capture(&dead_queue, new.clone()).await;
    assert_eq!((captured.generation, captured.reason), (1, CaptureReason::Enqueued));
    let letter = fixture.record(&dead_queue, captured.letter).await;
    assert_eq!(letter.context, Some(context));
    assert_eq!(letter.attempts, [record]);
    assert_eq!((letter.original, letter.notes.len()), (None, 0));
    assert_eq!(letter.content, new.content);
    assert_eq!(letter.info.source_id.as_deref(), Some("f-1"));
    assert_eq!((letter.info.priority, letter.info.created_at), (Priority::Low, fixture.now()));
    let info = letter.info.letter.expect("a letter");
    assert_eq!((info.id, info.category, info.fingerprint), (captured.letter, Category::Network, fingerprint(FAULT)));
    assert_eq!((info.policy, info.policy_source), (RetryPolicy::Exponential, PolicySource::Explicit));
    assert_eq!((info.retries, info.max_retries, info.total_attempts), (0, 3, 1));
    assert_eq!((info.first_failed_at, info.last_failed_at), (new.failed_at, new.failed_at));
    assert_eq!((&*info.destination, info.ended_at, info.is_outcome_unknown), ("billing", None, false));
}

pub(in crate::conformance) async fn metadata_beyond_its_bounds_is_rejected(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let deep = (0..MetadataSize::DEPTH_MAX).fold(json!(1), |inner, _| json!([inner]));
    for metadata in [deep, json!(vec![0; MetadataSize::ENTRIES_MAX]), json!("x".repeat(MetadataSize::BYTES_MAX))] {
        let metadata = Metadata::from([("a".to_owned(), metadata)]);
        let expected = MetadataSize::of(&metadata).check().expect_err("the metadata is too large");
        let bad = NewLetter { context: CaptureContext { metadata, ..CaptureContext::default() }, ..failure("f-2") };
        let capture = Capture::new(dead_queue.clone(), vec![failure("f-1"), bad]);
        assert_eq!(rejection(fixture.store().capture(capture).await), expected);
    }
    assert_eq!(fixture.numbers(&dead_queue).await, (0, 0, 0), "nothing of the request is stored");
}

// The first schedule

pub(in crate::conformance) async fn a_policy_decides_when_a_letter_is_due(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let delays = [
        (RetryPolicy::Exponential, Some(MINUTE)),
        (RetryPolicy::Linear, Some(Span::from_mins(5))),
        (RetryPolicy::Immediate, Some(Span::ZERO)),
        (RetryPolicy::Never, None),
    ];
    for (policy, delay) in delays {
        let captured = fixture.capture(&dead_queue, NewLetter { policy, ..failure(&policy.to_string()) }).await;
        assert_eq!(captured.status, Status::Pending);
        let info = fixture.info(&dead_queue, captured.letter).await;
        assert_eq!(info.next_retry_at, delay.map(|delay| fixture.after(delay)), "{policy}");
    }
}

pub(in crate::conformance) async fn a_failure_may_set_the_delay_of_its_first_retry(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let hints = [
        (RetryPolicy::Exponential, DelayHint { retry_after: Some(HOUR), ..DelayHint::NONE }, Some(HOUR)),
        (RetryPolicy::Exponential, DelayHint { retry_after: Some(SECOND), ..DelayHint::NONE }, Some(MINUTE)),
        (RetryPolicy::Exponential, DelayHint { delay: Some(SECOND), ..DelayHint::NONE }, Some(SECOND)),
        (RetryPolicy::Never, DelayHint { delay: Some(SECOND), ..DelayHint::NONE }, Some(SECOND)),
        (RetryPolicy::Never, DelayHint { retry_after: Some(HOUR), ..DelayHint::NONE }, None),
    ];
    for (number, (policy, hint, delay)) in hints.into_iter().enumerate() {
        let new = NewLetter { policy, hint, policy_source: PolicySource::Derived, ..failure(&number.to_string()) };
        let letter = fixture.capture(&dead_queue, new).await.letter;
        let info = fixture.info(&dead_queue, letter).await;
        assert_eq!(info.next_retry_at, delay.map(|delay| fixture.after(delay)), "{policy} {hint:?}");
    }
}

pub(in crate::conformance) async fn without_retries_a_letter_is_exhausted_at_once(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for policy in [RetryPolicy::Exponential, RetryPolicy::Never, RetryPolicy::Immediate] {
        let new = NewLetter { policy, max_retries: 0, ..failure(&policy.to_string()) };
        let captured = fixture.capture(&dead_queue, new).await;
        assert_eq!(captured.status, Status::Exhausted, "{policy}");
        let info = fixture.info(&dead_queue, captured.letter).await;
        assert_eq!((info.next_retry_at, info.ended_at), (None, Some(fixture.now())));
    }
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Exhausted), 3);
    fixture.advance(HOUR);
    assert!(fixture.claim(&dead_queue, 9).await.is_empty());
}

// Failures that were captured before

pub(in crate::conformance) async fn a_queue_returns_its_capture_settings(fixture: &StoreFixture) {
    let queue = dead_queue_with(fixture, |letters| letters.max_retries = Some(7)).await;
    let other = fixture.queue("other").await;
    let first = fixture.capture_settings(&queue).await;
    assert_eq!((first.letters.max_retries, first.letters.strategy()), (7, Strategy::Automatic));
    assert_eq!(fixture.capture_settings(&queue).await, first, "the settings were not changed");
    assert_ne!(fixture.capture_settings(&other).await.letters.max_retries, 7);
    let letters = LetterOverrides { strategy: Some(Strategy::Manual), ..LetterOverrides::default() };
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
    fixture.store().update_queue(update).await.unwrap();
    let second = fixture.capture_settings(&queue).await;
    assert_eq!(second.letters.strategy(), Strategy::Manual);
    assert_ne!(second.revision, first.revision);
}

pub(in crate::conformance) async fn letters_that_were_assessed_by_old_settings_are_rejected(fixture: &StoreFixture) {
    let queue = fixture.queue("dead").await;
    let before = fixture.capture_settings(&queue).await.revision;
    let capture = |revision| Capture { revision: Some(revision), ..Capture::new(queue.clone(), vec![failure("f-1")]) };
    let update = UpdateQueue { reference: Some("another".to_owned()), ..UpdateQueue::of(queue.clone()) };
    fixture.store().update_queue(update).await.unwrap();
    let rejected = fixture.store().capture(capture(before)).await;
    assert_eq!(rejection(rejected), Rejection::SettingsChanged);
    assert_eq!(fixture.stats(&queue).await.letters.live(), 0);
    let now = fixture.capture_settings(&queue).await.revision;
    fixture.store().capture(capture(now)).await.unwrap();

    // A recreated queue of the same name is another queue.
    fixture.store().delete_queue(DeleteQueue { name: queue.clone(), force: false }).await.unwrap();
    assert_eq!(fixture.queue("dead").await, queue);
    assert_eq!(rejection(fixture.store().capture(capture(now)).await), Rejection::SettingsChanged);
}

// Size

pub(in crate::conformance) async fn a_full_queue_rejects_captures(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with(fixture, |letters| letters.max_size = Some(2)).await;
    let first = fixture.capture(&dead_queue, failure("f-1")).await;
    let rejected = fixture.try_capture(&dead_queue, vec![failure("f-2"), failure("f-3")]).await;
    assert_eq!(rejection(rejected), Rejection::QueueFull { max_size: 2 });
    assert_eq!(fixture.stats(&dead_queue).await.letters.live(), 1, "all of a request or nothing");
    fixture.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-2") }).await;
    let rejected = fixture.try_capture(&dead_queue, vec![failure("f-3")]).await;
    assert_eq!(rejection(rejected), Rejection::QueueFull { max_size: 2 }, "exhausted letters count");
    let again = fixture.capture(&dead_queue, failure("f-1")).await;
    assert_eq!(again.reason, CaptureReason::Merged, "merging needs no capacity");
    fixture.archive(&dead_queue, first.letter).await;
    fixture.capture(&dead_queue, failure("f-3")).await;
}

pub(in crate::conformance) async fn a_full_queue_accepts_a_new_generation(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with(fixture, |letters| {
        letters.max_size = Some(1);
        letters.on_duplicate = Some(OnDuplicate::NewGeneration);
    })
    .await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    let second = fixture.capture(&dead_queue, failure("f-1")).await;
    let captured = (second.generation, second.reason);
    assert_eq!(captured, (2, CaptureReason::Enqueued), "the number of live letters does not grow");
    let due = fixture.info(&dead_queue, second.letter).await.next_retry_at;
    assert_eq!(due, Some(fixture.after(MINUTE)), "it is retried like any other");
    let rejected = fixture.try_capture(&dead_queue, vec![failure("f-1"), failure("f-2")]).await;
    assert_eq!(rejection(rejected), Rejection::QueueFull { max_size: 1 });
    assert_eq!(
        fixture.status(&dead_queue, second.letter).await,
        Status::Pending,
        "the rejected request changed nothing"
    );
}

pub(in crate::conformance) async fn a_message_may_become_a_letter_after_it_was_merged_into_another(
    fixture: &StoreFixture,
) {
    let dead_queue = dead_queue_with(fixture, |letters| letters.max_size = Some(1)).await;
    let letters = vec![failure_of_offset("f-1", 1), failure_of_offset("f-1", 2), failure_of_offset("f-2", 2)];
    let rejected = fixture.try_capture(&dead_queue, letters.clone()).await;
    assert_eq!(rejection(rejected), Rejection::QueueFull { max_size: 1 }, "two letters, and capacity for one");
    let mut update = UpdateQueue::of(dead_queue.clone());
    update.letters = Some(LetterOverrides { max_size: Some(2), ..LetterOverrides::default() });
    fixture.store().update_queue(update).await.unwrap();
    let reasons = fixture.try_capture(&dead_queue, letters).await.unwrap().into_iter().map(|captured| captured.reason);
    let expected = [CaptureReason::Enqueued, CaptureReason::Merged, CaptureReason::Enqueued];
    assert_eq!(reasons.collect::<Vec<_>>(), expected);
}

pub(in crate::conformance) async fn a_queue_may_overflow(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with(fixture, |letters| {
        letters.max_size = Some(1);
        letters.on_full = Some(OnFull::Overflow);
    })
    .await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    let over = fixture.capture(&dead_queue, failure("f-2")).await;
    assert_eq!((over.status, over.reason), (Status::Pending, CaptureReason::Enqueued));
    let letter = fixture.record(&dead_queue, over.letter).await;
    assert_eq!(letter.info.state, ItemState::Ready, "captured, but not scheduled");
    fixture.advance(HOUR);
    assert_eq!(fixture.claim_all(&dead_queue).await.len(), 1, "it is not due while the queue is full");
}

// Invalid input

pub(in crate::conformance) async fn one_invalid_letter_rejects_the_request(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let too_long = Content { reference: "r".repeat(2_001), ..Content::default() };
    let bad = [
        failure(""),
        failure(&"f".repeat(513)),
        NewLetter { max_retries: 101, ..failure("f-2") },
        NewLetter { content: Arc::new(too_long), ..failure("f-2") },
    ];
    for bad in bad {
        rejection(fixture.try_capture(&dead_queue, vec![failure("f-1"), bad]).await);
        assert_eq!(fixture.stats(&dead_queue).await.letters.live(), 0);
    }
    let rejected = fixture.store().capture(Capture::new(dead_queue, Vec::new())).await;
    assert_eq!(rejection(rejected), Rejection::Empty { what: "letters" });
}

pub(in crate::conformance) async fn a_captured_letter_is_spread_over_the_partitions(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.partitions = 3).await;
    for number in 0..6 {
        fixture.capture(&dead_queue, failure_for_good(&format!("f-{number}"))).await;
    }
    let totals: Vec<_> = fixture.stats(&dead_queue).await.partitions.iter().map(|partition| partition.total).collect();
    assert_eq!(totals, [2, 2, 2]);
    fixture.advance(INSTANT);
}
