//! The numbers of letters.

use http::{HeaderValue, Request};
use http_body_util::Full;
use redrive_core::Span;
use redrive_proto::prost::Message;
use redrive_proto::redrive::v1::{LettersStatsRequest, LettersStatsResponse};
use redrive_server::Settings;
use serde_json::{Value, json};

use super::{capture, failure, refused};
use crate::bed::{Bed, Caller, Ground, Heard, bounded, each, on};

async fn stats(caller: &mut Caller) -> Value {
    caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await
}

pub(super) async fn page(caller: &mut Caller, path: &str) -> Heard {
    caller.send(Request::get(path).header("host", "localhost").body(Full::default()).unwrap()).await
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_queue_without_letters_has_every_number() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
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
    })
    .await;
}

#[tokio::test]
async fn numbers_follow_what_happens_to_letters_and_survive_a_restart() {
    bounded(async {
        let mut bed = Bed::new(Ground::Journal).await;
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
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
        bed.advance(Span::from_mins(2));
        let told = stats(&mut caller).await;
        assert_eq!((&told["queue_size"], &told["error_categories"]["transient"]), (&json!(1), &json!(1)));
        assert_eq!(told["status_breakdown"]["archived"], 1);
        let lifetime = &told["lifetime_stats"];
        let of = |what: &str| lifetime[what].as_u64().unwrap();
        assert_eq!((of("enqueued_total"), of("merged"), of("cleared")), (3, 1, 1));
        assert_eq!((of("archived"), of("unarchived")), (2, 1));
        assert_eq!(lifetime["rejected"]["other"], 1);
        assert_eq!((&told["oldest_pending_seconds"], &told["overdue"]), (&json!(120), &json!(1)));
        assert!(told["rates"]["enqueued_per_minute"].as_f64().unwrap() > 0.0);
        assert_eq!((&told["unaccounted"], &told["next_due_at"]), (&json!(0), &json!("2026-11-15T12:01:00Z")));

        bed.restart().await;
        let mut caller = bed.caller().await;
        let again = stats(&mut caller).await;
        for what in ["enqueued_total", "merged", "archived", "unarchived", "cleared"] {
            assert_eq!(again["lifetime_stats"][what], told["lifetime_stats"][what], "{what}");
            assert_eq!(again["since_start"][what], 0, "{what}");
        }
        assert_eq!(again["status_breakdown"], told["status_breakdown"]);
    })
    .await;
}

#[tokio::test]
async fn the_same_numbers_are_had_as_protobuf() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        capture(&mut caller, failure("a")).await;
        let request = LettersStatsRequest { queue_name: "dead".to_owned() };
        caller.headers.insert("accept", HeaderValue::from_static("application/protobuf"));
        let heard = caller.go("/v1/letters.stats", &request).await;
        caller.headers.clear();
        let told = LettersStatsResponse::decode(heard.body).unwrap();
        assert_eq!(redrive_proto::letter_stats(&told), stats(&mut caller).await);
        assert_eq!((told.queue_size, told.retry_success_percent), (1, None));
    })
    .await;
}

#[tokio::test]
async fn numbers_of_a_queue_that_is_not_there_are_not_found() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let heard = caller.json("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!(heard.status, 404);
    })
    .await;
}

#[tokio::test]
async fn health_tells_of_queues_with_too_many_or_too_old_letters() {
    bounded(async {
        let settings = Settings {
            listen: ([127, 0, 0, 1], 0).into(),
            degraded_depth: Some(1),
            degraded_age: Some(Span::from_mins(10)),
            ..Settings::default()
        };
        let bed = Bed::with(Ground::Memory, settings).await;
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        capture(&mut caller, failure("a")).await;
        bed.advance(Span::from_mins(10));
        let heard = page(&mut caller, "/health").await;
        let health = heard.value();
        assert_eq!((heard.status.as_u16(), keys(&health["checks"])), (200, vec!["queues:storage"]));
        assert_eq!(health["status"], "pass");
        bed.advance(Span::from_secs(1));
        let heard = page(&mut caller, "/health").await;
        let health = heard.value();
        assert_eq!((heard.status.as_u16(), &health["status"]), (200, &json!("warn")), "it still serves");
        let check = &health["checks"]["queues:letters"][0];
        assert_eq!((&check["componentId"], &check["output"]), (&json!("dead"), &json!("degraded: age")));
        capture(&mut caller, failure("b")).await;
        assert_eq!(stats(&mut caller).await["degraded"], json!(["depth", "age"]));
    })
    .await;
}

#[tokio::test]
async fn metrics_tell_of_letters_by_the_names_that_people_watch() {
    on(Ground::Journal, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let letter = capture(&mut caller, failure("a")).await;
        capture(&mut caller, failure("b")).await;
        capture(&mut caller, failure("b")).await;
        caller.json("/v1/letters.capture", json!({ "queue_name": "dead", "letters": [] })).await;
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [letter["id"]] })).await;
        bed.advance(Span::from_secs(90));
        let page = page(&mut caller, "/metrics").await.text();
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
    })
    .await;
}

/// The lines of requests to keep letters.
async fn persisted(caller: &mut Caller) -> Vec<String> {
    let page = page(caller, "/metrics").await.text();
    let lines = page.lines().filter_map(|line| line.strip_prefix("redrive_dlq_persist_total"));
    lines.map(str::to_owned).collect()
}

fn line(outcome: &str, reason: &str, count: u32) -> String {
    format!("{{outcome=\"{outcome}\",reason=\"{reason}\"}} {count}")
}

#[tokio::test]
async fn each_request_to_keep_letters_is_counted_once() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let letters = |letters: Value| json!({ "queue_name": "dead", "letters": letters });
        let captures = "/v1/letters.capture";
        caller.ok(captures, letters(json!([failure("a"), failure("b"), failure("a")]))).await;
        caller.ok(captures, letters(json!([failure("b")]))).await;
        let set = |name: &str, value: &str| json!({ "queue_name": "dead", "set": { name: value } });
        caller.ok("/v1/letters.configure", set("on_duplicate", "reject")).await;
        assert_eq!(refused(&mut caller, captures, letters(json!([failure("a")]))).await.1, "duplicate");
        caller.ok("/v1/letters.configure", set("integration_strategy", "disabled")).await;
        assert_eq!(refused(&mut caller, captures, letters(json!([failure("c")]))).await.1, "disabled");
        // What nobody can read, what is too large, what names no queue: they are requests all the same.
        let unreadable = caller.post(captures, "application/json", "{\"queue_name\": ").await;
        assert!(unreadable.status.is_client_error());
        let large = letters(json!([{ "source_id": "x", "utf8": "x".repeat(6_000_000) }]));
        assert!(caller.json(captures, large).await.status.is_client_error());
        assert_eq!(
            refused(&mut caller, captures, json!({ "queue_name": "gone", "letters": [failure("a")] })).await.0,
            404
        );
        let kept = if bed.ground() == Ground::Memory { "in_memory" } else { "persisted" };
        let mut expected = vec![line(kept, "enqueued", 1), line(kept, "merged", 1)];
        if kept == "in_memory" {
            expected.insert(0, line("persisted", "enqueued", 0));
        }
        expected.extend([
            line("rejected", "disabled", 1),
            line("rejected", "duplicate", 1),
            line("rejected", "invalid", 3),
        ]);
        let mut told = persisted(&mut caller).await;
        told.sort();
        expected.sort();
        assert_eq!(told, expected);
        let page = page(&mut caller, "/metrics").await.text();
        let conflicts = "redrive_http_requests_total{path=\"/v1/letters.capture\",code=\"409\"} 2";
        assert!(page.contains(conflicts), "{page}");
    })
    .await;
}
