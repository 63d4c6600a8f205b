//! The calls that Redrive adds to the Querator API.

mod extend;
mod mailbox;
mod pause;
mod put_and_claim;
mod request_ids;
mod settle;

use serde_json::{Value, json};

use crate::harness::Caller;

/// Claims items; returns them as JSON.
async fn claim(caller: &mut Caller, queue: &str, batch: i32) -> Vec<Value> {
    let claim = json!({ "queue_name": queue, "batch_size": batch, "request_timeout": "1m" });
    caller.ok("/v1/queue.claim", claim).await["items"].as_array().unwrap().clone()
}

async fn put(caller: &mut Caller, queue: &str, items: Value) -> Value {
    caller.ok("/v1/queue.put", json!({ "queue_name": queue, "request_timeout": "1m", "items": items })).await
}
