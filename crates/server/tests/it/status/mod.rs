//! The overview of a server: `status.get` and `status.queues`.

mod attention;
mod get;
mod paused;
mod visibility;

use redrive_proto::redrive::v1::{Attention, QueueStatus, StatusGetResponse, StatusQueuesResponse};
use serde_json::{Value, json};

use crate::harness::Caller;

async fn status(caller: &mut Caller, request: Value) -> StatusGetResponse {
    let response = caller.json("/v1/status.get", request).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.read()
}

async fn queues(caller: &mut Caller, request: Value) -> Vec<QueueStatus> {
    let response = caller.json("/v1/status.queues", request).await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.read::<StatusQueuesResponse>().queues
}

async fn queue(caller: &mut Caller, name: &str) -> QueueStatus {
    queues(caller, json!({ "queue_name": name })).await.remove(0)
}

fn names(queues: &[QueueStatus]) -> Vec<&str> {
    queues.iter().map(|queue| queue.queue_name.as_str()).collect()
}

/// What needs attention: kind, queue and count.
fn found(attention: &[Attention]) -> Vec<(&str, &str, i64)> {
    attention.iter().map(|entry| (entry.kind.as_str(), entry.queue_name.as_str(), entry.count)).collect()
}

/// Captures a failure that is retried automatically.
async fn capture(caller: &mut Caller, queue: &str, source_id: &str, more: Value) {
    let mut letter =
        json!({ "source_id": source_id, "utf8": "x", "fault": { "error": "HTTP 503 Service Unavailable" } });
    for (name, value) in more.as_object().unwrap() {
        letter[name] = value.clone();
    }
    caller.ok("/v1/letters.capture", json!({ "queue_name": queue, "letters": [letter] })).await;
}
