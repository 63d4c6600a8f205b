//! Items are taken out of one queue and put into another.

use serde_json::{Value, json};

use crate::bed::{Ground, each, on};
use redrive_core::Span;

const IMPORT: &str = "/v1/storage/items.import";

#[tokio::test]
async fn an_import_keeps_everything_but_the_id_and_the_time_of_creation() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        bed.advance(Span::from_secs(1));
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
        assert_eq!(imported["items"][1]["source_id"], "t", "in the order of the request");
        assert_eq!(caller.items("q", 1).await, imported["items"].as_array().unwrap().clone());
        assert_eq!(caller.counts("q").await, [(0, 0, 0), (2, 1, 0)]);
        let complete = json!({ "queue_name": "q", "partition": 1, "request_timeout": "1m", "ids": [shown["id"]] });
        caller.ok("/v1/queue.complete", complete).await;
    })
    .await;
}

#[tokio::test]
async fn an_imported_lease_ends_at_its_deadline() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let item =
            json!({ "is_leased": true, "lease_deadline": "2026-11-15T12:00:30Z", "attempts": 3, "payload": "YQ==" });
        caller.ok(IMPORT, json!({ "queue_name": "q", "items": [item] })).await;
        bed.advance(Span::from_secs(31));
        let held = caller.lease_one("q").await;
        assert_eq!((held.attempts, held.payload.as_str()), (4, "a"));
    })
    .await;
}

#[tokio::test]
async fn a_source_id_that_is_in_the_queue_is_passed_over() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        let item = |source_id: &str| json!({ "source_id": source_id });
        caller.ok(IMPORT, json!({ "queue_name": "q", "items": [item("a")] })).await;
        let again = json!({ "queue_name": "q", "partition": 1, "items": [item("a"), item("b"), item("b"), {}, {}] });
        let imported = caller.ok(IMPORT, again).await;
        let sources: Vec<&Value> =
            imported["items"].as_array().unwrap().iter().map(|item| &item["source_id"]).collect();
        assert_eq!(sources, [&json!("b"), &Value::Null, &Value::Null], "unique in the queue, not in the partition");
        let all = caller.ok(IMPORT, json!({ "queue_name": "q", "items": [item("a")] })).await;
        assert_eq!(all, json!({}), "nothing was left to do, and that is no error");
        caller.ok("/v1/queue.clear", json!({ "queue_name": "q", "queue": true })).await;
        let free = caller.ok(IMPORT, json!({ "queue_name": "q", "items": [item("a")] })).await;
        assert_eq!(free["items"].as_array().unwrap().len(), 1, "free again when the item has gone");
    })
    .await;
}

#[tokio::test]
async fn what_is_listed_here_can_be_imported_there() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        for queue in ["from", "to"] {
            caller.create(queue, json!({})).await;
        }
        caller.produce_items("from", json!([{ "utf8": "a", "kind": "k" }, { "utf8": "b" }, { "utf8": "c" }])).await;
        caller.produce_items("from", json!([{ "utf8": "d", "enqueue_at": "2026-11-15T13:00:00Z" }])).await;
        caller.lease_one("from").await;
        let exported = [caller.items("from", 0).await, caller.scheduled("from", 0).await].concat();
        bed.advance(Span::from_secs(1));
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
    })
    .await;
}

#[tokio::test]
async fn an_import_has_no_limit_but_its_size() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        // 1 queue_name: q. 3 items: one without fields, and again and again.
        let body = [&b"\x0a\x01q"[..], &b"\x1a\x00".repeat(66_000)].concat();
        let imported = caller.post(IMPORT, "application/protobuf", body).await.value();
        assert_eq!(imported["items"].as_array().unwrap().len(), 66_000);
        assert_eq!(caller.counts("q").await, [(66_000, 0, 0)]);
    })
    .await;
}
