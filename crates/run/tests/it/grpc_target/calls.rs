//! What a call sends to the server.

use redrive_model::{Content, Header};
use redrive_run::{GrpcSettings, GrpcTarget, Work};

use super::server::{ReceivedCall, Reply, Server};
use super::{METHOD, target};
use crate::work::{handle, header, work};

/// The call that the server receives for this work.
async fn call(work: Work) -> ReceivedCall {
    let mut server = Server::answering(Reply::ok("")).await;
    handle(&target(&server.url), work).await;
    server.next_call().await
}

fn with_headers(headers: Vec<Header>) -> Work {
    work(Content { headers, ..Content::default() })
}

#[tokio::test]
async fn the_payload_is_sent_as_the_message_byte_for_byte() {
    let payload: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let received = call(work(Content::of_payload(payload.clone()))).await;
    assert_eq!(received.path, METHOD);
    assert_eq!(received.message(), payload);
    assert_eq!(received.body[..5], [0, 0, 4, 0x93, 0xe0], "uncompressed, with the length of the message");
}

#[tokio::test]
async fn the_metadata_carries_every_field_of_the_work() {
    let work = Work {
        parts: vec!["a".to_owned(), "b,c".to_owned()],
        trace_id: Some("4bf92f3577b34da6a3ce929d0e0e4736".to_owned()),
        request_id: Some("req 1".to_owned()),
        id: "Bestellung-ä".into(),
        ..work(Content {
            encoding: "application/json".to_owned(),
            key: Some(vec![0, 255].into()),
            headers: vec![header("X-Tenant", "acme"), header("X-Many", "1"), header("x-many", "2")],
            ..Content::of_payload("{}")
        })
    };
    let mut server = Server::answering(Reply::ok("")).await;
    let mut settings = GrpcSettings::new(&server.url, METHOD);
    settings.metadata.push(("Authorization".into(), "Bearer t".into()));
    handle(&GrpcTarget::new(&settings).unwrap(), work).await;
    let received = server.next_call().await;
    let mut lines: Vec<_> =
        received.headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    lines.sort_unstable();
    let user_agent = lines.iter().position(|line| line.starts_with("user-agent: redrive/")).unwrap();
    lines.remove(user_agent);
    assert_eq!(
        lines,
        [
            "authorization: Bearer t",
            "content-type: application/grpc",
            "idempotency-key: orders/Bestellung-%C3%A4",
            "redrive-attempt: 2",
            "redrive-deliveries: 3",
            "redrive-id: Bestellung-%C3%A4",
            "redrive-key-bin: AP8=",
            "redrive-parts: a,b%2Cc",
            "redrive-request-id: req%201",
            "redrive-trace-id: 4bf92f3577b34da6a3ce929d0e0e4736",
            "te: trailers",
            "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-d8076c42ec55d5df-01",
            "x-many: 1",
            "x-many: 2",
            "x-tenant: acme",
        ]
    );
}

#[tokio::test]
async fn a_header_value_that_is_not_ascii_is_sent_as_binary_metadata() {
    let received = call(with_headers(vec![
        header("x-name", "ä"),
        header("x-raw-bin", b"\0\xff"),
        header("x-smuggled", "1\r\nx-forged: 2"),
    ]))
    .await;
    assert_eq!(received.values("x-name-bin"), ["w6Q="]);
    assert_eq!(received.values("x-name"), Vec::<&str>::new());
    assert_eq!(received.values("x-raw-bin"), ["AP8="]);
    assert_eq!(received.values("x-smuggled-bin"), ["MQ0KeC1mb3JnZWQ6IDI="]);
    assert_eq!(received.values("x-forged"), Vec::<&str>::new());
}

#[tokio::test]
async fn headers_of_the_work_that_are_reserved_for_the_call_are_not_sent() {
    let forged = [
        "Redrive-Id",
        "redrive-key-bin",
        "grpc-timeout",
        "Grpc-Encoding",
        "content-type",
        "te",
        "host",
        "connection",
        "transfer-encoding",
        "idempotency-key",
        "two words",
        "",
    ];
    let received = call(with_headers(forged.iter().map(|name| header(name, "forged")).collect())).await;
    // A header whose name ends in -bin would be sent as base64.
    for value in ["forged", "Zm9yZ2Vk"] {
        assert!(!format!("{:?}", received.headers).contains(value), "{:?}", received.headers);
    }
}

#[tokio::test]
async fn configured_metadata_takes_precedence_over_headers_of_the_work() {
    let mut server = Server::answering(Reply::ok("")).await;
    let mut settings = GrpcSettings::new(&server.url, METHOD);
    settings.metadata.push(("x-tenant".into(), "ours".into()));
    handle(&GrpcTarget::new(&settings).unwrap(), with_headers(vec![header("X-Tenant", "theirs")])).await;
    assert_eq!(server.next_call().await.values("x-tenant"), ["ours"]);
}

#[tokio::test]
async fn all_calls_share_a_connection_whatever_their_status() {
    let mut server = Server::replying(|received| match received.message() {
        b"fail" => Reply::status(14, "later"),
        _ => Reply::ok(""),
    })
    .await;
    let target = target(&server.url);
    for payload in ["fail", "", "fail", ""] {
        handle(&target, work(Content::of_payload(payload))).await;
        assert_eq!(server.next_call().await.connection, 0);
    }
}
