//! What mailboxes need of the calls of a queue.

use redrive_core::Span;
use serde_json::{Value, json};

use super::{claim, put};
use crate::harness::{Caller, on_each_store_with_caller, on_each_store_with_queue};

const CLAIM: &str = "/v1/queue.claim";
const PUT: &str = "/v1/queue.put";
const SETTLE: &str = "/v1/queue.settle";

async fn settle(caller: &mut Caller, items: Value) -> Vec<Value> {
    let settle = json!({ "queue_name": "q", "items": items, "stop_at_refused": true });
    caller.ok(SETTLE, settle).await["items"].as_array().unwrap().clone()
}

#[test]
fn a_remembered_message_id_is_a_duplicate_after_its_item_is_gone() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let remembered = || json!([{ "message_id": "m", "remember_for": "2h" }]);
        let first = put(&mut caller, "q", remembered()).await;
        let held = claim(&mut caller, "q", 1).await.remove(0);
        settle(&mut caller, json!([{ "id": held["id"], "ack": {} }])).await;
        let again = put(&mut caller, "q", remembered()).await;
        assert_eq!(again["items"][0], json!({ "id": first["items"][0]["id"], "is_duplicate": true }));
        server.advance(Span::from_hours(2));
        let later = put(&mut caller, "q", remembered()).await;
        assert!(later["items"][0].get("is_duplicate").is_none(), "{later}");
        let invalid = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "remember_for": "long" }] });
        let (code, message) = caller.rejection(PUT, invalid).await;
        assert_eq!((code, message.starts_with("remember_for is invalid; ")), (400, true), "{message}");
    });
}

#[test]
fn a_put_completes_the_item_that_its_items_follow_from() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.create("letters", json!({})).await;
        put(&mut caller, "q", json!([{}])).await;
        let held = claim(&mut caller, "q", 1).await.remove(0);
        let follows = |request_id: &str| {
            json!({
                "queue_name": "letters", "request_timeout": "1m", "items": [{ "message_id": request_id }],
                "request_id": request_id, "completes": { "queue_name": "q", "id": held["id"] },
            })
        };
        let answer = caller.ok(PUT, follows("r-1")).await;
        assert_eq!(caller.ok(PUT, follows("r-1")).await, answer, "a repeated request gets the same answer");
        assert_eq!((caller.counts("q").await, caller.counts("letters").await), (vec![(0, 0, 0)], vec![(1, 0, 0)]));
        let (code, message) = caller.rejection(PUT, follows("r-2")).await;
        assert_eq!((code, message.split(';').next()), (400, Some("invalid storage id")), "its lease has ended");
        assert_eq!(caller.counts("letters").await, [(1, 0, 0)], "nothing was stored");
        let mut other = follows("r-1");
        other["completes"]["queue_name"] = json!("letters");
        let (_, message) = caller.rejection(PUT, other).await;
        assert_eq!(message.split(';').next(), Some("request_id was used for another request"));
        let mut malformed = follows("r-3");
        malformed["completes"]["id"] = json!("x");
        assert_eq!(caller.rejection(PUT, malformed).await.0, 400);
    });
}

#[test]
fn a_claim_at_once_does_not_wait() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let at_once = || json!({ "queue_name": "q", "batch_size": 1, "request_timeout": "15m", "at_once": true });
        assert_eq!(caller.ok(CLAIM, at_once()).await, json!({ "queue_name": "q" }), "an empty queue is no error");
        put(&mut caller, "q", json!([{}])).await;
        assert_eq!(caller.ok(CLAIM, at_once()).await["items"].as_array().unwrap().len(), 1);
        caller.ok("/v1/queue.pause", json!({ "queue_name": "q" })).await;
        assert_eq!(caller.ok(CLAIM, at_once()).await, json!({ "queue_name": "q", "is_paused": true }));
    });
}

#[test]
fn an_item_is_claimed_by_its_message_id() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let items = json!([{ "message_id": "a" }, { "message_id": "b", "enqueue_at": "2026-11-15T13:00:00Z" }]);
        put(&mut caller, "q", items).await;
        let by_id = |id: &str| json!({ "queue_name": "q", "batch_size": 1, "request_timeout": "1m", "message_id": id });
        let nothing = json!({ "queue_name": "q" });
        for id in ["b", "a"] {
            let claimed = caller.ok(CLAIM, by_id(id)).await["items"].clone();
            assert_eq!((claimed.as_array().unwrap().len(), &claimed[0]["source_id"]), (1, &json!(id)));
            assert_eq!(caller.ok(CLAIM, by_id(id)).await, nothing, "it is leased");
        }
        assert_eq!(caller.ok(CLAIM, by_id("unknown")).await, nothing);
        let two = json!({ "queue_name": "q", "batch_size": 2, "request_timeout": "1m", "message_id": "a" });
        let (code, message) = caller.rejection(CLAIM, two).await;
        assert_eq!((code, message.split(';').next()), (400, Some("invalid batch size")));
    });
}

#[test]
fn notes_and_the_first_delivery_are_claimed_with_the_next_lease() {
    on_each_store_with_queue("q", async |server, mut caller| {
        put(&mut caller, "q", json!([{}])).await;
        let noting = || json!({ "queue_name": "q", "batch_size": 1, "request_timeout": "1m", "notes_receipt": true });
        let held = caller.ok(CLAIM, noting()).await["items"][0].clone();
        assert_eq!(held["first_received_at"], "2026-11-15T12:00:00Z");
        let keep = json!({ "lease_timeout": "10m", "error": "no", "verdict": "", "parts": ["a", "b"] });
        let kept = settle(&mut caller, json!([{ "id": held["id"], "keep": keep }])).await;
        assert_eq!(kept, [json!({ "outcome": "kept", "at": "2026-11-15T12:10:00Z" })]);
        let both = json!([
            { "id": held["id"], "keep": { "error": "still no" } },
            { "id": held["id"], "retry": { "delay": "1h30m" } },
        ]);
        let settled = settle(&mut caller, both).await;
        assert_eq!(settled[1], json!({ "outcome": "requeued", "at": "2026-11-15T13:30:00Z" }));
        server.advance(Span::from_hours(2));
        let again = caller.ok(CLAIM, noting()).await["items"][0].clone();
        assert_eq!((&again["first_received_at"], &again["error"]), (&held["first_received_at"], &json!("still no")));
        assert_eq!((&again["verdict"], &again["is_condemned"]), (&json!(""), &json!(true)));
        assert_eq!(again["parts"], json!({ "names": ["a", "b"] }));
        let long = json!({ "error": "x".repeat((64 << 10) + 1) });
        let long = json!({ "queue_name": "q", "items": [{ "id": again["id"], "keep": long }] });
        assert_eq!(caller.json(SETTLE, long).await.stable_rejection(), (400, "value is invalid".to_owned()));
        for retry in [
            json!({ "delay": "1h", "at": "2026-11-15T15:00:00Z" }),
            json!({ "delay": "1h", "is_decided": true }),
            json!({ "delay": "soon" }),
        ] {
            let settle = json!({ "queue_name": "q", "items": [{ "id": again["id"], "retry": retry }] });
            let (code, message) = caller.rejection(SETTLE, settle).await;
            assert_eq!((code, message.split(';').next()), (400, Some("delay is invalid")), "{retry}");
        }
    });
}

#[test]
fn a_lost_item_has_spent_its_attempt() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create_with_dead("q", json!({ "max_attempts": 2 })).await;
        put(&mut caller, "q", json!([{}])).await;
        for outcome in ["requeued", "moved"] {
            let held = claim(&mut caller, "q", 1).await.remove(0);
            let lost = settle(&mut caller, json!([{ "id": held["id"], "lose": {} }])).await;
            assert_eq!(lost[0]["outcome"], outcome);
        }
        assert_eq!(caller.counts("dead").await, [(1, 0, 0)]);
    });
}

#[test]
fn a_lease_is_shortened_on_request() {
    on_each_store_with_queue("q", async |server, mut caller| {
        put(&mut caller, "q", json!([{}])).await;
        let held = claim(&mut caller, "q", 1).await.remove(0);
        for (timeout, deadline) in [("10s", "2026-11-15T12:00:10Z"), ("0s", "2026-11-15T12:00:00Z")] {
            let shorten =
                json!({ "queue_name": "q", "ids": [held["id"]], "lease_timeout": timeout, "may_shorten": true });
            let extended = caller.ok("/v1/queue.extend", shorten).await;
            assert_eq!(extended, json!({ "items": [{ "lease_deadline": deadline }] }));
        }
        server.advance(Span::from_micros(1));
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    });
}

#[test]
fn a_queue_rejects_more_items_than_its_maximum() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "max_items": 2 })).await;
        assert_eq!(caller.info("q").await["max_items"], "2");
        let produce =
            |count: usize| json!({ "queue_name": "q", "request_timeout": "1m", "items": vec![json!({}); count] });
        assert_eq!(caller.json(PUT, produce(3)).await.stable_rejection(), (429, "queue is full".to_owned()));
        caller.ok(PUT, produce(2)).await;
        let full = caller.json("/v1/queue.produce", produce(1)).await.stable_rejection();
        assert_eq!(full, (429, "queue is full".to_owned()));
        caller.update("q", json!({ "lease_timeout": "5m" })).await;
        assert_eq!(caller.info("q").await["max_items"], "2", "an update that does not name it keeps it");
        caller.update("q", json!({ "max_items": 0 })).await;
        assert_eq!(caller.info("q").await.get("max_items"), None);
        caller.ok(PUT, produce(3)).await;
        let negative = json!({ "queue_name": "q", "max_items": -1 });
        let rejected = caller.json("/v1/queues.update", negative).await.stable_rejection();
        assert_eq!(rejected, (400, "max items is invalid".to_owned()));
    });
}

#[test]
fn an_extended_list_contains_every_state_and_every_field() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let header = json!({ "name": "reply_to", "value": "eA==" });
        let items = json!([
            { "utf8": "leased" },
            { "utf8": "ready", "headers": [header], "key": "eQ==", "priority": "low" },
            { "utf8": "scheduled", "enqueue_at": "2026-11-15T13:00:00Z" },
        ]);
        put(&mut caller, "q", items).await;
        claim(&mut caller, "q", 1).await;
        let list = json!({ "queue_name": "q", "extended": true });
        let listed = caller.ok("/v1/storage/items.list", list).await["items"].as_array().unwrap().clone();
        assert_eq!(listed.len(), 3);
        assert_eq!((&listed[0]["is_leased"], &listed[0]["deliveries"]), (&json!(true), &json!(1)));
        let ready = &listed[1];
        assert_eq!(
            (&ready["headers"], &ready["key"], &ready["priority"]),
            (&json!([header]), &json!("eQ=="), &json!("low"))
        );
        assert_eq!(listed[2]["enqueue_at"], "2026-11-15T13:00:00Z");
        caller.create("copy", json!({})).await;
        let import = json!({ "queue_name": "copy", "items": [ready] });
        caller.ok("/v1/storage/items.import", import).await;
        let list = json!({ "queue_name": "copy", "extended": true });
        let copy = caller.ok("/v1/storage/items.list", list).await["items"][0].clone();
        for field in ["headers", "key", "priority", "payload"] {
            assert_eq!(copy[field], ready[field], "{field}");
        }
    });
}

#[test]
fn a_queue_whose_items_never_expire_is_created_from_its_own_settings() {
    on_each_store_with_caller(async |_server, mut caller| {
        let never = Span::MAX.to_string();
        caller.create("q", json!({ "expire_timeout": never })).await;
        assert_eq!(caller.info("q").await["expire_timeout"], json!(never));
    });
}
