//! Random requests to every call.

use std::collections::BTreeSet;

use http::HeaderValue;
use redrive_core::Span;
use serde_json::{Value, json};

use super::calls::{CALLS, Field};
use super::damage::{damaged, deep, mistyped};
use super::sample::{in_json, message, protobuf};
use crate::bed::{Bed, Caller, Ground, Heard, Random, bounded, seeds};

/// Requests of one seed.
const REQUESTS: usize = 500;

/// Sends a request. While it is not answered time goes on, so that whoever waits for it does not wait for ever.
async fn send(bed: &Bed, caller: &mut Caller, path: &str, form: &str, body: Vec<u8>) -> Heard {
    let answer = caller.post(path, form, body);
    tokio::pin!(answer);
    for turn in 1_u64.. {
        tokio::select! {
            biased;
            heard = &mut answer => return heard,
            () = tokio::task::yield_now() => {}
        }
        if turn % 1_024 == 0 {
            bed.advance(Span::from_secs(30));
        }
    }
    unreachable!("it is answered, or the test's time is over");
}

/// A request in one of the forms, sound or not.
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

/// Ids that are in an answer, to be used in later requests.
fn gather(value: &Value, ids: &mut Vec<String>) {
    match value {
        Value::String(text) if text.len() == 27 => ids.push(text.clone()),
        Value::Array(array) => array.iter().for_each(|value| gather(value, ids)),
        Value::Object(object) => object.values().for_each(|value| gather(value, ids)),
        _ => {}
    }
}

/// Whether an answer refuses an item: then it need not have done anything.
fn is_refused(answer: &Value) -> bool {
    let items = answer["items"].as_array();
    items.is_some_and(|items| items.iter().any(|item| item.get("refused").is_some()))
}

async fn queues(caller: &mut Caller) {
    for (queue, dead) in [("dead", ""), ("q", "dead"), ("other", "")] {
        let settings = json!({
            "queue_name": queue, "dead_queue": dead, "lease_timeout": "24h", "expire_timeout": "99h", "max_attempts": 3,
            "requested_partitions": 1,
        });
        // It may be there already.
        caller.json("/v1/queues.create", settings).await;
    }
}

/// Something to work on, and somebody who holds some of it.
async fn stir(caller: &mut Caller, ids: &mut Vec<String>) {
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
        gather(&caller.json("/v1/queue.lease", lease).await.value(), ids);
    }
}

/// Sends the requests of a seed; gives the calls that did something.
async fn run(ground: Ground, seed: u64) -> BTreeSet<&'static str> {
    let mut random = Random::new(seed);
    let bed = Bed::new(ground).await;
    let mut caller = bed.caller().await;
    let mut ids = Vec::new();
    let mut done = BTreeSet::new();
    for number in 0..REQUESTS {
        if number % 50 == 0 {
            queues(&mut caller).await;
        }
        if number % 3 == 0 {
            stir(&mut caller, &mut ids).await;
        }
        let (path, fields) = CALLS[random.below(CALLS.len())];
        let (form, body) = request(&mut random, fields, &ids);
        let accept = if random.chance(20) { "application/protobuf" } else { "*/*" };
        caller.headers.insert("accept", HeaderValue::from_static(accept));
        let shown = String::from_utf8_lossy(&body[..body.len().min(500)]).into_owned();
        let heard = send(&bed, &mut caller, path, form, body).await;
        let status = heard.status.as_u16();
        assert!(
            [200, 400, 453, 454, 455].contains(&status),
            "seed {seed}, request {number}, {path} {form} {shown:?}: {status} {}",
            heard.text()
        );
        if status == 200 && accept == "*/*" && !is_refused(&heard.value()) {
            done.insert(path);
        }
        assert_eq!(heard.header("content-type") == "application/protobuf", accept != "*/*", "seed {seed}, {path}");
        if accept == "*/*" {
            gather(&heard.value(), &mut ids);
            ids.drain(..ids.len().saturating_sub(100));
        }
    }
    caller.headers.clear();
    let mut caller = bed.caller().await;
    caller.create("afterwards", json!({})).await;
    caller.produce("afterwards", &["still works"]).await;
    let held = caller.lease("afterwards", 1).await;
    caller.complete("afterwards", &held).await;
    done
}

#[tokio::test]
async fn random_requests_are_answered_and_do_no_harm() {
    let usual = seeds(5);
    let all: BTreeSet<&str> = CALLS.iter().map(|(path, _)| *path).collect();
    let mut done = BTreeSet::new();
    let is_whole = usual.len() >= 5;
    // How far the clock moves depends on the machine: where the usual seeds leave a call undone, some more are tried.
    let more = (usual.len() as u64..20).filter(|_| is_whole);
    for (number, seed) in usual.iter().copied().chain(more).enumerate() {
        if number >= usual.len() && done == all {
            break;
        }
        let ground = if seed % 3 == 2 { Ground::Journal } else { Ground::Memory };
        done.extend(bounded(run(ground, seed)).await);
    }
    assert!(!is_whole || done == all, "nothing was ever done by {:?}", all.difference(&done).collect::<Vec<_>>());
}
