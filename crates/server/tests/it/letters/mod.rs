//! Letters over the API.

mod address;
mod bulk;
mod by_hand;
mod capture;
mod confidential;
mod configure;
mod custom;
mod dependencies;
mod ending;
mod export;
mod identical;
mod list;
mod process;
mod same;
mod secrets;
mod stats;
mod status_table;
mod templates;

use serde_json::{Value, json};

use crate::bed::Caller;

/// A failure that is retried by itself.
fn failure(source_id: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "payload of it", "fault": { "error": "HTTP 503 Service Unavailable" } })
}

/// Captures one failure; what is told of it.
async fn capture(caller: &mut Caller, letter: Value) -> Value {
    let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": [letter] })).await;
    captured["letters"][0].clone()
}

async fn get(caller: &mut Caller, id: &Value) -> Value {
    caller.ok("/v1/letters.get", json!({ "queue_name": "dead", "id": id })).await
}

/// The code, and the reason in a form for programs.
async fn refused(caller: &mut Caller, path: &str, body: Value) -> (u16, String) {
    let heard = caller.json(path, body).await;
    let reason = heard.value()["details"]["reason"].as_str().unwrap_or_default().to_owned();
    (heard.status.as_u16(), reason)
}
