//! The maximum sizes of request bodies and batches.

use serde_json::json;

use crate::harness::{
    StoreKind, local_settings, on_store_with_caller, on_store_with_queue, request_timeout, with_settings,
};
use redrive_server::Settings;

const KIB_4: (usize, &str) = (4_096, "4.0KiB");
const USUAL: (usize, &str) = (256_000, "250.0KiB");
const PRODUCE: (usize, &str) = (5_000_000, "5.0MB");

/// The queue calls with the limit of their bodies, in bytes and as error messages show it.
const LIMITS: [(&str, (usize, &str)); 25] = [
    ("/v1/queue.produce", PRODUCE),
    ("/v1/queue.lease", KIB_4),
    ("/v1/queue.complete", USUAL),
    ("/v1/queue.retry", USUAL),
    ("/v1/queue.clear", KIB_4),
    ("/v1/queue.stats", KIB_4),
    ("/v1/queue.reload", KIB_4),
    ("/v1/queue.extend", USUAL),
    ("/v1/queue.pause", KIB_4),
    ("/v1/queue.resume", KIB_4),
    ("/v1/queue.put", PRODUCE),
    ("/v1/queue.claim", KIB_4),
    ("/v1/queue.settle", PRODUCE),
    ("/v1/queues.create", USUAL),
    ("/v1/queues.update", (512_000, "500.0KiB")),
    ("/v1/queues.list", USUAL),
    ("/v1/queues.info", USUAL),
    ("/v1/queues.delete", USUAL),
    ("/v1/storage/items.list", USUAL),
    ("/v1/storage/scheduled.list", USUAL),
    ("/v1/storage/damaged.list", USUAL),
    ("/v1/storage/items.import", (64_000_000, "61.0MiB")),
    ("/v1/storage/items.delete", USUAL),
    ("/v1/status.get", KIB_4),
    ("/v1/status.queues", KIB_4),
];

#[test]
fn every_queue_call_has_its_body_limit() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        for (path, (limit, text)) in LIMITS {
            // Trailing white space is valid JSON, so the body is rejected only for its size.
            let mut body = b"{}".to_vec();
            body.resize(limit, b' ');
            let largest = caller.post(path, "application/json", body.clone()).await;
            assert!(!largest.text().contains("exceeds"), "{path}: {}", largest.text());
            body.push(b' ');
            let message = format!("request body exceeds {text} limit");
            assert_eq!(caller.post(path, "application/json", body).await.rejection(), (400, message), "{path}");
        }
    });
}

#[test]
fn the_body_limit_of_produce_is_configurable() {
    for (limit, text) in [(600, "600B"), (1_024, "1.0KiB"), (2_000, "2.0kB"), (1 << 20, "1.0MiB")] {
        let settings = Settings { produce_body_max: limit, ..local_settings() };
        with_settings(settings, async |_server, mut caller| {
            let rejected = caller.post("/v1/queue.produce", "application/json", vec![b' '; limit + 1]).await;
            assert_eq!(rejected.rejection(), (400, format!("request body exceeds {text} limit")));
        });
    }
}

#[test]
fn batch_limits_are_configurable() {
    let settings = Settings { produce_batch_max: 2, lease_batch_max: 3, complete_batch_max: 4, ..local_settings() };
    with_settings(settings, async |_server, mut caller| {
        caller.create("q", json!({})).await;
        let timeout = request_timeout();
        let produce = json!({ "queue_name": "q", "request_timeout": timeout, "items": vec![json!({}); 3] });
        let message = "items is invalid; max_produce_batch_size is 2 but received 3";
        assert_eq!(caller.rejection("/v1/queue.produce", produce).await, (400, message.to_owned()));
        let lease = json!({ "queue_name": "q", "batch_size": 4, "client_id": "c", "request_timeout": timeout });
        let message = "invalid batch size; max_lease_batch_size is 3, but 4 was requested";
        assert_eq!(caller.rejection("/v1/queue.lease", lease).await, (400, message.to_owned()));
        let complete = json!({ "queue_name": "q", "request_timeout": timeout, "ids": vec!["x"; 5] });
        let message = "ids is invalid; max_complete_batch_size is 4 but received 5";
        assert_eq!(caller.rejection("/v1/queue.complete", complete).await, (400, message.to_owned()));
        let retry = json!({ "queue_name": "q", "items": vec![json!({ "id": "x" }); 5] });
        let message = "items is invalid; max_complete_batch_size is 4 but received 5";
        assert_eq!(caller.rejection("/v1/queue.retry", retry).await, (400, message.to_owned()));
    });
}

#[test]
fn a_batch_can_have_a_thousand_items() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        caller.produce_many("q", 1_000).await;
        let items = caller.lease("q", 1_000).await;
        assert_eq!(items.len(), 1_000);
        let retries: Vec<_> = items.iter().map(|item| json!({ "id": item.id })).collect();
        caller.ok("/v1/queue.retry", json!({ "queue_name": "q", "items": retries })).await;
        let items = caller.lease("q", 1_000).await;
        caller.complete("q", &items).await;
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
    });
}
