//! Calls about letters reach the server and return typed answers.

use redrive_client::proto::redrive::v1::{
    CaptureLetter, CapturedLetter, Fault, Header, HeaderList, LettersEditRequest, LettersListRequest, Origin,
};
use redrive_client::{ClientError, Letters};
use redrive_core::QueueName;
use redrive_model::{CreateQueue, LetterOverrides, QueueSettings};

use crate::test_server::{Storage, TestServer, queue};

const UNKNOWN: &str = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";

fn failure(source_id: &str) -> CaptureLetter {
    CaptureLetter {
        source_id: source_id.to_owned(),
        utf8: format!("payload of {source_id}"),
        fault: Some(Fault { error: "HTTP 503 Service Unavailable".to_owned(), ..Fault::default() }),
        origin: Some(Origin { transport: "http".to_owned(), name: "billing".to_owned(), ..Origin::default() }),
        ..CaptureLetter::default()
    }
}

async fn dead(server: &TestServer) -> Letters {
    server.client().create_queue(&queue("dead")).await.unwrap();
    server.client().letters("dead")
}

async fn capture(letters: &Letters, letter: CaptureLetter) -> CapturedLetter {
    letters.capture(vec![letter]).await.unwrap().remove(0)
}

fn code_and_reason(error: &ClientError) -> (Option<u16>, Option<&str>) {
    (error.code(), error.reason())
}

#[tokio::test]
async fn a_failure_is_captured_found_shown_and_noted() {
    let server = TestServer::new(Storage::Memory).await;
    let letters = dead(&server).await;
    let made = capture(&letters, failure("order-17")).await;
    assert_eq!((made.created, made.reason.as_str(), made.rule.as_str()), (true, "enqueued", "http-text:503"));
    assert_eq!(capture(&letters, failure("order-17")).await.reason, "merged");
    let page = letters.list(LettersListRequest { limit: 10, ..LettersListRequest::default() }).await.unwrap();
    assert_eq!((page.letters.len(), page.letters[0].id.as_str()), (1, made.id.as_str()));
    let none = LettersListRequest { statuses: vec!["archived".to_owned()], ..LettersListRequest::default() };
    assert_eq!(letters.list(none).await.unwrap().letters, []);
    let groups = letters.groups("", 0).await.unwrap().groups;
    assert_eq!((groups.len(), groups[0].count), (1, 1));
    let note = letters.annotate(&made.id, "asked the bank", vec!["bank".to_owned()]).await.unwrap();
    let shown = letters.get(&made.id).await.unwrap();
    assert_eq!((shown.attempts.len(), &shown.notes), (2, &vec![note]));
    assert_eq!(shown.content.unwrap().payload, "", "a payload is revealed only with a reason");
    let with_reason = server.client().because("support case 9").unwrap();
    let shown = with_reason.letters("dead").reveal(&made.id).await.unwrap();
    assert_eq!(shown.content.unwrap().payload, "payload of order-17");
    let explained = letters.explain(failure("").fault.unwrap()).await.unwrap();
    assert_eq!((explained.rule.as_str(), explained.schedule.len()), ("http-text:503", 3));
}

#[tokio::test]
async fn letters_are_archived_restored_edited_and_purged() {
    let server = TestServer::new(Storage::Memory).await;
    let letters = dead(&server).await;
    let id = capture(&letters, failure("order-17")).await.id;
    let ids = || vec![id.clone()];
    assert_eq!((letters.archive(ids()).await.unwrap(), letters.archive(ids()).await.unwrap()), (1, 0));
    assert_eq!(letters.restore(ids()).await.unwrap(), 1);
    let revision = letters.get(&id).await.unwrap().letter.unwrap().revision;
    let headers = HeaderList { headers: vec![Header { name: "fixed".to_owned(), value: "yes".into() }] };
    let edit = LettersEditRequest {
        id: id.clone(),
        revision,
        payload: Some("new".into()),
        headers: Some(headers),
        max_retries: Some(9),
        ..LettersEditRequest::default()
    };
    let edited = letters.edit(edit.clone()).await.unwrap();
    assert_eq!((edited.max_retries, edited.revision), (9, revision + 1));
    let error = letters.edit(edit).await.unwrap_err();
    assert_eq!(code_and_reason(&error), (Some(409), Some("stale_revision")));
    assert_eq!((letters.purge(ids()).await.unwrap(), letters.purge(ids()).await.unwrap()), (1, 0));
}

#[tokio::test]
async fn not_found_conflict_and_too_many_are_typed_errors() {
    let server = TestServer::new(Storage::Memory).await;
    let letters = dead(&server).await;
    let id = capture(&letters, failure("order-17")).await.id;

    let error = letters.get(UNKNOWN).await.unwrap_err();
    assert!(matches!(error, ClientError::NotFound { .. }) && !error.is_no_such_queue(), "{error:?}");
    assert_eq!(error.reason(), Some("not_found"));
    let error = server.client().letters("missing").archive(vec![UNKNOWN.to_owned()]).await.unwrap_err();
    assert!(error.is_no_such_queue() && error.code() == Some(404), "{error:?}");

    assert_eq!(letters.restore(vec![id.clone()]).await.unwrap(), 0, "it is not archived");
    letters.archive(vec![id.clone()]).await.unwrap();
    capture(&letters, failure("order-17")).await;
    let error = letters.restore(vec![id]).await.unwrap_err();
    assert!(matches!(error, ClientError::Conflict { .. }), "{error:?}");
    assert_eq!(error.reason(), Some("duplicate"));
    let other = CaptureLetter { utf8: "another".to_owned(), ..failure("order-17") };
    assert_eq!(code_and_reason(&letters.capture(vec![other]).await.unwrap_err()), (Some(409), Some("other_payload")));

    let small = LetterOverrides { max_size: Some(1), ..LetterOverrides::default() };
    let settings = QueueSettings { letters: small, ..QueueSettings::new(QueueName::new("small").unwrap()) };
    server.store().create_queue(CreateQueue { settings }).await.unwrap();
    let small = server.client().letters("small");
    capture(&small, failure("one")).await;
    let error = small.capture(vec![failure("two")]).await.unwrap_err();
    assert!(matches!(error, ClientError::TooMany { .. }), "{error:?}");
    assert_eq!(
        (error.reason(), error.to_string().as_str()),
        (Some("queue_full"), "Dead letter queue is full (max_size=1)")
    );

    assert_eq!(letters.capture(Vec::new()).await.unwrap_err().code(), Some(400));
    let error = letters.reveal(UNKNOWN).await.unwrap_err();
    assert_eq!(error.key(), Some("reason is required"));
}

#[tokio::test]
async fn a_queue_without_a_target_rejects_retries() {
    let server = TestServer::new(Storage::Memory).await;
    let letters = dead(&server).await;
    let id = capture(&letters, failure("order-17")).await.id;
    for error in [letters.retry(id).await.unwrap_err(), letters.process("").await.unwrap_err()] {
        assert!(matches!(error, ClientError::Failed { .. }) && !error.is_retryable(), "{error:?}");
        assert_eq!(error.key(), Some("No retry callback configured"));
    }
}
