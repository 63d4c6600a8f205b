//! A paused queue says so: in `status.queues`, in metrics and in the answer of a claim.

use redrive_core::Span;
use redrive_proto::redrive::v1::QueueClaimResponse;
use serde_json::json;

use super::{queue, status};
use crate::harness::on_each_store_with_queue;

#[test]
fn a_paused_queue_is_shown_as_paused() {
    on_each_store_with_queue("orders", async |_server, mut caller| {
        caller.create("other", json!({})).await;
        assert!(!queue(&mut caller, "orders").await.is_paused);
        caller.ok("/v1/queue.pause", json!({ "queue_name": "orders" })).await;
        assert!(queue(&mut caller, "orders").await.is_paused);
        assert_eq!(status(&mut caller, json!({})).await.totals.unwrap().paused, 1);
        let page = caller.page("/metrics").await.text();
        assert!(page.contains("redrive_queue_paused{queue=\"orders\"} 1\n"), "{page}");
        assert!(page.contains("redrive_queue_paused{queue=\"other\"} 0\n"), "{page}");
    });
}

#[test]
fn a_claim_that_a_pause_prevents_is_answered_with_it_at_its_timeout() {
    on_each_store_with_queue("orders", async |server, mut caller| {
        caller.produce("orders", &["a"]).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "orders" })).await;
        let claim = json!({ "queue_name": "orders", "batch_size": 1, "request_timeout": "1m" });
        let waiting = server.spawn_call("/v1/queue.claim", claim.clone()).await;
        server.until_waiting_leases("orders", 1).await;
        server.advance(Span::from_mins(1));
        let answer = waiting.await.unwrap();
        assert_eq!(answer.value(), json!({ "queue_name": "orders", "is_paused": true }));

        let waiting = server.spawn_call("/v1/queue.claim", claim.clone()).await;
        server.until_waiting_leases("orders", 1).await;
        caller.ok("/v1/queue.resume", json!({ "queue_name": "orders" })).await;
        let claimed: QueueClaimResponse = waiting.await.unwrap().read();
        assert_eq!((claimed.items.len(), claimed.is_paused), (1, false), "it was resumed in time");

        let waiting = server.spawn_call("/v1/queue.claim", claim).await;
        server.until_waiting_leases("orders", 1).await;
        server.advance(Span::from_mins(1));
        let message = "request timeout; no items are in the queue, try again".to_owned();
        assert_eq!(waiting.await.unwrap().rejection(), (454, message), "a queue that is not paused");
    });
}
