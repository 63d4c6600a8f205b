//! R4, R5, R6, R8, R9: leases, attempts and expiry of an item.

use redrive_core::Span;
use serde_json::json;

use crate::harness::{contents, on_each_store_with_caller};

const INSTANT: Span = Span::from_micros(1);

#[test]
fn r04_a_lease_protects_its_item_until_its_deadline() {
    on_each_store_with_caller(async |server, mut caller| {
        let settings = json!({ "max_attempts": 1, "lease_timeout": "10m", "expire_timeout": "15m" });
        caller.create_with_dead("q", settings).await;
        caller.produce("q", &["a"]).await;
        server.advance(Span::from_mins(10));
        let held = caller.lease_one("q").await;
        for _ in 0..10 {
            server.advance(Span::from_mins(1));
            caller.produce("q", &["other"]).await;
            assert_eq!(caller.counts("dead").await, [(0, 0, 0)], "a leased item neither expires nor dies");
        }
        caller.complete("q", &[held]).await;
        assert_eq!(caller.counts("dead").await, [(0, 0, 0)]);
    });
}

#[test]
fn r05_retry_honours_max_attempts() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create_with_dead("q", json!({ "max_attempts": 2 })).await;
        caller.produce("q", &["a"]).await;
        for how in [json!({}), json!({ "retry_at": "2026-11-15T13:00:00Z" })] {
            let held = caller.lease_one("q").await;
            caller.retry("q", &held, how).await;
        }
        assert_eq!(caller.counts("q").await, [(0, 0, 0)], "a retry with a later time is no exception");
        assert_eq!(caller.counts("dead").await, [(1, 0, 0)]);
    });
}

#[test]
fn r06_dead_goes_to_the_dead_queue_or_is_deleted() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create_with_dead("q", json!({})).await;
        caller.create("bare", json!({})).await;
        for queue in ["q", "bare"] {
            caller.produce(queue, &[queue]).await;
            let held = caller.lease_one(queue).await;
            caller.retry(queue, &held, json!({ "dead": true })).await;
            assert_eq!(caller.counts(queue).await, [(0, 0, 0)]);
        }
        assert_eq!(contents(&caller.lease("dead", 9).await), ["q"]);
    });
}

#[test]
fn r08_retry_uses_the_clock_of_the_server() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "expire_timeout": "999999h" })).await;
        // `retry_at` below is in the future by the wall clock and in the past by the server's clock.
        server.advance(Span::from_days(3_650));
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        caller.retry("q", &held, json!({ "retry_at": "2036-01-01T00:00:00Z" })).await;
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    });
}

#[test]
fn r09_the_expiry_of_a_scheduled_item_counts_from_its_due_time() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "expire_timeout": "1h" })).await;
        caller.produce_items("q", json!([{ "utf8": "x", "enqueue_at": "2026-11-15T15:00:00Z" }])).await;
        assert_eq!(caller.scheduled("q", 0).await[0]["expire_deadline"], "2026-11-15T16:00:00Z");
        server.advance(Span::from_hours(4));
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
        server.advance(INSTANT);
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    });
}
