//! `storage/items.import`, and the export of items by the storage lists.

use serde_json::{Value, json};

use crate::harness::{StoreKind, on_each_store_with_caller, on_each_store_with_queue, on_store_with_queue};
use redrive_core::Span;

const IMPORT: &str = "/v1/storage/items.import";

#[test]
fn an_import_keeps_all_fields_but_id_and_creation_time() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        server.advance(Span::from_secs(1));
        let item = json!({
            "id": "0ujtsYcgvSTl8PAuAdqWYSMnLOv", "source_id": "s", "is_leased": true,
            "lease_deadline": "2026-11-15T12:30:00.000007Z", "expire_deadline": "2026-11-17T00:00:00Z",
            "created_at": "2020-01-01T00:00:00Z", "attempts": 7, "max_attempts": 9, "reference": "r", "encoding": "e",
            "kind": "k", "payload": "AP8=",
        });
        let imported = caller
            .ok(IMPORT, json!({ "queue_name": "q", "partition": 1, "items": [item, { "source_id": "t" }] }))
            .await;
        let shown = imported["items"][0].clone();
        assert_ne!(shown["id"], item["id"]);
        let mut expected = item.clone();
        expected["id"] = shown["id"].clone();
        expected["created_at"] = json!("2026-11-15T12:00:01Z");
        assert_eq!(shown, expected);
        assert_eq!(imported["items"][1]["source_id"], "t", "the response is in the order of the request");
        assert_eq!(caller.items("q", 1).await, imported["items"].as_array().unwrap().clone());
        assert_eq!(caller.counts("q").await, [(0, 0, 0), (2, 1, 0)]);
        let complete = json!({ "queue_name": "q", "partition": 1, "request_timeout": "1m", "ids": [shown["id"]] });
        caller.ok("/v1/queue.complete", complete).await;
    });
}

#[test]
fn an_imported_lease_expires_at_its_deadline() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let item =
            json!({ "is_leased": true, "lease_deadline": "2026-11-15T12:00:30Z", "attempts": 3, "payload": "YQ==" });
        caller.ok(IMPORT, json!({ "queue_name": "q", "items": [item] })).await;
        server.advance(Span::from_secs(31));
        let held = caller.lease_one("q").await;
        assert_eq!((held.attempts, held.payload.as_str()), (4, "a"));
    });
}

#[test]
fn an_import_skips_a_source_id_that_is_in_the_queue() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        let item = |source_id: &str| json!({ "source_id": source_id });
        caller.ok(IMPORT, json!({ "queue_name": "q", "items": [item("a")] })).await;
        let again = json!({ "queue_name": "q", "partition": 1, "items": [item("a"), item("b"), item("b"), {}, {}] });
        let imported = caller.ok(IMPORT, again).await;
        let items = imported["items"].as_array().unwrap();
        let is_new: Vec<bool> = items.iter().map(|item| item.get("id").is_some()).collect();
        assert_eq!(is_new, [false, true, false, true, true], "a source id is unique in the queue");
        caller.ok("/v1/queue.clear", json!({ "queue_name": "q", "queue": true })).await;
        let free = caller.ok(IMPORT, json!({ "queue_name": "q", "items": [item("a")] })).await;
        assert_eq!(free["items"].as_array().unwrap().len(), 1, "a removed item frees its source id");
    });
}

#[test]
fn a_skipped_item_keeps_its_position_in_the_import_response() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.ok(IMPORT, json!({ "queue_name": "q", "items": [{ "source_id": "a", "payload": "b2xk" }] })).await;
        let item = json!({
            "source_id": "a", "is_leased": true, "lease_deadline": "2026-11-15T12:30:00Z",
            "expire_deadline": "2026-11-17T00:00:00Z", "enqueue_at": "2026-11-16T00:00:00Z", "attempts": 7,
            "max_attempts": 9, "reference": "r", "encoding": "e", "kind": "k", "payload": "AP8=",
        });
        let again = json!({ "queue_name": "q", "items": [item, {}] });
        let imported = caller.ok(IMPORT, again).await;
        let mut expected = item.clone();
        expected["created_at"] = json!("0001-01-01T00:00:00Z");
        assert_eq!(imported["items"][0], expected, "a skipped item is returned as sent, without an id");
        assert!(imported["items"][1]["id"].is_string(), "the next item is imported");
        let payloads: Vec<Value> = caller.items("q", 0).await.iter().map(|item| item["payload"].clone()).collect();
        assert_eq!(payloads, [json!("b2xk"), Value::Null], "the existing item is unchanged");
    });
}

#[test]
fn the_lease_deadline_of_an_imported_item_without_a_lease_is_kept() {
    on_each_store_with_queue("q", async |mut server, mut caller| {
        let deadline = json!("2026-11-15T12:00:30Z");
        let item = json!({ "lease_deadline": deadline, "payload": "YQ==" });
        let imported = caller.ok(IMPORT, json!({ "queue_name": "q", "items": [item] })).await;
        assert_eq!(imported["items"][0]["lease_deadline"], deadline);
        if server.store_kind() != StoreKind::Memory {
            server.restart().await;
            caller = server.caller().await;
        }
        server.advance(Span::from_secs(31));
        let listed = caller.items("q", 0).await;
        assert_eq!((&listed[0]["lease_deadline"], listed[0].get("is_leased")), (&deadline, None));
        let held = caller.lease_one("q").await;
        assert_eq!(caller.items("q", 0).await[0]["lease_deadline"], "2026-11-15T12:01:31Z", "a lease replaces it");
        caller.retry("q", &held, json!({})).await;
        assert_eq!(caller.items("q", 0).await[0]["lease_deadline"], "0001-01-01T00:00:00Z");
    });
}

#[test]
fn an_imported_lease_without_a_deadline_gets_the_lease_timeout_of_the_queue() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "lease_timeout": "2m" })).await;
        let imported = caller.ok(IMPORT, json!({ "queue_name": "q", "items": [{ "is_leased": true }] })).await;
        let item = &imported["items"][0];
        assert_eq!((&item["is_leased"], &item["lease_deadline"]), (&json!(true), &json!("2026-11-15T12:02:00Z")));
        assert_eq!(caller.counts("q").await, [(1, 1, 0)]);
        server.advance(Span::from_secs(121));
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    });
}

#[test]
fn listed_items_can_be_imported_into_another_queue() {
    on_each_store_with_caller(async |server, mut caller| {
        for queue in ["from", "to"] {
            caller.create(queue, json!({})).await;
        }
        caller.produce_items("from", json!([{ "utf8": "a", "kind": "k" }, { "utf8": "b" }, { "utf8": "c" }])).await;
        caller.produce_items("from", json!([{ "utf8": "d", "enqueue_at": "2026-11-15T13:00:00Z" }])).await;
        caller.lease_one("from").await;
        let exported = [caller.items("from", 0).await, caller.scheduled("from", 0).await].concat();
        server.advance(Span::from_secs(1));
        caller.ok(IMPORT, json!({ "queue_name": "to", "items": exported })).await;
        let there = [caller.items("to", 0).await, caller.scheduled("to", 0).await].concat();
        let same = |items: &[Value]| -> Vec<Value> {
            let without = |item: &Value| {
                let mut item = item.as_object().unwrap().clone();
                item.retain(|field, _| field != "id" && field != "created_at");
                Value::Object(item)
            };
            items.iter().map(without).collect()
        };
        assert_eq!(same(&there), same(&exported));
        assert_eq!(caller.counts("to").await, [(3, 1, 1)]);
    });
}

#[test]
fn an_import_is_limited_by_bytes_only() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        // Field 1, queue_name: q. Field 3, items: 66 000 items without fields.
        let body = [&b"\x0a\x01q"[..], &b"\x1a\x00".repeat(66_000)].concat();
        let imported = caller.post(IMPORT, "application/protobuf", body).await.value();
        assert_eq!(imported["items"].as_array().unwrap().len(), 66_000);
        assert_eq!(caller.counts("q").await, [(66_000, 0, 0)]);
    });
}
