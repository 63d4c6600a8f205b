//! Guards whose failures become letters of a server.

use std::sync::Arc;

use redrive_client::{Client, RemoteLetterBox};
use redrive_core::{
    CaptureReason, Evidence, Failure, GrpcCode, IoKind, PersistOutcome, Policy, Priority, QueueName, RetryPolicy, Span,
};
use redrive_model::{
    Content, CreateQueue, FindLetters, FullLetter, GetLetter, LetterOverrides, ListLetters, QueueSettings,
};
use redrive_run::{Disposition, Guard, StoreLetterBox, Task};

use crate::stub::{Action, Stub};
use crate::test_server::{Storage, TestServer};

fn failed() -> QueueName {
    QueueName::new("failed").unwrap()
}

async fn with_queue(max_size: Option<u64>) -> TestServer {
    let server = TestServer::new(Storage::Memory).await;
    let letters = LetterOverrides { max_size, ..LetterOverrides::default() };
    server
        .store()
        .create_queue(CreateQueue { settings: QueueSettings { letters, ..QueueSettings::new(failed()) } })
        .await
        .unwrap();
    server
}

fn guard(client: Client) -> Guard {
    Guard::new(RemoteLetterBox::new(client), failed(), Policy::builder().build().unwrap())
}

async fn fail(guard: &Guard, id: &str, error: &str) -> Disposition {
    let task = Task::new("sweep", Content::of_payload("repo-1")).with_id(id);
    let guarded = guard.run(task, || async { Err::<(), _>(Failure::new(error)) }).await;
    assert_eq!(guarded.result.unwrap_err().to_string(), error, "the caller gets its own error");
    guarded.disposition.unwrap()
}

/// The letters of the server's own store.
async fn records(server: &TestServer) -> Vec<FullLetter> {
    let list = ListLetters { queue: failed(), statuses: Vec::new(), after: None, limit: 100 };
    let mut records = Vec::new();
    for stored in server.store().letters(list).await.unwrap() {
        let letter = stored.info.letter.unwrap().id;
        records.push(server.store().letter(GetLetter { queue: failed(), letter }).await.unwrap());
    }
    records
}

#[tokio::test]
async fn a_guarded_failure_is_a_letter_of_the_server() {
    let server = with_queue(None).await;
    let guard = guard(server.client());
    let mut task = Task::new("sweep", Content::of_payload("repo-1")).with_id("sweep-17").with_parts(["a", "b"]);
    task.metadata.insert("tenant".to_owned(), "acme".into());
    task.metadata.insert("priority".to_owned(), "high".into());
    task.max_retries = Some(7);
    let guarded = guard.run(task, || async { Err::<(), _>(Failure::new("HTTP 503 Service Unavailable")) }).await;
    let disposition = guarded.disposition.unwrap();
    assert_eq!((disposition.dlq_enqueued, disposition.dlq_reason), (true, CaptureReason::Enqueued));
    assert_eq!(disposition.persist_outcome, Some(PersistOutcome::Persisted));

    let record = records(&server).await.remove(0);
    let letter = record.info.letter.unwrap();
    assert_eq!((record.info.source_id.as_deref(), &*record.content.payload), (Some("sweep-17"), &b"repo-1"[..]));
    assert_eq!(
        (letter.category, letter.policy, letter.max_retries),
        (disposition.error_category, RetryPolicy::Exponential, 7)
    );
    assert_eq!(record.info.priority, Priority::High, "as its metadata says");
    assert_eq!(record.attempts[0].rule.as_deref(), Some("http-text:503"));
    let context = record.context.unwrap();
    assert_eq!((&*context.origin.transport, &*context.origin.name), ("guard", "sweep"));
    assert!(context.is_automatic(), "the capture was automatic: {:?}", context.metadata);
    assert_eq!(
        (context.parts, context.metadata["tenant"].as_str()),
        (vec!["a".to_owned(), "b".to_owned()], Some("acme"))
    );
}

#[tokio::test]
async fn a_failure_is_treated_alike_by_a_server_and_by_an_embedded_store() {
    let server = with_queue(None).await;
    let local = QueueName::new("local").unwrap();
    server.store().create_queue(CreateQueue { settings: QueueSettings::new(local.clone()) }).await.unwrap();
    let policy = || Policy::builder().build().unwrap();
    let guards = [
        (failed(), Guard::new(RemoteLetterBox::new(server.client()), failed(), policy())),
        (local.clone(), Guard::new(StoreLetterBox::new(Arc::clone(server.store())), local, policy())),
    ];
    let plain = || Failure::new("no");
    let mut coded = plain();
    coded.error.code = Some("RATE_LIMIT_EXCEEDED".to_owned());
    let failures = [
        plain().with_evidence(Evidence::Grpc(GrpcCode::Unavailable)),
        plain().with_evidence(Evidence::Io(IoKind::StorageFull)),
        plain().with_evidence(Evidence::Http { status: 403, rate_limited: true }),
        plain().with_evidence(Evidence::http(429)).with_retry_after(Span::from_mins(7)),
        plain().caused_by(Failure::new("hm")).caused_by(Failure::typed(Evidence::Io(IoKind::ConnectionReset))),
        plain().caused_by(coded.clone()),
        coded,
    ];
    for (number, failure) in failures.into_iter().enumerate() {
        let mut seen = Vec::new();
        for (queue, guard) in &guards {
            // An explicit capture, so that no category is sent.
            let task = Task::new("sweep", Content::of_payload("repo-1")).with_id(number.to_string());
            let disposition = guard.capture(task, failure.clone()).await;
            assert!(disposition.dlq_enqueued, "{failure:?}");
            let found = FindLetters { source_id: Some(number.to_string()), ..FindLetters::all(queue.clone(), 1) };
            let info = server.store().find_letters(found).await.unwrap().letters.remove(0);
            let letter = info.letter.unwrap();
            seen.push((disposition.matched_rule, letter.category, letter.fingerprint, letter.next_retry_at));
        }
        assert_eq!(seen[0], seen[1], "{failure:?}");
        assert_ne!(seen[0].0, "default", "{failure:?}");
    }
}

#[tokio::test]
async fn two_failures_of_the_same_work_are_one_letter() {
    let server = with_queue(None).await;
    let guard = guard(server.client());
    assert_eq!(fail(&guard, "sweep-17", "timed out").await.dlq_reason, CaptureReason::Enqueued);
    let again = fail(&guard, "sweep-17", "connection reset").await;
    assert_eq!((again.dlq_enqueued, again.dlq_reason), (true, CaptureReason::Merged));
    let records = records(&server).await;
    assert_eq!((records.len(), records[0].attempts.len()), (1, 2));
    assert_eq!((guard.stats().workflows_failed, guard.stats().auto_enqueued), (2, 2));
}

#[tokio::test]
async fn a_full_queue_rejects_the_capture() {
    let server = with_queue(Some(1)).await;
    let guard = guard(server.client());
    fail(&guard, "one", "timed out").await;
    let rejected = fail(&guard, "two", "timed out").await;
    assert_eq!((rejected.dlq_enqueued, rejected.dlq_reason), (false, CaptureReason::QueueFull));
    assert_eq!((rejected.persist_outcome, rejected.dlq_task_id), (Some(PersistOutcome::Rejected), None));
    assert_eq!(records(&server).await.len(), 1);
}

#[tokio::test]
async fn a_missing_queue_and_an_unreachable_server_store_nothing() {
    let server = TestServer::new(Storage::Memory).await;
    let missing = fail(&guard(server.client()), "one", "timed out").await;
    assert_eq!((missing.dlq_enqueued, missing.dlq_reason), (false, CaptureReason::PersistFailed));
    let stub = Stub::new(vec![Action::Close]).await;
    let unanswered = fail(&guard(stub.client().build().unwrap()), "one", "timed out").await;
    assert_eq!((unanswered.dlq_enqueued, unanswered.dlq_reason), (false, CaptureReason::PersistFailed));
    assert_eq!(stub.requests(), 1, "a capture that may have been executed is not repeated");
}

#[tokio::test]
async fn a_denied_capture_differs_from_an_unreachable_server() {
    for (code, message) in [(403, "access denied"), (401, "invalid api key")] {
        let stub = Stub::new(vec![Action::Reply(code, message)]).await;
        let rejected = fail(&guard(stub.client().build().unwrap()), "one", "timed out").await;
        assert_eq!((rejected.dlq_enqueued, rejected.dlq_reason), (false, CaptureReason::Denied), "{code}");
        assert_eq!(rejected.persist_outcome, Some(PersistOutcome::Rejected));
    }
}

#[tokio::test]
async fn another_payload_with_the_same_id_is_a_duplicate_and_an_empty_id_is_invalid() {
    let server = with_queue(None).await;
    let guard = guard(server.client());
    fail(&guard, "sweep-17", "timed out").await;
    let other = Task::new("sweep", Content::of_payload("repo-2")).with_id("sweep-17");
    assert_eq!(guard.capture(other, Failure::new("timed out")).await.dlq_reason, CaptureReason::Duplicate);
    assert_eq!(fail(&guard, "", "timed out").await.dlq_reason, CaptureReason::Invalid);
}

#[tokio::test]
async fn an_explicit_policy_is_explicit_at_the_server_and_a_derived_one_follows_the_newest_failure() {
    let server = with_queue(None).await;
    let guard = guard(server.client());
    let mut explicit = Task::new("sweep", Content::of_payload("repo-1")).with_id("explicit");
    explicit.policy = Some(RetryPolicy::Linear);
    guard.capture(explicit, Failure::new("timed out")).await;
    for error in ["timed out", "permission denied"] {
        fail(&guard, "derived", error).await;
        fail(&guard, "explicit", error).await;
    }
    let records = records(&server).await;
    let policies: Vec<_> = records.iter().map(|record| record.info.letter.as_ref().unwrap().policy).collect();
    assert_eq!(policies, [RetryPolicy::Linear, RetryPolicy::Never]);
}
