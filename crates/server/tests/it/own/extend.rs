//! Leases are moved on.

use redrive_core::Span;
use serde_json::{Value, json};

use crate::bed::{each, ids};

const EXTEND: &str = "/v1/queue.extend";

#[tokio::test]
async fn extend_moves_deadlines_on_and_tells_them_in_order() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce("q", &["a", "b"]).await;
        let held = caller.lease("q", 2).await;
        bed.advance(Span::from_secs(30));
        let extended = caller.ok(EXTEND, json!({ "queue_name": "q", "partition": 0, "ids": ids(&held) })).await;
        assert_eq!(extended, json!({ "lease_deadlines": ["2026-11-15T12:01:30Z", "2026-11-15T12:01:30Z"] }));
        let longer = json!({ "queue_name": "q", "ids": [held[1].id], "lease_timeout": "10m" });
        assert_eq!(caller.ok(EXTEND, longer).await, json!({ "lease_deadlines": ["2026-11-15T12:10:30Z"] }));
        bed.advance(Span::from_micros(60_000_001));
        assert_eq!(caller.counts("q").await, [(2, 1, 0)], "only the first has run out");
        caller.complete("q", &held[1..]).await;
    })
    .await;
}

#[tokio::test]
async fn extend_never_shortens_a_lease() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        let shorter = json!({ "queue_name": "q", "ids": [held.id], "lease_timeout": "1s" });
        assert_eq!(caller.ok(EXTEND, shorter).await, json!({ "lease_deadlines": ["2026-11-15T12:01:00Z"] }));
    })
    .await;
}

#[tokio::test]
async fn one_stale_id_extends_nothing() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        caller.produce("q", &["a", "b", "c"]).await;
        let held = caller.lease("q", 2).await;
        bed.advance(Span::from_secs(10));
        let ready =
            caller.items("q", 0).await.iter().find(|item| item.get("is_leased").is_none()).unwrap()["id"].clone();
        caller.complete("q", &held[1..]).await;
        let unknown = json!("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
        let stale = |id: &Value| json!({ "queue_name": "q", "ids": [held[0].id, id], "lease_timeout": "1h" });
        for id in [&json!(held[1].id), &unknown, &ready] {
            assert_eq!(caller.refused(EXTEND, stale(id)).await.0, 400, "{id}");
        }
        let elsewhere = json!({ "queue_name": "q", "partition": 1, "ids": [held[0].id], "lease_timeout": "1h" });
        let message = format!("invalid storage id; '{}' does not exist", held[0].id);
        assert_eq!(caller.refused(EXTEND, elsewhere).await, (400, message));
        assert_eq!(caller.items("q", 0).await[0]["lease_deadline"], "2026-11-15T12:01:00Z");
    })
    .await;
}

#[tokio::test]
async fn a_lease_without_end_and_without_length_is_refused() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        for length in ["0s", "-1m", "999999h"] {
            let extend = json!({ "queue_name": "q", "ids": [held.id], "lease_timeout": length });
            assert_eq!(caller.refused(EXTEND, extend).await.0, 400, "{length}");
            let claim = json!({ "queue_name": "q", "batch_size": 1, "request_timeout": "1m", "lease_timeout": length });
            assert_eq!(caller.refused("/v1/queue.claim", claim).await.0, 400, "{length}");
        }
    })
    .await;
}
