//! Several pieces of work in one request.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use redrive_core::{Category, Failure, Span};
use redrive_model::{Content, Header};
use redrive_routes::StartedTarget;
use redrive_run::{Handled, Work};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::fixture::{category, handler, start, with_timeout, work};
use crate::limits::{Orders, done, held_server, spawn, until_running};
use crate::server::{Received, Server, Tls, answer};

/// Calls the target with these pieces of work at the same time, in this order.
async fn calls(target: &StartedTarget, payloads: &[&str]) -> Vec<JoinHandle<Handled>> {
    let mut calls = Vec::new();
    for payload in payloads {
        calls.push(spawn(target, work(payload)));
        tokio::task::yield_now().await;
    }
    calls
}

async fn results(calls: Vec<JoinHandle<Handled>>) -> Vec<Handled> {
    let mut results = Vec::new();
    for call in calls {
        results.push(with_timeout(call).await.unwrap());
    }
    results
}

fn failure(handled: &Handled) -> &Failure {
    match handled {
        Handled::Failed(failure) => failure,
        other => panic!("expected a failure: {other:?}"),
    }
}

fn ids(received: &Received) -> Vec<String> {
    let body = received.json();
    let items = body["items"].as_array().unwrap().iter();
    items.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// A batch of three whose answer is this one.
async fn answered(status: u16, body: &'static str) -> Vec<Handled> {
    let server = Server::answering_by(Tls::None, move |_| answer(status, body)).await;
    let target = start(&format!("http = '{}'\nbatch_size = 3\nbatch_wait_ms = 60000", server.url)).await;
    results(calls(&target, &["a", "b", "c"]).await).await
}

#[tokio::test]
async fn a_full_batch_is_one_request_in_the_documented_format() {
    let mut server = Server::answering(200).await;
    let text = "method = 'PUT'\nheaders = { authorization = '5ecret' }\nbatch_size = 2\nbatch_wait_ms = 60000";
    let target = start(&format!("http = '{}'\n{text}", server.url)).await;
    let header = |name: &str, value: &'static [u8]| Header { name: name.to_owned(), value: Bytes::from_static(value) };
    let content = Content {
        key: Some(Bytes::from_static(b"\xff\x00")),
        headers: vec![header("Host", b"x"), header("raw", b"\xfe")],
        ..Content::of_payload(Bytes::from_static(b"\x80"))
    };
    let binary = Work { content: Arc::new(content), attempt: 3, deliveries: 4, ..work("a") };
    let content = Content {
        key: Some(Bytes::from_static(b"k")),
        kind: "order".to_owned(),
        encoding: "application/json".to_owned(),
        ..Content::of_payload("{\"n\":1}")
    };
    let parts = vec!["p".to_owned()];
    let (trace_id, request_id) = (Some("t".to_owned()), Some("r".to_owned()));
    let text = Work { content: Arc::new(content), parts, trace_id, request_id, ..work("b") };
    let first = spawn(&target, binary);
    tokio::task::yield_now().await;
    assert_eq!(results(vec![first, spawn(&target, text)]).await, [Handled::DONE, Handled::DONE]);
    let received = server.next().await;
    assert!(received.head.starts_with("PUT /in HTTP/1.1\r\n"), "{}", received.head);
    assert_eq!(received.value("content-type"), Some("application/vnd.redrive.batch.v1+json"));
    assert_eq!(received.value("authorization"), Some("5ecret"));
    let expected = json!({ "version": 1, "items": [
        { "id": "a", "attempt": 3, "deliveries": 4, "idempotency_key": "orders/a", "key_base64": "/wA=",
          "headers": [{ "name": "Host", "value": "x" }, { "name": "raw", "value_base64": "/g==" }],
          "payload_base64": "gA==" },
        { "id": "b", "attempt": 1, "deliveries": 1, "idempotency_key": "orders/b", "trace_id": "t", "request_id": "r",
          "kind": "order", "encoding": "application/json", "parts": ["p"], "key": "k", "payload": "{\"n\":1}" },
    ] });
    assert_eq!(received.json(), expected);
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_is_not_full_is_sent_after_its_wait() {
    let mut server = Server::answering(204).await;
    let target = start(&format!("http = '{}'\nbatch_size = 10\nbatch_wait_ms = 500", server.url)).await;
    let begin = Instant::now();
    let calls = calls(&target, &["a", "b"]).await;
    assert_eq!(ids(&server.next().await), ["a", "b"]);
    assert_eq!(begin.elapsed().as_millis(), 500);
    assert_eq!(results(calls).await, [Handled::DONE, Handled::DONE]);
}

#[tokio::test(start_paused = true)]
async fn more_calls_than_fit_are_several_batches() {
    let mut server = Server::answering(200).await;
    let target = start(&format!("http = '{}'\nbatch_size = 2\nbatch_wait_ms = 500", server.url)).await;
    let calls = calls(&target, &["a", "b", "c", "d", "e"]).await;
    assert_eq!(results(calls).await, vec![Handled::DONE; 5]);
    let mut batches = vec![ids(&server.next().await), ids(&server.next().await), ids(&server.next().await)];
    batches.sort();
    assert_eq!(batches, [vec!["a", "b"], vec!["c", "d"], vec!["e"]]);
}

#[tokio::test]
async fn a_batch_is_sent_before_its_payloads_are_too_long_for_one_request() {
    let mut server = Server::answering(200).await;
    let target = start(&format!("http = '{}'\nbatch_size = 3\nbatch_wait_ms = 100", server.url)).await;
    let long = |id: &str| Work { content: Arc::new(Content::of_payload("x".repeat(5 << 20))), ..work(id) };
    let mut calls = Vec::new();
    for id in ["a", "b"] {
        calls.push(spawn(&target, long(id)));
        tokio::task::yield_now().await;
    }
    assert_eq!(ids(&server.next().await), ["a"]);
    assert_eq!(ids(&server.next().await), ["b"]);
    assert_eq!(results(calls).await, [Handled::DONE, Handled::DONE]);
}

#[tokio::test]
async fn a_207_names_the_items_that_failed() {
    let body = r#"{"failed":[{"id":"a","error":"TimeoutError: no answer"},{"part":"c"}],"error":"validation failed"}"#;
    let handled = answered(207, body).await;
    assert_eq!(handled[1], Handled::DONE);
    let causes = |failure: &Failure| failure.causes.iter().map(|cause| cause.message.clone()).collect::<Vec<_>>();
    let (first, third) = (failure(&handled[0]), failure(&handled[2]));
    assert_eq!(causes(first), ["TimeoutError: no answer", "validation failed"]);
    assert_eq!(causes(third), ["validation failed"]);
    assert_eq!((category(first), category(third)), (Category::Network, Category::Validation));
    assert!(first.error.message.ends_with("answered 207 Multi-Status: 2 of 3 items of the batch failed"), "{first}");
    assert!(first.parts.is_empty(), "an id is not a part");

    let handled = answered(207, r#"{"failed_ids":["b"],"error":"service unavailable"}"#).await;
    assert_eq!((&handled[0], &handled[2]), (&Handled::DONE, &Handled::DONE));
    assert_eq!(category(failure(&handled[1])), Category::Transient);
    assert_eq!(answered(207, r#"{"failed":[]}"#).await, vec![Handled::DONE; 3]);
}

#[tokio::test]
async fn a_207_that_does_not_name_items_of_the_batch_fails_all_of_them() {
    for body in ["", "{}", "[]", r#"{"failed_ids":["x"]}"#, r#"{"failed":[{"id":"a"},{"id":"x"}]}"#] {
        for handled in answered(207, body).await {
            assert_eq!(failure(&handled).error.code.as_deref(), Some("unrecognised_result"), "{body}");
        }
    }
}

#[tokio::test]
async fn any_other_answer_fails_all_items_of_the_batch() {
    for (status, expected) in [(503, Category::Transient), (400, Category::Validation), (302, Category::Permanent)] {
        for handled in answered(status, "no").await {
            assert_eq!(category(failure(&handled)), expected, "{handled:?}");
        }
    }
    let server = Server::answering(202).await;
    let target = start(&format!("http = '{}'\nbatch_size = 1\nexpected = [200]", server.url)).await;
    let handled = results(calls(&target, &["a"]).await).await;
    assert_eq!(failure(&handled[0]).error.code.as_deref(), Some("unexpected_status"));
    // The listener of a dropped socket refuses connections.
    let url = format!("http://{}", std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let target = start(&format!("http = '{url}'\nbatch_size = 2\nbatch_wait_ms = 60000")).await;
    for handled in results(calls(&target, &["a", "b"]).await).await {
        assert_eq!(category(failure(&handled)), Category::Network);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_before_its_batch_is_sent_leaves_it() {
    let mut server = Server::answering(200).await;
    let target = start(&format!("http = '{}'\nbatch_size = 10\nbatch_wait_ms = 500", server.url)).await;
    let mut calls = calls(&target, &["a", "b", "c"]).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let cancelled = calls.remove(1);
    cancelled.abort();
    assert!(cancelled.await.unwrap_err().is_cancelled());
    assert_eq!(ids(&server.next().await), ["a", "c"]);
    assert_eq!(results(calls).await, [Handled::DONE, Handled::DONE]);
}

#[tokio::test]
async fn a_call_that_is_cancelled_after_its_batch_was_sent_does_not_affect_the_others() {
    let (url, mut requests) = held_server().await;
    let target = start(&format!("http = '{url}'\nbatch_size = 2\nbatch_wait_ms = 60000")).await;
    let mut calls = calls(&target, &["a", "b"]).await;
    let stream = with_timeout(requests.recv()).await.unwrap();
    let cancelled = calls.remove(0);
    cancelled.abort();
    assert!(cancelled.await.unwrap_err().is_cancelled());
    done(stream).await;
    assert_eq!(results(calls).await, [Handled::DONE]);
}

#[tokio::test]
async fn a_request_ends_when_all_its_calls_are_cancelled() {
    let (url, mut requests) = held_server().await;
    let target = start(&format!("http = '{url}'\nbatch_size = 2\nbatch_wait_ms = 60000")).await;
    let calls = calls(&target, &["a", "b"]).await;
    let mut stream = with_timeout(requests.recv()).await.unwrap();
    for call in &calls {
        call.abort();
    }
    let mut received = Vec::new();
    with_timeout(stream.read_to_end(&mut received)).await.unwrap();
}

#[tokio::test]
async fn the_limits_count_requests_and_a_waiting_batch_takes_more_work() {
    let (url, mut requests) = held_server().await;
    let target = start(&format!("http = '{url}'\nbatch_size = 4\nbatch_wait_ms = 1\nconcurrency = 1")).await;
    let first = calls(&target, &["a"]).await;
    let held = with_timeout(requests.recv()).await.unwrap();
    let mut waiting = calls(&target, &["b"]).await;
    assert!(tokio::time::timeout(Duration::from_millis(50), requests.recv()).await.is_err(), "one request at a time");
    waiting.extend(calls(&target, &["c", "d"]).await);
    done(held).await;
    done(with_timeout(requests.recv()).await.unwrap()).await;
    assert_eq!(results(first).await, [Handled::DONE]);
    assert_eq!(results(waiting).await, vec![Handled::DONE; 3], "one request has all of them");
}

/// The work begins after the timeout of its attempt, counted from its claim, has passed.
#[tokio::test]
async fn waiting_for_a_batch_spends_neither_an_attempt_nor_its_timeout() {
    let mut server = Server::answering(200).await;
    let text = "batch_size = 3\nbatch_wait_ms = 60000\ntimeout_ms = 1000";
    let target = start(&format!("http = '{}'\n{text}", server.url)).await;
    let orders = Orders::new(2).await;
    let running = orders.run(handler(&target)).await;
    until_running(&running, 2).await;
    orders.advance(&running, Span::from_hours(1)).await;
    assert_eq!(results(calls(&target, &["other"]).await).await, [Handled::DONE]);
    assert_eq!(ids(&server.next().await).len(), 3);
    let report = with_timeout(running.stop(Span::from_hours(1))).await;
    assert_eq!((report.done, report.retried, report.dead_lettered, report.deferred), (2, 0, 0, 0), "{report:?}");
}
