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
mod groups;
mod hand_back;
mod identical;
mod list;
mod manual;
mod metadata;
mod names;
mod process;
mod resume;
#[cfg(feature = "redis")]
mod route_letters;
mod rules;
mod run_outages;
mod runs;
mod same_behaviour;
mod secrets;
mod seed_names;
mod shutdown;
mod sorted;
mod stats;
mod status_table;
mod templates;
mod without_target;

pub(crate) use groups::{fails, lasting};

use http::HeaderValue;
use serde_json::{Value, json};

use crate::harness::{Caller, with};

/// A failure that is retried automatically.
fn failure(source_id: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "payload of it", "fault": { "error": "HTTP 503 Service Unavailable" } })
}

/// A failure with additional fields.
fn failure_with(source_id: &str, more: Value) -> Value {
    with(failure(source_id), more)
}

/// Captures one failure; returns its entry of the response.
async fn capture(caller: &mut Caller, letter: Value) -> Value {
    let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": [letter] })).await;
    captured["letters"][0].clone()
}

/// Captures one failure; returns the id of its letter.
async fn captured(caller: &mut Caller, letter: Value) -> Value {
    capture(caller, letter).await["id"].clone()
}

/// Captures a failure for each source id, and gives a reason for all further calls. Returns the ids of the letters.
async fn with_letters(caller: &mut Caller, sources: &[&str]) -> Vec<Value> {
    caller.headers.insert("x-redrive-reason", HeaderValue::from_static("a test"));
    let mut ids = Vec::new();
    for source in sources {
        ids.push(captured(caller, failure(source)).await);
    }
    ids
}

fn with_ids(id: &Value) -> Value {
    json!({ "queue_name": "dead", "ids": [id] })
}

async fn get(caller: &mut Caller, id: &Value) -> Value {
    caller.ok("/v1/letters.get", json!({ "queue_name": "dead", "id": id })).await
}

/// A letter with its confidential content, which needs a reason.
async fn revealed(caller: &mut Caller, id: &Value) -> Value {
    caller.ok("/v1/letters.get", json!({ "queue_name": "dead", "id": id, "reveal": true })).await
}

/// The source ids of the letters that match a filter.
async fn found(caller: &mut Caller, filter: &str) -> Vec<String> {
    let list = caller.ok("/v1/letters.list", json!({ "queue_name": "dead", "filter": filter })).await;
    let letters = list["letters"].as_array().cloned().unwrap_or_default();
    letters.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()).collect()
}

/// Sends a call that must be rejected; returns its status and the machine-readable reason.
async fn rejection(caller: &mut Caller, path: &str, body: Value) -> (u16, String) {
    let response = caller.json(path, body).await;
    let reason = response.value()["details"]["reason"].as_str().unwrap_or_default().to_owned();
    (response.status.as_u16(), reason)
}
