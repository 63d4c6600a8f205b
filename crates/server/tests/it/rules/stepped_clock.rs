//! The wall clock is stepped back or forward while requests wait.

use redrive_core::Span;
use redrive_store::Clock;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::harness::{Response, TestServer, contents, leased, on_each_store_with_queue};

const MINUTE: Span = Span::from_mins(1);
const INSTANT: Span = Span::from_micros(1);
const HOUR: Span = Span::from_hours(1);

/// Starts a produce on a frozen queue, so that the store does not answer it.
async fn producing(server: &TestServer) -> JoinHandle<Response> {
    let mut caller = server.caller().await;
    caller.create("still", json!({})).await;
    server.freeze("still").await;
    let produce = json!({ "queue_name": "still", "request_timeout": "1m", "items": [{}] });
    let produce = server.spawn_call("/v1/queue.produce", produce).await;
    while caller.stats("still").await["produce_waiting"] != 1 {
        tokio::task::yield_now().await;
    }
    produce
}

#[test]
fn requests_time_out_even_if_the_clock_is_stepped_back() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let lease = server.spawn_lease("q", "c", 1).await;
        let produce = producing(&server).await;
        server.clock.step(server.clock.now().saturating_sub(HOUR));
        server.advance(MINUTE.saturating_sub(INSTANT));
        caller.ok("/v1/queues.list", json!({})).await;
        assert!(!lease.is_finished() && !produce.is_finished());
        server.advance(INSTANT);
        let message = "request timeout; no items are in the queue, try again".to_owned();
        assert_eq!(lease.await.unwrap().rejection(), (454, message));
        assert_eq!(produce.await.unwrap().status, 454);
    });
}

#[test]
fn no_request_times_out_early_if_the_clock_is_stepped_forward() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let lease = server.spawn_lease("q", "c", 1).await;
        let produce = producing(&server).await;
        server.clock.step(server.clock.now().saturating_add(HOUR));
        assert_eq!(server.waiting_leases("q").await, 1);
        caller.produce("q", &["a"]).await;
        assert_eq!(contents(&leased(&lease.await.unwrap().value())), ["a"]);
        server.unfreeze("still").await;
        assert_eq!(produce.await.unwrap().status, 200);
    });
}
