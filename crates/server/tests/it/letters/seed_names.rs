//! Letters have their fields also under the names of the original dead letter queue.

use http::HeaderValue;
use redrive_core::Span;
use serde_json::{Value, json};

use super::{capture, captured, get};
use crate::harness::{Caller, on_each_store_with_queue, on_each_store_with_target};

const NOON: &str = "2026-11-15T12:00:00Z";

fn order(source_id: &str, error: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "{\"order\": 17}", "parts": ["eu", "us"], "metadata": { "tenant": "acme" },
        "fault": { "error": error } })
}

async fn archive(caller: &mut Caller, id: &Value) {
    caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [id] })).await;
}

async fn listed(caller: &mut Caller) -> Value {
    caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await["letters"][0].clone()
}

#[test]
fn every_field_has_its_original_name() {
    on_each_store_with_target(async |server, mut caller, _target| {
        let id = captured(&mut caller, order("order-17", "HTTP 503 Service Unavailable")).await;
        server.advance(Span::from_secs(5));
        capture(&mut caller, order("order-17", "Read timed out")).await;
        let whole = get(&mut caller, &id).await;
        let letter = &whole["letter"];
        let of_letter = [
            ("task_id", json!("order-17")),
            ("failed_at", json!(NOON)),
            ("max_retries", json!(3)),
            ("retry_policy", json!("exponential")),
            ("next_retry_at", json!("2026-11-15T12:01:00Z")),
            ("status", json!("pending")),
            ("error_category", json!("network")),
            ("total_attempts", json!(1)),
        ];
        for (name, value) in &of_letter {
            assert_eq!(&letter[name], value, "{name}");
        }
        assert_eq!(
            (&letter["category"], &letter["first_failed_at"]),
            (&json!("network"), &json!(NOON)),
            "Redrive's names"
        );
        let of_record = [
            ("repos", json!(["eu", "us"])),
            ("error", json!("HTTP 503 Service Unavailable")),
            ("last_error", json!("Read timed out")),
            ("matched_rule", json!("phrase:timed out")),
        ];
        for (name, value) in &of_record {
            assert_eq!(&whole[name], value, "{name}");
        }
        assert_eq!(whole["metadata"]["tenant"], "acme");
        assert_eq!(listed(&mut caller).await, *letter, "a list contains all fields of the letter header");
        for absent in ["exhausted_at", "completed_at", "archived_at", "archived_from"] {
            assert_eq!(letter.get(absent), None, "{absent}");
        }
    });
}

#[test]
fn task_is_the_payload_and_shown_only_when_revealed() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let object = captured(&mut caller, order("object", "no")).await;
        let text = json!({ "source_id": "text", "utf8": "[1]", "fault": { "error": "no" } });
        let text = captured(&mut caller, text).await;
        assert_eq!(get(&mut caller, &object).await.get("task"), None);
        caller.headers.insert("x-redrive-reason", HeaderValue::from_static("support case 9"));
        for (id, task) in [(object, Some("{\"order\": 17}")), (text, None)] {
            let revealed = json!({ "queue_name": "dead", "id": id, "reveal": true });
            let shown = caller.ok("/v1/letters.get", revealed).await;
            assert_eq!(shown.get("task").and_then(Value::as_str), task);
            assert!(shown["content"].get("payload").is_some());
        }
    });
}

#[test]
fn a_letter_shows_when_it_was_exhausted_completed_and_archived() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        let mut spent = order("spent", "no");
        spent["max_retries"] = json!(0);
        let id = captured(&mut caller, spent).await;
        let letter = listed(&mut caller).await;
        assert_eq!((&letter["status"], &letter["exhausted_at"]), (&json!("exhausted"), &json!(NOON)));

        server.advance(Span::from_secs(5));
        archive(&mut caller, &id).await;
        let archived = listed(&mut caller).await;
        let since = (&archived["exhausted_at"], &archived["archived_at"], &archived["archived_from"]);
        assert_eq!(since, (&json!(NOON), &json!("2026-11-15T12:00:05Z"), &json!("exhausted")));
        caller.ok("/v1/letters.restore", json!({ "queue_name": "dead", "ids": [id] })).await;
        let restored = listed(&mut caller).await;
        for name in ["status", "exhausted_at", "archived_at", "archived_from"] {
            assert_eq!(restored.get(name), letter.get(name), "{name}");
        }

        let lease = json!({ "queue_name": "dead", "client_id": "me", "batch_size": 1, "request_timeout": "1m" });
        let leased = caller.ok("/v1/queue.lease", lease).await;
        let held = listed(&mut caller).await;
        assert_eq!(
            (&held["exhausted_at"], held.get("archived_from")),
            (&json!(NOON), None),
            "a claimed letter keeps exhausted_at"
        );
        let done = json!({ "queue_name": "dead", "partition": leased["partition"], "request_timeout": "1m",
            "ids": [leased["items"][0]["id"]] });
        caller.ok("/v1/queue.complete", done).await;
        let completed = listed(&mut caller).await;
        let since = (completed.get("exhausted_at"), &completed["completed_at"]);
        assert_eq!(since, (None, &json!("2026-11-15T12:00:05Z")));
        archive(&mut caller, &id).await;
        let archived = listed(&mut caller).await;
        assert_eq!(
            (&archived["completed_at"], &archived["archived_from"]),
            (&json!("2026-11-15T12:00:05Z"), &json!("completed"))
        );
    });
}

#[test]
fn updated_at_is_the_time_of_the_last_change() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        let mut past = order("past", "HTTP 503 Service Unavailable");
        past["failed_at"] = json!("2020-01-01T00:00:00Z");
        // So that it can be leased.
        past["retry_policy"] = json!("never");
        let id = captured(&mut caller, past.clone()).await;
        let letter = listed(&mut caller).await;
        assert_eq!((&letter["updated_at"], &letter["failed_at"]), (&json!(NOON), &json!("2020-01-01T00:00:00Z")));
        let mut expected = 0;
        let mut later = || {
            server.advance(Span::from_secs(1));
            expected += 1;
            json!(format!("2026-11-15T12:00:{expected:02}Z"))
        };

        // A further failure with a time in the past.
        let now = later();
        capture(&mut caller, past).await;
        assert_eq!(listed(&mut caller).await["updated_at"], now, "merged");
        let now = later();
        let note = json!({ "queue_name": "dead", "id": id, "text": "seen" });
        caller.ok("/v1/letters.annotate", note).await;
        assert_eq!(listed(&mut caller).await["updated_at"], now, "annotated");
        let now = later();
        let lease = json!({ "queue_name": "dead", "client_id": "me", "batch_size": 1, "request_timeout": "1m" });
        let leased = caller.ok("/v1/queue.lease", lease).await;
        assert_eq!(listed(&mut caller).await["updated_at"], now, "leased");
        let now = later();
        let done = json!({ "queue_name": "dead", "partition": leased["partition"], "request_timeout": "1m",
            "ids": [leased["items"][0]["id"]] });
        caller.ok("/v1/queue.complete", done).await;
        assert_eq!(listed(&mut caller).await["updated_at"], now, "completed");
        let now = later();
        archive(&mut caller, &id).await;
        assert_eq!(listed(&mut caller).await["updated_at"], now, "archived");
        let now = later();
        caller.ok("/v1/letters.restore", json!({ "queue_name": "dead", "ids": [id] })).await;
        assert_eq!(listed(&mut caller).await["updated_at"], now, "restored");
    });
}
