//! Codes, times and lengths of time as they are written.

use http::HeaderValue;
use serde_json::{Value, json};

use crate::bed::{Ground, each, on, request_timeout};
use redrive_core::Span;

#[tokio::test]
async fn every_answer_says_that_its_type_is_not_to_be_guessed() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        for (path, body, status) in [
            ("/v1/queues.info", json!({ "queue_name": "q" }), 200),
            ("/v1/queues.info", json!({ "queue_name": "none" }), 400),
            ("/v1/queues.info", json!({ "colour": "red" }), 455),
            ("/v1/nothing", json!({}), 501),
        ] {
            let heard = caller.json(path, body).await;
            assert_eq!((heard.status.as_u16(), heard.header("x-content-type-options")), (status, "nosniff"), "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_request_is_known_by_the_name_its_caller_gave_it_or_by_a_new_one() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
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
        for strange in [&b""[..], "x".repeat(129).as_bytes(), b"\xff\xfe", "ü".as_bytes()] {
            let name = called(strange).await;
            assert!(!name.is_empty() && name.is_ascii() && name.len() <= 128, "{strange:?} became {name}");
        }
    })
    .await;
}

#[tokio::test]
async fn codes_come_with_their_texts() {
    on(Ground::Memory, async |mut bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let said = |value: &Value| (value["code"].as_u64().unwrap(), value["code_text"].as_str().unwrap().to_owned());
        let lease = json!({ "queue_name": "q", "batch_size": 1, "client_id": "c", "request_timeout": "1m" });
        let late = bed.leasing("q", "late", 1).await;
        bed.advance(Span::from_mins(1));
        assert_eq!(said(&late.await.unwrap().value()), (454, "Retry Request".to_owned()));
        for (path, body, code, text) in [
            ("/v1/queues.info", json!({ "queue_name": "none" }), 400, "Bad Request"),
            ("/v1/queues.info", json!([]), 455, "Client Content Error"),
            ("/v1/none", json!({}), 501, "Not Implemented"),
        ] {
            assert_eq!(said(&caller.json(path, body).await.value()), (code, text.to_owned()));
        }
        let mut stranger = bed.caller().await;
        stranger.headers.insert("authorization", HeaderValue::from_static("Basic x"));
        let heard = stranger.json("/v1/queue.lease", lease).await;
        assert_eq!(said(&heard.value()), (401, "Unauthorized".to_owned()));
        let waiting = bed.leasing("q", "waits", 1).await;
        bed.stop().await;
        assert_eq!(said(&waiting.await.unwrap().value()), (453, "Request Failed".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn a_length_of_time_that_is_none_is_told_in_go_s_words() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
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
            assert_eq!(caller.refused("/v1/queue.produce", produce).await, (400, message), "{given}");
        }
    })
    .await;
}

#[tokio::test]
async fn lengths_of_time_are_read_and_written_as_go_does() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
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
    })
    .await;
}

#[tokio::test]
async fn a_time_that_is_not_set_is_the_year_one_or_left_out() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let later = json!({ "utf8": "later", "enqueue_at": "2026-11-15T13:00:00.000001Z" });
        caller.produce_items("q", json!([{ "utf8": "now" }])).await;
        caller.produce_items("q", json!([later])).await;
        let mut ready = caller.items("q", 0).await.remove(0);
        ready["id"] = json!("x");
        let expected = json!({
            "id": "x", "lease_deadline": "0001-01-01T00:00:00Z", "expire_deadline": "2026-11-16T12:00:00Z",
            "created_at": "2026-11-15T12:00:00Z", "payload": "bm93",
        });
        assert_eq!(ready, expected, "the rest is left out");
        let mut scheduled = caller.scheduled("q", 0).await.remove(0);
        scheduled["id"] = json!("x");
        let expected = json!({
            "id": "x", "lease_deadline": "0001-01-01T00:00:00Z", "expire_deadline": "2026-11-16T13:00:00.000001Z",
            "created_at": "2026-11-15T12:00:00Z", "enqueue_at": "2026-11-15T13:00:00.000001Z", "payload": "bGF0ZXI=",
        });
        assert_eq!(scheduled, expected, "and here it is not");
        caller.lease_one("q").await;
        let leased = caller.items("q", 0).await.remove(0);
        assert_eq!((&leased["is_leased"], &leased["lease_deadline"]), (&json!(true), &json!("2026-11-15T12:01:00Z")));
    })
    .await;
}

#[tokio::test]
async fn times_have_microseconds() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        bed.advance(Span::from_micros(1));
        caller.create("q", json!({})).await;
        caller.produce("q", &["a"]).await;
        assert_eq!(caller.items("q", 0).await[0]["created_at"], "2026-11-15T12:00:00.000001Z");
        assert_eq!(caller.lease_one("q").await.deadline, "2026-11-15T12:01:00.000001Z");
        assert_eq!(caller.info("q").await["created_at"], "2026-11-15T12:00:00.000001Z");
    })
    .await;
}

#[tokio::test]
async fn zeros_are_left_out_and_ages_are_not() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
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
    })
    .await;
}
