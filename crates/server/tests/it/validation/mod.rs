//! What is wrong with a request, in the words and in the order that clients know.

mod bounds;
mod common;
mod dead_queues;
mod items;
mod queue;
mod queues;
mod storage;

use serde_json::Value;

use crate::bed::Caller;

/// A request with the only message that it may get, and a name for what it shows.
type Case = (&'static str, Value, &'static str);

/// Sends each request; all that were answered otherwise are told by name.
async fn refused(caller: &mut Caller, path: &str, cases: &[Case]) {
    let mut wrong = Vec::new();
    for (name, body, message) in cases {
        let heard = caller.json(path, body.clone()).await;
        let said = heard.value();
        if heard.status != 400 || said["code"] != 400 || said["message"] != *message {
            wrong.push(format!("{name}: {} {}, but not: {message}", heard.status, heard.text()));
        }
    }
    assert!(wrong.is_empty(), "{path}\n{}", wrong.join("\n"));
}

/// A request without some of its fields: what is left out is the next fault that is mended.
fn without(body: &Value, fields: &[&str]) -> Value {
    let mut body = body.clone();
    for field in fields {
        body.as_object_mut().unwrap().remove(*field);
    }
    body
}

/// A request with other values.
fn but(body: &Value, other: Value) -> Value {
    let mut body = body.clone();
    if let (Value::Object(body), Value::Object(other)) = (&mut body, other) {
        body.extend(other);
    }
    body
}
