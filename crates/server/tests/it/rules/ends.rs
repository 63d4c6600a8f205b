//! R2, R3, R7, R19: requests end, are refused before they are done, and are woken.

use redrive_core::Span;
use redrive_journal::SimDisk;
use serde_json::json;

use crate::bed::{Bed, Gate, Ground, bounded, contents, each, leased, on};

#[tokio::test]
async fn r02_a_produce_ends_with_its_time_when_the_disk_does_not_answer() {
    bounded(async {
        let (disk, gate) = (SimDisk::new(), Gate::default());
        let bed = Bed::on_disk(gate.disk(&disk)).await;
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        gate.shut();
        let produce = |timeout: &str| json!({ "queue_name": "q", "request_timeout": timeout, "items": [{}] });
        let clear = bed.calling("/v1/queue.clear", json!({ "queue_name": "q", "queue": true })).await;
        let produce = bed.calling("/v1/queue.produce", produce("10s")).await;
        tokio::task::spawn_blocking({
            let gate = gate.clone();
            move || gate.until_somebody_waits()
        })
        .await
        .unwrap();
        while !produce.is_finished() {
            bed.advance(Span::from_secs(10));
            tokio::task::yield_now().await;
        }
        let (code, message) = produce.await.unwrap().refusal();
        assert!(code == 454 && message.starts_with("request timeout; outcome unknown, "), "{code} {message}");
        while !clear.is_finished() {
            bed.advance(Span::from_mins(5));
            tokio::task::yield_now().await;
        }
        let (code, message) = clear.await.unwrap().refusal();
        assert!(code == 454 && message.starts_with("request timeout; outcome unknown, "), "{code} {message}");
        gate.open();
    })
    .await;
}

#[tokio::test]
async fn r02_the_request_of_a_client_that_vanished_is_dropped() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let waiting = bed.leasing("q", "c", 1).await;
        waiting.abort();
        bed.until_waiting("q", 0).await;
        while caller.stats("q").await.get("in_flight").is_some() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn r03_a_bad_accept_header_is_refused_before_the_call_runs() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let mut strange = bed.caller().await;
        strange.headers.insert("accept", http::HeaderValue::from_static("text/html"));
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] });
        assert_eq!(strange.refused("/v1/queue.produce", produce).await.0, 455);
        assert_eq!(strange.refused("/v1/queues.delete", json!({ "queue_name": "q" })).await.0, 455);
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    })
    .await;
}

/// Makes an item available in a way of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Produce,
    Retry,
    LeaseExpiry,
    Schedule,
    ScheduledRetry,
    Import,
    Death,
    Resume,
}

#[tokio::test]
async fn r07_a_waiting_lease_is_woken_by_all_that_makes_an_item_available() {
    use Way::{Death, Import, LeaseExpiry, Produce, Resume, Retry, Schedule, ScheduledRetry};
    each(async |bed| {
        for way in [Produce, Retry, LeaseExpiry, Schedule, ScheduledRetry, Import, Death, Resume] {
            let mut caller = bed.caller().await;
            let queue = format!("{way:?}");
            caller.create(&queue, json!({ "requested_partitions": 3, "lease_timeout": "10s" })).await;
            let source = format!("{way:?}-source");
            caller.create(&source, json!({ "dead_queue": queue })).await;
            let now = bed.clock_now();
            let soon = now.saturating_add(Span::from_secs(5)).to_string();
            let needs_held = [Retry, LeaseExpiry, ScheduledRetry].contains(&way);
            let from = if way == Death { &source } else { &queue };
            let mut held = Vec::new();
            if needs_held || way == Death {
                caller.produce(from, &["x"]).await;
                held = caller.lease(from, 1).await;
            }
            if way == Schedule {
                caller.produce_items(&queue, json!([{ "utf8": "x", "enqueue_at": soon }])).await;
            }
            if way == Resume {
                caller.ok("/v1/queue.pause", json!({ "queue_name": queue })).await;
                caller.produce(&queue, &["x"]).await;
            }
            let waiting = bed.leasing(&queue, "c", 1).await;
            match way {
                Produce => caller.produce(&queue, &["x"]).await,
                Retry => caller.retry(&queue, &held[0], json!({})).await,
                LeaseExpiry => bed.advance(Span::from_micros(10_000_001)),
                Schedule => bed.advance(Span::from_secs(5)),
                ScheduledRetry => {
                    caller.retry(&queue, &held[0], json!({ "retry_at": soon })).await;
                    bed.advance(Span::from_secs(5));
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
            assert_eq!(contents(&items), ["x"], "{way:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn r19_a_queue_that_stands_still_holds_up_no_other() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("still", json!({})).await;
        caller.create_with_dead("q", json!({})).await;
        bed.stand_still("still").await;
        let produce = json!({ "queue_name": "still", "request_timeout": "1m", "items": [{}] });
        let held = bed.calling("/v1/queue.produce", produce).await;
        caller.produce("q", &["a"]).await;
        let item = caller.lease_one("q").await;
        caller.retry("q", &item, json!({ "dead": true })).await;
        caller.update("still", json!({ "max_attempts": 2 })).await;
        assert_eq!(caller.info("still").await["max_attempts"], 2);
        bed.go_on("still").await;
        assert_eq!(held.await.unwrap().status, 200);
    })
    .await;
}

/// Updates, deletions and deaths of the same queues at once: each is answered.
#[tokio::test]
async fn r19_updates_and_deletions_do_not_deadlock_with_dying_items() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create_with_dead("q", json!({ "max_attempts": 1, "lease_timeout": "1s" })).await;
        let mut calls = Vec::new();
        for round in 0..20 {
            caller.produce("q", &["a", "b"]).await;
            caller.lease("q", 2).await;
            let dead = if round % 2 == 0 { "" } else { "dead" };
            let update = json!({ "queue_name": "q", "max_attempts": 1, "dead_queue": dead });
            calls.push(bed.calling("/v1/queues.update", update).await);
            calls.push(bed.calling("/v1/queue.stats", json!({ "queue_name": "dead" })).await);
            calls.push(bed.calling("/v1/queues.delete", json!({ "queue_name": "dead" })).await);
            bed.advance(Span::from_secs(2));
            for call in calls.drain(..) {
                let status = call.await.unwrap().status.as_u16();
                assert!(status == 200 || status == 400, "{status}");
            }
            let create = json!({
                "queue_name": "dead", "lease_timeout": "1m", "expire_timeout": "24h", "requested_partitions": 1,
            });
            caller.json("/v1/queues.create", create).await;
            caller.update("q", json!({ "max_attempts": 1, "dead_queue": "dead" })).await;
        }
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    })
    .await;
}

#[tokio::test]
async fn r20_no_number_of_partitions_is_lost_and_none_can_panic() {
    each(async |bed| {
        let mut caller = bed.caller().await;
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
            let queue = json!({
                "queue_name": "q", "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": count,
            });
            assert_eq!(caller.refused("/v1/queues.create", queue).await.0, 400, "{count}");
        }
    })
    .await;
}
