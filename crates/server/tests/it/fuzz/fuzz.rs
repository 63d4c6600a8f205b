//! Sends random requests to every call of [`CALLS`].

use std::collections::BTreeSet;

use http::HeaderValue;
use redrive_core::Span;
use redrive_testkit::seeds;
use serde_json::{Value, json};

use super::calls::{CALLS, Field};
use super::damage::{damaged, deep, mistyped};
use super::sample::{in_json, message, protobuf};
use crate::harness::{Caller, Random, Response, StoreKind, TestServer, queue_settings, run};

/// The number of requests of one seed.
const REQUESTS: usize = 500;

/// Sends a request. Advances the clock until it is answered, so that a waiting lease ends.
async fn send(server: &TestServer, caller: &mut Caller, path: &str, form: &str, body: Vec<u8>) -> Response {
    let answer = caller.post(path, form, body);
    tokio::pin!(answer);
    for turn in 1_u64.. {
        tokio::select! {
            biased;
            response = &mut answer => return response,
            () = tokio::task::yield_now() => {}
        }
        if turn % 1_024 == 0 {
            server.advance(Span::from_secs(30));
        }
    }
    unreachable!("the request is answered or the test times out");
}

/// A request in protobuf or JSON, well-formed or damaged.
fn request(random: &mut Random, fields: &'static [Field], ids: &[String]) -> (&'static str, Vec<u8>) {
    let sample = message(random, fields, ids, 0);
    match random.below(10) {
        0..4 => ("application/protobuf", protobuf(&sample)),
        4..6 => ("application/json", in_json(&sample).to_string().into_bytes()),
        6 => ("application/protobuf", damaged(random, protobuf(&sample))),
        7 => ("application/json", damaged(random, in_json(&sample).to_string().into_bytes())),
        8 => {
            let mut value = in_json(&sample);
            mistyped(random, &mut value);
            ("application/json", value.to_string().into_bytes())
        }
        _ => ("application/json", deep(random)),
    }
}

/// Collects the ids of a response for later requests.
fn collect_ids(value: &Value, ids: &mut Vec<String>) {
    match value {
        Value::String(text) if text.len() == 27 => ids.push(text.clone()),
        Value::Array(array) => array.iter().for_each(|value| collect_ids(value, ids)),
        Value::Object(object) => object.values().for_each(|value| collect_ids(value, ids)),
        _ => {}
    }
}

/// Whether a response rejects an item: such a request may have changed nothing.
fn is_rejected(answer: &Value) -> bool {
    let items = answer["items"].as_array();
    items.is_some_and(|items| items.iter().any(|item| item.get("refused").is_some()))
}

async fn create_queues(caller: &mut Caller) {
    for (queue, dead) in [("dead", ""), ("q", "dead"), ("other", "")] {
        let settings =
            json!({ "dead_queue": dead, "lease_timeout": "24h", "expire_timeout": "99h", "max_attempts": 3 });
        // The queue may already exist.
        caller.json("/v1/queues.create", queue_settings(queue, settings)).await;
    }
}

/// Produces items and leases some of them, so that requests can refer to leased items.
async fn produce_and_lease(caller: &mut Caller, ids: &mut Vec<String>) {
    caller.headers.clear();
    let items = json!({ "queue_name": "q", "request_timeout": "1m", "items": vec![json!({}); 6] });
    caller.json("/v1/queue.produce", items).await;
    caller.json("/v1/queue.resume", json!({ "queue_name": "q" })).await;
    let lease = json!({ "queue_name": "q", "batch_size": 4, "client_id": "stirs", "request_timeout": "1m" });
    let stats = caller.json("/v1/queue.stats", json!({ "queue_name": "q" })).await;
    let count = |partition: &Value, what: &str| partition[what].as_u64().unwrap_or(0);
    let partitions = stats.value()["logicalQueues"][0]["partitions"].as_array().cloned().unwrap_or_default();
    if partitions.iter().any(|partition| count(partition, "total") > count(partition, "total_leased")) {
        ids.clear();
        collect_ids(&caller.json("/v1/queue.lease", lease).await.value(), ids);
    }
}

/// Sends the requests of a seed; returns the calls that succeeded.
async fn send_all(store_kind: StoreKind, seed: u64) -> BTreeSet<&'static str> {
    let mut random = Random::new(seed);
    let server = TestServer::new(store_kind).await;
    let mut caller = server.caller().await;
    let mut ids = Vec::new();
    let mut done = BTreeSet::new();
    for number in 0..REQUESTS {
        if number % 50 == 0 {
            create_queues(&mut caller).await;
        }
        if number % 3 == 0 {
            produce_and_lease(&mut caller, &mut ids).await;
        }
        let (path, fields) = CALLS[random.below(CALLS.len())];
        let (form, body) = request(&mut random, fields, &ids);
        let accept = if random.chance(20) { "application/protobuf" } else { "*/*" };
        caller.headers.insert("accept", HeaderValue::from_static(accept));
        let shown = String::from_utf8_lossy(&body[..body.len().min(500)]).into_owned();
        let response = send(&server, &mut caller, path, form, body).await;
        let status = response.status.as_u16();
        assert!(
            [200, 400, 453, 454, 455].contains(&status),
            "seed {seed}, request {number}, {path} {form} {shown:?}: {status} {}",
            response.text()
        );
        if status == 200 && accept == "*/*" && !is_rejected(&response.value()) {
            done.insert(path);
        }
        assert_eq!(response.header("content-type") == "application/protobuf", accept != "*/*", "seed {seed}, {path}");
        if accept == "*/*" {
            collect_ids(&response.value(), &mut ids);
            ids.drain(..ids.len().saturating_sub(100));
        }
    }
    caller.headers.clear();
    let mut caller = server.caller().await;
    caller.create("afterwards", json!({})).await;
    caller.produce("afterwards", &["still works"]).await;
    let held = caller.lease("afterwards", 1).await;
    caller.complete("afterwards", &held).await;
    done
}

const FIXED: u64 = 2;

#[test]
fn random_requests_are_answered_and_the_server_keeps_working() {
    let seeds: Vec<u64> = seeds(FIXED).map(u64::from).collect();
    let all: BTreeSet<&str> = CALLS.iter().map(|(path, _)| *path).collect();
    let mut done = BTreeSet::new();
    let is_whole = seeds.len() > 1;
    // How far the clock moves depends on the machine: if a call never succeeded with these seeds, more are run.
    let more = (FIXED..20).filter(|_| is_whole);
    for (number, seed) in seeds.iter().copied().chain(more).enumerate() {
        if number >= seeds.len() && done == all {
            break;
        }
        let store_kind = if seed % 3 == 2 { StoreKind::Journal } else { StoreKind::Memory };
        done.extend(run(send_all(store_kind, seed)));
    }
    assert!(!is_whole || done == all, "never succeeded: {:?}", all.difference(&done).collect::<Vec<_>>());
}
