//! `queue.produce`.

use serde_json::json;

use crate::harness::{StoreKind, contents, decoded, on_each_store_with_queue, on_store_with_queue};
use redrive_core::Span;

#[test]
fn a_leased_item_has_the_content_it_was_produced_with() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let items = json!([
            { "reference": "r", "encoding": "e", "kind": "k", "bytes": "AP+A" },
            { "utf8": "grüße\u{0}" },
            { "bytes": "Yg==", "utf8": "not this one" },
            { "bytes": "", "utf8": "this one" },
            {},
        ]);
        caller.produce_items("q", items).await;
        let lease = json!({ "queue_name": "q", "batch_size": 10, "client_id": "c", "request_timeout": "1m" });
        let leased = caller.ok("/v1/queue.lease", lease).await;
        let items = leased["items"].as_array().unwrap();
        let fields = ["reference", "encoding", "kind", "bytes"].map(|field| items[0][field].as_str().unwrap());
        assert_eq!(fields, ["r", "e", "k", "AP+A"]);
        let payloads: Vec<String> =
            items[1..].iter().map(|item| decoded(item["bytes"].as_str().unwrap_or_default())).collect();
        assert_eq!(payloads, ["grüße\u{0}", "b", "this one", ""]);
        let stored = caller.items("q", 0).await;
        let fields = ["reference", "encoding", "kind", "payload"].map(|field| stored[0][field].as_str().unwrap());
        assert_eq!(fields, ["r", "e", "k", "AP+A"]);
    });
}

#[test]
fn a_large_item_keeps_its_payload() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let large = "0123456789abcdef".repeat(50_000);
        caller.produce("q", &[&large]).await;
        assert_eq!(caller.lease_one("q").await.payload, large);
    });
}

#[test]
fn an_item_is_scheduled_if_it_is_due_in_100_ms_or_later() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for (enqueue_at, is_scheduled) in [
            ("0001-01-01T00:00:00Z", false),
            ("1969-12-31T23:59:59Z", false),
            ("2026-11-15T11:59:59Z", false),
            ("2026-11-15T12:00:00Z", false),
            ("2026-11-15T12:00:00.099999Z", false),
            ("2026-11-15T12:00:00.100000Z", true),
            ("2026-11-15T13:00:00.100+01:00", true),
            ("9999-12-31T23:59:59Z", true),
        ] {
            caller.produce_items("q", json!([{ "enqueue_at": enqueue_at }])).await;
            let expected = if is_scheduled { (0, 0, 1) } else { (1, 0, 0) };
            assert_eq!(caller.counts("q").await, [expected], "{enqueue_at}");
            caller.ok("/v1/queue.clear", json!({ "queue_name": "q", "queue": true, "scheduled": true })).await;
        }
    });
}

#[test]
fn a_scheduled_item_becomes_ready_when_due_with_a_new_id() {
    on_each_store_with_queue("q", async |server, mut caller| {
        caller.produce_items("q", json!([{ "utf8": "later", "enqueue_at": "2026-11-15T12:01:00Z" }])).await;
        let scheduled = caller.scheduled("q", 0).await.remove(0);
        assert!(caller.items("q", 0).await.is_empty());
        server.advance(Span::from_secs(30));
        caller.produce("q", &["first"]).await;
        server.advance(Span::from_secs(29));
        assert_eq!(caller.counts("q").await, [(1, 0, 1)]);
        server.advance(Span::from_secs(1));
        assert_eq!(caller.counts("q").await, [(2, 0, 0)]);
        let items = caller.lease("q", 2).await;
        assert_eq!(contents(&items), ["first", "later"], "a due item is appended at the tail");
        assert!(items[1].id.as_str() > scheduled["id"].as_str().unwrap());
    });
}

#[test]
fn one_invalid_item_rejects_the_whole_produce() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        let items = json!([{ "utf8": "good" }, { "enqueue_at": "tomorrow" }]);
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": items });
        assert_eq!(caller.rejection("/v1/queue.produce", produce).await.0, 455);
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    });
}
