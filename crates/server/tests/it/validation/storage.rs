//! `storage/*`: the order of error messages.

use serde_json::json;

use super::assert_rejected;
use crate::harness::on_each_store_with_queue;

const MISSING: &str = "queue does not exist; no such queue named 'none'";

#[test]
fn import_needs_items() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let cases = [
            ("none", json!({ "queue_name": "q" }), "items is invalid; cannot be empty"),
            ("an empty list", json!({ "queue_name": "q", "items": [] }), "items is invalid; cannot be empty"),
            ("Q3 first", json!({ "queue_name": "none" }), MISSING),
        ];
        assert_rejected(&mut caller, "/v1/storage/items.import", &cases).await;
    });
}

#[test]
fn delete_needs_ids() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let cases = [
            ("none", json!({ "queue_name": "q" }), "ids is invalid; cannot be empty"),
            ("an empty list", json!({ "queue_name": "q", "ids": [] }), "ids is invalid; cannot be empty"),
            ("Q3 first", json!({ "queue_name": "none" }), MISSING),
        ];
        assert_rejected(&mut caller, "/v1/storage/items.delete", &cases).await;
    });
}
