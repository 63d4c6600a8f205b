//! Work that is guarded here, and whose failures are letters of a server.

use redrive_client::{Client, RemoteLetterBox};
use redrive_core::{CaptureReason, Failure, PersistOutcome, Policy, QueueName, RetryPolicy};
use redrive_model::{Content, CreateQueue, FullLetter, GetLetter, LetterOverrides, ListLetters, QueueSettings};
use redrive_run::{Disposition, Guard, Task};

use crate::bed::{Bed, Ground};
use crate::stub::{Act, Stub};

fn failed() -> QueueName {
    QueueName::new("failed").unwrap()
}

async fn with_queue(max_size: Option<u64>) -> Bed {
    let bed = Bed::new(Ground::Memory).await;
    let letters = LetterOverrides { max_size, ..LetterOverrides::default() };
    bed.store()
        .create_queue(CreateQueue { settings: QueueSettings { letters, ..QueueSettings::new(failed()) } })
        .await
        .unwrap();
    bed
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
async fn records(bed: &Bed) -> Vec<FullLetter> {
    let list = ListLetters { queue: failed(), statuses: Vec::new(), after: None, limit: 100 };
    let mut records = Vec::new();
    for stored in bed.store().letters(list).await.unwrap() {
        let letter = stored.info.letter.unwrap().id;
        records.push(bed.store().letter(GetLetter { queue: failed(), letter }).await.unwrap());
    }
    records
}

#[tokio::test]
async fn a_guarded_failure_is_a_letter_of_the_server() {
    let bed = with_queue(None).await;
    let guard = guard(bed.client());
    let mut task = Task::new("sweep", Content::of_payload("repo-1")).with_id("sweep-17").with_parts(["a", "b"]);
    task.metadata.insert("tenant".to_owned(), "acme".to_owned());
    task.max_retries = Some(7);
    let guarded = guard.run(task, || async { Err::<(), _>(Failure::new("HTTP 503 Service Unavailable")) }).await;
    let told = guarded.disposition.unwrap();
    assert_eq!((told.dlq_enqueued, told.dlq_reason), (true, CaptureReason::Enqueued));
    assert_eq!(told.persist_outcome, Some(PersistOutcome::Persisted));

    let record = records(&bed).await.remove(0);
    let letter = record.info.letter.unwrap();
    assert_eq!((record.info.source_id.as_deref(), &*record.content.payload), (Some("sweep-17"), &b"repo-1"[..]));
    assert_eq!(
        (letter.category, letter.policy, letter.max_retries),
        (told.error_category, RetryPolicy::Exponential, 7)
    );
    assert_eq!(record.attempts[0].rule.as_deref(), Some("http-text:503"));
    let context = record.context.unwrap();
    assert_eq!((context.origin.transport.as_str(), context.origin.name.as_str()), ("guard", "sweep"));
    assert!(context.is_automatic(), "nobody did it by hand: {:?}", context.metadata);
    assert_eq!((context.parts, context.metadata["tenant"].as_str()), (vec!["a".to_owned(), "b".to_owned()], "acme"));
}

#[tokio::test]
async fn the_same_work_that_fails_twice_is_one_letter() {
    let bed = with_queue(None).await;
    let guard = guard(bed.client());
    assert_eq!(fail(&guard, "sweep-17", "timed out").await.dlq_reason, CaptureReason::Enqueued);
    let again = fail(&guard, "sweep-17", "connection reset").await;
    assert_eq!((again.dlq_enqueued, again.dlq_reason), (true, CaptureReason::Merged));
    let records = records(&bed).await;
    assert_eq!((records.len(), records[0].attempts.len()), (1, 2));
    assert_eq!((guard.stats().workflows_failed, guard.stats().auto_enqueued), (2, 2));
}

#[tokio::test]
async fn a_full_queue_says_so() {
    let bed = with_queue(Some(1)).await;
    let guard = guard(bed.client());
    fail(&guard, "one", "timed out").await;
    let refused = fail(&guard, "two", "timed out").await;
    assert_eq!((refused.dlq_enqueued, refused.dlq_reason), (false, CaptureReason::QueueFull));
    assert_eq!((refused.persist_outcome, refused.dlq_task_id), (Some(PersistOutcome::Rejected), None));
    assert_eq!(records(&bed).await.len(), 1);
}

#[tokio::test]
async fn a_queue_that_is_not_there_and_a_server_that_does_not_answer_keep_nothing() {
    let bed = Bed::new(Ground::Memory).await;
    let missing = fail(&guard(bed.client()), "one", "timed out").await;
    assert_eq!((missing.dlq_enqueued, missing.dlq_reason), (false, CaptureReason::PersistFailed));
    let stub = Stub::new(vec![Act::Close]).await;
    let unheard = fail(&guard(Client::new(&stub.address.to_string()).unwrap()), "one", "timed out").await;
    assert_eq!((unheard.dlq_enqueued, unheard.dlq_reason), (false, CaptureReason::PersistFailed));
    assert_eq!(stub.requests(), 1, "a failure that may have been kept is not told twice");
}

#[tokio::test]
async fn a_server_that_does_not_let_the_guard_in_is_told_apart_from_one_that_is_down() {
    for (code, message) in [(403, "access denied"), (401, "invalid api key")] {
        let stub = Stub::new(vec![Act::Reply(code, message)]).await;
        let refused = fail(&guard(Client::new(&stub.address.to_string()).unwrap()), "one", "timed out").await;
        assert_eq!((refused.dlq_enqueued, refused.dlq_reason), (false, CaptureReason::Denied), "{code}");
        assert_eq!(refused.persist_outcome, Some(PersistOutcome::Rejected));
    }
}

#[tokio::test]
async fn another_payload_under_the_same_name_is_a_duplicate_and_a_name_that_is_none_is_invalid() {
    let bed = with_queue(None).await;
    let guard = guard(bed.client());
    fail(&guard, "sweep-17", "timed out").await;
    let other = Task::new("sweep", Content::of_payload("repo-2")).with_id("sweep-17");
    assert_eq!(guard.capture(other, Failure::new("timed out")).await.dlq_reason, CaptureReason::Duplicate);
    assert_eq!(fail(&guard, "", "timed out").await.dlq_reason, CaptureReason::Invalid);
}

#[tokio::test]
async fn an_explicit_policy_is_explicit_at_the_server_and_a_derived_one_follows_the_newest_failure() {
    let bed = with_queue(None).await;
    let guard = guard(bed.client());
    let mut asked = Task::new("sweep", Content::of_payload("repo-1")).with_id("asked");
    asked.policy = Some(RetryPolicy::Linear);
    guard.capture(asked, Failure::new("timed out")).await;
    for error in ["timed out", "permission denied"] {
        fail(&guard, "derived", error).await;
        fail(&guard, "asked", error).await;
    }
    let records = records(&bed).await;
    let policies: Vec<_> = records.iter().map(|record| record.info.letter.as_ref().unwrap().policy).collect();
    assert_eq!(policies, [RetryPolicy::Linear, RetryPolicy::Never]);
}
