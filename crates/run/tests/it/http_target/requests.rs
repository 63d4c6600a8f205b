//! What a request sends to the target.

use redrive_model::{Content, Header};
use redrive_run::{HttpSettings, HttpTarget, Work};
use tokio::io::AsyncWriteExt;

use super::server::{ReceivedRequest, Server, answer, read};
use super::target;
use crate::work::{handle, header, work};

/// The request that the target receives for this work.
async fn request(work: Work) -> ReceivedRequest {
    let mut server = Server::answering(answer(200, &[], "")).await;
    handle(&target(&server.url), work).await;
    server.next_request().await
}

async fn request_with(work: Work, change: impl FnOnce(&mut HttpSettings)) -> ReceivedRequest {
    let mut server = Server::answering(answer(200, &[], "")).await;
    let mut settings = HttpSettings::new(format!("{}/in?at=1", server.url));
    change(&mut settings);
    handle(&HttpTarget::new(&settings).unwrap(), work).await;
    server.next_request().await
}

fn with_headers(headers: Vec<Header>) -> Work {
    work(Content { headers, ..Content::of_payload("x") })
}

#[tokio::test]
async fn the_headers_carry_every_field_of_the_work() {
    let work = Work {
        parts: vec!["a".to_owned(), "b,c".to_owned(), "100 %".to_owned()],
        trace_id: Some("4bf92f3577b34da6a3ce929d0e0e4736".to_owned()),
        request_id: Some("req 1".to_owned()),
        id: "Bestellung-ä".into(),
        ..work(Content {
            kind: "order.placed".to_owned(),
            encoding: "application/json; charset=utf-8".to_owned(),
            key: Some("customer 9".into()),
            headers: vec![header("X-Tenant", "acme"), header("X-Many", "1"), header("x-many", "2")],
            ..Content::of_payload("{}")
        })
    };
    let received =
        request_with(work, |settings| settings.headers.push(("authorization".into(), "Bearer t".into()))).await;
    let host = received.values("host")[0].to_owned();
    let mut lines: Vec<_> = received.head.trim_end().lines().collect();
    assert_eq!(lines.remove(0), "POST /in?at=1 HTTP/1.1");
    lines.sort_unstable();
    let span = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-d8076c42ec55d5df-01";
    assert_eq!(
        lines,
        [
            "accept: */*",
            "authorization: Bearer t",
            "content-length: 2",
            "content-type: application/json; charset=utf-8",
            &format!("host: {host}"),
            "idempotency-key: orders/Bestellung-%C3%A4",
            "redrive-attempt: 2",
            "redrive-deliveries: 3",
            "redrive-id: Bestellung-%C3%A4",
            "redrive-key: customer 9",
            "redrive-parts: a,b%2Cc,100%20%25",
            "redrive-request-id: req%201",
            "redrive-trace-id: 4bf92f3577b34da6a3ce929d0e0e4736",
            span,
            concat!("user-agent: redrive/", env!("CARGO_PKG_VERSION")),
            "x-many: 1",
            "x-many: 2",
            "x-tenant: acme",
        ]
    );
}

#[tokio::test]
async fn unset_fields_of_the_work_have_no_header() {
    let received = request(work(Content::default())).await;
    for name in ["redrive-key", "redrive-key-bin", "redrive-parts", "redrive-trace-id", "redrive-request-id"] {
        assert_eq!(received.values(name), Vec::<&str>::new());
    }
    assert_eq!(received.values("content-length"), ["0"]);
}

#[tokio::test]
async fn the_payload_is_sent_as_the_body_byte_for_byte() {
    let payload: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let received = request(work(Content::of_payload(payload.clone()))).await;
    assert_eq!(received.body, payload);
}

#[tokio::test]
async fn the_configured_method_is_used() {
    for method in ["PUT", "patch", "DELETE"] {
        let received =
            request_with(work(Content::of_payload("x")), |settings| settings.method = method.to_owned()).await;
        assert!(received.head.starts_with(&format!("{} /in?at=1 ", method.to_uppercase())), "{}", received.head);
        assert_eq!(received.body, b"x");
    }
}

#[tokio::test]
async fn the_content_type_is_the_first_valid_media_type_of_the_work() {
    let own = vec![header("Content-Type", "text/csv")];
    for (encoding, kind, headers, expected) in [
        ("application/json", "text/plain", &own, "application/json"),
        ("json", "text/plain", &own, "text/plain"),
        ("json", "order.placed", &own, "text/csv"),
        ("json", "order.placed", &Vec::new(), "application/octet-stream"),
        ("text/plain\r\nx-forged: 1", "", &Vec::new(), "application/octet-stream"),
    ] {
        let content =
            Content { encoding: encoding.into(), kind: kind.into(), headers: headers.clone(), ..Content::default() };
        let received = request(work(content)).await;
        assert_eq!(received.values("content-type"), [expected], "{encoding} {kind}");
    }
    let configured = |settings: &mut HttpSettings| settings.headers.push(("content-type".into(), "a/b".into()));
    let received = request_with(work(Content { encoding: "text/csv".into(), ..Content::default() }), configured).await;
    assert_eq!(received.values("content-type"), ["a/b"]);
}

#[tokio::test]
async fn a_key_that_is_not_visible_ascii_is_sent_as_base64_in_another_header() {
    for key in [&b"\x00\xff"[..], b" 7", b"7 ", "ä".as_bytes(), b"a\r\nb: c"] {
        let received = request(work(Content { key: Some(key.to_vec().into()), ..Content::default() })).await;
        assert_eq!(received.values("redrive-key"), Vec::<&str>::new());
        assert_eq!(received.values("redrive-key-bin").len(), 1, "{key:?}");
    }
    let received = request(work(Content { key: Some(vec![0, 255].into()), ..Content::default() })).await;
    assert_eq!(received.values("redrive-key-bin"), ["AP8="]);
}

#[tokio::test]
async fn a_trace_id_that_is_not_valid_for_w3c_has_no_traceparent() {
    let trace = |id: &str| Work { trace_id: Some(id.to_owned()), ..work(Content::default()) };
    for id in ["t-1", "4BF92F3577B34DA6A3CE929D0E0E4736", "00000000000000000000000000000000", "", "00-a-b-01"] {
        let received = request(trace(id)).await;
        assert_eq!(received.values("traceparent"), Vec::<&str>::new(), "{id}");
        assert_eq!(received.head.matches("redrive-trace-id: ").count(), 1);
    }
    let whole = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
    assert_eq!(request(trace(whole)).await.values("traceparent"), [whole]);
}

#[tokio::test]
async fn each_delivery_of_a_trace_has_its_own_span() {
    let delivery = |deliveries| Work {
        trace_id: Some("4bf92f3577b34da6a3ce929d0e0e4736".to_owned()),
        deliveries,
        ..work(Content::default())
    };
    let (first, second) = (request(delivery(1)).await, request(delivery(2)).await);
    assert_ne!(first.values("traceparent"), second.values("traceparent"));
}

#[tokio::test]
async fn headers_of_the_work_that_are_reserved_for_the_request_are_not_sent() {
    let forged = [
        "Redrive-Id",
        "redrive-anything",
        "Idempotency-Key",
        "Host",
        "Content-Length",
        "Connection",
        "Keep-Alive",
        "Transfer-Encoding",
        "TE",
        "Trailer",
        "Upgrade",
        "Proxy-Authorization",
        "Expect",
        "Accept-Encoding",
    ];
    let received = request(with_headers(forged.iter().map(|name| header(name, "forged")).collect())).await;
    assert!(!received.head.contains("forged"), "{}", received.head);
}

#[tokio::test]
async fn headers_that_are_invalid_in_http_are_not_sent_and_do_not_affect_others() {
    let received = request(with_headers(vec![
        header("", "x"),
        header("two words", "x"),
        header("näme", "x"),
        header("x-smuggled", "1\r\nx-forged: 2"),
        header("x-zero", b"\0"),
        header("x-fine", "yes"),
    ]))
    .await;
    assert_eq!(received.values("x-fine"), ["yes"]);
    assert!(!received.head.contains("forged") && !received.head.contains("x-zero") && !received.head.contains("words"));
}

#[tokio::test]
async fn configured_headers_take_precedence_over_headers_of_the_work() {
    let work = with_headers(vec![header("Authorization", "Bearer theirs"), header("x-tenant", "theirs")]);
    let received = request_with(work.clone(), |settings| {
        settings.headers = vec![("Authorization".into(), "Bearer ours".into()), ("X-Tenant".into(), "ours".into())];
    })
    .await;
    assert_eq!(received.values("authorization"), ["Bearer ours"]);
    assert_eq!(received.values("x-tenant"), ["ours"]);
    let in_url = |settings: &mut HttpSettings| settings.url = settings.url.replace("http://", "http://ann:p%40ss@");
    let received = request_with(work, in_url).await;
    assert_eq!(received.values("authorization"), ["Basic YW5uOnBAc3M="]);
}

#[tokio::test]
async fn at_most_a_thousand_headers_are_sent() {
    let received = request(with_headers((0..1_100).map(|n| header(&format!("x-{n}"), "1")).collect())).await;
    assert_eq!(received.head.matches("\r\nx-").count(), 1_000);
}

#[tokio::test]
async fn a_connection_is_reused_whatever_the_answer_was() {
    // The rest of a body arrives late: a client that dropped it unread would have to close the connection.
    let mut server = Server::serving(|mut stream, connection, requests_tx| async move {
        while let Some(received) = read(&mut stream, connection).await {
            let bytes = match &*received.body {
                b"error" => answer(500, &[], "x".repeat(900_000)),
                b"success" => answer(200, &[], "x".repeat(900_000)),
                _ => answer(204, &[], ""),
            };
            requests_tx.send(received).await.unwrap();
            for piece in bytes.chunks(10_000) {
                tokio::task::yield_now().await;
                if stream.write_all(piece).await.is_err() {
                    return;
                }
            }
        }
    })
    .await;
    let target = target(&server.url);
    for payload in ["error", "success", "nothing", "error", "nothing", "success", "success"] {
        handle(&target, work(Content::of_payload(payload))).await;
        assert_eq!(server.next_request().await.connection, 0, "{payload}");
    }
}
