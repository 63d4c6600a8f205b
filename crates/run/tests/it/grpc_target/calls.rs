//! What the server is told.

use redrive_model::{Content, Header};
use redrive_run::{GrpcSettings, GrpcTarget, Work};

use super::server::{Reply, Seen, Server};
use super::{METHOD, target};
use crate::work::{handle, header, work};

/// The call by which a piece of work is done.
async fn call(work: Work) -> Seen {
    let mut server = Server::answering(Reply::ok("")).await;
    handle(&target(&server.url), work).await;
    server.seen().await
}

fn with_headers(headers: Vec<Header>) -> Work {
    work(Content { headers, ..Content::default() })
}

#[tokio::test]
async fn the_payload_is_the_message_byte_for_byte() {
    let payload: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let seen = call(work(Content::of_payload(payload.clone()))).await;
    assert_eq!(seen.path, METHOD);
    assert_eq!(seen.message(), payload);
    assert_eq!(seen.body[..5], [0, 0, 4, 0x93, 0xe0], "not compressed, and its length");
}

#[tokio::test]
async fn all_that_there_is_to_know_stands_in_the_metadata() {
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
    let seen = server.seen().await;
    let mut lines: Vec<_> =
        seen.headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
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
async fn a_header_that_is_not_ascii_is_binary_metadata() {
    let seen = call(with_headers(vec![
        header("x-name", "ä"),
        header("x-raw-bin", b"\0\xff"),
        header("x-smuggled", "1\r\nx-forged: 2"),
    ]))
    .await;
    assert_eq!(seen.values("x-name-bin"), ["w6Q="]);
    assert_eq!(seen.values("x-name"), Vec::<&str>::new());
    assert_eq!(seen.values("x-raw-bin"), ["AP8="]);
    assert_eq!(seen.values("x-smuggled-bin"), ["MQ0KeC1mb3JnZWQ6IDI="]);
    assert_eq!(seen.values("x-forged"), Vec::<&str>::new());
}

#[tokio::test]
async fn headers_of_the_work_that_belong_to_the_call_or_to_grpc_stay_behind() {
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
    let seen = call(with_headers(forged.iter().map(|name| header(name, "forged")).collect())).await;
    assert!(!format!("{:?}", seen.headers).contains("forged"), "{:?}", seen.headers);
}

#[tokio::test]
async fn what_is_configured_goes_before_what_came_with_the_work() {
    let mut server = Server::answering(Reply::ok("")).await;
    let mut settings = GrpcSettings::new(&server.url, METHOD);
    settings.metadata.push(("x-tenant".into(), "ours".into()));
    handle(&GrpcTarget::new(&settings).unwrap(), with_headers(vec![header("X-Tenant", "theirs")])).await;
    assert_eq!(server.seen().await.values("x-tenant"), ["ours"]);
}

#[tokio::test]
async fn all_calls_share_a_connection() {
    let mut server = Server::by(|seen| match seen.message() {
        b"fail" => Reply::status(14, "later"),
        _ => Reply::ok(""),
    })
    .await;
    let target = target(&server.url);
    for payload in ["fail", "", "fail", ""] {
        handle(&target, work(Content::of_payload(payload))).await;
        assert_eq!(server.seen().await.connection, 0);
    }
}
