//! `queue.extend`.

use redrive_core::Span;
use serde_json::{Value, json};

use crate::harness::{ids, on_each_store_with_caller, on_each_store_with_queue};

const EXTEND: &str = "/v1/queue.extend";

#[test]
fn extend_returns_the_new_deadlines_in_the_order_of_the_request() {
    on_each_store_with_queue("q", async |server, mut caller| {
        caller.produce("q", &["a", "b"]).await;
        let held = caller.lease("q", 2).await;
        server.advance(Span::from_secs(30));
        let extended = caller.ok(EXTEND, json!({ "queue_name": "q", "partition": 0, "ids": ids(&held) })).await;
        let minute = json!({ "lease_deadline": "2026-11-15T12:01:30Z" });
        assert_eq!(extended, json!({ "items": [minute, minute] }));
        let longer = json!({ "queue_name": "q", "ids": [held[1].id], "lease_timeout": "10m" });
        let extended = caller.ok(EXTEND, longer).await;
        assert_eq!(extended, json!({ "items": [{ "lease_deadline": "2026-11-15T12:10:30Z" }] }));
        server.advance(Span::from_micros(60_000_001));
        assert_eq!(caller.counts("q").await, [(2, 1, 0)], "only the first lease has expired");
        caller.complete("q", &held[1..]).await;
    });
}

#[test]
fn extend_never_shortens_a_lease() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        let shorter = json!({ "queue_name": "q", "ids": [held.id], "lease_timeout": "1s" });
        let extended = caller.ok(EXTEND, shorter).await;
        assert_eq!(extended, json!({ "items": [{ "lease_deadline": "2026-11-15T12:01:00Z" }] }));
    });
}

#[test]
fn a_stale_id_is_rejected_and_the_other_ids_are_extended() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        caller.produce("q", &["a", "b", "c", "d"]).await;
        let held = caller.lease("q", 3).await;
        server.advance(Span::from_secs(10));
        let ready =
            caller.items("q", 0).await.iter().find(|item| item.get("is_leased").is_none()).unwrap()["id"].clone();
        caller.complete("q", &held[1..2]).await;
        let gone =
            |id: &str| (format!("invalid storage id; '{id}' does not exist"), "no_such_item", json!({ "id": id }));
        let unknown = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";
        let not_leased = format!("item(s) cannot be extended; '{}' is not marked as leased", ready.as_str().unwrap());
        let not_leased = (not_leased, "not_leased", json!({ "id": ready, "verb": "extended" }));
        for (hours, id, (message, reason, fields)) in
            [(1, json!(held[1].id), gone(&held[1].id)), (2, json!(unknown), gone(unknown)), (3, ready, not_leased)]
        {
            let ids = json!([held[0].id, id, held[2].id]);
            let extend = json!({ "queue_name": "q", "ids": ids, "lease_timeout": format!("{hours}h") });
            let extended = json!({ "lease_deadline": format!("2026-11-15T1{}:00:10Z", 2 + hours) });
            let refused = json!({ "id": id, "is_stale": true, "message": message, "reason": reason, "fields": fields });
            let rejected = json!({ "refused": refused });
            assert_eq!(caller.ok(EXTEND, extend).await, json!({ "items": [extended, rejected, extended] }));
            let items = caller.items("q", 0).await;
            let of_held = items.iter().filter(|item| item.get("is_leased").is_some());
            let deadlines: Vec<&Value> = of_held.map(|item| &item["lease_deadline"]).collect();
            assert_eq!(deadlines, [&extended["lease_deadline"]; 2], "{id}");
        }
    });
}

#[test]
fn an_id_of_another_partition_is_not_extended() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        let elsewhere = json!({ "queue_name": "q", "partition": 1, "ids": [held.id], "lease_timeout": "1h" });
        let message = format!("invalid storage id; '{}' does not exist", held.id);
        let (reason, fields) = ("no_such_item", json!({ "id": held.id }));
        let rejected =
            json!({ "id": held.id, "is_stale": true, "message": message, "reason": reason, "fields": fields });
        assert_eq!(caller.ok(EXTEND, elsewhere).await, json!({ "items": [{ "refused": rejected }] }));
        assert_eq!(caller.items("q", 0).await[0]["lease_deadline"], "2026-11-15T12:01:00Z");
    });
}

#[test]
fn a_lease_timeout_that_is_zero_negative_or_too_long_is_rejected() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        let extend = |length: &str| json!({ "queue_name": "q", "ids": [held.id], "lease_timeout": length });
        let extended = caller.ok(EXTEND, extend("0s")).await;
        assert_eq!(extended, json!({ "items": [{ "lease_deadline": held.deadline }] }), "it extends nothing");
        for length in ["0s", "-1m", "999999h"] {
            if length != "0s" {
                assert_eq!(caller.rejection(EXTEND, extend(length)).await.0, 400, "{length}");
            }
            let claim = json!({ "queue_name": "q", "batch_size": 1, "request_timeout": "1m", "lease_timeout": length });
            assert_eq!(caller.rejection("/v1/queue.claim", claim).await.0, 400, "{length}");
        }
    });
}
