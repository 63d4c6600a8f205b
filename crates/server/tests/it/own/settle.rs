//! `queue.settle`: every verb and its outcome.

use redrive_core::Span;
use serde_json::{Value, json};

use super::{claim, put};
use crate::harness::{
    Caller, StoreKind, on_each_store_with_caller, on_each_store_with_queue, on_store_with_caller, on_store_with_queue,
};

const SETTLE: &str = "/v1/queue.settle";

/// Puts one item, claims it and settles it with `verb`; returns the response.
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

#[test]
fn every_verb_has_its_outcome() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create_with_dead("q", json!({ "max_attempts": 5 })).await;
        let (done, again) = (json!({ "outcome": "completed" }), json!({ "outcome": "requeued" }));
        let later = json!({ "outcome": "requeued", "at": "2026-11-15T12:05:00Z" });
        let moved = json!({ "outcome": "moved", "moved_to": "dead" });
        for (verb, outcome, queue, dead) in [
            (json!({ "ack": {} }), &done, (0, 0, 0), 0),
            (json!({ "drop": {} }), &done, (0, 0, 0), 0),
            (json!({ "retry": {} }), &again, (1, 0, 0), 0),
            (json!({ "retry": { "at": "2026-11-15T12:05:00Z" }, "attempt": failed() }), &later, (0, 0, 1), 0),
            (json!({ "retry": { "at": "2026-11-15T12:05:00Z", "is_decided": true } }), &later, (0, 0, 1), 0),
            (json!({ "defer": { "until": "2026-11-15T12:05:00Z" } }), &later, (0, 0, 1), 0),
            (json!({ "release": {} }), &again, (1, 0, 0), 0),
            (json!({ "condemn": {}, "attempt": failed() }), &again, (1, 0, 0), 0),
            (json!({ "dead_letter": { "why": "exhausted" }, "attempt": failed() }), &moved, (0, 0, 0), 1),
            (json!({ "dead_letter": { "why": "permanent" } }), &moved, (0, 0, 0), 1),
            (json!({ "dead_letter": { "why": "spent" } }), &moved, (0, 0, 0), 1),
        ] {
            assert_eq!(settle(&mut caller, verb.clone()).await, json!({ "items": [outcome] }), "{verb}");
            assert_eq!(caller.counts("q").await, [queue], "{verb}");
            assert_eq!(caller.counts("dead").await[0].0, dead, "{verb}");
            for queue in ["q", "dead"] {
                let clear = json!({ "queue_name": queue, "queue": true, "scheduled": true, "destructive": true });
                caller.ok("/v1/queue.clear", clear).await;
            }
        }
    });
}

#[test]
fn only_a_charged_verb_counts_as_an_attempt() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for (verb, attempts, deliveries) in [
            (json!({ "retry": {} }), 2, 2),
            (json!({ "retry": { "is_free": true } }), 1, 2),
            (json!({ "release": {} }), 1, 1),
            (json!({ "defer": { "until": "2026-11-15T11:00:00Z" } }), 1, 2),
        ] {
            settle(&mut caller, verb.clone()).await;
            let again = claim(&mut caller, "q", 1).await.remove(0);
            assert_eq!((&again["attempts"], &again["deliveries"]), (&json!(attempts), &json!(deliveries)), "{verb}");
            let ack = json!({ "id": again["id"], "ack": {} });
            caller.ok(SETTLE, json!({ "queue_name": "q", "items": [ack] })).await;
        }
    });
}

#[test]
fn an_item_for_hand_over_only_is_marked_in_its_next_claim() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "max_attempts": 1 })).await;
        settle(&mut caller, json!({ "condemn": {}, "attempt": failed() })).await;
        assert_eq!(claim(&mut caller, "q", 1).await[0]["is_condemned"], true);
    });
}

#[test]
fn the_next_claim_contains_the_failed_parts() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let attempt = json!({ "outcome": "partial", "failed_parts": ["b", "c"] });
        settle(&mut caller, json!({ "retry": {}, "attempt": attempt })).await;
        assert_eq!(claim(&mut caller, "q", 1).await[0]["parts"], json!({ "names": ["b", "c"] }));
    });
}

/// Claims three items and settles the second. Returns their ids and a request that settles all of them.
async fn one_stale_of_three(caller: &mut Caller) -> (Vec<Value>, Value) {
    caller.create("q", json!({ "requested_partitions": 2 })).await;
    put(caller, "q", json!([{}, {}, {}])).await;
    let ids: Vec<Value> = claim(caller, "q", 3).await.iter().map(|item| item["id"].clone()).collect();
    caller.ok(SETTLE, json!({ "queue_name": "q", "items": [{ "id": ids[1], "ack": {} }] })).await;
    let all: Vec<Value> = ids.iter().map(|id| json!({ "id": id, "ack": {} })).collect();
    (ids, json!({ "queue_name": "q", "items": all }))
}

fn stale(id: &Value) -> Value {
    let message = format!("invalid storage id; '{}' does not exist", id.as_str().unwrap());
    let (reason, fields) = ("no_such_item", json!({ "id": id }));
    json!({ "refused": { "id": id, "is_stale": true, "message": message, "reason": reason, "fields": fields } })
}

#[test]
fn a_stale_id_is_rejected_and_the_other_ids_are_settled() {
    on_each_store_with_caller(async |_server, mut caller| {
        let (ids, all) = one_stale_of_three(&mut caller).await;
        let done = json!({ "outcome": "completed" });
        assert_eq!(caller.ok(SETTLE, all).await, json!({ "items": [done, stale(&ids[1]), done] }));
        assert_eq!(caller.counts("q").await[0], (0, 0, 0));
    });
}

#[test]
fn with_stop_at_refused_ids_after_the_first_stale_id_are_not_settled() {
    on_each_store_with_caller(async |_server, mut caller| {
        let (ids, mut all) = one_stale_of_three(&mut caller).await;
        all["stop_at_refused"] = json!(true);
        let answer = caller.ok(SETTLE, all).await;
        assert_eq!(answer, json!({ "items": [{ "outcome": "completed" }, stale(&ids[1])] }));
        assert_eq!(caller.counts("q").await[0], (1, 1, 0), "the last item is still leased");
        let elsewhere = json!({ "queue_name": "q", "partition": 1, "items": [{ "id": ids[2], "ack": {} }] });
        assert_eq!(caller.ok(SETTLE, elsewhere).await, json!({ "items": [stale(&ids[2])] }));
        assert_eq!(caller.counts("q").await[0], (1, 1, 0), "an id is not settled in another partition");
    });
}

#[test]
fn settle_reports_what_happened_to_a_dead_item() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("q", json!({})).await;
        caller.create("alone", json!({})).await;
        let dead = json!({ "dead_letter": { "why": "exhausted" } });
        let twin = json!([{ "message_id": "m" }]);
        let short = json!([{ "expire_timeout": "30s" }]);
        let moved = json!({ "outcome": "moved", "moved_to": "dead" });
        for (queue, items, verb, outcome) in [
            ("q", &twin, &dead, moved),
            ("q", &twin, &dead, json!({ "outcome": "duplicate" })),
            // The letter that the first item has become.
            ("dead", &json!([]), &dead, json!({ "outcome": "exhausted" })),
            ("alone", &json!([{}]), &dead, json!({ "outcome": "dropped" })),
            ("alone", &short, &json!({ "retry": {} }), json!({ "outcome": "expired" })),
        ] {
            if items != &json!([]) {
                put(&mut caller, queue, items.clone()).await;
            }
            let mut item = verb.clone();
            item["id"] = claim(&mut caller, queue, 1).await[0]["id"].clone();
            server.advance(Span::from_secs(31));
            let answer = caller.ok(SETTLE, json!({ "queue_name": queue, "items": [item] })).await;
            assert_eq!(answer, json!({ "items": [outcome] }), "{queue} {verb}");
        }
        caller.ok("/v1/queues.delete", json!({ "queue_name": "dead", "force": true })).await;
        assert_eq!(settle(&mut caller, dead).await, json!({ "items": [{ "outcome": "stranded" }] }));
    });
}

#[test]
fn the_result_of_an_expired_lease_is_stale() {
    on_each_store_with_queue("q", async |server, mut caller| {
        put(&mut caller, "q", json!([{}])).await;
        let id = claim(&mut caller, "q", 1).await[0]["id"].clone();
        server.advance(Span::from_micros(60_000_001));
        for verb in ["ack", "drop", "retry", "release", "condemn"] {
            let answer = caller.ok(SETTLE, json!({ "queue_name": "q", "items": [{ "id": id, verb: {} }] })).await;
            assert_eq!(answer, json!({ "items": [stale(&id)] }), "{verb}");
        }
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    });
}

#[test]
fn an_invalid_item_rejects_the_request_before_anything_is_settled() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
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
            (
                json!({ "id": id, "retry": { "is_decided": true } }),
                "at is invalid; cannot be empty where is_decided is set".to_owned(),
            ),
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
            assert_eq!(caller.rejection(SETTLE, settle).await, (400, message));
            assert_eq!(caller.counts("q").await, [(1, 1, 0)]);
        }
    });
}

/// What failed, without a category: the server classifies it.
fn fault(status: u16) -> Value {
    json!({ "error": format!("the bank answered {status}"), "error_type": "BankError", "http_status": status })
}

/// Claims the item of `q`, and settles it.
async fn settle_next(caller: &mut Caller, mut item: Value) -> Value {
    item["id"] = claim(caller, "q", 1).await[0]["id"].clone();
    caller.ok(SETTLE, json!({ "queue_name": "q", "items": [item] })).await["items"][0].clone()
}

#[test]
fn the_letter_of_an_item_has_every_attempt_and_the_last_failure() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("q", json!({ "max_attempts": 3 })).await;
        put(&mut caller, "q", json!([{ "utf8": "x" }])).await;
        let retry = |more: Value| {
            let mut item = json!({ "retry": {} });
            item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            item
        };
        assert_eq!(settle_next(&mut caller, retry(json!({ "fault": fault(422) }))).await["outcome"], "requeued");
        server.advance(Span::from_mins(1));
        assert_eq!(settle_next(&mut caller, retry(json!({}))).await["outcome"], "requeued");
        server.advance(Span::from_mins(1));
        let attempt = json!({ "outcome": "failure", "started_at": "2026-11-15T12:01:30Z", "worker": "w-1" });
        let last = retry(json!({ "fault": fault(503), "attempt": attempt }));
        assert_eq!(settle_next(&mut caller, last).await["outcome"], "moved");
        let listed = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        let id = &listed["letters"][0]["id"];
        let whole = caller.ok("/v1/letters.get", json!({ "queue_name": "dead", "id": id })).await;
        assert_eq!((&whole["letter"]["total_attempts"], &whole["death"]["attempts"]), (&json!(3), &json!(3)));
        assert_eq!((&whole["letter"]["category"], &whole["matched_rule"]), (&json!("transient"), &json!("http:503")));
        assert_eq!(
            (&whole["error"], &whole["last_error"]),
            (&json!("the bank answered 422"), &json!("the bank answered 503"))
        );
        let attempts: Vec<&Value> = whole["attempts"].as_array().unwrap().iter().map(|one| &one["attempt"]).collect();
        let of = |name: &str| attempts.iter().map(|attempt| attempt.get(name).cloned()).collect::<Vec<_>>();
        let text = |text: &str| Some(json!(text));
        assert_eq!(of("category"), [text("validation"), None, text("transient")]);
        assert_eq!(of("error_type"), [text("BankError"), None, text("BankError")]);
        assert_eq!(of("error"), [text("the bank answered 422"), None, text("the bank answered 503")]);
        let ends = ["2026-11-15T12:00:00Z", "2026-11-15T12:01:00Z"];
        assert_eq!(of("ended_at")[..2], ends.map(text));
        assert_eq!((&of("started_at")[2], &of("worker")[2]), (&text("2026-11-15T12:01:30Z"), &text("w-1")));
        let explained = json!({ "fault": fault(503) });
        let explained = caller.ok("/v1/letters.explain", explained).await;
        assert_eq!(
            whole["letter"]["fingerprint"], explained["fingerprint"],
            "grouped with captures of the same failure"
        );
    });
}

#[test]
fn a_failure_may_name_its_category() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        caller.create_with_dead("q", json!({})).await;
        put(&mut caller, "q", json!([{ "utf8": "x" }])).await;
        let fault = json!({ "error": "the bank is closed", "category": "resource" });
        settle_next(&mut caller, json!({ "dead_letter": { "why": "permanent" }, "fault": fault })).await;
        let listed = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        assert_eq!(listed["letters"][0]["category"], "resource");
    });
}

#[test]
fn a_failure_that_contradicts_its_settlement_is_rejected() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        caller.create_with_dead("q", json!({})).await;
        put(&mut caller, "q", json!([{ "utf8": "x" }])).await;
        let id = claim(&mut caller, "q", 1).await[0]["id"].clone();
        let mut requested = fault(503);
        requested["retry_after"] = json!("30s");
        let mut unknown = fault(503);
        unknown["category"] = json!("odd");
        let success = json!({ "outcome": "success" });
        for (item, message) in [
            (
                json!({ "ack": {}, "fault": fault(503) }),
                "fault is invalid; only retry, dead_letter and condemn take one",
            ),
            (json!({ "release": {}, "fault": fault(503) }), "fault is invalid; only retry, dead_letter and condemn"),
            (json!({ "retry": {}, "fault": requested }), "fault is invalid; retry_after is for captures"),
            (
                json!({ "retry": {}, "fault": fault(503), "attempt": failed() }),
                "fault is invalid; the attempt has an error",
            ),
            (json!({ "retry": {}, "fault": fault(503), "attempt": success }), "fault is invalid; the outcome"),
            (json!({ "retry": {}, "fault": fault(99) }), "http_status is invalid; must be 100 to 599"),
            (json!({ "retry": {}, "fault": unknown }), "category is invalid;"),
        ] {
            let mut item = item;
            item["id"] = id.clone();
            let body = json!({ "queue_name": "q", "items": [item] });
            let (code, text) = caller.rejection(SETTLE, body.clone()).await;
            assert!(code == 400 && text.starts_with(message), "{body}: {code} {text}");
        }
        let item = json!({ "id": id, "retry": {}, "fault": fault(503) });
        caller.ok(SETTLE, json!({ "queue_name": "q", "items": [item] })).await;
    });
}

/// Sets a template of the letters of `dead`.
async fn set_template(caller: &mut Caller, template: Value) {
    caller.ok("/v1/letters.templates", json!({ "queue_name": "dead", "set": template })).await;
}

/// The attempts of the only letter of `dead`.
async fn attempts(caller: &mut Caller) -> Vec<Value> {
    let listed = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
    let get = json!({ "queue_name": "dead", "id": listed["letters"][0]["id"] });
    let whole = caller.ok("/v1/letters.get", get).await;
    whole["attempts"].as_array().unwrap().iter().map(|one| one["attempt"].clone()).collect()
}

#[test]
fn the_templates_of_the_dead_queue_classify_a_failure_with_the_number_of_its_attempt() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create_with_dead("q", json!({ "max_attempts": 2 })).await;
        set_template(
            &mut caller,
            json!({ "name": "twice", "when": "http == 503 && attempt >= 2", "category": "resource" }),
        )
        .await;
        put(&mut caller, "q", json!([{ "utf8": "x" }])).await;
        for outcome in ["requeued", "moved"] {
            let settled = settle_next(&mut caller, json!({ "retry": {}, "fault": fault(503) })).await;
            assert_eq!(settled["outcome"], outcome);
        }
        let found: Vec<_> =
            attempts(&mut caller).await.iter().map(|one| (one["category"].clone(), one["rule"].clone())).collect();
        let expected = [("transient", "http:503"), ("resource", "user:twice")];
        assert_eq!(found, expected.map(|(category, rule)| (json!(category), json!(rule))));
        let listed = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        assert_eq!(listed["letters"][0]["category"], "resource");
    });
}

#[test]
fn the_failure_of_a_leased_letter_is_one_of_its_manual_attempts() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let when = "metadata.tenant == 'acme' && attempt == 2";
        set_template(&mut caller, json!({ "name": "acme", "when": when, "category": "permission" })).await;
        // A letter with a retry time cannot be leased before.
        let letter = json!({ "source_id": "a", "utf8": "x", "fault": fault(503), "metadata": { "tenant": "acme" },
            "retry_policy": "never" });
        caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": [letter] })).await;
        let id = claim(&mut caller, "dead", 1).await[0]["id"].clone();
        let item = json!({ "id": id, "retry": {}, "fault": fault(503) });
        caller.ok(SETTLE, json!({ "queue_name": "dead", "items": [item] })).await;
        let attempts = attempts(&mut caller).await;
        let triggers: Vec<&Value> = attempts.iter().map(|attempt| &attempt["trigger"]).collect();
        assert_eq!(triggers, [&json!("automatic"), &json!("manual")]);
        assert_eq!((&attempts[1]["rule"], &attempts[1]["category"]), (&json!("user:acme"), &json!("permission")));
    });
}
