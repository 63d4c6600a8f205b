//! Creating, updating and deleting queues.

use serde_json::{Value, json};

use crate::harness::{
    StoreKind, contents, on_each_store_with_caller, on_each_store_with_queue, on_store_with_queue, queue_settings,
};
use redrive_core::Span;

#[test]
fn a_queue_is_shown_with_its_settings() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let settings = json!({
            "dead_queue": "dead", "reference": "r", "lease_timeout": "90s", "expire_timeout": "2h", "max_attempts": 3,
            "requested_partitions": 5, "created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z",
        });
        caller.create("q", settings).await;
        let expected = json!({
            "queue_name": "q", "dead_queue": "dead", "reference": "r", "lease_timeout": "1m30s",
            "expire_timeout": "2h0m0s", "max_attempts": 3, "requested_partitions": 5, "namespace": "_system",
            "created_at": "2026-11-15T12:00:00Z", "updated_at": "2026-11-15T12:00:00Z",
        });
        assert_eq!(caller.info("q").await, expected);
        assert_eq!(caller.ok("/v1/queues.list", json!({ "pivot": "q" })).await["items"], json!([expected]));
        let stats = caller.stats("q").await;
        let partitions: Vec<u64> =
            stats["partitions"].as_array().unwrap().iter().map(|at| at["partition"].as_u64().unwrap_or(0)).collect();
        assert_eq!(partitions, [0, 1, 2, 3, 4]);
    });
}

#[test]
fn an_update_clears_omitted_reference_attempts_and_dead_queue_and_keeps_omitted_timeouts() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("q", json!({ "reference": "r", "max_attempts": 3, "requested_partitions": 2 })).await;
        server.advance(Span::from_secs(1));
        caller.update("q", json!({ "lease_timeout": "5m" })).await;
        let expected = json!({
            "queue_name": "q", "lease_timeout": "5m0s", "expire_timeout": "24h0m0s", "requested_partitions": 2,
            "namespace": "_system", "created_at": "2026-11-15T12:00:00Z", "updated_at": "2026-11-15T12:00:01Z",
        });
        assert_eq!(caller.info("q").await, expected, "reference, max attempts and dead queue are cleared");
        let all = json!({
            "expire_timeout": "48h", "requested_partitions": 7, "reference": "s", "max_attempts": 4, "dead_queue": "dead",
            "created_at": "2020-01-01T00:00:00Z", "lease_timeout": "0s",
        });
        caller.update("q", all).await;
        let info = caller.info("q").await;
        let fields =
            ["lease_timeout", "expire_timeout", "requested_partitions", "reference", "max_attempts", "dead_queue"];
        let shown = fields.map(|field| info[field].clone());
        let expected = [json!("5m0s"), json!("48h0m0s"), json!(7), json!("s"), json!(4), json!("dead")];
        assert_eq!((shown, &info["created_at"]), (expected, &json!("2026-11-15T12:00:00Z")));
        assert_eq!(caller.counts("q").await.len(), 2, "an update does not change the number of partitions");
    });
}

#[test]
fn updated_at_is_later_than_created_at_even_in_the_same_instant() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        caller.update("q", json!({})).await;
        let info = caller.info("q").await;
        let times = [&info["created_at"], &info["updated_at"]];
        assert_eq!(times, ["2026-11-15T12:00:00Z", "2026-11-15T12:00:00.000001Z"]);
    });
}

#[test]
fn new_timeouts_apply_to_new_items_and_leases_and_max_attempts_to_all_items() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.produce("q", &["old", "other"]).await;
        let held = caller.lease_one("q").await;
        caller.update("q", json!({ "lease_timeout": "10m", "expire_timeout": "48h", "max_attempts": 1 })).await;
        let items = caller.items("q", 0).await;
        assert_eq!(items[0]["lease_deadline"], "2026-11-15T12:01:00Z");
        assert_eq!(items[1]["expire_deadline"], "2026-11-16T12:00:00Z");
        assert_eq!(caller.lease_one("q").await.deadline, "2026-11-15T12:10:00Z");
        caller.produce("q", &["new"]).await;
        assert_eq!(caller.items("q", 0).await[2]["expire_deadline"], "2026-11-17T12:00:00Z");
        caller.retry("q", &held, json!({})).await;
        assert_eq!(caller.counts("q").await, [(2, 1, 0)], "the item has used its only attempt");
    });
}

#[test]
fn waiting_leases_end_when_their_queue_is_deleted() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let waiting = [server.spawn_lease("q", "a", 1).await, server.spawn_lease("q", "b", 1).await];
        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        for lease in waiting {
            assert_eq!(lease.await.unwrap().rejection(), (453, "queue is shutting down".to_owned()));
        }
        caller.create("q", json!({})).await;
        caller.produce("q", &["a"]).await;
        assert_eq!(contents(&caller.lease("q", 5).await), ["a"]);
    });
}

#[test]
fn a_queue_name_may_contain_any_character_but_whitespace_and_tilde() {
    on_each_store_with_caller(async |_server, mut caller| {
        for name in
            ["/", "..", "a/../b", "ä€😀", "\u{0}", "a\\b", "a:b", "%2e", "queue.name", "{}", "'\"<&>", "\u{202e}x"]
        {
            caller.create(name, json!({})).await;
            caller.produce(name, &[name]).await;
            let items = caller.lease(name, 1).await;
            assert_eq!(contents(&items), [name]);
            caller.complete(name, &items).await;
            assert_eq!(caller.info(name).await["queue_name"], Value::from(name));
            let message = format!("invalid queue; '{name}' already exists");
            let again = queue_settings(name, json!({}));
            assert_eq!(caller.rejection("/v1/queues.create", again).await, (400, message));
            caller.ok("/v1/queues.delete", json!({ "queue_name": name })).await;
        }
    });
}
