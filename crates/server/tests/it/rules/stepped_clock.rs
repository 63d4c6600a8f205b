//! The machine's clock is stepped back or forward while requests are under way.

use redrive_core::Span;
use redrive_store::Clock;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::bed::{Bed, Heard, contents, each, leased};

const MINUTE: Span = Span::from_mins(1);
const INSTANT: Span = Span::from_micros(1);
const HOUR: Span = Span::from_hours(1);

/// A produce that its store does not answer.
async fn producing(bed: &Bed) -> JoinHandle<Heard> {
    let mut caller = bed.caller().await;
    caller.create("still", json!({})).await;
    bed.stand_still("still").await;
    let produce = json!({ "queue_name": "still", "request_timeout": "1m", "items": [{}] });
    let produce = bed.calling("/v1/queue.produce", produce).await;
    while caller.stats("still").await["produce_waiting"] != 1 {
        tokio::task::yield_now().await;
    }
    produce
}

#[tokio::test]
async fn requests_end_after_their_timeout_though_the_clock_was_stepped_back() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let lease = bed.leasing("q", "c", 1).await;
        let produce = producing(&bed).await;
        bed.clock.step(bed.clock.now().saturating_sub(HOUR));
        bed.advance(MINUTE.saturating_sub(INSTANT));
        caller.ok("/v1/queues.list", json!({})).await;
        assert!(!lease.is_finished() && !produce.is_finished());
        bed.advance(INSTANT);
        let message = "request timeout; no items are in the queue, try again".to_owned();
        assert_eq!(lease.await.unwrap().refusal(), (454, message));
        assert_eq!(produce.await.unwrap().status, 454);
    })
    .await;
}

#[tokio::test]
async fn no_request_times_out_early_where_the_clock_is_stepped_forward() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let lease = bed.leasing("q", "c", 1).await;
        let produce = producing(&bed).await;
        bed.clock.step(bed.clock.now().saturating_add(HOUR));
        assert_eq!(bed.waiting("q").await, 1);
        caller.produce("q", &["a"]).await;
        assert_eq!(contents(&leased(&lease.await.unwrap().value())), ["a"]);
        bed.go_on("still").await;
        assert_eq!(produce.await.unwrap().status, 200);
    })
    .await;
}
