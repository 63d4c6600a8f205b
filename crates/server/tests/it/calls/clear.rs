//! `queue.clear`.

use serde_json::{Value, json};

use crate::harness::{Caller, on_each_store_with_caller, on_each_store_with_queue};

/// Creates a queue of two partitions, each with a ready item, a leased item, a scheduled item and a scheduled retry.
async fn fill(caller: &mut Caller, queue: &str) {
    caller.create(queue, json!({ "requested_partitions": 2 })).await;
    for _ in 0..2 {
        caller.produce(queue, &["a", "b", "c"]).await;
    }
    for _ in 0..2 {
        let held = caller.lease(queue, 2).await;
        caller.retry(queue, &held[0], json!({ "retry_at": "2026-11-15T13:00:00Z" })).await;
    }
    for partition in [0, 1] {
        let item = json!({ "enqueue_at": "2026-11-15T13:00:00Z" });
        caller
            .ok("/v1/storage/items.import", json!({ "queue_name": queue, "partition": partition, "items": [item] }))
            .await;
    }
    assert_eq!(caller.counts(queue).await, [(2, 1, 2); 2]);
}

#[test]
fn clear_removes_only_the_named_kinds_of_items() {
    on_each_store_with_caller(async |_server, mut caller| {
        for (number, (what, left, removed)) in [
            (json!({ "queue": true }), (1, 1, 2), 2),
            (json!({ "queue": true, "destructive": true }), (0, 0, 2), 4),
            (json!({ "scheduled": true }), (2, 1, 0), 4),
            (json!({ "scheduled": true, "destructive": true }), (2, 1, 0), 4),
            (json!({ "scheduled": true, "queue": true }), (1, 1, 0), 6),
            (json!({ "scheduled": true, "queue": true, "destructive": true }), (0, 0, 0), 8),
        ]
        .into_iter()
        .enumerate()
        {
            let queue = format!("q{number}");
            fill(&mut caller, &queue).await;
            let mut clear: Value = what.clone();
            clear["queue_name"] = json!(queue);
            let cleared = json!({ "code": 200, "details": { "items": removed.to_string() } });
            assert_eq!(caller.ok("/v1/queue.clear", clear).await, cleared);
            assert_eq!(caller.counts(&queue).await, [left; 2], "{what}");
            for partition in [0, 1] {
                let (items, scheduled) =
                    (caller.items(&queue, partition).await.len(), caller.scheduled(&queue, partition).await.len());
                assert_eq!((items as u64, scheduled as u64), (left.0, left.2), "{what}");
            }
        }
    });
}

#[test]
fn an_item_cleared_while_leased_cannot_be_completed() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        caller.ok("/v1/queue.clear", json!({ "queue_name": "q", "queue": true })).await;
        assert_eq!(caller.counts("q").await, [(1, 1, 0)]);
        caller.ok("/v1/queue.clear", json!({ "queue_name": "q", "queue": true, "destructive": true })).await;
        let complete = json!({ "queue_name": "q", "request_timeout": "1m", "ids": [held.id] });
        let message = format!("invalid storage id; '{}' does not exist", held.id);
        assert_eq!(caller.rejection("/v1/queue.complete", complete).await, (400, message));
    });
}
