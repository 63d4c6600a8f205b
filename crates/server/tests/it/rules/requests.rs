//! R2, R3, R7, R19, R20: requests time out, are rejected before they run, are woken, and do not block each other.

use redrive_core::Span;
use serde_json::json;

use crate::harness::{
    StoreKind, contents, leased, on_each_store, on_each_store_with_caller, on_each_store_with_queue, on_gated_disk,
    on_store_with_queue, queue_settings, until_blocked,
};

#[test]
fn r02_a_produce_times_out_when_the_disk_does_not_answer() {
    on_gated_disk(async |gate, server, _caller| {
        gate.shut();
        let produce = |timeout: &str| json!({ "queue_name": "q", "request_timeout": timeout, "items": [{}] });
        let clear = server.spawn_call("/v1/queue.clear", json!({ "queue_name": "q", "queue": true })).await;
        let produce = server.spawn_call("/v1/queue.produce", produce("10s")).await;
        until_blocked(&gate).await;
        while !produce.is_finished() {
            server.advance(Span::from_secs(10));
            tokio::task::yield_now().await;
        }
        let (code, message) = produce.await.unwrap().rejection();
        assert!(code == 454 && message.starts_with("request timeout; outcome unknown, "), "{code} {message}");
        while !clear.is_finished() {
            server.advance(Span::from_mins(5));
            tokio::task::yield_now().await;
        }
        let (code, message) = clear.await.unwrap().rejection();
        assert!(code == 454 && message.starts_with("request timeout; outcome unknown, "), "{code} {message}");
        gate.open();
    });
}

#[test]
fn r02_the_request_of_a_disconnected_client_is_dropped() {
    on_store_with_queue(StoreKind::Memory, "q", async |server, mut caller| {
        let waiting = server.spawn_lease("q", "c", 1).await;
        waiting.abort();
        server.until_waiting_leases("q", 0).await;
        while caller.stats("q").await.get("in_flight").is_some() {
            tokio::task::yield_now().await;
        }
    });
}

#[test]
fn r03_a_bad_accept_header_is_rejected_before_the_call_runs() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let mut html_caller = server.caller().await;
        html_caller.headers.insert("accept", http::HeaderValue::from_static("text/html"));
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] });
        assert_eq!(html_caller.rejection("/v1/queue.produce", produce).await.0, 455);
        assert_eq!(html_caller.rejection("/v1/queues.delete", json!({ "queue_name": "q" })).await.0, 455);
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    });
}

/// The events that make an item available.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wakeup {
    Produce,
    Retry,
    LeaseExpiry,
    Schedule,
    ScheduledRetry,
    Import,
    Death,
    Resume,
}

#[test]
fn r07_a_waiting_lease_is_woken_by_every_event_that_makes_an_item_available() {
    use Wakeup::{Death, Import, LeaseExpiry, Produce, Resume, Retry, Schedule, ScheduledRetry};
    on_each_store(async |server| {
        for wakeup in [Produce, Retry, LeaseExpiry, Schedule, ScheduledRetry, Import, Death, Resume] {
            let mut caller = server.caller().await;
            let queue = format!("{wakeup:?}");
            caller.create(&queue, json!({ "requested_partitions": 3, "lease_timeout": "10s" })).await;
            let source = format!("{wakeup:?}-source");
            caller.create(&source, json!({ "dead_queue": queue })).await;
            let now = server.clock_now();
            let soon = now.saturating_add(Span::from_secs(5)).to_string();
            let needs_held = [Retry, LeaseExpiry, ScheduledRetry].contains(&wakeup);
            let from = if wakeup == Death { &source } else { &queue };
            let mut held = Vec::new();
            if needs_held || wakeup == Death {
                caller.produce(from, &["x"]).await;
                held = caller.lease(from, 1).await;
            }
            if wakeup == Schedule {
                caller.produce_items(&queue, json!([{ "utf8": "x", "enqueue_at": soon }])).await;
            }
            if wakeup == Resume {
                caller.ok("/v1/queue.pause", json!({ "queue_name": queue })).await;
                caller.produce(&queue, &["x"]).await;
            }
            let waiting = server.spawn_lease(&queue, "c", 1).await;
            match wakeup {
                Produce => caller.produce(&queue, &["x"]).await,
                Retry => caller.retry(&queue, &held[0], json!({})).await,
                LeaseExpiry => server.advance(Span::from_micros(10_000_001)),
                Schedule => server.advance(Span::from_secs(5)),
                ScheduledRetry => {
                    caller.retry(&queue, &held[0], json!({ "retry_at": soon })).await;
                    server.advance(Span::from_secs(5));
                }
                Import => {
                    let item = json!({ "payload": "eA==" });
                    let import = json!({ "queue_name": queue, "partition": 1, "items": [item] });
                    caller.ok("/v1/storage/items.import", import).await;
                }
                Death => caller.retry(&source, &held[0], json!({ "dead": true })).await,
                Resume => {
                    caller.ok("/v1/queue.resume", json!({ "queue_name": queue })).await;
                }
            }
            let items = leased(&waiting.await.unwrap().value());
            assert_eq!(contents(&items), ["x"], "{wakeup:?}");
        }
    });
}

#[test]
fn r19_a_frozen_queue_does_not_block_other_queues() {
    on_each_store_with_queue("still", async |server, mut caller| {
        caller.create_with_dead("q", json!({})).await;
        server.freeze("still").await;
        let produce = json!({ "queue_name": "still", "request_timeout": "1m", "items": [{}] });
        let held = server.spawn_call("/v1/queue.produce", produce).await;
        caller.produce("q", &["a"]).await;
        let item = caller.lease_one("q").await;
        caller.retry("q", &item, json!({ "dead": true })).await;
        caller.update("still", json!({ "max_attempts": 2 })).await;
        assert_eq!(caller.info("still").await["max_attempts"], 2);
        server.unfreeze("still").await;
        assert_eq!(held.await.unwrap().status, 200);
    });
}

/// Concurrent updates, deletions and deaths on the same queues: every request is answered.
#[test]
fn r19_updates_and_deletions_do_not_deadlock_with_dying_items() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("q", json!({ "max_attempts": 1, "lease_timeout": "1s" })).await;
        let mut calls = Vec::new();
        for round in 0..20 {
            caller.produce("q", &["a", "b"]).await;
            caller.lease("q", 2).await;
            let dead = if round % 2 == 0 { "" } else { "dead" };
            let update = json!({ "queue_name": "q", "max_attempts": 1, "dead_queue": dead });
            calls.push(server.spawn_call("/v1/queues.update", update).await);
            calls.push(server.spawn_call("/v1/queue.stats", json!({ "queue_name": "dead" })).await);
            calls.push(server.spawn_call("/v1/queues.delete", json!({ "queue_name": "dead" })).await);
            server.advance(Span::from_secs(2));
            for call in calls.drain(..) {
                let status = call.await.unwrap().status.as_u16();
                assert!(status == 200 || status == 400, "{status}");
            }
            caller.json("/v1/queues.create", queue_settings("dead", json!({}))).await;
            caller.update("q", json!({ "max_attempts": 1, "dead_queue": "dead" })).await;
        }
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    });
}

#[test]
fn r20_every_valid_number_of_partitions_works_and_an_invalid_one_is_rejected() {
    on_each_store_with_caller(async |_server, mut caller| {
        for count in [1, 2, 3, 7, 10, 100] {
            let queue = format!("q{count}");
            caller.create(&queue, json!({ "requested_partitions": count })).await;
            assert_eq!(caller.counts(&queue).await.len(), count);
            for _ in 0..count {
                caller.produce_many(&queue, 1).await;
            }
            assert_eq!(caller.counts(&queue).await, vec![(1, 0, 0); count]);
        }
        for count in [0, -1, i32::MIN, i32::MAX] {
            let queue = queue_settings("q", json!({ "requested_partitions": count }));
            assert_eq!(caller.rejection("/v1/queues.create", queue).await.0, 400, "{count}");
        }
    });
}
