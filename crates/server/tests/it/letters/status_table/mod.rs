//! The status transitions of a letter, with at least one test each: `rNN` is the row of the table in `docs/letters.md`.

mod claims;
mod first_status;
mod manual;
mod results;

use redrive_core::{ItemId, LetterId, QueueName};
use redrive_model::GetLetter;
use redrive_store::Store;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{captured, failure, failure_with, get, with_ids};
use crate::harness::{Caller, PendingAttempt, Response, Target, TestServer};

/// Starts the processor: from now on due letters are retried.
async fn start_processor(caller: &mut Caller) {
    caller.ok("/v1/letters.process", json!({ "queue_name": "dead", "action": "start" })).await;
}

async fn letter(caller: &mut Caller, id: &Value) -> Value {
    get(caller, id).await["letter"].clone()
}

/// Waits until the letter has this status.
async fn until_status(caller: &mut Caller, id: &Value, status: &str) -> Value {
    loop {
        let letter = letter(caller, id).await;
        if letter["status"] == status {
            return letter;
        }
        tokio::task::yield_now().await;
    }
}

/// The newest attempt record of a letter.
async fn newest_attempt(caller: &mut Caller, id: &Value) -> Value {
    get(caller, id).await["attempts"].as_array().unwrap().last().unwrap()["attempt"].clone()
}

fn with_id(id: &Value) -> Value {
    json!({ "queue_name": "dead", "id": id })
}

/// Starts a manual retry; returns its call and its attempt.
async fn manual_retry(server: &TestServer, target: &mut Target, id: &Value) -> (JoinHandle<Response>, PendingAttempt) {
    let call = server.spawn_call("/v1/letters.retry", with_id(id)).await;
    (call, target.next().await)
}

/// The response of a manual retry.
async fn response_of(call: JoinHandle<Response>) -> Value {
    call.await.unwrap().value()
}

/// A lifetime counter of the queue.
async fn lifetime_counter(caller: &mut Caller, what: &str) -> u64 {
    let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
    assert_eq!(stats["unaccounted"], 0);
    stats["lifetime_stats"][what].as_u64().unwrap()
}

/// The item id under which the letter currently accepts a result. Claims, edits and archiving replace it.
async fn fence(server: &TestServer, id: &Value) -> ItemId {
    let letter = LetterId::new(id.as_str().unwrap().parse().unwrap());
    let get = GetLetter { queue: QueueName::new("dead").unwrap(), letter };
    server.store().letter(get).await.unwrap().info.id
}

/// Captures a letter for each of the five statuses; returns them and the running attempt of the one that is retrying.
async fn one_letter_per_status(
    server: &TestServer,
    caller: &mut Caller,
    target: &mut Target,
) -> ([(&'static str, Value); 5], PendingAttempt) {
    let pending = captured(caller, failure("pending")).await;
    let exhausted = captured(caller, failure_with("exhausted", json!({ "max_retries": 0 }))).await;
    let completed = captured(caller, failure("completed")).await;
    let (call, attempt) = manual_retry(server, target, &completed).await;
    attempt.done();
    assert_eq!(response_of(call).await["success"], true);
    let archived = captured(caller, failure("archived")).await;
    caller.ok("/v1/letters.archive", with_ids(&archived)).await;
    let retrying = captured(caller, failure("retrying")).await;
    let (_call, attempt) = manual_retry(server, target, &retrying).await;
    let all = [
        ("pending", pending),
        ("retrying", retrying),
        ("exhausted", exhausted),
        ("completed", completed),
        ("archived", archived),
    ];
    (all, attempt)
}
