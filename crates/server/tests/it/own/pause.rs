//! `queue.pause` and `queue.resume`: a paused queue grants no leases and executes all other requests.

use redrive_core::Span;
use serde_json::json;

use crate::harness::{StoreKind, contents, leased, on_each_store_with_queue, on_store_with_queue};

#[test]
fn a_paused_queue_grants_no_leases_and_executes_all_other_requests() {
    on_each_store_with_queue("q", async |server, mut caller| {
        caller.produce("q", &["a", "b", "c"]).await;
        let held = caller.lease("q", 3).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        let waiting = server.spawn_lease("q", "c", 5).await;
        caller.produce("q", &["d"]).await;
        caller.complete("q", &held[..1]).await;
        caller.retry("q", &held[1], json!({})).await;
        caller.ok("/v1/queue.extend", json!({ "queue_name": "q", "ids": [held[2].id] })).await;
        assert_eq!(caller.counts("q").await, [(3, 1, 0)]);
        assert_eq!(server.waiting_leases("q").await, 1);
        caller.ok("/v1/queue.resume", json!({ "queue_name": "q" })).await;
        assert_eq!(contents(&leased(&waiting.await.unwrap().value())), ["d", "b"]);
        caller.ok("/v1/queue.resume", json!({ "queue_name": "q" })).await;
    });
}

#[test]
fn a_lease_on_a_paused_queue_ends_at_its_request_timeout() {
    on_each_store_with_queue("q", async |server, mut caller| {
        caller.produce("q", &["a"]).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        let waiting = server.spawn_lease("q", "c", 5).await;
        server.advance(Span::from_mins(1));
        let message = "request timeout; no items are in the queue, try again".to_owned();
        assert_eq!(waiting.await.unwrap().rejection(), (454, message));
    });
}

#[test]
fn a_pause_survives_a_restart_and_an_update() {
    on_store_with_queue(StoreKind::Journal, "q", async |mut server, mut caller| {
        caller.produce("q", &["a"]).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        caller.update("q", json!({ "max_attempts": 9 })).await;
        server.restart().await;
        let mut caller = server.caller().await;
        let waiting = server.spawn_lease("q", "c", 5).await;
        assert!(!waiting.is_finished());
        caller.ok("/v1/queue.resume", json!({ "queue_name": "q" })).await;
        assert_eq!(contents(&leased(&waiting.await.unwrap().value())), ["a"]);
    });
}
