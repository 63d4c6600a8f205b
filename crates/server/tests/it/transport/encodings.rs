//! How codes, request ids, times and durations are written.

use http::HeaderValue;
use serde_json::{Value, json};

use crate::harness::{
    StoreKind, on_each_store_with_caller, on_each_store_with_queue, on_store_with_caller, on_store_with_queue,
    request_timeout,
};
use redrive_core::Span;

#[test]
fn every_response_has_the_nosniff_header() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        for (path, body, status) in [
            ("/v1/queues.info", json!({ "queue_name": "q" }), 200),
            ("/v1/queues.info", json!({ "queue_name": "none" }), 400),
            ("/v1/queues.info", json!({ "colour": "red" }), 455),
            ("/v1/nothing", json!({}), 501),
        ] {
            let response = caller.json(path, body).await;
            assert_eq!(
                (response.status.as_u16(), response.header("x-content-type-options")),
                (status, "nosniff"),
                "{path}"
            );
        }
    });
}

#[test]
fn a_response_repeats_a_valid_request_id_or_has_a_new_one() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        let first = caller.json("/v1/queues.list", json!({})).await;
        let second = caller.json("/v1/nothing", json!({})).await;
        let names = [first.header("x-request-id"), second.header("x-request-id")];
        assert!(!names[0].is_empty() && !names[1].is_empty() && names[0] != names[1], "{names:?}");
        let mut called = async |name: &[u8]| {
            caller.headers.insert("x-request-id", HeaderValue::from_bytes(name).unwrap());
            caller.json("/v1/queues.list", json!({})).await.header("x-request-id").to_owned()
        };
        assert_eq!(called(b"mine-1").await, "mine-1");
        let longest = "x".repeat(128);
        assert_eq!(called(longest.as_bytes()).await, longest);
        for invalid in [&b""[..], "x".repeat(129).as_bytes(), b"\xff\xfe", "ü".as_bytes()] {
            let name = called(invalid).await;
            assert!(!name.is_empty() && name.is_ascii() && name.len() <= 128, "{invalid:?} became {name}");
        }
    });
}

#[test]
fn errors_contain_the_text_of_their_code() {
    on_store_with_queue(StoreKind::Memory, "q", async |mut server, mut caller| {
        let code_and_text =
            |value: &Value| (value["code"].as_u64().unwrap(), value["code_text"].as_str().unwrap().to_owned());
        let lease = json!({ "queue_name": "q", "batch_size": 1, "client_id": "c", "request_timeout": "1m" });
        let late = server.spawn_lease("q", "late", 1).await;
        server.advance(Span::from_mins(1));
        assert_eq!(code_and_text(&late.await.unwrap().value()), (454, "Retry Request".to_owned()));
        for (path, body, code, text) in [
            ("/v1/queues.info", json!({ "queue_name": "none" }), 400, "Bad Request"),
            ("/v1/queues.info", json!([]), 455, "Client Content Error"),
            ("/v1/none", json!({}), 501, "Not Implemented"),
        ] {
            assert_eq!(code_and_text(&caller.json(path, body).await.value()), (code, text.to_owned()));
        }
        let mut unauthorized = server.caller().await;
        unauthorized.headers.insert("authorization", HeaderValue::from_static("Basic x"));
        let response = unauthorized.json("/v1/queue.lease", lease).await;
        assert_eq!(code_and_text(&response.value()), (401, "Unauthorized".to_owned()));
        let waiting = server.spawn_lease("q", "waits", 1).await;
        server.stop().await;
        assert_eq!(code_and_text(&waiting.await.unwrap().value()), (453, "Request Failed".to_owned()));
    });
}

#[test]
fn an_invalid_duration_is_rejected_with_the_message_of_go() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        for (given, why) in [
            ("foo", r#"time: invalid duration "foo""#),
            (" 1m", r#"time: invalid duration " 1m""#),
            ("1m ", r#"time: unknown unit "m " in duration "1m ""#),
            (".", r#"time: invalid duration ".""#),
            ("1h-1m", r#"time: unknown unit "h-" in duration "1h-1m""#),
            ("+", r#"time: invalid duration "+""#),
            ("--1m", r#"time: invalid duration "--1m""#),
            ("10", r#"time: missing unit in duration "10""#),
            ("1m30", r#"time: missing unit in duration "1m30""#),
            ("10x", r#"time: unknown unit "x" in duration "10x""#),
            ("1d", r#"time: unknown unit "d" in duration "1d""#),
            ("1M", r#"time: unknown unit "M" in duration "1M""#),
            ("9999999999h", r#"time: invalid duration "9999999999h""#),
        ] {
            let produce = json!({ "queue_name": "q", "request_timeout": given, "items": [{}] });
            let message = format!("request timeout is invalid; {why} - expected format: 900ms, 5m or 15m");
            assert_eq!(caller.rejection("/v1/queue.produce", produce).await, (400, message), "{given}");
        }
    });
}

#[test]
fn durations_are_parsed_and_formatted_like_in_go() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        for (number, (given, shown)) in [
            ("300ms", "300ms"),
            ("1.5h", "1h30m0s"),
            ("2h45m", "2h45m0s"),
            ("60s", "1m0s"),
            ("24h", "24h0m0s"),
            ("1500ms", "1.5s"),
            ("1h0.5s", "1h0m0.5s"),
            (".5m", "30s"),
            ("+1m", "1m0s"),
            ("1500us", "1.5ms"),
            ("7µs", "7µs"),
            ("7μs", "7µs"),
        ]
        .into_iter()
        .enumerate()
        {
            let name = format!("q{number}");
            caller.create(&name, json!({ "lease_timeout": given, "expire_timeout": "24h" })).await;
            assert_eq!(caller.info(&name).await["lease_timeout"], shown, "{given}");
        }
    });
}

#[test]
fn an_unset_time_is_the_year_1_or_omitted() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let later = json!({ "utf8": "later", "enqueue_at": "2026-11-15T13:00:00.000001Z" });
        caller.produce_items("q", json!([{ "utf8": "now" }])).await;
        caller.produce_items("q", json!([later])).await;
        let mut ready = caller.items("q", 0).await.remove(0);
        ready["id"] = json!("x");
        let expected = json!({
            "id": "x", "lease_deadline": "0001-01-01T00:00:00Z", "expire_deadline": "2026-11-16T12:00:00Z",
            "created_at": "2026-11-15T12:00:00Z", "payload": "bm93",
        });
        assert_eq!(ready, expected, "an unset enqueue_at is omitted");
        let mut scheduled = caller.scheduled("q", 0).await.remove(0);
        scheduled["id"] = json!("x");
        let expected = json!({
            "id": "x", "lease_deadline": "0001-01-01T00:00:00Z", "expire_deadline": "2026-11-16T13:00:00.000001Z",
            "created_at": "2026-11-15T12:00:00Z", "enqueue_at": "2026-11-15T13:00:00.000001Z", "payload": "bGF0ZXI=",
        });
        assert_eq!(scheduled, expected, "a set enqueue_at is written");
        caller.lease_one("q").await;
        let leased = caller.items("q", 0).await.remove(0);
        assert_eq!((&leased["is_leased"], &leased["lease_deadline"]), (&json!(true), &json!("2026-11-15T12:01:00Z")));
    });
}

#[test]
fn times_have_microsecond_precision() {
    on_each_store_with_caller(async |server, mut caller| {
        server.advance(Span::from_micros(1));
        caller.create("q", json!({})).await;
        caller.produce("q", &["a"]).await;
        assert_eq!(caller.items("q", 0).await[0]["created_at"], "2026-11-15T12:00:00.000001Z");
        assert_eq!(caller.lease_one("q").await.deadline, "2026-11-15T12:01:00.000001Z");
        assert_eq!(caller.info("q").await["created_at"], "2026-11-15T12:00:00.000001Z");
    });
}

#[test]
fn zeros_are_omitted_except_for_ages() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        let stats = caller.ok("/v1/queue.stats", json!({ "queue_name": "q" })).await;
        let partitions = json!([
            { "average_age": "0s", "average_leased_age": "0s" },
            { "partition": 1, "average_age": "0s", "average_leased_age": "0s" },
        ]);
        assert_eq!(stats, json!({ "queue_name": "q", "logicalQueues": [{ "partitions": partitions }] }));
        caller.produce("q", &["x"]).await;
        let lease = json!({
            "queue_name": "q", "batch_size": 1, "client_id": "c", "request_timeout": request_timeout(),
        });
        let leased = caller.ok("/v1/queue.lease", lease).await;
        assert!(leased.get("partition").is_none(), "{leased}");
        let item = leased["items"][0].as_object().unwrap();
        assert_eq!(item.keys().collect::<Vec<_>>(), ["attempts", "bytes", "id", "lease_deadline"]);
    });
}
