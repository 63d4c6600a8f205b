//! `storage/*`: each message in its place.

use serde_json::json;

use super::refused;
use crate::bed::each;

const MISSING: &str = "queue does not exist; no such queue named 'none'";

#[tokio::test]
async fn import_wants_items() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let cases = [
            ("none", json!({ "queue_name": "q" }), "items is invalid; cannot be empty"),
            ("an empty list", json!({ "queue_name": "q", "items": [] }), "items is invalid; cannot be empty"),
            ("Q3 first", json!({ "queue_name": "none" }), MISSING),
        ];
        refused(&mut caller, "/v1/storage/items.import", &cases).await;
    })
    .await;
}

#[tokio::test]
async fn delete_wants_ids() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let cases = [
            ("none", json!({ "queue_name": "q" }), "ids is invalid; cannot be empty"),
            ("an empty list", json!({ "queue_name": "q", "ids": [] }), "ids is invalid; cannot be empty"),
            ("Q3 first", json!({ "queue_name": "none" }), MISSING),
        ];
        refused(&mut caller, "/v1/storage/items.delete", &cases).await;
    })
    .await;
}
