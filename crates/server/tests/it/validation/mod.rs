//! Validation of requests: the error messages of the API, and the order in which faults are reported.

mod bounds;
mod common;
mod dead_queues;
mod items;
mod queue;
mod queues;
mod several_fields;
mod storage;

use serde_json::Value;

use crate::harness::Caller;

/// The name of a case, a request, and the error message that it must get.
type Case = (&'static str, Value, &'static str);

/// Sends each request; panics with the names of all cases that were answered differently.
async fn assert_rejected(caller: &mut Caller, path: &str, cases: &[Case]) {
    let mut wrong = Vec::new();
    for (name, body, message) in cases {
        let response = caller.json(path, body.clone()).await;
        if response.rejection() != (400, (*message).to_owned()) {
            wrong.push(format!("{name}: got {} {}, expected: {message}", response.status, response.text()));
        }
    }
    assert!(wrong.is_empty(), "{path}\n{}", wrong.join("\n"));
}

/// A request without some of its fields.
fn without_fields(body: &Value, fields: &[&str]) -> Value {
    let mut body = body.clone();
    for field in fields {
        body.as_object_mut().unwrap().remove(*field);
    }
    body
}

/// A request with other values.
fn with_fields(body: &Value, other: Value) -> Value {
    let mut body = body.clone();
    if let (Value::Object(body), Value::Object(other)) = (&mut body, other) {
        body.extend(other);
    }
    body
}
