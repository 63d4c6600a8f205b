//! One item from creation of its queue to its completion.

use serde_json::json;

use crate::harness::{on_each_store_with_caller, queue_settings};

#[test]
fn an_item_is_produced_leased_and_completed() {
    on_each_store_with_caller(async |_server, mut caller| {
        let queue = queue_settings("orders", json!({}));
        assert_eq!(caller.ok("/v1/queues.create", queue).await, json!({ "code": 200 }));
        let items = json!([{ "reference": "r", "encoding": "e", "kind": "k", "utf8": "payload" }]);
        let produce = json!({ "queue_name": "orders", "request_timeout": "1m", "items": items });
        assert_eq!(caller.ok("/v1/queue.produce", produce).await, json!({ "code": 200 }));
        let lease = json!({ "queue_name": "orders", "batch_size": 5, "client_id": "c", "request_timeout": "1m" });
        let leased = caller.ok("/v1/queue.lease", lease).await;
        assert_eq!(leased["items"][0]["bytes"], "cGF5bG9hZA==");
        assert_eq!(leased["items"][0]["lease_deadline"], "2026-11-15T12:01:00Z");
        let ids = [&leased["items"][0]["id"]];
        let complete = json!({ "queue_name": "orders", "request_timeout": "1m", "ids": ids });
        assert_eq!(caller.ok("/v1/queue.complete", complete).await, json!({ "code": 200 }));
        let stats = caller.ok("/v1/queue.stats", json!({ "queue_name": "orders" })).await;
        let partition = json!({ "average_age": "0s", "average_leased_age": "0s" });
        assert_eq!(stats["logicalQueues"][0]["partitions"], json!([partition]));
    });
}
