//! Errors are typed.

use redrive_client::proto::duh::v1::Reply;
use redrive_client::proto::prost::Message;
use redrive_client::proto::querator::{QueueProduceRequest, QueueStatsRequest};
use redrive_client::{Client, ClientError};

use crate::stub::{Action, Stub};
use crate::test_server::{Storage, TestServer};

async fn error_of(action: Action) -> ClientError {
    let stub = Stub::new(vec![action]).await;
    let client = stub.client().tries(1).build().unwrap();
    client.produce(&QueueProduceRequest::default()).await.unwrap_err()
}

#[tokio::test]
async fn each_code_of_the_api_has_a_variant_with_the_servers_message() {
    type Is = fn(&ClientError) -> bool;
    let codes: [(u16, Is); 11] = [
        (400, |error| matches!(error, ClientError::BadRequest { .. })),
        (401, |error| matches!(error, ClientError::Unauthorized { .. })),
        (403, |error| matches!(error, ClientError::Denied { .. })),
        (404, |error| matches!(error, ClientError::NotFound { .. })),
        (409, |error| matches!(error, ClientError::Conflict { .. })),
        (429, |error| matches!(error, ClientError::TooMany { .. })),
        (453, |error| matches!(error, ClientError::Failed { .. })),
        (454, |error| matches!(error, ClientError::TryAgain { .. })),
        (455, |error| matches!(error, ClientError::Content { .. })),
        (500, |error| matches!(error, ClientError::Internal { .. })),
        (501, |error| matches!(error, ClientError::NotImplemented { .. })),
    ];
    for (code, is_it) in codes {
        let error = error_of(Action::Reply(code, "the key; and the rest")).await;
        assert!(is_it(&error), "{code}: {error:?}");
        assert_eq!(error.code(), Some(code));
        assert_eq!(error.to_string(), "the key; and the rest");
        assert_eq!(error.key(), Some("the key"));
    }
}

#[tokio::test]
async fn any_other_status_is_an_infrastructure_error_and_its_body_is_not_read() {
    for status in [301, 405, 452, 502, 503, 512] {
        let error = error_of(Action::Reply(status, "secret of a proxy")).await;
        assert!(matches!(error, ClientError::Infrastructure { status: found, .. } if found == status), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    }
}

#[tokio::test]
async fn errors_have_a_machine_readable_reason() {
    for code in [400, 404, 409, 429, 453] {
        let details = [("reason".to_owned(), "why".to_owned())].into();
        let reply = Reply { code: i32::from(code), message: "no; not now".to_owned(), details, ..Reply::default() };
        let (content_type, body) = ("application/protobuf", reply.encode_to_vec());
        let error = error_of(Action::Answer { status: code, content_type, body }).await;
        assert_eq!((error.code(), error.reason(), error.key()), (Some(code), Some("why"), Some("no")));
        assert!(!error.is_retryable() && !error.is_outcome_unknown(), "{error:?}");
        assert_eq!(error_of(Action::Reply(code, "no")).await.reason(), None, "a reason is optional");
    }
}

#[tokio::test]
async fn an_error_page_of_a_proxy_is_not_an_error_of_the_server() {
    for status in [400, 401, 403, 404, 409, 429, 500] {
        let page = Action::Answer { status, content_type: "text/html", body: b"<h1>no</h1>".to_vec() };
        assert!(matches!(error_of(page).await, ClientError::Infrastructure { .. }), "{status}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_of_the_api_is_not_understood() {
    let protobuf = "application/protobuf";
    for action in [
        Action::Answer { status: 200, content_type: "text/html", body: b"welcome".to_vec() },
        Action::Answer { status: 200, content_type: protobuf, body: vec![0xFF; 16] },
        Action::Answer { status: 400, content_type: protobuf, body: vec![0xFF; 16] },
    ] {
        let error = error_of(action.clone()).await;
        assert!(matches!(error, ClientError::NotUnderstood { .. }), "{action:?}: {error:?}");
        assert!(error.is_outcome_unknown() && !error.is_retryable());
    }
}

#[tokio::test]
async fn an_answer_that_is_not_http_is_an_error_of_its_own() {
    let error = error_of(Action::Raw(b"\x16\x03\x01 this is no HTTP\r\n\r\n".to_vec())).await;
    assert!(matches!(error, ClientError::NotHttp { .. }), "{error:?}");
    assert!(error.is_outcome_unknown() && !error.is_retryable());
}

#[tokio::test]
async fn truncated_answers_are_a_broken_connection() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/protobuf\r\ncontent-length: 100\r\n\r\n";
    for action in [
        Action::Raw(b"HTTP/1.1 200 O".to_vec()),
        Action::Raw(head.as_bytes().to_vec()),
        Action::Raw([head.as_bytes(), b"half of it"].concat()),
        Action::Close,
    ] {
        let error = error_of(action.clone()).await;
        assert!(matches!(error, ClientError::Broken { .. }), "{action:?}: {error:?}");
        assert!(error.is_outcome_unknown() && error.is_retryable());
    }
}

#[tokio::test]
async fn an_answer_above_the_limit_is_rejected() {
    let huge = b"HTTP/1.1 200 OK\r\ncontent-type: application/protobuf\r\ncontent-length: 99999999999\r\n\r\n".to_vec();
    assert!(matches!(error_of(Action::Raw(huge)).await, ClientError::NotUnderstood { .. }));

    let body = vec![0; 2_000];
    let stub = Stub::new(vec![Action::Message(body)]).await;
    let client = stub.client().answer_bytes_max(1_000).build().unwrap();
    let error = client.produce(&QueueProduceRequest::default()).await.unwrap_err();
    assert!(matches!(error, ClientError::NotUnderstood { .. }), "{error:?}");
}

#[tokio::test]
async fn an_address_without_a_server_is_a_connect_error() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let client = Client::builder(&address).tries(1).build().unwrap();
    let error = client.produce(&QueueProduceRequest::default()).await.unwrap_err();
    assert!(matches!(error, ClientError::Connect { .. }), "{error:?}");
    assert!(error.is_retryable() && !error.is_outcome_unknown());
    assert!(error.to_string().contains(&address), "{error}");
}

#[tokio::test]
async fn a_missing_queue_is_reported() {
    let server = TestServer::new(Storage::Memory).await;
    let error = server.client().stats(&QueueStatsRequest { queue_name: "missing".to_owned() }).await.unwrap_err();
    assert!(error.is_no_such_queue(), "{error:?}");
    assert_eq!(error.to_string(), "queue does not exist; no such queue named 'missing'");
}
