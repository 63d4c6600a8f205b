//! Letter statistics: `letters.stats`, health and metrics.

use http::HeaderValue;
use redrive_core::Span;
use redrive_proto::prost::Message;
use redrive_proto::redrive::v1::{LettersStatsRequest, LettersStatsResponse};
use redrive_server::Settings;
use serde_json::{Value, json};

use super::{capture, failure, rejection};
use crate::harness::{
    Caller, StoreKind, TestServer, local_settings, on_each_store_with_caller, on_each_store_with_queue,
    on_store_with_queue, on_store_with_target, run,
};

async fn stats(caller: &mut Caller) -> Value {
    caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn stats_of_a_queue_without_letters_have_every_field() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        let lifetime = json!({
            "enqueued_total": 0, "retry_success": 0, "retry_failed": 0, "exhausted": 0, "manually_retried": 0,
            "archived": 0, "merged": 0, "deferred": 0, "lost_attempts": 0, "unarchived": 0, "cleared": 0, "purged": 0,
            "rejected": { "queue_full": 0, "persist_failed": 0, "other": 0 },
        });
        let expected = json!({
            "queue_size": 0, "max_size": null, "utilization_percent": 0.0,
            "status_breakdown": { "pending": 0, "retrying": 0, "exhausted": 0, "completed": 0, "archived": 0 },
            "error_categories": {
                "transient": 0, "network": 0, "resource": 0, "permission": 0, "validation": 0, "permanent": 0,
            },
            "retry_policies": { "never": 0, "linear": 0, "exponential": 0, "immediate": 0, "custom": 0 },
            "lifetime_stats": lifetime, "since_start": lifetime,
            "by_trigger": { "automatic": { "success": 0, "failed": 0 }, "manual": { "success": 0, "failed": 0 } },
            "is_processor_running": false, "processor_state": "stopped", "retry_interval_seconds": null, "oldest_pending_seconds": 0,
            "next_due_at": null, "overdue": 0, "blocked": 0, "degraded": [],
            "projection": { "state": "off", "outbox_depth": 0, "lag_seconds": 0 }, "unaccounted": 0,
            "retry_success_percent": null,
            "rates": {
                "enqueued_per_minute": 0.0, "retry_success_per_minute": 0.0, "retry_failed_per_minute": 0.0,
            },
        });
        assert_eq!(stats(&mut caller).await, expected);
    });
}

#[test]
fn stats_follow_the_letters_and_survive_a_restart() {
    on_store_with_target(StoreKind::Journal, async |mut server, mut caller, _target| {
        let first = capture(&mut caller, failure("a")).await;
        let second = capture(&mut caller, failure("b")).await;
        let third = capture(&mut caller, failure("c")).await;
        capture(&mut caller, failure("a")).await;
        caller.json("/v1/letters.capture", json!({ "queue_name": "dead", "letters": [] })).await;
        let ids = |letter: &Value| json!({ "queue_name": "dead", "ids": [letter["id"]] });
        caller.ok("/v1/letters.archive", ids(&second)).await;
        caller.ok("/v1/letters.archive", ids(&first)).await;
        caller.ok("/v1/letters.restore", ids(&first)).await;
        caller.ok("/v1/letters.purge", ids(&third)).await;
        server.advance(Span::from_mins(2));
        let before = stats(&mut caller).await;
        assert_eq!((&before["queue_size"], &before["error_categories"]["transient"]), (&json!(1), &json!(1)));
        assert_eq!(before["status_breakdown"]["archived"], 1);
        let lifetime = &before["lifetime_stats"];
        let of = |what: &str| lifetime[what].as_u64().unwrap();
        assert_eq!((of("enqueued_total"), of("merged"), of("cleared")), (3, 1, 1));
        assert_eq!((of("archived"), of("unarchived")), (2, 1));
        assert_eq!(lifetime["rejected"]["other"], 1);
        assert_eq!((&before["oldest_pending_seconds"], &before["overdue"]), (&json!(120), &json!(1)));
        assert!(before["rates"]["enqueued_per_minute"].as_f64().unwrap() > 0.0);
        assert_eq!((&before["unaccounted"], &before["next_due_at"]), (&json!(0), &json!("2026-11-15T12:01:00Z")));

        server.restart().await;
        let mut caller = server.caller().await;
        let after = stats(&mut caller).await;
        for what in ["enqueued_total", "merged", "archived", "unarchived", "cleared"] {
            assert_eq!(after["lifetime_stats"][what], before["lifetime_stats"][what], "{what}");
            assert_eq!(after["since_start"][what], 0, "{what}");
        }
        assert_eq!(after["status_breakdown"], before["status_breakdown"]);
    });
}

#[test]
fn stats_as_protobuf_equal_stats_as_json() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        capture(&mut caller, failure("a")).await;
        let request = LettersStatsRequest { queue_name: "dead".to_owned() };
        caller.headers.insert("accept", HeaderValue::from_static("application/protobuf"));
        let response = caller.post_protobuf("/v1/letters.stats", &request).await;
        caller.headers.clear();
        let decoded = LettersStatsResponse::decode(response.body).unwrap();
        assert_eq!(redrive_proto::letter_stats(&decoded), stats(&mut caller).await);
        assert_eq!((decoded.queue_size, decoded.retry_success_percent), (1, None));
    });
}

#[test]
fn stats_of_a_missing_queue_are_not_found() {
    on_each_store_with_caller(async |_server, mut caller| {
        let response = caller.json("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!(response.status, 404);
    });
}

#[test]
fn health_warns_about_queues_with_too_many_or_too_old_letters() {
    run(async {
        let settings =
            Settings { degraded_depth: Some(1), degraded_age: Some(Span::from_mins(10)), ..local_settings() };
        let server = TestServer::with_target(StoreKind::Memory, settings).await;
        let mut caller = server.caller().await;
        caller.create("dead", json!({})).await;
        capture(&mut caller, failure("a")).await;
        server.advance(Span::from_mins(10));
        let response = caller.page("/health").await;
        let health = response.value();
        assert_eq!((response.status.as_u16(), keys(&health["checks"])), (200, vec!["queues:storage"]));
        assert_eq!(health["status"], "pass");
        server.advance(Span::from_secs(1));
        let response = caller.page("/health").await;
        let health = response.value();
        assert_eq!(
            (response.status.as_u16(), &health["status"]),
            (200, &json!("warn")),
            "a degraded server still serves"
        );
        let check = &health["checks"]["queues:letters"][0];
        assert_eq!((&check["componentId"], &check["output"]), (&json!("dead"), &json!("degraded: age")));
        capture(&mut caller, failure("b")).await;
        assert_eq!(stats(&mut caller).await["degraded"], json!(["depth", "age"]));
    });
}

#[test]
fn metrics_report_letters_under_the_documented_names() {
    on_store_with_target(StoreKind::Journal, async |server, mut caller, _target| {
        let letter = capture(&mut caller, failure("a")).await;
        capture(&mut caller, failure("b")).await;
        capture(&mut caller, failure("b")).await;
        caller.json("/v1/letters.capture", json!({ "queue_name": "dead", "letters": [] })).await;
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [letter["id"]] })).await;
        server.advance(Span::from_secs(90));
        let page = caller.page("/metrics").await.text();
        for line in [
            "dlq_messages_total{queue=\"dead\"} 2",
            "dlq_messages_sent_total{queue=\"dead\"} 2",
            "dlq_messages_discarded_total{queue=\"dead\"} 1",
            "dlq_queue_depth{queue=\"dead\"} 1",
            "dlq_age_seconds{queue=\"dead\"} 90",
            "redrive_dlq_overdue{queue=\"dead\"} 1",
            "redrive_dlq_unaccounted{queue=\"dead\"} 0",
            "redrive_dlq_letters{queue=\"dead\",category=\"transient\"} 1",
            "redrive_dlq_persist_total{outcome=\"persisted\",reason=\"enqueued\"} 2",
            "redrive_dlq_persist_total{outcome=\"persisted\",reason=\"merged\"} 1",
            "redrive_dlq_persist_total{outcome=\"rejected\",reason=\"invalid\"} 1",
        ] {
            assert!(page.lines().any(|found| found == line), "{line} is not in\n{page}");
        }
    });
}

/// The metric lines that count capture requests.
async fn persisted(caller: &mut Caller) -> Vec<String> {
    let page = caller.page("/metrics").await.text();
    let lines = page.lines().filter_map(|line| line.strip_prefix("redrive_dlq_persist_total"));
    lines.map(str::to_owned).collect()
}

fn line(outcome: &str, reason: &str, count: u32) -> String {
    format!("{{outcome=\"{outcome}\",reason=\"{reason}\"}} {count}")
}

#[test]
fn each_capture_request_is_counted_once() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        let letters = |letters: Value| json!({ "queue_name": "dead", "letters": letters });
        let captures = "/v1/letters.capture";
        caller.ok(captures, letters(json!([failure("a"), failure("b"), failure("a")]))).await;
        caller.ok(captures, letters(json!([failure("b")]))).await;
        let set = |name: &str, value: &str| json!({ "queue_name": "dead", "set": { name: value } });
        caller.ok("/v1/letters.configure", set("on_duplicate", "reject")).await;
        assert_eq!(rejection(&mut caller, captures, letters(json!([failure("a")]))).await.1, "duplicate");
        caller.ok("/v1/letters.configure", set("integration_strategy", "disabled")).await;
        assert_eq!(rejection(&mut caller, captures, letters(json!([failure("c")]))).await.1, "disabled");
        // Requests that are malformed, too large, or for a missing queue are counted as well.
        let unreadable = caller.post(captures, "application/json", "{\"queue_name\": ").await;
        assert!(unreadable.status.is_client_error());
        let large = letters(json!([{ "source_id": "x", "utf8": "x".repeat(6_000_000) }]));
        assert!(caller.json(captures, large).await.status.is_client_error());
        assert_eq!(
            rejection(&mut caller, captures, json!({ "queue_name": "gone", "letters": [failure("a")] })).await.0,
            404
        );
        let kept = if server.store_kind() == StoreKind::Memory { "in_memory" } else { "persisted" };
        let mut expected = vec![line(kept, "enqueued", 1), line(kept, "merged", 1)];
        if kept == "in_memory" {
            expected.insert(0, line("persisted", "enqueued", 0));
        }
        expected.extend([
            line("rejected", "disabled", 1),
            line("rejected", "duplicate", 1),
            line("rejected", "invalid", 3),
        ]);
        let mut counted = persisted(&mut caller).await;
        counted.sort();
        expected.sort();
        assert_eq!(counted, expected);
        let page = caller.page("/metrics").await.text();
        let conflicts = "redrive_http_requests_total{path=\"/v1/letters.capture\",code=\"409\"} 2";
        assert!(page.contains(conflicts), "{page}");
    });
}
