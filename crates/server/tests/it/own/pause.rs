//! A paused queue gives no leases, and all else goes on.

use redrive_core::Span;
use serde_json::json;

use crate::bed::{Ground, contents, each, leased, on};

#[tokio::test]
async fn a_paused_queue_gives_no_leases_and_does_all_else() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce("q", &["a", "b", "c"]).await;
        let held = caller.lease("q", 3).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        let waiting = bed.leasing("q", "c", 5).await;
        caller.produce("q", &["d"]).await;
        caller.complete("q", &held[..1]).await;
        caller.retry("q", &held[1], json!({})).await;
        caller.ok("/v1/queue.extend", json!({ "queue_name": "q", "ids": [held[2].id] })).await;
        assert_eq!(caller.counts("q").await, [(3, 1, 0)]);
        assert_eq!(bed.waiting("q").await, 1);
        caller.ok("/v1/queue.resume", json!({ "queue_name": "q" })).await;
        assert_eq!(contents(&leased(&waiting.await.unwrap().value())), ["d", "b"]);
        caller.ok("/v1/queue.resume", json!({ "queue_name": "q" })).await;
    })
    .await;
}

#[tokio::test]
async fn a_lease_at_a_paused_queue_ends_with_its_time() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce("q", &["a"]).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        let waiting = bed.leasing("q", "c", 5).await;
        bed.advance(Span::from_mins(1));
        let message = "request timeout; no items are in the queue, try again".to_owned();
        assert_eq!(waiting.await.unwrap().refusal(), (454, message));
    })
    .await;
}

#[tokio::test]
async fn a_pause_outlives_a_restart_and_an_update() {
    on(Ground::Journal, async |mut bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce("q", &["a"]).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        caller.update("q", json!({ "max_attempts": 9 })).await;
        bed.restart().await;
        let mut caller = bed.caller().await;
        let waiting = bed.leasing("q", "c", 5).await;
        assert!(!waiting.is_finished());
        caller.ok("/v1/queue.resume", json!({ "queue_name": "q" })).await;
        assert_eq!(contents(&leased(&waiting.await.unwrap().value())), ["a"]);
    })
    .await;
}
