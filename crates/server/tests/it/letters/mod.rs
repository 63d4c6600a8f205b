//! The calls about letters.

mod address;
mod bulk;
mod capture;
mod confidential;
mod configure;
mod custom_backoff;
mod dependencies;
mod evidence;
mod export;
mod identical;
mod list;
mod manual;
mod metadata;
mod process;
mod resume;
mod rules;
mod same_behaviour;
mod secrets;
mod seed_names;
mod shutdown;
mod sorted;
mod stats;
mod status_table;
mod templates;
mod without_target;

use serde_json::{Value, json};

use crate::harness::Caller;

/// A failure that is retried automatically.
fn failure(source_id: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "payload of it", "fault": { "error": "HTTP 503 Service Unavailable" } })
}

/// Captures one failure; returns its entry of the response.
async fn capture(caller: &mut Caller, letter: Value) -> Value {
    let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": [letter] })).await;
    captured["letters"][0].clone()
}

async fn get(caller: &mut Caller, id: &Value) -> Value {
    caller.ok("/v1/letters.get", json!({ "queue_name": "dead", "id": id })).await
}

/// Sends a call that must be rejected; returns its status and the machine-readable reason.
async fn rejection(caller: &mut Caller, path: &str, body: Value) -> (u16, String) {
    let response = caller.json(path, body).await;
    let reason = response.value()["details"]["reason"].as_str().unwrap_or_default().to_owned();
    (response.status.as_u16(), reason)
}
