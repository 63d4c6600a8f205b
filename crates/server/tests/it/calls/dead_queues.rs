//! When an item dies, and how it moves to the dead queue.

use serde_json::json;

use crate::harness::on_each_store_with_caller;
use redrive_core::Span;

#[test]
fn a_dead_item_gets_a_new_id_and_keeps_its_content() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("dead", json!({ "expire_timeout": "100h" })).await;
        caller.create("q", json!({ "dead_queue": "dead", "max_attempts": 5 })).await;
        let item = json!({ "reference": "r", "encoding": "e", "kind": "k", "bytes": "AP8=" });
        caller.produce_items("q", json!([item])).await;
        let held = caller.lease_one("q").await;
        server.advance(Span::from_secs(10));
        caller.retry("q", &held, json!({ "dead": true })).await;
        let mut there = caller.items("dead", 0).await.remove(0);
        assert_ne!(there["id"], held.id.as_str());
        there["id"] = json!("new");
        let expected = json!({
            "id": "new", "source_id": held.id, "lease_deadline": "0001-01-01T00:00:00Z",
            "expire_deadline": "0001-01-01T00:00:00Z", "created_at": "2026-11-15T12:00:10Z", "max_attempts": 5,
            "reference": "r", "encoding": "e", "kind": "k", "payload": "AP8=",
        });
        assert_eq!(there, expected);
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    });
}

#[test]
fn max_attempts_of_the_queue_applies_not_that_of_the_item() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create_with_dead("q", json!({ "max_attempts": 3 })).await;
        caller
            .ok(
                "/v1/storage/items.import",
                json!({ "queue_name": "q", "items": [{ "max_attempts": 1, "attempts": 1 }] }),
            )
            .await;
        let held = caller.lease_one("q").await;
        caller.retry("q", &held, json!({})).await;
        let held = caller.lease_one("q").await;
        assert_eq!(held.attempts, 3, "after two attempts the item is retried");
        caller.retry("q", &held, json!({})).await;
        assert_eq!((caller.counts("q").await, caller.counts("dead").await), (vec![(0, 0, 0)], vec![(1, 0, 0)]));
    });
}

#[test]
fn without_max_attempts_an_item_is_retried_without_limit() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("q", json!({})).await;
        caller.produce("q", &["a"]).await;
        for attempt in 1..=20 {
            let held = caller.lease_one("q").await;
            assert_eq!(held.attempts, attempt);
            if attempt % 2 == 0 {
                caller.retry("q", &held, json!({})).await;
            } else {
                server.advance(Span::from_micros(60_000_001));
            }
        }
        assert_eq!(caller.counts("dead").await, [(0, 0, 0)]);
    });
}

#[test]
fn without_a_dead_queue_a_dead_item_is_deleted() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "max_attempts": 1, "expire_timeout": "1h" })).await;
        caller.produce("q", &["retried"]).await;
        let held = caller.lease_one("q").await;
        caller.retry("q", &held, json!({})).await;
        caller.produce("q", &["lost"]).await;
        caller.lease_one("q").await;
        server.advance(Span::from_micros(60_000_001));
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
        caller.produce("q", &["expired"]).await;
        server.advance(Span::from_hours(1));
        assert_eq!(caller.counts("q").await, [(1, 0, 0)], "an item expires after its deadline, not at it");
        server.advance(Span::from_micros(1));
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    });
}

#[test]
fn a_scheduled_item_does_not_expire() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "expire_timeout": "1h" })).await;
        caller.produce_items("q", json!([{ "utf8": "x", "enqueue_at": "2026-11-18T12:00:00Z" }])).await;
        server.advance(Span::from_hours(71));
        assert_eq!(caller.counts("q").await, [(0, 0, 1)]);
        server.advance(Span::from_hours(1));
        assert_eq!(caller.lease_one("q").await.payload, "x");
    });
}

#[test]
fn queues_can_share_a_dead_queue_and_a_duplicate_source_id_is_dropped() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("dead", json!({ "requested_partitions": 2 })).await;
        for queue in ["one", "two"] {
            caller.create(queue, json!({ "dead_queue": "dead" })).await;
            caller.produce(queue, &[queue]).await;
        }
        let held = [caller.lease_one("one").await, caller.lease_one("two").await];
        let twin = json!({ "source_id": held[0].id });
        caller.ok("/v1/storage/items.import", json!({ "queue_name": "dead", "partition": 1, "items": [twin] })).await;
        for (queue, held) in ["one", "two"].into_iter().zip(&held) {
            caller.retry(queue, held, json!({ "dead": true })).await;
            assert_eq!(caller.counts(queue).await, [(0, 0, 0)], "{queue}");
        }
        let all = [caller.items("dead", 0).await, caller.items("dead", 1).await].concat();
        let mut sources: Vec<&str> = all.iter().map(|item| item["source_id"].as_str().unwrap()).collect();
        sources.sort_unstable();
        let mut expected = [held[0].id.as_str(), held[1].id.as_str()];
        expected.sort_unstable();
        assert_eq!(sources, expected);
    });
}
