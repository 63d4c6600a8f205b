//! Several pieces of work in one request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use bytes::Bytes;
use redrive_core::{Category, Failure, QueueName, Span};
use redrive_model::{Content, FindLetters, GetStats, Header};
use redrive_routes::StartedTarget;
use redrive_run::{Handled, Running, Work};
use redrive_store::{Clock, SystemClock};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::fixture::{category, handler, start, with_timeout, work};
use crate::limits::{Orders, answer_with, answering_target, done, held_target, spawn, until_running};
use crate::server::{Received, Server, Tls, answer, read};

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
    let text = "method = 'PUT'\nheaders = { authorization = '5ecret' }\nbatch_size = 2\nbatch_wait_ms = 60000";
    let (target, mut server) = answering_target(200, text).await;
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
    let (target, mut server) = answering_target(204, "batch_size = 10\nbatch_wait_ms = 500").await;
    let begin = Instant::now();
    let calls = calls(&target, &["a", "b"]).await;
    assert_eq!(ids(&server.next().await), ["a", "b"]);
    assert_eq!(begin.elapsed().as_millis(), 500);
    assert_eq!(results(calls).await, [Handled::DONE, Handled::DONE]);
}

#[tokio::test(start_paused = true)]
async fn more_calls_than_fit_are_several_batches() {
    let (target, mut server) = answering_target(200, "batch_size = 2\nbatch_wait_ms = 500").await;
    let calls = calls(&target, &["a", "b", "c", "d", "e"]).await;
    assert_eq!(results(calls).await, vec![Handled::DONE; 5]);
    let mut batches = vec![ids(&server.next().await), ids(&server.next().await), ids(&server.next().await)];
    batches.sort();
    assert_eq!(batches, [vec!["a", "b"], vec!["c", "d"], vec!["e"]]);
}

#[tokio::test]
async fn a_batch_is_sent_before_its_payloads_are_too_long_for_one_request() {
    let (target, mut server) = answering_target(200, "batch_size = 3\nbatch_wait_ms = 100").await;
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
async fn a_rejected_batch_is_sent_one_by_one_and_each_item_has_its_own_result() {
    let mut server = Server::answering_by(Tls::None, |received| {
        let is_poisoned = received.json()["items"].as_array().unwrap().iter().any(|item| item["id"] == "bad");
        answer(if is_poisoned { 500 } else { 200 }, "")
    })
    .await;
    let target = start(&format!("http = '{}'\nbatch_size = 3\nbatch_wait_ms = 60000", server.url)).await;
    let handled = results(calls(&target, &["a", "bad", "c"]).await).await;
    assert_eq!((&handled[0], &handled[2]), (&Handled::DONE, &Handled::DONE));
    assert_eq!(category(failure(&handled[1])), Category::Transient);
    for expected in [vec!["a", "bad", "c"], vec!["a"], vec!["bad"], vec!["c"]] {
        assert_eq!(ids(&server.next().await), expected);
    }
    for (status, expected) in [(503, Category::Transient), (400, Category::Validation), (302, Category::Permanent)] {
        for handled in answered(status, "no").await {
            assert_eq!(category(failure(&handled)), expected, "{handled:?}");
        }
    }
}

/// The target did something with the batch, and it is not known what.
#[tokio::test]
async fn a_batch_with_an_unexpected_success_or_without_an_answer_is_not_sent_again() {
    let text = "batch_size = 2\nbatch_wait_ms = 60000";
    let (target, mut server) = answering_target(202, &format!("expected = [200]\n{text}")).await;
    for handled in results(calls(&target, &["a", "b"]).await).await {
        assert_eq!(failure(&handled).error.code.as_deref(), Some("unexpected_status"));
    }
    assert_eq!(ids(&server.next().await), ["a", "b"]);
    assert!(server.try_next().is_none());

    let (target, mut requests) = held_target(text).await;
    let calls = calls(&target, &["a", "b"]).await;
    let mut stream = with_timeout(requests.recv()).await.unwrap();
    with_timeout(read(&mut stream)).await.unwrap();
    drop(stream);
    for handled in results(calls).await {
        assert_eq!(category(failure(&handled)), Category::Network);
    }
    assert!(requests.try_recv().is_err());
}

/// In an outage, each item would otherwise wait for its own timeout.
#[tokio::test]
async fn a_batch_that_does_not_reach_its_target_fails_two_items_and_returns_the_others() {
    let target = start(&format!("http = '{}'\nbatch_size = 4\nbatch_wait_ms = 60000", refusing_url())).await;
    let handled = results(calls(&target, &["a", "b", "c", "d"]).await).await;
    assert_eq!(category(failure(&handled[0])), Category::Network);
    assert_eq!(category(failure(&handled[1])), Category::Network);
    assert_eq!(handled[2..], [Handled::Untouched, Handled::Untouched]);
}

/// A URL at which nothing listens.
fn refusing_url() -> String {
    // The listener of a dropped socket refuses connections.
    format!("http://{}", std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
}

#[tokio::test]
async fn items_after_two_without_an_answer_are_returned() {
    let (target, mut requests) = held_target("batch_size = 5\nbatch_wait_ms = 60000").await;
    let calls = calls(&target, &["a", "b", "c", "d", "e"]).await;
    answer_with(with_timeout(requests.recv()).await.unwrap(), "500 No").await;
    let alone = answer_with(with_timeout(requests.recv()).await.unwrap(), "200 OK").await;
    assert_eq!(ids(&alone), ["a"]);
    for unanswered in ["b", "c"] {
        let mut stream = with_timeout(requests.recv()).await.unwrap();
        assert_eq!(ids(&with_timeout(read(&mut stream)).await.unwrap()), [unanswered]);
    }
    let handled = results(calls).await;
    assert_eq!(handled[0], Handled::DONE);
    for unanswered in &handled[1..3] {
        assert_eq!(category(failure(unanswered)), Category::Network);
    }
    assert_eq!(handled[3..], [Handled::Untouched, Handled::Untouched]);
    assert!(requests.try_recv().is_err());
}

#[tokio::test]
async fn items_after_two_whose_answers_ask_to_wait_are_deferred() {
    let (target, mut requests) = held_target("batch_size = 4\nbatch_wait_ms = 60000").await;
    let calls = calls(&target, &["a", "b", "c", "d"]).await;
    let begin = SystemClock.now();
    let wait = "429 Wait\r\nretry-after: 60";
    for status in [wait, "200 OK", wait, wait] {
        answer_with(with_timeout(requests.recv()).await.unwrap(), status).await;
    }
    let handled = results(calls).await;
    assert_eq!(handled[0], Handled::DONE);
    for rejected in &handled[1..3] {
        assert_eq!(failure(rejected).retry_after, Some(Span::from_secs(60)));
    }
    let Handled::Deferred { until } = handled[3] else { panic!("{handled:?}") };
    let wait = until.since(begin);
    assert!(wait >= Span::from_secs(60) && wait < Span::from_secs(120), "{wait}");
    assert!(requests.try_recv().is_err());
}

#[tokio::test]
async fn items_that_are_sent_one_by_one_obey_the_limits_and_may_be_cancelled() {
    let (target, mut requests) = held_target("batch_size = 3\nbatch_wait_ms = 60000\nconcurrency = 1").await;
    let mut calls = calls(&target, &["a", "b", "c"]).await;
    answer_with(with_timeout(requests.recv()).await.unwrap(), "500 No").await;
    let first = with_timeout(requests.recv()).await.unwrap();
    let other = spawn(&target, work("other"));
    let cancelled = calls.remove(1);
    cancelled.abort();
    assert!(cancelled.await.unwrap_err().is_cancelled());
    assert_eq!(ids(&answer_with(first, "200 OK").await), ["a"]);
    assert_eq!(ids(&answer_with(with_timeout(requests.recv()).await.unwrap(), "200 OK").await), ["c"]);
    assert_eq!(results(calls).await, [Handled::DONE, Handled::DONE]);
    other.abort();
}

/// Each of them begins when it is sent: together they take longer than the timeout of an attempt.
#[tokio::test]
async fn items_that_are_sent_one_by_one_have_the_whole_timeout_each() {
    let (target, mut requests) = held_target("batch_size = 3\nbatch_wait_ms = 60000\ntimeout_ms = 1000").await;
    let orders = Orders::new(3).await;
    let running = orders.run(handler(&target)).await;
    for status in ["500 No", "200 OK", "200 OK"] {
        let stream = with_timeout(requests.recv()).await.unwrap();
        orders.advance(&running, Span::from_millis(999)).await;
        answer_with(stream, status).await;
    }
    let mut hanging = with_timeout(requests.recv()).await.unwrap();
    orders.advance(&running, Span::from_millis(1000)).await;
    let mut received = Vec::new();
    with_timeout(hanging.read_to_end(&mut received)).await.unwrap();
    let report = with_timeout(running.stop(Span::from_hours(1))).await;
    assert_eq!((report.done, report.dead_lettered, report.aborted), (2, 1, 0), "{report:?}");
}

/// Whether a batch has the item with the payload `3`.
fn is_poisoned(received: &Received) -> bool {
    received.json()["items"].as_array().unwrap().iter().any(|item| item["payload"] == "3")
}

async fn letters(orders: &Orders) -> usize {
    let dead = QueueName::new("dead").unwrap();
    orders.store.find_letters(FindLetters::all(dead, 100)).await.unwrap().letters.len()
}

/// Other records arrive all the time: they tell that the target is up.
#[tokio::test]
async fn a_record_that_makes_its_batches_fail_becomes_a_letter_and_pauses_nothing() {
    let server = Server::answering_by(Tls::None, |received| answer(if is_poisoned(received) { 500 } else { 200 }, ""));
    let server = server.await;
    let target = start(&format!("http = '{}'\nbatch_size = 8", server.url)).await;
    let orders = Orders::new(8).await;
    let running = orders.run_pausing(handler(&target), 3, 5).await;
    let mut others = 0;
    with_timeout(async {
        while letters(&orders).await == 0 {
            orders.produce(100 + others).await;
            others += 1;
            let done = 7 + u64::from(others);
            while running.health().await.report.done < done && letters(&orders).await == 0 {
                orders.advance(&running, Span::from_millis(10)).await;
                tokio::task::yield_now().await;
            }
            assert!(!running.health().await.is_paused_by_outage);
        }
    })
    .await;
    let report = with_timeout(running.stop(Span::from_hours(1))).await;
    assert_eq!((report.dead_lettered, report.refunded), (1, 0), "{report:?}");
    // It may be called more than once before other orders are served.
    assert!(report.retried >= 2, "{report:?}");
    assert_eq!(report.done, 7 + u64::from(others), "{report:?}");
}

/// Lets time pass until the condition holds.
async fn advance_until<F: Future<Output = bool>>(
    orders: &Orders,
    running: &Running,
    by: Span,
    is_over: impl Fn() -> F,
) {
    with_timeout(async {
        while !is_over().await {
            orders.advance(running, by).await;
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn batches_that_do_not_reach_their_target_make_no_letters() {
    let target = start(&format!("http = '{}'\nbatch_size = 8", refusing_url())).await;
    let orders = Orders::new(8).await;
    let running = orders.run_pausing(handler(&target), 2, 5).await;
    // Work that was returned is claimed again after a delay.
    let is_paused = || async { running.health().await.is_paused_by_outage };
    advance_until(&orders, &running, Span::from_millis(10), is_paused).await;
    let report = with_timeout(running.stop(Span::from_hours(1))).await;
    assert_eq!((report.dead_lettered, report.done), (0, 0), "{report:?}");
    assert_eq!(letters(&orders).await, 0);
}

/// A proxy answers while the service is down.
#[tokio::test]
async fn a_target_that_rejects_everything_for_a_while_gets_few_requests_and_makes_no_letters() {
    let (is_down, requests) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicU32::new(0)));
    let server = {
        let (is_down, requests) = (Arc::clone(&is_down), Arc::clone(&requests));
        let answer = move |_: &Received| {
            requests.fetch_add(1, Ordering::SeqCst);
            answer(if is_down.load(Ordering::SeqCst) { 503 } else { 200 }, "")
        };
        Server::answering_by(Tls::None, answer).await
    };
    let target = start(&format!("http = '{}'\nbatch_size = 8", server.url)).await;
    let orders = Orders::new(8).await;
    let running = orders.run_pausing(handler(&target), 2, 3).await;
    let is_paused = || async { running.health().await.is_paused_by_outage };
    advance_until(&orders, &running, Span::from_millis(10), is_paused).await;
    let failed = requests.load(Ordering::SeqCst);
    assert!(failed <= 1 + 3 + 1, "the batch, three items, and one that began before the third was judged: {failed}");
    is_down.store(false, Ordering::SeqCst);
    let is_empty = || async {
        let stats = orders.store.stats(GetStats { queue: QueueName::new("orders").unwrap() }).await.unwrap();
        stats.partitions.iter().all(|partition| partition.total + partition.scheduled == 0)
    };
    advance_until(&orders, &running, Span::from_secs(1), is_empty).await;
    let report = with_timeout(running.stop(Span::from_hours(1))).await;
    assert_eq!((report.dead_lettered, report.done), (0, 8), "{report:?}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_before_its_batch_is_sent_leaves_it() {
    let (target, mut server) = answering_target(200, "batch_size = 10\nbatch_wait_ms = 500").await;
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
    let (target, mut requests) = held_target("batch_size = 2\nbatch_wait_ms = 60000").await;
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
    let (target, mut requests) = held_target("batch_size = 2\nbatch_wait_ms = 60000").await;
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
    let (target, mut requests) = held_target("batch_size = 4\nbatch_wait_ms = 1\nconcurrency = 1").await;
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
    let (target, mut server) = answering_target(200, "batch_size = 3\nbatch_wait_ms = 60000\ntimeout_ms = 1000").await;
    let orders = Orders::new(2).await;
    let running = orders.run(handler(&target)).await;
    until_running(&running, 2).await;
    orders.advance(&running, Span::from_hours(1)).await;
    assert_eq!(results(calls(&target, &["other"]).await).await, [Handled::DONE]);
    assert_eq!(ids(&server.next().await).len(), 3);
    let report = with_timeout(running.stop(Span::from_hours(1))).await;
    assert_eq!((report.done, report.retried, report.dead_lettered, report.deferred), (2, 0, 0, 0), "{report:?}");
}
