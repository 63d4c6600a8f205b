//! Calls about letters reach the server and return typed answers.

use std::sync::Arc;

use redrive_client::proto::prost::Message;
use redrive_client::proto::redrive::v1::{
    Attempt, Header, HeaderList, Letter, LetterAttempt, LettersChangedResponse, LettersEditRequest,
    LettersRetryResponse,
};
use redrive_client::{
    Client, ClientError, Content, FailedWork, LetterId, LetterPage, LetterQuery, Letters, Posted, Rejection, Span,
    Status, Time,
};
use redrive_core::{CaptureReason, Failure, Fingerprint, Priority, QueueName, RequestedRetry, RetryPolicy};
use redrive_model::{CaptureTimes, CreateQueue, DeathReason, DeathRecord, LetterOrder, LetterOverrides, QueueSettings};
use redrive_store::Clock;

use crate::stub::{Action, Stub};
use crate::test_server::{Storage, TestServer, queue};

const FAILED_AT: Time = Time::from_micros(1_799_999_000_000_001);

fn unknown() -> LetterId {
    "0ujtsYcgvSTl8PAuAdqWYSMnLOv".parse().unwrap()
}

fn failure(source_id: &str) -> FailedWork {
    let content = Content::of_payload(format!("payload of {source_id}"));
    let failure = Failure::new("HTTP 503 Service Unavailable");
    FailedWork { content: Arc::new(content), ..FailedWork::new(source_id, failure, FAILED_AT) }
}

async fn with_dead() -> (TestServer, Letters) {
    let server = TestServer::new(Storage::Memory).await;
    server.client().create_queue(&queue("dead")).await.unwrap();
    let letters = server.client().letters("dead");
    (server, letters)
}

async fn capture(letters: &Letters, work: FailedWork) -> Posted {
    letters.capture(&[work]).await.unwrap().remove(0)
}

fn code_and_reason(error: &ClientError) -> (Option<u16>, Option<&str>) {
    (error.code(), error.reason())
}

#[tokio::test]
async fn a_failure_is_captured_found_shown_and_noted() {
    let (server, letters) = with_dead().await;
    let made = capture(&letters, failure("order-17")).await;
    assert_eq!((made.captured.reason, made.rule.as_str()), (CaptureReason::Enqueued, "http-text:503"));
    assert_eq!(capture(&letters, failure("order-17")).await.captured.reason, CaptureReason::Merged);
    let id = made.captured.letter;
    let LetterPage { letters: listed, next, total } = letters.list(&LetterQuery::default()).await.unwrap();
    assert_eq!((listed.len(), listed[0].id, next, total), (1, id, None, Some(1)));
    let archived = LetterQuery { statuses: vec![Status::Archived], ..LetterQuery::default() };
    assert_eq!(letters.list(&archived).await.unwrap().letters, []);
    let groups = letters.groups(None, 10).await.unwrap();
    assert_eq!((groups.len(), groups[0].counts.pending, groups[0].first_seen), (1, 1, FAILED_AT));
    assert_eq!(groups[0].sample, Some(id));
    assert_eq!(letters.groups(Some(groups[0].fingerprint), 10).await.unwrap(), []);
    let note = letters.annotate(id, "asked the bank", vec!["bank".to_owned()]).await.unwrap();
    let shown = letters.get(id).await.unwrap();
    assert_eq!((shown.attempts.len(), &shown.notes), (2, &vec![note]));
    assert_eq!(shown.content.unwrap().payload, "", "a payload is revealed only with a reason");
    let with_reason = server.client().because("support case 9").unwrap();
    let shown = with_reason.letters("dead").reveal(id).await.unwrap();
    assert_eq!(shown.content.unwrap().payload, "payload of order-17");
    let explained = letters.explain(&failure("").failure).await.unwrap();
    assert_eq!((explained.rule.as_str(), explained.schedule.len()), ("http-text:503", 3));
}

#[tokio::test]
async fn a_listed_letter_has_the_fields_of_the_servers_letter() {
    let (server, letters) = with_dead().await;
    let work = FailedWork {
        requested: RequestedRetry { policy: Some(RetryPolicy::Linear), max_retries: Some(7) },
        priority: Some(Priority::High),
        destination: Some("the bank".into()),
        ..failure("order-17")
    };
    let id = capture(&letters, work.clone()).await.captured.letter;
    let letter = letters.list(&LetterQuery::default()).await.unwrap().letters.remove(0);
    let now = server.clock.now();
    assert_eq!((letter.id, letter.source_id.as_deref()), (id, Some("order-17")));
    assert_eq!((letter.generation, letter.revision), (1, 1));
    assert_eq!((letter.status, letter.policy, letter.priority), (Status::Pending, RetryPolicy::Linear, Priority::High));
    assert_eq!((letter.fingerprint, &*letter.destination), (Fingerprint::of(&work.failure), "the bank"));
    assert_eq!((letter.retries, letter.max_retries, letter.total_attempts), (0, 7, 1));
    assert_eq!((letter.first_failed_at, letter.last_failed_at), (FAILED_AT, FAILED_AT));
    assert_eq!((letter.ended_at, letter.updated_at), (None, now));
    assert_eq!(letter.next_retry_at, None, "the queue has no target");
    server.clock.advance(Span::from_micros(5));
    letters.archive(&[id]).await.unwrap();
    let letter = letters.list(&LetterQuery::default()).await.unwrap().letters.remove(0);
    assert_eq!((letter.status, letter.ended_at), (Status::Archived, Some(now.saturating_add(Span::from_micros(5)))));
}

#[tokio::test]
async fn a_list_is_read_page_by_page() {
    let (server, letters) = with_dead().await;
    let work: Vec<_> = ["a", "b", "c"].map(failure).into();
    let made: Vec<_> = letters.capture(&work).await.unwrap().iter().map(|posted| posted.captured.letter).collect();
    let mut query = LetterQuery { limit: Some(2), ..LetterQuery::default() };
    let first = letters.list(&query).await.unwrap();
    query.after = first.next;
    let second = letters.list(&query).await.unwrap();
    let ids: Vec<_> = first.letters.iter().chain(&second.letters).map(|letter| letter.id).collect();
    assert_eq!((ids, first.letters.len(), second.next), (made.clone(), 2, None));
    for order in [LetterOrder::NewestFirst, LetterOrder::DueLast] {
        let mut query = LetterQuery { limit: Some(2), order, ..LetterQuery::default() };
        let first = letters.list(&query).await.unwrap();
        assert_eq!(first.total, Some(3));
        query.after = first.next;
        let second = letters.list(&query).await.unwrap();
        let ids: Vec<_> = first.letters.iter().chain(&second.letters).map(|letter| letter.id).collect();
        assert_eq!((ids, second.next), (made.iter().rev().copied().collect(), None), "{order:?}");
    }
    let future = Some(server.clock.now().saturating_add(Span::from_secs(1)));
    let captured = CaptureTimes { since: future, until: None };
    assert_eq!(letters.list(&LetterQuery { captured, ..LetterQuery::default() }).await.unwrap().letters, []);
    let filter = Some("source_id == 'b'".to_owned());
    let found = letters.list(&LetterQuery { filter, ..LetterQuery::default() }).await.unwrap().letters;
    assert_eq!((found.len(), found[0].source_id.as_deref()), (1, Some("b")));
}

#[tokio::test]
async fn letters_are_archived_restored_edited_and_purged() {
    let (server, letters) = with_dead().await;
    let ids = [capture(&letters, failure("order-17")).await.captured.letter];
    assert_eq!((letters.archive(&ids).await.unwrap(), letters.archive(&ids).await.unwrap()), (1, 0));
    assert_eq!(letters.restore(&ids).await.unwrap(), 1);
    let revision = letters.get(ids[0]).await.unwrap().letter.unwrap().revision;
    let headers = HeaderList { headers: vec![Header { name: "fixed".to_owned(), value: "yes".into() }] };
    let edit = LettersEditRequest {
        queue_name: "dead".to_owned(),
        id: ids[0].to_string(),
        revision,
        payload: Some("new".into()),
        headers: Some(headers),
        max_retries: Some(9),
        ..LettersEditRequest::default()
    };
    let edited = server.client().edit_letter(&edit).await.unwrap().letter.unwrap();
    assert_eq!((edited.max_retries, edited.revision), (9, revision + 1));
    let spent = LettersEditRequest { revision: 0, max_retries: Some(0), ..edit.clone() };
    assert_eq!(server.client().edit_letter(&spent).await.unwrap().letter.unwrap().status, "exhausted");
    let error = server.client().edit_letter(&edit).await.unwrap_err();
    assert_eq!(code_and_reason(&error), (Some(409), Some("stale_revision")));
    assert_eq!((letters.purge(&ids).await.unwrap(), letters.purge(&ids).await.unwrap()), (1, 0));
}

#[tokio::test]
async fn not_found_conflict_and_too_many_are_typed_errors() {
    let (server, letters) = with_dead().await;
    let ids = [capture(&letters, failure("order-17")).await.captured.letter];

    let error = letters.get(unknown()).await.unwrap_err();
    assert!(matches!(error, ClientError::NotFound { .. }) && !error.is_no_such_queue(), "{error:?}");
    assert_eq!(error.reason(), Some("not_found"));
    let error = server.client().letters("missing").archive(&[unknown()]).await.unwrap_err();
    assert!(error.is_no_such_queue() && error.code() == Some(404), "{error:?}");

    assert_eq!(letters.restore(&ids).await.unwrap(), 0, "it is not archived");
    letters.archive(&ids).await.unwrap();
    capture(&letters, failure("order-17")).await;
    let error = letters.restore(&ids).await.unwrap_err();
    assert!(matches!(error, ClientError::Conflict { .. }), "{error:?}");
    assert_eq!(error.reason(), Some("duplicate"));
    let other = FailedWork { content: Arc::new(Content::of_payload("another")), ..failure("order-17") };
    assert_eq!(code_and_reason(&letters.capture(&[other]).await.unwrap_err()), (Some(409), Some("other_payload")));

    let small = LetterOverrides { max_size: Some(1), ..LetterOverrides::default() };
    let settings = QueueSettings { letters: small, ..QueueSettings::new(QueueName::new("small").unwrap()) };
    server.store().create_queue(CreateQueue { settings }).await.unwrap();
    let small = server.client().letters("small");
    capture(&small, failure("one")).await;
    let error = small.capture(&[failure("two")]).await.unwrap_err();
    assert!(matches!(error, ClientError::TooMany { .. }), "{error:?}");
    assert_eq!(
        (error.reason(), error.to_string().as_str()),
        (
            Some("queue_full"),
            "Dead letter queue is full (max_size=1); resolve letters, raise max_size, or set on_full to overflow"
        )
    );

    assert_eq!(letters.capture(&[]).await.unwrap_err().code(), Some(400));
    let error = letters.reveal(unknown()).await.unwrap_err();
    assert_eq!(error.key(), Some("reason is required"));
}

#[tokio::test]
async fn a_queue_without_a_target_rejects_retries() {
    let (_server, letters) = with_dead().await;
    let id = capture(&letters, failure("order-17")).await.captured.letter;
    let errors = [
        (letters.retry(id).await.unwrap_err(), "no_way_back"),
        (letters.process("").await.unwrap_err(), "no_target"),
        (letters.resume(&[id]).await.unwrap_err(), "no_target"),
    ];
    for (error, reason) in errors {
        assert!(matches!(error, ClientError::Failed { .. }) && !error.is_retryable(), "{error:?}");
        assert_eq!(error.exact_reason(), Some(reason));
    }
}

#[tokio::test]
async fn a_retry_returns_the_outcome_and_the_letter() {
    let at = Some(FAILED_AT.into());
    let letter = Letter {
        id: unknown().to_string(),
        status: "pending".to_owned(),
        category: "network".to_owned(),
        retry_policy: "linear".to_owned(),
        fingerprint: Fingerprint::of(&failure("").failure).to_string(),
        priority: "low".to_owned(),
        retry_count: 2,
        next_retry_at: at,
        first_failed_at: at,
        last_failed_at: at,
        updated_at: at,
        ..Letter::default()
    };
    let attempt = Attempt { error: "connection reset".to_owned(), ..Attempt::default() };
    let attempt = Some(LetterAttempt { attempt: Some(attempt), ..LetterAttempt::default() });
    let answer = LettersRetryResponse { letter: Some(letter), attempt, ..LettersRetryResponse::default() };
    let reply = |answer: LettersRetryResponse| Action::Answer {
        status: 200,
        content_type: "application/protobuf",
        body: answer.encode_to_vec(),
    };
    let stub = Stub::new(vec![reply(answer), reply(LettersRetryResponse::default())]).await;
    let letters = stub.client().build().unwrap().letters("dead");
    let retried = letters.retry(unknown()).await.unwrap();
    assert_eq!((retried.is_success, retried.error.as_deref()), (false, Some("connection reset")));
    assert_eq!((retried.letter.id, retried.letter.retries), (unknown(), 2));
    assert_eq!((retried.letter.status, retried.letter.next_retry_at), (Status::Pending, Some(FAILED_AT)));
    let error = letters.force_retry(unknown()).await.unwrap_err();
    assert!(matches!(error, ClientError::NotUnderstood { .. }), "an answer without a letter: {error:?}");
}

#[tokio::test]
async fn a_resume_returns_the_number_of_letters() {
    let body = LettersChangedResponse { changed: 2 }.encode_to_vec();
    let stub = Stub::new(vec![Action::Message(body)]).await;
    let letters = stub.client().build().unwrap().letters("dead");
    assert_eq!(letters.resume(&[unknown(), unknown()]).await.unwrap(), 2);
}

#[tokio::test]
async fn the_death_of_an_item_cannot_be_captured_by_a_client() {
    let mut work = failure("order-17");
    work.context.death = Some(DeathRecord {
        queue: QueueName::new("orders").unwrap(),
        partition: 0,
        id: "0ujtsYcgvSTl8PAuAdqWYSMnLOv".parse().unwrap(),
        reason: DeathReason::GivenUp,
        attempts: 1,
        created_at: FAILED_AT,
        expires_at: FAILED_AT,
    });
    let letters = Client::new("127.0.0.1:1").unwrap().letters("dead");
    let error = letters.capture(&[work]).await.unwrap_err();
    assert!(matches!(error, ClientError::Rejected(Rejection::Elsewhere(_))), "nothing was sent: {error:?}");
}
