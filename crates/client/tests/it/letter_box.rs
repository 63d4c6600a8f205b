//! Letters that a remote letter box captures.

use std::sync::Arc;

use redrive_client::RemoteLetterBox;
use redrive_core::{
    CaptureReason, CapturedBy, Category, Classifier, DelayHint, Failure, Fingerprint, Policy, PolicySource, Priority,
    QueueName, RequestedRetry, RetryPolicy, Span, Status, Time, Trigger,
};
use redrive_model::capture::FailedWork;
use redrive_model::{
    Attempt, Capture, CaptureContext, Captured, ClaimById, Content, CreateQueue, GetLetter, Header, NewLetter, Origin,
    QueueSettings, Settle, SettleAction,
};
use redrive_run::LetterBox;
use redrive_store::Store;

use crate::test_server::{Storage, TestServer};

fn dead() -> QueueName {
    QueueName::new("dead").unwrap()
}

async fn with_dead() -> TestServer {
    let server = TestServer::new(Storage::Memory).await;
    server.store().create_queue(CreateQueue { settings: QueueSettings::new(dead()) }).await.unwrap();
    server
}

fn no_answer() -> Failure {
    let mut failure = Failure::new("no answer from the bank");
    failure.error.kind = "BankError".parse().ok();
    failure.error.evidence = Some(redrive_core::Evidence::http(503));
    failure
}

/// The failed work of a letter, before it was assessed.
fn work_of(letter: &NewLetter) -> FailedWork {
    FailedWork {
        content: Arc::clone(&letter.content),
        context: letter.context.clone(),
        requested: RequestedRetry { policy: None, max_retries: Some(letter.max_retries) },
        category: Some(letter.category),
        destination: Some(Arc::clone(&letter.destination)),
        priority: Some(letter.priority),
        by: CapturedBy::Explicit,
        ..FailedWork::new(letter.source_id.clone(), no_answer(), letter.failed_at)
    }
}

/// A failure with every field of the wire format.
fn failure(source_id: &str) -> NewLetter {
    let failure = no_answer();
    let found = Classifier::built_in().classify(&failure, 1);
    let mut attempt = Attempt::failed(Trigger::Automatic, &failure, &found);
    attempt.ended_at = Some(Time::from_secs(1_799_999_000));
    // The category of the capture differs from that of the classifier.
    attempt.category = Some(Category::Resource);
    let content = Content {
        kind: "order".to_owned(),
        encoding: "json".to_owned(),
        reference: "r".to_owned(),
        key: Some("customer-4".into()),
        headers: vec![Header { name: "h".to_owned(), value: vec![0xFF, 0].into() }],
        payload: vec![0, 0xFE, b'x'].into(),
    };
    NewLetter {
        source_id: source_id.into(),
        content: Arc::new(content),
        context: CaptureContext {
            origin: Origin {
                transport: "kafka".into(),
                name: "orders".into(),
                consumer: Some("billing".into()),
                partition: Some(3),
                timestamp: Some(Time::from_secs(1_799_998_000)),
                replays: 2,
                ..Origin::default()
            },
            metadata: [
                ("tenant".to_owned(), "acme".into()),
                ("order".to_owned(), serde_json::json!({ "id": 17, "lines": [0.5, null, true, {}] })),
            ]
            .into(),
            reply_to: Some("replies".to_owned()),
            trace_id: Some("t-1".to_owned()),
            request_id: Some("q-1".to_owned()),
            ..CaptureContext::default()
        },
        attempt,
        category: Category::Resource,
        fingerprint: Fingerprint::of(&failure),
        policy: RetryPolicy::Linear,
        policy_source: PolicySource::Derived,
        max_retries: 4,
        hint: DelayHint::NONE,
        priority: Priority::High,
        destination: Arc::from("the bank"),
        failed_at: Time::from_secs(1_799_999_000),
        is_of_source: false,
    }
}

async fn capture(store: &dyn Store, letter: NewLetter) -> Captured {
    store.capture(Capture::new(dead(), vec![letter])).await.unwrap().remove(0)
}

/// A remote consumer that lost the number would report a duplicate, and the letter would stay completed.
#[tokio::test]
async fn work_that_fails_again_after_its_hand_back_opens_its_letter() {
    let server = with_dead().await;
    let letter_box = RemoteLetterBox::new(server.client());
    let failed = |replays, payload: &'static str| {
        let mut letter = failure("orders/3/17");
        letter.context.origin = Origin { offset: Some(17), replays, ..letter.context.origin };
        letter.content = Arc::new(Content::of_payload(payload));
        work_of(&letter)
    };
    let post = async |work| letter_box.post(&dead(), &Policy::default(), &[work]).await.remove(0);
    let first = post(failed(0, "an order")).await.unwrap().captured;
    let (letters, lease) = (vec![first.letter.into()], Span::from_secs(60));
    let claim = ClaimById { queue: dead(), letters, lease, trigger: Trigger::Manual };
    let held = server.store().claim_by_id(claim).await.unwrap().letters.remove(0);
    let done = SettleAction::Complete { attempt: None };
    let settled = server.store().settle(Settle::all(dead(), None, vec![held.info.id], &done)).await.unwrap();
    assert!(settled[0].is_ok(), "{settled:?}");

    for (replays, payload) in [(0, "another order"), (1, "another order"), (9, "an order")] {
        let refused = post(failed(replays, payload)).await.unwrap_err();
        assert_eq!(refused.reason, CaptureReason::Duplicate, "{replays} {payload}: {refused}");
    }
    let again = post(failed(1, "an order")).await.unwrap().captured;
    assert_eq!((again.letter, again.reason), (first.letter, CaptureReason::Merged));
    assert_ne!(again.status, Status::Completed);
    let letter = server.store().letter(GetLetter { queue: dead(), letter: first.letter }).await.unwrap();
    assert_eq!(letter.info.letter.map(|letter| letter.replays), Some(1));
}

#[tokio::test]
async fn a_captured_letter_has_everything_that_the_work_has() {
    let server = with_dead().await;
    let first = capture(&**server.store(), failure("order-16")).await.letter;
    let mut sent = failure("order-17");
    sent.context.depends_on = vec![first];
    let letter_box = RemoteLetterBox::new(server.client());
    let posted = letter_box.post(&dead(), &Policy::default(), &[work_of(&sent)]).await.remove(0).unwrap();
    assert_eq!((posted.category, posted.rule.as_str()), (Category::Resource, "http:503"));
    let made = posted.captured;
    assert_eq!((made.status, made.reason, made.generation), (Status::Pending, CaptureReason::Enqueued, 1));
    let get = || GetLetter { queue: dead(), letter: made.letter };
    let own = server.store().letter(get()).await.unwrap();
    assert_eq!(own.content, sent.content);
    assert_eq!(own.attempts, [sent.attempt], "the server derives rule and fingerprint from the evidence");
    let letter = own.info.letter.unwrap();
    assert!(letter.is_blocked);
    assert_eq!((letter.category, letter.policy_source), (Category::Resource, PolicySource::Derived));
    assert_eq!((letter.fingerprint, &*letter.destination), (sent.fingerprint, "the bank"));
    assert_eq!(own.info.priority, Priority::High);
    let kept = own.context.unwrap();
    assert_eq!((kept.origin, kept.depends_on), (sent.context.origin, sent.context.depends_on));
    assert_eq!((kept.reply_to, kept.trace_id), (sent.context.reply_to, sent.context.trace_id));
}
