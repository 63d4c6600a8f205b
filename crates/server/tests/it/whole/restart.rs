//! Restart of the server on its stored data.

use redrive_core::Span;
use serde_json::json;

use crate::harness::{StoreKind, contents, on_store_with_caller};

#[test]
fn queues_and_items_survive_a_restart() {
    on_store_with_caller(StoreKind::Journal, async |mut server, mut caller| {
        caller.create_with_dead("q", json!({ "requested_partitions": 3, "max_attempts": 2, "reference": "r" })).await;
        caller.produce("q", &["a", "b"]).await;
        caller.produce_items("q", json!([{ "utf8": "later", "enqueue_at": "2026-11-15T12:10:00Z" }])).await;
        let held = caller.lease("q", 2).await;
        caller.retry("q", &held[0], json!({ "dead": true })).await;
        let mut before = Vec::new();
        for queue in ["q", "dead"] {
            before.push(json!([caller.info(queue).await, caller.stats(queue).await]));
            for partition in 0..caller.counts(queue).await.len() {
                let partition = i32::try_from(partition).unwrap();
                before.push(json!([caller.items(queue, partition).await, caller.scheduled(queue, partition).await]));
            }
        }
        server.restart().await;
        let mut caller = server.caller().await;
        let mut after = Vec::new();
        for queue in ["q", "dead"] {
            after.push(json!([caller.info(queue).await, caller.stats(queue).await]));
            for partition in 0..caller.counts(queue).await.len() {
                let partition = i32::try_from(partition).unwrap();
                after.push(json!([caller.items(queue, partition).await, caller.scheduled(queue, partition).await]));
            }
        }
        assert_eq!(before, after);
        caller.complete("q", &held[1..]).await;
        server.advance(Span::from_mins(10));
        assert_eq!(contents(&caller.lease("q", 9).await), ["later"]);
        assert_eq!(contents(&caller.lease("dead", 9).await), ["a"]);
    });
}

#[test]
fn events_that_were_due_while_the_server_was_down_happen_after_the_restart() {
    on_store_with_caller(StoreKind::Journal, async |mut server, mut caller| {
        caller.create_with_dead("q", json!({ "expire_timeout": "1h" })).await;
        caller.produce("q", &["expires"]).await;
        caller.produce_items("q", json!([{ "utf8": "scheduled", "enqueue_at": "2026-11-15T13:59:00Z" }])).await;
        caller.produce("q", &["held"]).await;
        caller.lease("q", 1).await;
        server.stop().await;
        server.advance(Span::from_hours(2));
        server.restart().await;
        let mut caller = server.caller().await;
        assert_eq!(contents(&caller.lease("q", 9).await), ["scheduled"]);
        let mut dead: Vec<String> = caller.lease("dead", 9).await.into_iter().map(|item| item.payload).collect();
        dead.sort();
        assert_eq!(dead, ["expires", "held"]);
    });
}
