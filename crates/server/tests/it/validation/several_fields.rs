//! An error names all wrong fields of a request: first the one that a request with it alone would be rejected for.

use serde_json::{Value, json};

use super::with_fields;
use crate::harness::{Caller, on_each_store_with_queue};

/// A call, a request, the message about its first wrong field, and the names of all.
type Case = (&'static str, Value, &'static str, &'static str);

const NO_NAME: &str = "queue name is invalid; queue name cannot be empty";

fn of_redrive() -> Vec<Case> {
    let item = json!({ "id": "x", "retry": {}, "fault": { "category": "odd", "http_status": 7 } });
    let template = json!({ "name": "t", "regex": "x", "category": "odd", "delay": "soon", "position": -1 });
    let list =
        json!({ "queue_name": "q", "statuses": ["asleep"], "sort": "up", "limit": -1, "filter": "(", "since": "x" });
    vec![
        ("queue.claim", json!({}), NO_NAME, "queue_name, batch_size, request_timeout"),
        (
            "queue.put",
            json!({ "queue_name": "q", "items": [{}, { "priority": "urgent", "expire_timeout": "x" }] }),
            "request timeout is required; '5m' is recommended, 15m is the maximum",
            "request_timeout, items[1].expire_timeout, items[1].priority",
        ),
        (
            "queue.extend",
            json!({ "queue_name": "q", "partition": 7, "lease_timeout": "x" }),
            "partition is invalid; '7' is not a valid partition",
            "partition, lease_timeout, ids",
        ),
        (
            "queue.settle",
            json!({ "queue_name": "q", "items": [{ "id": "x" }, item] }),
            "invalid storage id; 'x': Valid encoded KSUIDs are 27 characters",
            "items[0], items[1]",
        ),
        ("letters.list", list, "status is invalid; 'asleep' is not known", "statuses, sort, limit, filter, since"),
        (
            "letters.explain",
            json!({ "queue_name": " ", "retry_policy": "often", "fault": { "category": "odd", "http_status": 7 } }),
            NO_NAME,
            "queue_name, fault.category, fault.http_status, retry_policy",
        ),
        (
            "letters.capture",
            json!({ "queue_name": "q", "letters": [{ "max_retries": -1, "origin": { "replays": -1 } }] }),
            "origin.replays is invalid; must be 0 or more, but -1 was given",
            "letters[0].origin.replays, letters[0].max_retries",
        ),
        (
            "letters.capture",
            json!({ "queue_name": "q", "letters": [
                {}, { "depends_on": ["none"], "max_retries": -1 }, { "priority": "urgent" },
            ] }),
            "letter 'none' does not exist",
            "letters[1].depends_on, letters[1].max_retries, letters[2].priority",
        ),
        (
            "letters.templates",
            json!({ "queue_name": "q", "set": template }),
            "category is invalid; 'odd' is not known",
            "set.category, set.delay, set.position",
        ),
        (
            "letters.configure",
            json!({ "queue_name": "q", "set": { "default_max_retries": "many", "max_size": "big" } }),
            "default_max_retries is invalid: 'many'",
            "set.default_max_retries, set.max_size",
        ),
        (
            "letters.edit",
            json!({ "queue_name": "a~b", "id": "x", "max_retries": 101, "priority": "urgent" }),
            "queue name is invalid; 'a~b' cannot contain '~' character",
            "queue_name, max_retries, priority",
        ),
    ]
}

fn of_querator() -> Vec<Case> {
    let settings = json!({
        "queue_name": "new", "lease_timeout": "x", "namespace": "a~b", "dead_queue": "a b", "max_attempts": -1,
        "reference": "x".repeat(2_001),
    });
    let lease = "lease timeout is invalid; time: invalid duration \"x\" - expected format: 8m, 15m or 1h";
    vec![
        ("queue.produce", json!({}), NO_NAME, "queue_name, request_timeout, items"),
        (
            "queue.lease",
            json!({ "queue_name": "q" }),
            "invalid client id; cannot be empty",
            "client_id, batch_size, request_timeout",
        ),
        (
            "queue.complete",
            json!({ "queue_name": "q", "request_timeout": "16m" }),
            "ids is invalid; list of ids cannot be empty",
            "ids, request_timeout",
        ),
        (
            "queues.create",
            settings.clone(),
            lease,
            "lease_timeout, namespace, dead_queue, reference, max_attempts, requested_partitions, expire_timeout",
        ),
        (
            "queues.create",
            with_fields(&settings, json!({ "lease_timeout": "1m", "namespace": "", "dead_queue": "" })),
            "reference field is invalid; cannot be greater than '2000' characters",
            "reference, max_attempts, requested_partitions, expire_timeout",
        ),
        ("queues.update", settings, lease, "lease_timeout, namespace, dead_queue, reference, max_attempts"),
        (
            "storage/items.list",
            json!({ "queue_name": "q", "pivot": "x", "limit": -1 }),
            "invalid storage id; 'x': Valid encoded KSUIDs are 27 characters",
            "pivot, limit",
        ),
        (
            "users.create",
            json!({ "email": "x".repeat(257) }),
            "username is invalid; cannot be empty",
            "username, email",
        ),
        (
            "rolebindings.create",
            json!({ "user_id": "a:b" }),
            "namespace is invalid; cannot be empty",
            "namespace, role_name, user_id",
        ),
    ]
}

/// Sends the request; returns the names of the wrong fields.
async fn wrong_fields(caller: &mut Caller, (call, request, first, _): &Case, is_own: bool) -> Value {
    let response = caller.json(&format!("/v1/{call}"), request.clone()).await;
    let reply = response.value();
    let message = reply["message"].as_str().unwrap();
    assert_eq!(response.status, 400, "{call}: {message}");
    assert!(message.starts_with(first) && message.contains("; also: "), "{call}: {message}");
    assert_eq!(message.split(';').next(), first.split(';').next(), "what clients of Querator compare");
    match is_own {
        true => reply["details"]["fields"].clone(),
        false => serde_json::from_str::<Value>(response.header("x-redrive-reason-fields")).unwrap()["fields"].clone(),
    }
}

#[test]
fn an_error_names_all_wrong_fields_by_the_names_of_the_request() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for (cases, is_own) in [(of_redrive(), true), (of_querator(), false)] {
            for case in cases {
                let found = wrong_fields(&mut caller, &case, is_own).await;
                assert_eq!(found, case.3, "{}", case.0);
            }
        }
    });
}

#[test]
fn further_fields_stand_in_the_message_behind_the_first() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let reply = caller.json("/v1/queue.claim", json!({})).await.value();
        let message = "queue name is invalid; queue name cannot be empty; also: batch_size: invalid batch size: must be \
                       greater than zero; request_timeout is required: '5m' is recommended, 15m is the maximum";
        assert_eq!(reply["message"], message);
        assert_eq!(reply["details"]["reason"], "invalid");
    });
}

#[test]
fn a_missing_queue_is_reported_alone() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for call in ["queue.claim", "queue.lease", "queue.produce"] {
            let reply = caller.json(&format!("/v1/{call}"), json!({ "queue_name": "none" })).await.value();
            assert_eq!(reply["message"], "queue does not exist; no such queue named 'none'", "{call}");
        }
    });
}

#[test]
fn the_number_of_named_fields_is_bounded() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let item = json!({ "priority": "x".repeat(1_000) });
        let request = json!({ "queue_name": "q", "request_timeout": "1m", "items": vec![item; 900] });
        let reply = caller.json("/v1/queue.put", request).await.value();
        let message = reply["message"].as_str().unwrap();
        assert!(message.len() < 8_000 && message.ends_with("; and more"), "{message}");
        assert_eq!(reply["details"]["fields"].as_str().unwrap().split(", ").count(), 20);
    });
}
