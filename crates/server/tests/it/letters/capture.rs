//! `letters.capture`: failures become letters.

use serde_json::json;

use super::{capture, failure, get, rejection};
use crate::harness::{on_each_store_with_queue, on_each_store_with_target};

const CAPTURE: &str = "/v1/letters.capture";

#[test]
fn a_capture_classifies_and_schedules_the_failure() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        let captured = capture(&mut caller, failure("order-17")).await;
        assert_eq!((&captured["created"], &captured["reason"]), (&json!(true), &json!("enqueued")));
        assert_eq!((&captured["category"], &captured["rule"]), (&json!("transient"), &json!("http-text:503")));
        assert_eq!((&captured["retry_policy"], &captured["max_retries"]), (&json!("exponential"), &json!(3)));
        let letter = &get(&mut caller, &captured["id"]).await["letter"];
        assert_eq!((&letter["status"], &letter["source_id"]), (&json!("pending"), &json!("order-17")));
        assert_eq!(letter["next_retry_at"], "2026-11-15T12:01:00Z");
        assert_eq!(letter["first_failed_at"], "2026-11-15T12:00:00Z");
        assert_eq!((&letter["generation"], &letter["total_attempts"]), (&json!(1), &json!(1)));
        assert_eq!(letter["policy_source"], "default");
    });
}

#[test]
fn all_fields_of_a_capture_are_kept() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let first = capture(&mut caller, failure("first")).await;
        let captured = capture(
            &mut caller,
            json!({
                "source_id": "s", "kind": "order", "encoding": "json", "reference": "r", "bytes": "AAEC", "key": "a2V5",
                "headers": [{ "name": "h", "value": "dg==" }, { "name": "h", "value": "dw==" }],
                "origin": { "transport": "kafka", "name": "orders", "consumer": "billing", "partition": "3",
                    "offset": "4711", "timestamp": "2026-11-15T11:59:00Z", "message_id": "m" },
                "fault": { "error": "no such customer", "error_type": "ValidationError" },
                "retry_policy": "linear", "max_retries": 7, "priority": "high", "depends_on": [first["id"]],
                "parts": ["eu", "us"], "metadata": { "tenant": "acme" }, "reply_to": "replies", "trace_id": "t",
                "request_id": "q", "failed_at": "2026-11-15T11:59:30Z", "destination": "billing-api",
            }),
        )
        .await;
        let whole = get(&mut caller, &captured["id"]).await;
        let letter = &whole["letter"];
        assert_eq!((&letter["category"], &letter["retry_policy"]), (&json!("validation"), &json!("linear")));
        assert_eq!((&letter["policy_source"], &letter["max_retries"]), (&json!("explicit"), &json!(7)));
        assert_eq!((&letter["priority"], &letter["destination"]), (&json!("high"), &json!("billing-api")));
        assert_eq!(letter["first_failed_at"], "2026-11-15T11:59:30Z");
        assert_eq!((&whole["origin"]["offset"], &whole["origin"]["partition"]), (&json!("4711"), &json!("3")));
        assert_eq!((&whole["parts"], &whole["depends_on"]), (&json!(["eu", "us"]), &json!([first["id"]])));
        assert_eq!(
            (&whole["metadata"]["tenant"], &whole["metadata"]["enqueued_by"]),
            (&json!("acme"), &json!("manual"))
        );
        assert_eq!(whole["metadata"]["original_error_type"], "ValidationError");
        assert_eq!(
            (&whole["reply_to"], &whole["trace_id"], &whole["request_id"]),
            (&json!("replies"), &json!("t"), &json!("q"))
        );
        let attempt = &whole["attempts"][0]["attempt"];
        assert_eq!(
            (&attempt["error"], &attempt["error_type"]),
            (&json!("no such customer"), &json!("ValidationError"))
        );
        assert_eq!((&attempt["outcome"], &attempt["category"]), (&json!("failure"), &json!("validation")));
    });
}

#[test]
fn a_second_failure_of_a_source_id_is_merged_into_its_letter() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let first = capture(&mut caller, failure("order-17")).await;
        let again = capture(&mut caller, failure("order-17")).await;
        assert_eq!((&again["id"], &again["reason"]), (&first["id"], &json!("merged")));
        assert!(again.get("created").is_none());
        let attempts = &get(&mut caller, &first["id"]).await["attempts"];
        assert_eq!(attempts.as_array().unwrap().len(), 2);
        let mut other = failure("order-17");
        other["utf8"] = json!("another payload");
        let body = json!({ "queue_name": "dead", "letters": [other] });
        assert_eq!(rejection(&mut caller, CAPTURE, body).await, (409, "other_payload".into()));
    });
}

#[test]
fn a_message_with_the_same_origin_is_captured_once() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let of = |id: &str| {
            let mut letter = failure(id);
            letter["origin"] = json!({ "transport": "kafka", "name": "orders", "partition": 0, "offset": 5 });
            letter
        };
        let first = capture(&mut caller, of("a")).await;
        let again = capture(&mut caller, of("b")).await;
        assert_eq!((&again["id"], &again["reason"]), (&first["id"], &json!("duplicate")));
    });
}

#[test]
fn a_letter_tells_how_often_its_message_was_handed_back_before_the_newest_failure() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let mut letter = failure("a");
        for replays in [0, 1, 2] {
            letter["origin"] = json!({ "transport": "kafka", "name": "orders", "offset": 5, "replays": replays });
            let captured = capture(&mut caller, letter.clone()).await;
            let get = json!({ "queue_name": "dead", "id": captured["id"] });
            let shown = caller.ok("/v1/letters.get", get).await;
            assert_eq!(shown["origin"]["replays"].as_i64().unwrap_or(0), replays, "{shown}");
        }
    });
}

#[test]
fn a_capture_with_one_invalid_letter_stores_none() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let wrong = [
            json!({ "source_id": "" }),
            json!({ "source_id": "x", "max_retries": 101 }),
            json!({ "source_id": "x", "max_retries": -1 }),
            json!({ "source_id": "x", "retry_policy": "often" }),
            json!({ "source_id": "x", "retry_policy": "custom" }),
            json!({ "source_id": "x", "priority": "urgent" }),
            json!({ "source_id": "x", "fault": { "category": "bad luck" } }),
            json!({ "source_id": "x", "fault": { "http_status": 99 } }),
            json!({ "source_id": "x", "fault": { "grpc_status": 17 } }),
            json!({ "source_id": "x", "fault": { "http_status": 503, "grpc_status": 14 } }),
            json!({ "source_id": "x", "fault": { "sqlstate": "?" } }),
            json!({ "source_id": "x", "depends_on": ["nonsense"] }),
            json!({ "source_id": "x", "origin": { "name": "orders", "offset": 5, "replays": -1 } }),
        ];
        for wrong in wrong {
            let body = json!({ "queue_name": "dead", "letters": [failure("good"), wrong] });
            assert_eq!(rejection(&mut caller, CAPTURE, body).await, (400, "invalid".into()), "{wrong}");
        }
        let none = json!({ "queue_name": "dead", "letters": [] });
        assert_eq!(rejection(&mut caller, CAPTURE, none).await, (400, "invalid".into()));
        let nowhere = json!({ "queue_name": "nowhere", "letters": [failure("x")] });
        assert_eq!(rejection(&mut caller, CAPTURE, nowhere).await, (404, "not_found".into()));
        let list = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        assert_eq!((list.get("letters"), &list["total"]), (None, &json!("0")), "no letter is stored");
    });
}

#[test]
fn explain_shows_classification_and_schedule_and_stores_nothing() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let body = json!({ "queue_name": "dead", "fault": { "grpc_status": 14 }, "max_retries": 2 });
        let explained = caller.ok("/v1/letters.explain", body).await;
        assert_eq!((&explained["category"], &explained["rule"]), (&json!("transient"), &json!("grpc:14")));
        assert_eq!(
            (&explained["policy"], &explained["status"], &explained["ends"]),
            (&json!("exponential"), &json!("pending"), &json!("exhausted"))
        );
        assert_eq!(
            explained["schedule"],
            json!([{ "attempt": 1, "delay": "1m0s", "after": "1m0s" }, { "attempt": 2, "delay": "2m0s", "after": "3m0s" }])
        );
        assert_eq!(caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await["total"], "0");
    });
}
