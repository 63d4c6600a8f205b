//! However a letter came to be, it is the same thing.

use serde_json::{Value, json};

use crate::bed::{Caller, each, request_timeout};

const CAPTURED: &str = "captured";
const MOVED: &str = "moved";
const IMPORTED: &str = "imported";

/// What letters may differ in: their names, their place, and what was said of the failure that made them.
const OF_ITS_OWN: [&str; 7] =
    ["id", "source_id", "queue_name", "destination", "policy_source", "fingerprint", "revision"];

/// A queue for letters of one kind, with one of them; its id.
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

/// What is told of a letter, apart from where it came from and what it is called; and how often it was tried.
async fn told(caller: &mut Caller, queue: &str, id: &Value) -> (Value, usize) {
    let mut whole = caller.ok("/v1/letters.get", json!({ "queue_name": queue, "id": id })).await;
    let attempts = whole["attempts"].as_array().map_or(0, Vec::len);
    (common(whole["letter"].take()), attempts)
}

/// What became of one letter, step by step.
struct Story<'c> {
    caller: &'c mut Caller,
    queue: &'static str,
    id: Value,
    /// Records that it came with.
    attempts: usize,
    steps: Vec<Value>,
}

impl Story<'_> {
    /// Tells how the letter is after a step.
    async fn after(&mut self, step: &str) {
        let (letter, attempts) = told(self.caller, self.queue, &self.id).await;
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

/// What letters have in common.
fn common(mut told: Value) -> Value {
    told.as_object_mut().unwrap().retain(|name, _| !OF_ITS_OWN.contains(&name.as_str()));
    told
}

/// Lease, retry, archive, restore and export, and what is told after each step.
async fn life(caller: &mut Caller, queue: &'static str) -> Vec<Value> {
    let id = with_letter(caller, queue).await;
    let (_, attempts) = told(caller, queue, &id).await;
    let mut story = Story { caller, queue, id, attempts, steps: Vec::new() };
    story.after("its beginning").await;
    let held = story.caller.lease_one(queue).await;
    story.after("a lease").await;
    story.caller.retry(queue, &held, json!({})).await;
    story.after("a retry that failed").await;

    let held = story.caller.lease_one(queue).await;
    story.by_hand("archive").await;
    let timeout = request_timeout();
    let late = json!({ "queue_name": queue, "partition": 0, "ids": [held.id], "request_timeout": timeout });
    let (code, _) = story.caller.refused("/v1/queue.complete", late).await;
    story.after(&format!("a late result, refused with {code}")).await;
    story.export().await;
    story.by_hand("restore").await;
    story.export().await;

    let held = story.caller.lease_one(queue).await;
    story.caller.complete(queue, &[held]).await;
    story.after("its completion").await;
    story.export().await;
    story.steps
}

#[tokio::test]
async fn a_captured_a_moved_and_an_imported_letter_are_the_same() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let captured = life(&mut caller, CAPTURED).await;
        for kind in [MOVED, IMPORTED] {
            for (step, expected) in life(&mut caller, kind).await.iter().zip(&captured) {
                assert_eq!(step, expected, "a letter that was {kind}");
            }
        }
    })
    .await;
}
