//! `queue.retry`.

use serde_json::json;

use crate::harness::{contents, on_each_store_with_caller, on_each_store_with_queue};
use redrive_core::Span;

#[test]
fn an_immediate_retry_gets_a_new_id_at_the_tail() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for how in [
            json!({}),
            json!({ "retry_at": "0001-01-01T00:00:00Z" }),
            json!({ "retry_at": "2026-11-15T11:00:00Z" }),
            json!({ "retry_at": "2026-11-15T12:00:00.099999Z" }),
        ] {
            caller.produce("q", &["a", "b"]).await;
            let held = caller.lease_one("q").await;
            caller.retry("q", &held, how.clone()).await;
            assert_eq!(caller.counts("q").await, [(2, 0, 0)], "{how}");
            let items = caller.lease("q", 2).await;
            assert_eq!((contents(&items), items[1].attempts), (vec!["b", "a"], 2), "{how}");
            assert!(items[1].id > held.id);
            caller.complete("q", &items).await;
        }
    });
}

#[test]
fn a_later_retry_is_scheduled_in_the_same_partition() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 3 })).await;
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        caller.retry("q", &held, json!({ "retry_at": "2026-11-15T12:00:00.1Z" })).await;
        let scheduled = caller.scheduled("q", held.partition).await;
        assert_eq!(
            (&scheduled[0]["enqueue_at"], &scheduled[0]["attempts"]),
            (&json!("2026-11-15T12:00:00.100Z"), &json!(1))
        );
        server.advance(Span::from_micros(99_999));
        assert!(caller.items("q", held.partition).await.is_empty());
        server.advance(Span::from_micros(1));
        let again = caller.lease_one("q").await;
        assert_eq!((again.partition, again.attempts, again.payload.as_str()), (held.partition, 2, "a"));
        assert_ne!(again.id, held.id);
    });
}

#[test]
fn dead_takes_precedence_over_retry_at() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        caller.retry("q", &held, json!({ "retry_at": "2026-11-15T13:00:00Z", "dead": true })).await;
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    });
}
