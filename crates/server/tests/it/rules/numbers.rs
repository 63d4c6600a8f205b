//! R16, R17, R28, R30: counters, ages, performance with a backlog, and metric labels.

use redrive_core::Span;
use serde_json::json;

use crate::harness::{Caller, StoreKind, on_each_store_with_caller, on_store_with_caller, on_store_with_queue};

#[test]
fn r16_counters_are_exact_after_every_operation() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("q", json!({ "requested_partitions": 2, "max_attempts": 3 })).await;
        caller.produce_many("q", 4).await;
        caller.produce_many("q", 3).await;
        assert_eq!(caller.counts("q").await, [(4, 0, 0), (3, 0, 0)], "produce");
        let held = caller.lease("q", 3).await;
        assert_eq!((held[0].partition, caller.counts("q").await), (0, vec![(4, 3, 0), (3, 0, 0)]), "lease");
        caller.complete("q", &held[..1]).await;
        assert_eq!(caller.counts("q").await, [(3, 2, 0), (3, 0, 0)], "complete");
        caller.retry("q", &held[1], json!({ "retry_at": "2026-11-15T13:00:00Z" })).await;
        assert_eq!(caller.counts("q").await, [(2, 1, 1), (3, 0, 0)], "scheduled retry");
        server.advance(Span::from_micros(60_000_001));
        assert_eq!(caller.counts("q").await, [(2, 0, 1), (3, 0, 0)], "lease expiry");
        let import = json!({ "queue_name": "q", "partition": 1, "items": [{}, {}] });
        caller.ok("/v1/storage/items.import", import).await;
        assert_eq!(caller.counts("q").await, [(2, 0, 1), (5, 0, 0)], "import");
        let id = caller.items("q", 1).await[0]["id"].clone();
        caller.ok("/v1/storage/items.delete", json!({ "queue_name": "q", "partition": 1, "ids": [id] })).await;
        assert_eq!(caller.counts("q").await, [(2, 0, 1), (4, 0, 0)], "delete");
        server.advance(Span::from_hours(1));
        assert_eq!(caller.counts("q").await, [(3, 0, 0), (4, 0, 0)], "promotion");
        let held = caller.lease_one("q").await;
        caller.retry("q", &held, json!({ "dead": true })).await;
        assert_eq!(caller.counts("q").await, [(3, 0, 0), (3, 0, 0)], "death");
        assert_eq!(caller.counts("dead").await, [(1, 0, 0)], "arrival");
        caller.ok("/v1/queue.clear", json!({ "queue_name": "q", "queue": true })).await;
        assert_eq!(caller.counts("q").await, [(0, 0, 0), (0, 0, 0)], "clear");
        let stats = caller.stats("q").await;
        assert_eq!(stats["partitions"][1]["partition"], 1, "each partition has its number");
    });
}

#[test]
fn r17_the_leased_age_is_the_age_of_the_leased_items() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "lease_timeout": "10m" })).await;
        caller.produce("q", &["a"]).await;
        server.advance(Span::from_secs(30));
        caller.lease_one("q").await;
        assert_eq!(caller.stats("q").await["partitions"][0]["average_leased_age"], "30s");
        server.advance(Span::from_secs(30));
        assert_eq!(caller.stats("q").await["partitions"][0]["average_leased_age"], "1m0s", "the age grows");
    });
}

/// The shortest time of several rounds of ten cycles, since the machine may be busy with other work.
#[expect(clippy::disallowed_methods, reason = "the test measures a duration")]
async fn cycles(caller: &mut Caller, queue: &str) -> std::time::Duration {
    let mut rounds = Vec::new();
    for _ in 0..15 {
        let begin = std::time::Instant::now();
        for _ in 0..10 {
            caller.produce("q", &["x"]).await;
            let held = caller.lease(queue, 1).await;
            caller.stats(queue).await;
            caller.complete(queue, &held).await;
        }
        rounds.push(begin.elapsed());
    }
    rounds.into_iter().min().unwrap()
}

#[test]
fn r28_a_backlog_does_not_slow_anything_down() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        let empty = cycles(&mut caller, "q").await;
        for _ in 0..20 {
            caller.produce_many("q", 1_000).await;
        }
        let full = cycles(&mut caller, "q").await;
        assert!(full < empty * 3, "{full:?} with a backlog of 20 000, {empty:?} without");
    });
}

#[test]
fn r30_labels_are_known_paths_or_other() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        for path in ["/v1/secret.path", "/v1/queue.produce/../x", "/other"] {
            assert_eq!(caller.rejection(path, json!({})).await.0, 501);
        }
        caller.create("a\"b\\c", json!({})).await;
        let page = caller.page("/metrics").await.text();
        assert!(!page.contains("secret") && !page.contains("/other"), "{page}");
        assert!(page.contains("# TYPE http_handler_duration summary"), "{page}");
        assert!(page.contains("http_handler_duration{path=\"other\",quantile="), "{page}");
        assert!(page.contains("http_handler_duration_count{path=\"/v1/queues.create\"} 1"), "{page}");
        assert!(page.contains("redrive_http_requests_total{path=\"other\",code=\"501\"} 3"), "{page}");
        let series = |name: &str| page.lines().filter(|line| line.starts_with(name)).count();
        assert_eq!(series("redrive_http_requests_total"), 2, "a series starts with its first request");
        assert_eq!(series("http_handler_duration_count"), 2, "{page}");
        assert!(page.contains(r#"queue="a\"b\\c""#), "a name cannot break out of its label: {page}");
    });
}
