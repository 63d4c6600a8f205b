//! What became of claimed items: every verb.

use redrive_core::Span;
use serde_json::{Value, json};

use super::{claim, put};
use crate::bed::{Caller, Ground, each, on};

const SETTLE: &str = "/v1/queue.settle";

/// One item, claimed and settled by a verb; gives the answer.
async fn settle(caller: &mut Caller, verb: Value) -> Value {
    put(caller, "q", json!([{ "utf8": "x" }])).await;
    let id = claim(caller, "q", 1).await[0]["id"].clone();
    let mut item = verb;
    item["id"] = id;
    caller.ok(SETTLE, json!({ "queue_name": "q", "items": [item] })).await
}

fn failed() -> Value {
    json!({ "trigger": "automatic", "outcome": "failure", "error": "broke", "started_at": "2026-11-15T11:59:00Z" })
}

#[tokio::test]
async fn every_verb_does_what_it_says() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create_with_dead("q", json!({ "max_attempts": 5 })).await;
        let done = json!({ "settled": 1 });
        for (verb, queue, dead) in [
            (json!({ "ack": {} }), (0, 0, 0), 0),
            (json!({ "drop": {} }), (0, 0, 0), 0),
            (json!({ "retry": {} }), (1, 0, 0), 0),
            (json!({ "retry": { "at": "2026-11-15T12:05:00Z" }, "attempt": failed() }), (0, 0, 1), 0),
            (json!({ "defer": { "until": "2026-11-15T12:05:00Z" } }), (0, 0, 1), 0),
            (json!({ "release": {} }), (1, 0, 0), 0),
            (json!({ "condemn": {}, "attempt": failed() }), (1, 0, 0), 0),
            (json!({ "dead_letter": { "why": "exhausted" }, "attempt": failed() }), (0, 0, 0), 1),
            (json!({ "dead_letter": { "why": "permanent" } }), (0, 0, 0), 1),
            (json!({ "dead_letter": { "why": "spent" } }), (0, 0, 0), 1),
        ] {
            assert_eq!(settle(&mut caller, verb.clone()).await, done, "{verb}");
            assert_eq!(caller.counts("q").await, [queue], "{verb}");
            assert_eq!(caller.counts("dead").await[0].0, dead, "{verb}");
            for queue in ["q", "dead"] {
                let clear = json!({ "queue_name": queue, "queue": true, "scheduled": true, "destructive": true });
                caller.ok("/v1/queue.clear", clear).await;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn only_a_charged_verb_costs_an_attempt() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        for (verb, attempts) in [
            (json!({ "retry": {} }), 2),
            (json!({ "retry": { "is_free": true } }), 1),
            (json!({ "release": {} }), 1),
            (json!({ "defer": { "until": "2026-11-15T11:00:00Z" } }), 1),
        ] {
            settle(&mut caller, verb.clone()).await;
            let again = claim(&mut caller, "q", 1).await.remove(0);
            assert_eq!((&again["attempts"], &again["deliveries"]), (&json!(attempts), &json!(2)), "{verb}");
            let ack = json!({ "id": again["id"], "ack": {} });
            caller.ok(SETTLE, json!({ "queue_name": "q", "items": [ack] })).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_condemned_item_says_so_when_it_is_claimed_again() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "max_attempts": 1 })).await;
        settle(&mut caller, json!({ "condemn": {}, "attempt": failed() })).await;
        assert_eq!(claim(&mut caller, "q", 1).await[0]["is_condemned"], true);
    })
    .await;
}

#[tokio::test]
async fn failed_parts_come_with_the_next_claim() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let attempt = json!({ "outcome": "partial", "failed_parts": ["b", "c"] });
        settle(&mut caller, json!({ "retry": {}, "attempt": attempt })).await;
        assert_eq!(claim(&mut caller, "q", 1).await[0]["parts"], json!({ "names": ["b", "c"] }));
    })
    .await;
}

#[tokio::test]
async fn it_stops_at_the_first_stale_id_and_tells_how_far_it_came() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        put(&mut caller, "q", json!([{}, {}, {}])).await;
        let ids: Vec<Value> = claim(&mut caller, "q", 3).await.iter().map(|item| item["id"].clone()).collect();
        caller.ok(SETTLE, json!({ "queue_name": "q", "items": [{ "id": ids[1], "ack": {} }] })).await;
        let all: Vec<Value> = ids.iter().map(|id| json!({ "id": id, "ack": {} })).collect();
        let answer = caller.ok(SETTLE, json!({ "queue_name": "q", "items": all })).await;
        let message = format!("invalid storage id; '{}' does not exist", ids[1].as_str().unwrap());
        assert_eq!(answer, json!({ "settled": 1, "refused": { "id": ids[1], "is_stale": true, "message": message } }));
        assert_eq!(caller.counts("q").await[0], (1, 1, 0), "the last one is still held");
        let elsewhere = json!({ "queue_name": "q", "partition": 1, "items": [{ "id": ids[2], "ack": {} }] });
        let answer = caller.ok(SETTLE, elsewhere).await;
        assert_eq!((answer.get("settled"), &answer["refused"]["is_stale"]), (None, &json!(true)));
    })
    .await;
}

#[tokio::test]
async fn the_result_of_a_lease_that_ran_out_is_stale() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        put(&mut caller, "q", json!([{}])).await;
        let id = claim(&mut caller, "q", 1).await[0]["id"].clone();
        bed.advance(Span::from_micros(60_000_001));
        for verb in ["ack", "drop", "retry", "release", "condemn"] {
            let answer = caller.ok(SETTLE, json!({ "queue_name": "q", "items": [{ "id": id, verb: {} }] })).await;
            assert_eq!((answer.get("settled"), &answer["refused"]["is_stale"]), (None, &json!(true)), "{verb}");
        }
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    })
    .await;
}

#[tokio::test]
async fn what_is_wrong_is_told_before_anything_is_settled() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        put(&mut caller, "q", json!([{}])).await;
        let id = claim(&mut caller, "q", 1).await[0]["id"].clone();
        let attempt = |attempt: Value| json!({ "id": id, "retry": {}, "attempt": attempt });
        for (bad, message) in [
            (json!({ "id": id }), format!("verb is invalid; '{}' has none", id.as_str().unwrap())),
            (
                json!({ "id": "x", "ack": {} }),
                "invalid storage id; 'x': Valid encoded KSUIDs are 27 characters".to_owned(),
            ),
            (
                json!({ "id": id, "dead_letter": { "why": "tired" } }),
                "why is invalid; 'tired' is not one of exhausted, permanent, spent".to_owned(),
            ),
            (json!({ "id": id, "defer": {} }), "until is invalid; cannot be empty".to_owned()),
            (attempt(json!({})), "outcome is invalid; cannot be empty".to_owned()),
            (attempt(json!({ "outcome": "odd" })), "outcome is invalid; 'odd' is not known".to_owned()),
            (
                attempt(json!({ "outcome": "failure", "trigger": "odd" })),
                "trigger is invalid; 'odd' is not known".to_owned(),
            ),
            (
                attempt(json!({ "outcome": "failure", "cause": "odd" })),
                "cause is invalid; 'odd' is not known".to_owned(),
            ),
            (
                attempt(json!({ "outcome": "failure", "category": "odd" })),
                "category is invalid; 'odd' is not known".to_owned(),
            ),
        ] {
            let settle = json!({ "queue_name": "q", "items": [{ "id": id, "ack": {} }, bad] });
            assert_eq!(caller.refused(SETTLE, settle).await, (400, message));
            assert_eq!(caller.counts("q").await, [(1, 1, 0)]);
        }
    })
    .await;
}
