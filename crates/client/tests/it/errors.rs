//! What went wrong is told by type.

use redrive_client::proto::duh::v1::Reply;
use redrive_client::proto::prost::Message;
use redrive_client::proto::querator::{QueueProduceRequest, QueueStatsRequest};
use redrive_client::{Client, ClientError};

use crate::bed::{Bed, Ground};
use crate::stub::{Act, Stub};

async fn told(act: Act) -> ClientError {
    let stub = Stub::new(vec![act]).await;
    let client = Client::builder(&stub.address.to_string()).tries(1).build().unwrap();
    client.produce(&QueueProduceRequest::default()).await.unwrap_err()
}

#[tokio::test]
async fn each_code_of_the_api_is_an_error_of_its_own_with_the_servers_words() {
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
        let error = told(Act::Reply(code, "the key; and the rest")).await;
        assert!(is_it(&error), "{code}: {error:?}");
        assert_eq!(error.code(), Some(code));
        assert_eq!(error.to_string(), "the key; and the rest");
        assert_eq!(error.key(), Some("the key"));
    }
}

#[tokio::test]
async fn any_other_status_is_of_the_infrastructure_and_its_body_is_not_read() {
    for status in [301, 405, 452, 502, 503, 512] {
        let error = told(Act::Reply(status, "secret of a proxy")).await;
        assert!(matches!(error, ClientError::Infrastructure { status: told, .. } if told == status), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    }
}

#[tokio::test]
async fn the_reason_for_programs_is_told_with_what_was_not_there_in_conflict_or_too_much() {
    for code in [404, 409, 429] {
        let details = [("reason".to_owned(), "why".to_owned())].into();
        let reply = Reply { code: i32::from(code), message: "no; not now".to_owned(), details, ..Reply::default() };
        let (content_type, body) = ("application/protobuf", reply.encode_to_vec());
        let error = told(Act::Answer { status: code, content_type, body }).await;
        assert_eq!((error.code(), error.reason(), error.key()), (Some(code), Some("why"), Some("no")));
        assert!(!error.is_retryable() && !error.is_outcome_unknown(), "{error:?}");
        assert_eq!(told(Act::Reply(code, "no")).await.reason(), None, "not every answer has one");
    }
}

#[tokio::test]
async fn an_error_page_of_a_proxy_is_not_taken_for_the_servers_word() {
    for status in [400, 401, 403, 404, 409, 429, 500] {
        let page = Act::Answer { status, content_type: "text/html", body: b"<h1>no</h1>".to_vec() };
        assert!(matches!(told(page).await, ClientError::Infrastructure { .. }), "{status}");
    }
}

#[tokio::test]
async fn an_answer_that_is_none_is_not_understood() {
    let protobuf = "application/protobuf";
    for act in [
        Act::Answer { status: 200, content_type: "text/html", body: b"welcome".to_vec() },
        Act::Answer { status: 200, content_type: protobuf, body: vec![0xFF; 16] },
        Act::Answer { status: 400, content_type: protobuf, body: vec![0xFF; 16] },
    ] {
        let error = told(act.clone()).await;
        assert!(matches!(error, ClientError::NotUnderstood { .. }), "{act:?}: {error:?}");
        assert!(error.is_outcome_unknown() && !error.is_retryable());
    }
}

#[tokio::test]
async fn garbage_and_answers_that_end_early_are_a_broken_connection() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/protobuf\r\ncontent-length: 100\r\n\r\n";
    for act in [
        Act::Raw(b"\x16\x03\x01 this is no HTTP\r\n\r\n".to_vec()),
        Act::Raw(b"HTTP/1.1 200 O".to_vec()),
        Act::Raw(head.as_bytes().to_vec()),
        Act::Raw([head.as_bytes(), b"half of it"].concat()),
        Act::Close,
    ] {
        let error = told(act.clone()).await;
        assert!(matches!(error, ClientError::Broken { .. }), "{act:?}: {error:?}");
        assert!(error.is_outcome_unknown() && error.is_retryable());
    }
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_not_kept() {
    let huge = b"HTTP/1.1 200 OK\r\ncontent-type: application/protobuf\r\ncontent-length: 99999999999\r\n\r\n".to_vec();
    assert!(matches!(told(Act::Raw(huge)).await, ClientError::NotUnderstood { .. }));

    let body = vec![0; 2_000];
    let stub = Stub::new(vec![Act::Answer { status: 200, content_type: "application/protobuf", body }]).await;
    let client = Client::builder(&stub.address.to_string()).answer_bytes_max(1_000).build().unwrap();
    let error = client.produce(&QueueProduceRequest::default()).await.unwrap_err();
    assert!(matches!(error, ClientError::NotUnderstood { .. }), "{error:?}");
}

#[tokio::test]
async fn nobody_at_the_address_is_told_as_such() {
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
async fn a_server_tells_of_a_queue_that_is_not_there() {
    let bed = Bed::new(Ground::Memory).await;
    let error = bed.client().stats(&QueueStatsRequest { queue_name: "nobody".to_owned() }).await.unwrap_err();
    assert!(error.is_no_such_queue(), "{error:?}");
    assert_eq!(error.to_string(), "queue does not exist; no such queue named 'nobody'");
}
