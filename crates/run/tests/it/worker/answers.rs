//! The requests that a worker gets, and its replies.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Evidence, GrpcCode, IoKind, Span, Time};
use redrive_model::{Content, Header};
use redrive_run::{Handled, WorkerCommand, WorkerPool};
use redrive_store::ManualClock;
use serde_json::{Value, json};

use super::fixture::{EXAMPLES, EXEC, RAW_EXEC, STOP_WITHIN, call, call_with, failure, pool, result, work};

#[tokio::test]
async fn the_return_value_of_a_worker_is_the_result() {
    let pool = pool(EXEC).await;
    assert_eq!(call(&pool, "result = b'fine'").await, Handled::Done { result: Some("fine".into()) });
    assert_eq!(call(&pool, "pass").await, Handled::DONE);
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn the_example_worker_counts_words_and_fails_for_an_empty_payload() {
    let script = format!("{EXAMPLES}/worker.py");
    let pool = WorkerPool::start(WorkerCommand::new("python3", ["-B", &script])).await.unwrap();
    assert_eq!(result(call(&pool, "four words are here").await), "4");
    let failure = failure(call(&pool, "").await);
    assert_eq!(failure.error.kind.unwrap().as_str(), "ValueError");
    assert_eq!(failure.error.parents[0].as_str(), "Exception");
    assert_eq!(failure.error.message, "validation: nothing in it");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn every_kind_of_evidence_reaches_the_failure() {
    let pool = pool(RAW_EXEC).await;
    let limited = Evidence::Http { status: 403, rate_limited: true };
    for (error, expected) in [
        (json!({"http": 503}), Some(Evidence::http(503))),
        (json!({"http": 403, "rate_limited": true}), Some(limited)),
        (json!({"grpc": 14}), Some(Evidence::Grpc(GrpcCode::Unavailable))),
        (json!({"grpc": "UNAVAILABLE"}), Some(Evidence::Grpc(GrpcCode::Unavailable))),
        (json!({"sqlstate": "40P01"}), Some(Evidence::Sql("40P01".parse().unwrap()))),
        (json!({"io": "ConnectionReset"}), Some(Evidence::Io(IoKind::ConnectionReset))),
        // Invalid evidence is ignored and does not end the worker: the attempt has failed anyway.
        (json!({"io": "ENOENT", "grpc": 0, "sqlstate": "no", "http": 1_000_000}), None),
        (json!({"type": null, "http": null, "causes": null}), None),
    ] {
        let failure = failure(call(&pool, replying(&json!({"outcome": "failed", "error": error}))).await);
        assert_eq!(failure.error.evidence, expected, "{error}");
    }
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_failure_keeps_its_type_code_message_hint_and_causes() {
    let pool = pool(RAW_EXEC).await;
    let error = json!({
        "type": "Order Error", "parents": ["Error"], "code": 17, "message": "no order", "retry_after_ms": 1500,
        "causes": [{"type": "HTTPError", "http": 429}, {"type": "OSError", "code": "E1", "message": "down"}],
    });
    let failed = failure(call(&pool, replying(&json!({"outcome": "failed", "error": error}))).await);
    assert_eq!(failed.error.kind.as_ref().unwrap().as_str(), "Order_Error");
    assert_eq!(failed.error.parents[0].as_str(), "Error");
    assert_eq!(failed.error.code.as_deref(), Some("17"));
    assert_eq!(failed.error.message, "no order");
    assert_eq!(failed.retry_after, Some(Span::from_millis(1500)));
    assert_eq!(failed.causes[0].evidence, Some(Evidence::http(429)));
    assert_eq!(failed.causes[1].code.as_deref(), Some("E1"));
    assert_eq!(failed.causes[1].message, "down");
    let without_error = failure(call(&pool, replying(&json!({"outcome": "failed"}))).await);
    assert_eq!(without_error.to_string(), "failed without a message");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn long_texts_of_an_error_are_truncated() {
    let pool = pool(RAW_EXEC).await;
    let error = json!({"type": "é".repeat(200), "code": "c".repeat(1_000), "message": "é".repeat(100_000)});
    let failed = failure(call(&pool, replying(&json!({"outcome": "failed", "error": error}))).await);
    assert_eq!(failed.error.kind.unwrap().as_str(), "é".repeat(128));
    assert_eq!(failed.error.code.unwrap().len(), 256);
    assert_eq!(failed.error.message, "é".repeat(4096));
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn an_exception_of_a_python_worker_is_reported_with_its_causes() {
    let pool = pool(EXEC).await;
    let raising = "
error = RuntimeError('no answer')
error.evidence = {'http': 503, 'retry_after_ms': 2000}
try:
    raise ConnectionResetError('peer')
except OSError as cause:
    raise error from cause
";
    let failed = failure(call(&pool, raising).await);
    assert_eq!(failed.error.evidence, Some(Evidence::http(503)));
    assert_eq!(failed.retry_after, Some(Span::from_secs(2)));
    assert_eq!(failed.causes[0].kind.as_ref().unwrap().as_str(), "ConnectionResetError");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_partial_failure_names_the_parts_that_failed() {
    let pool = pool(EXEC).await;
    let failed = failure(call(&pool, "raise worker.Partial(['b', 'c'], 'two of three')").await);
    assert_eq!(failed.parts, ["b", "c"]);
    assert_eq!(failed.error.message, "two of three");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_partial_reply_without_failed_parts_is_a_success() {
    let pool = pool(RAW_EXEC).await;
    let reply = json!({"outcome": "partial", "failed_parts": [], "error": {"type": "TimeoutError"}});
    assert!(matches!(call(&pool, replying(&reply)).await, Handled::Done { .. }));
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_reply_may_defer_until_a_time_or_for_a_duration() {
    let now = Time::from_secs(1_000);
    let pool = pool(RAW_EXEC).await.with_clock(Arc::new(ManualClock::new(now)));
    let until = Time::from_secs(1_800_000_000);
    let reply = json!({"outcome": "deferred", "until": until.to_string()});
    assert_eq!(call(&pool, replying(&reply)).await, Handled::Deferred { until });
    let reply = json!({"outcome": "deferred", "after_ms": 2500});
    let until = now.saturating_add(Span::from_millis(2500));
    assert_eq!(call(&pool, replying(&reply)).await, Handled::Deferred { until });
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_request_carries_every_field_of_its_work() {
    let pool = pool("worker.run(lambda request, payload, beat: json.dumps(request).encode())").await;
    let mut work_item = work("payload");
    work_item.attempt = 3;
    work_item.deliveries = 5;
    work_item.parts = vec!["a".into(), "b".into()];
    work_item.trace_id = Some("trace".into());
    work_item.request_id = Some("request".into());
    work_item.metadata.insert("team".into(), "orders".into());
    work_item.metadata.insert("order".into(), json!({ "lines": [1, null] }));
    work_item.content = Arc::new(Content {
        kind: "order.placed".into(),
        encoding: "application/json".into(),
        reference: "s3://orders/7".into(),
        key: Some("customer-9".into()),
        headers: vec![header("h", "first"), header("h", "second")],
        payload: "payload".into(),
    });
    let mut request: Value = serde_json::from_slice(&result(call_with(&pool, work_item).await)).unwrap();
    assert!(request.as_object_mut().unwrap().remove("call").unwrap().is_u64());
    let expected = json!({
        "type": "request", "id": "work-1", "attempt": 3, "deliveries": 5, "idempotency_key": "queue/work-1",
        "trace_id": "trace", "request_id": "request", "kind": "order.placed", "encoding": "application/json",
        "reference": "s3://orders/7", "key": "customer-9", "parts": ["a", "b"], "metadata": {"team": "orders", "order": {"lines": [1, null]}},
        "headers": [["h", "first"], ["h", "second"]],
    });
    assert_eq!(request, expected);

    let bare: Value = serde_json::from_slice(&result(call(&pool, "").await)).unwrap();
    let mut fields: Vec<&String> = bare.as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(fields, ["attempt", "call", "deliveries", "id", "idempotency_key", "type"]);
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn payload_key_and_headers_are_transferred_byte_for_byte() {
    let echo = "
def handle(request, payload, beat):
    pieces = [request['key']] + [value for name, value in request['headers']]
    return b''.join(map(worker.octets, pieces)) + payload

worker.run(handle)
";
    let pool = pool(echo).await;
    let every_byte: Vec<u8> = (0..=255).collect();
    // Larger than the pipe and the buffers on both sides.
    let payload: Vec<u8> = every_byte.iter().copied().cycle().take(3_000_001).collect();
    let values: [&[u8]; 4] = [&every_byte, "ünïcode \0 \"quoted\"\n".as_bytes(), b"", b"\xff"];
    let mut work_item = work(payload.clone());
    work_item.content = Arc::new(Content {
        key: Some(Bytes::from_static(b"\x80key")),
        headers: values.iter().map(|value| Header { name: "h".into(), value: value.to_vec().into() }).collect(),
        payload: payload.clone().into(),
        ..Content::default()
    });
    let expected = [&b"\x80key"[..], &values.concat(), &payload].concat();
    assert!(result(call_with(&pool, work_item).await) == expected, "the worker received other bytes than were sent");
    pool.stop(STOP_WITHIN).await;
}

fn header(name: &str, value: &'static str) -> Header {
    Header { name: name.into(), value: value.into() }
}

/// The payload that makes a raw worker send this reply.
fn replying(reply: &Value) -> String {
    format!("write({{**json.loads({:?}), 'type': 'reply', 'call': request['call']}})", reply.to_string())
}
