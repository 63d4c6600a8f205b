//! `queue.stats` and `queue.reload`.

use serde_json::json;

use crate::harness::{StoreKind, on_each_store_with_caller, on_each_store_with_queue, on_store_with_caller};
use redrive_core::Span;

#[test]
fn ages_are_averages_over_the_counted_items() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "lease_timeout": "10m" })).await;
        caller.produce("q", &["old"]).await;
        server.advance(Span::from_mins(2));
        caller.lease_one("q").await;
        caller.produce_items("q", json!([{ "utf8": "new" }, { "enqueue_at": "2026-11-15T14:00:00Z" }])).await;
        server.advance(Span::from_mins(1));
        let partition = caller.stats("q").await["partitions"][0].clone();
        let expected = json!({
            "total": 2, "total_leased": 1, "scheduled": 1, "average_age": "2m0s", "average_leased_age": "3m0s",
        });
        assert_eq!(partition, expected);
    });
}

#[test]
fn held_requests_are_counted_by_kind() {
    on_each_store_with_queue("q", async |server, mut caller| {
        caller.produce("q", &["a", "b"]).await;
        let held = caller.lease("q", 2).await;
        server.freeze("q").await;
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] });
        let calls = [
            ("/v1/queue.produce", produce),
            ("/v1/queue.complete", json!({ "queue_name": "q", "request_timeout": "1m", "ids": [held[0].id] })),
            ("/v1/queue.retry", json!({ "queue_name": "q", "items": [{ "id": held[1].id }] })),
        ];
        let lease = server.spawn_lease("q", "c", 1).await;
        let mut waiting = Vec::new();
        for (path, body) in calls {
            waiting.push(server.spawn_call(path, body).await);
        }
        let mut stats = caller.stats("q").await;
        while stats["in_flight"] != 4 {
            stats = caller.stats("q").await;
        }
        let counts = ["produce_waiting", "lease_waiting", "complete_waiting"].map(|kind| stats[kind].as_u64());
        assert_eq!(counts, [Some(1); 3]);
        server.unfreeze("q").await;
        for call in waiting.into_iter().chain([lease]) {
            assert_eq!(call.await.unwrap().status, 200);
        }
        let stats = caller.stats("q").await;
        assert_eq!(
            stats.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["partitions"],
            "all counts are zero: {stats}"
        );
    });
}

#[test]
fn reload_changes_nothing() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        caller.produce("q", &["a", "b"]).await;
        caller.lease_one("q").await;
        let before = caller.stats("q").await;
        assert_eq!(caller.ok("/v1/queue.reload", json!({ "queue_name": "q" })).await, json!({ "code": 200 }));
        assert_eq!(caller.stats("q").await, before);
    });
}
