//! A letter behaves the same whether it was captured, moved from a queue, or imported.

use serde_json::{Value, json};

use crate::harness::{Caller, on_each_store_with_caller, request_timeout};

const CAPTURED: &str = "captured";
const MOVED: &str = "moved";
const IMPORTED: &str = "imported";

/// The fields in which these letters may differ: names, queue, and what depends on the failure that created the letter.
const DIFFERING_FIELDS: [&str; 8] =
    ["id", "source_id", "task_id", "queue_name", "destination", "policy_source", "fingerprint", "revision"];

/// Creates a queue with one letter that came about in this way; returns the letter's id.
async fn with_letter(caller: &mut Caller, kind: &str) -> Value {
    caller.create(kind, json!({})).await;
    match kind {
        MOVED => {
            caller.create("orders", json!({ "dead_queue": kind })).await;
            caller.produce("orders", &["the work"]).await;
            let held = caller.lease_one("orders").await;
            caller.retry("orders", &held, json!({ "dead": true })).await;
        }
        _ => {
            let letter = json!({ "source_id": "work", "utf8": "the work", "fault": { "error": "no such order" },
                "retry_policy": "never", "max_retries": 3 });
            caller.ok("/v1/letters.capture", json!({ "queue_name": kind, "letters": [letter] })).await;
        }
    }
    if kind == IMPORTED {
        let lines = exported(caller, kind).await;
        let list = caller.ok("/v1/letters.list", json!({ "queue_name": kind })).await;
        let purge = json!({ "queue_name": kind, "ids": [list["letters"][0]["id"]] });
        assert_eq!(caller.ok("/v1/letters.purge", purge).await, json!({ "changed": "1" }));
        let import = json!({ "queue_name": kind, "lines": lines });
        assert_eq!(caller.ok("/v1/letters.import", import).await, json!({ "imported": "1" }));
    }
    caller.ok("/v1/letters.list", json!({ "queue_name": kind })).await["letters"][0]["id"].clone()
}

async fn exported(caller: &mut Caller, queue: &str) -> Vec<Value> {
    let page = caller.ok("/v1/letters.export", json!({ "queue_name": queue })).await;
    page["lines"].as_array().cloned().unwrap_or_default()
}

/// The comparable fields of a letter, and the number of its attempt records.
async fn state(caller: &mut Caller, queue: &str, id: &Value) -> (Value, usize) {
    let mut whole = caller.ok("/v1/letters.get", json!({ "queue_name": queue, "id": id })).await;
    let attempts = whole["attempts"].as_array().map_or(0, Vec::len);
    (common(whole["letter"].take()), attempts)
}

/// Takes one letter through its life and records its state after each step.
struct Recorder<'c> {
    caller: &'c mut Caller,
    queue: &'static str,
    id: Value,
    /// The number of attempt records that the letter was created with.
    attempts: usize,
    steps: Vec<Value>,
}

impl Recorder<'_> {
    /// Records the state of the letter after a step.
    async fn after(&mut self, step: &str) {
        let (letter, attempts) = state(self.caller, self.queue, &self.id).await;
        self.steps.push(json!({ "after": step, "letter": letter, "records": attempts - self.attempts }));
    }

    async fn by_hand(&mut self, verb: &str) {
        let named = json!({ "queue_name": self.queue, "ids": [self.id] });
        let done = self.caller.ok(&format!("/v1/letters.{verb}"), named).await;
        assert_eq!(done, json!({ "changed": "1" }), "{verb}");
        self.after(verb).await;
    }

    async fn export(&mut self) {
        let lines = exported(self.caller, self.queue).await;
        assert_eq!(lines.len(), 1);
        let mut line: Value = serde_json::from_str(lines[0].as_str().unwrap()).unwrap();
        let [item, record] = ["item", "record"].map(|part| common(line[part].take()));
        self.steps.push(json!({ "item": item, "record": record, "content": line["content"] }));
    }
}

/// The fields that must be equal for all letters.
fn common(mut shown: Value) -> Value {
    shown.as_object_mut().unwrap().retain(|name, _| !DIFFERING_FIELDS.contains(&name.as_str()));
    shown
}

/// Leases, retries, archives, restores, exports and completes a letter; returns its state after each step.
async fn life(caller: &mut Caller, queue: &'static str) -> Vec<Value> {
    let id = with_letter(caller, queue).await;
    let (_, attempts) = state(caller, queue, &id).await;
    let mut recorder = Recorder { caller, queue, id, attempts, steps: Vec::new() };
    recorder.after("its creation").await;
    let held = recorder.caller.lease_one(queue).await;
    recorder.after("a lease").await;
    recorder.caller.retry(queue, &held, json!({})).await;
    recorder.after("a failed retry").await;

    let held = recorder.caller.lease_one(queue).await;
    recorder.by_hand("archive").await;
    let timeout = request_timeout();
    let late = json!({ "queue_name": queue, "partition": 0, "ids": [held.id], "request_timeout": timeout });
    let (code, _) = recorder.caller.rejection("/v1/queue.complete", late).await;
    recorder.after(&format!("a late result, rejected with {code}")).await;
    recorder.export().await;
    recorder.by_hand("restore").await;
    recorder.export().await;

    let held = recorder.caller.lease_one(queue).await;
    recorder.caller.complete(queue, &[held]).await;
    recorder.after("its completion").await;
    recorder.export().await;
    recorder.steps
}

#[test]
fn captured_moved_and_imported_letters_behave_the_same() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let captured = life(&mut caller, CAPTURED).await;
        for kind in [MOVED, IMPORTED] {
            for (step, expected) in life(&mut caller, kind).await.iter().zip(&captured) {
                assert_eq!(step, expected, "a letter that was {kind}, compared with a captured one");
            }
        }
    });
}
