//! The life of a letter, one test for each way from one status to another: `rNN` is the row of the table in
//! `docs/letters.md`.

mod beginning;
mod by_hand;
mod claims;
mod results;

use redrive_core::{ItemId, LetterId, QueueName};
use redrive_model::GetLetter;
use redrive_store::Store;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{capture, failure, get};
use crate::bed::{Bed, Caller, Heard, Target, Tried};

/// The dead queue. Its letters are kept while the clock goes on.
async fn dead_queue(caller: &mut Caller) {
    caller.create("dead", json!({ "expire_timeout": "10000h" })).await;
}

/// A failure with more said about it.
fn with(source_id: &str, more: Value) -> Value {
    let mut letter = failure(source_id);
    if let (Value::Object(letter), Value::Object(more)) = (&mut letter, more) {
        letter.extend(more);
    }
    letter
}

async fn captured(caller: &mut Caller, letter: Value) -> Value {
    capture(caller, letter).await["id"].clone()
}

/// From now on, what is due is retried.
async fn start(caller: &mut Caller) {
    caller.ok("/v1/letters.process", json!({ "queue_name": "dead", "action": "start" })).await;
}

async fn letter(caller: &mut Caller, id: &Value) -> Value {
    get(caller, id).await["letter"].clone()
}

/// Waits until the letter is in this state.
async fn until(caller: &mut Caller, id: &Value, status: &str) -> Value {
    loop {
        let letter = letter(caller, id).await;
        if letter["status"] == status {
            return letter;
        }
        tokio::task::yield_now().await;
    }
}

/// The newest record of its attempts.
async fn newest(caller: &mut Caller, id: &Value) -> Value {
    get(caller, id).await["attempts"].as_array().unwrap().last().unwrap()["attempt"].clone()
}

fn one(id: &Value) -> Value {
    json!({ "queue_name": "dead", "id": id })
}

fn named(id: &Value) -> Value {
    json!({ "queue_name": "dead", "ids": [id] })
}

/// A retry by hand, and the attempt that it makes.
async fn by_hand(bed: &Bed, target: &mut Target, id: &Value) -> (JoinHandle<Heard>, Tried) {
    let asked = bed.calling("/v1/letters.retry", one(id)).await;
    (asked, target.next().await)
}

/// What was answered to a retry by hand.
async fn answered(asked: JoinHandle<Heard>) -> Value {
    asked.await.unwrap().value()
}

/// A number of the life of the queue.
async fn lifetime(caller: &mut Caller, what: &str) -> u64 {
    let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
    assert_eq!(stats["unaccounted"], 0);
    stats["lifetime_stats"][what].as_u64().unwrap()
}

/// Under which id a result would be taken today.
async fn fence(bed: &Bed, id: &Value) -> ItemId {
    let letter = LetterId::new(id.as_str().unwrap().parse().unwrap());
    let get = GetLetter { queue: QueueName::new("dead").unwrap(), letter };
    bed.store().letter(get).await.unwrap().info.id
}

/// A letter in each of the five states, and the attempt at the one that is being retried.
async fn one_of_each(bed: &Bed, caller: &mut Caller, target: &mut Target) -> ([(&'static str, Value); 5], Tried) {
    let pending = captured(caller, failure("pending")).await;
    let exhausted = captured(caller, with("exhausted", json!({ "max_retries": 0 }))).await;
    let completed = captured(caller, failure("completed")).await;
    let (asked, tried) = by_hand(bed, target, &completed).await;
    tried.done();
    assert_eq!(answered(asked).await["success"], true);
    let archived = captured(caller, failure("archived")).await;
    caller.ok("/v1/letters.archive", named(&archived)).await;
    let retrying = captured(caller, failure("retrying")).await;
    let (_asked, tried) = by_hand(bed, target, &retrying).await;
    let all = [
        ("pending", pending),
        ("retrying", retrying),
        ("exhausted", exhausted),
        ("completed", completed),
        ("archived", archived),
    ];
    (all, tried)
}
