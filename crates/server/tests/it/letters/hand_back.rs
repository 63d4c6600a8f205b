//! Letters of a dead queue without a target go back to the queues in which they died, when a person asks.

use http::HeaderValue;
use redrive_core::Span;
use serde_json::{Value, json};

use super::{captured, failure_with, get, rejection};
use crate::audit::records;
use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, StoreKind, on_each_store_with_caller, on_store_with_caller, on_store_with_queue, with};
use crate::tenancy::{bind, key_of, namespace, role, user};

const RETRY: &str = "/v1/letters.retry";
const PLAN: &str = "/v1/letters.plan";
const CONFIRM: &str = "/v1/letters.confirm";

/// Produces items into a queue with the dead queue `dead`, and lets them die. Returns the ids of all letters of `dead`.
async fn dead_items(caller: &mut Caller, queue: &str, payloads: &[&str]) -> Vec<Value> {
    caller.headers.insert("x-redrive-reason", HeaderValue::from_static("a test"));
    caller.produce(queue, payloads).await;
    for item in caller.lease(queue, 100).await {
        caller.retry(queue, &item, json!({ "dead": true })).await;
    }
    let list = caller.ok("/v1/letters.list", json!({ "queue_name": "dead", "sort": "id" })).await;
    list["letters"].as_array().unwrap().iter().map(|letter| letter["id"].clone()).collect()
}

fn of(id: &Value) -> Value {
    json!({ "queue_name": "dead", "id": id })
}

fn retry_all() -> Value {
    json!({ "queue_name": "dead", "action": "retry", "all": "dead" })
}

/// A failure that says that it comes from a queue.
fn from_queue(source_id: &str, queue: &str) -> Value {
    failure_with(source_id, json!({ "origin": { "transport": "queue", "name": queue } }))
}

#[test]
fn a_letter_goes_back_to_its_queue_and_may_die_there_again() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create_with_dead("orders", json!({})).await;
        let id = dead_items(&mut caller, "orders", &["a book"]).await.remove(0);
        assert_eq!(get(&mut caller, &id).await["hands_back_to"], "orders");
        for round in 1..=2 {
            let retried = caller.ok(RETRY, of(&id)).await;
            assert_eq!(retried["success"], true);
            assert_eq!(retried["message"], "Task handed back to 'orders'");
            assert_eq!(
                (&retried["letter"]["status"], &retried["attempt"]["handed_back_to"]),
                (&json!("completed"), &json!("orders"))
            );
            let whole = get(&mut caller, &id).await;
            assert_eq!((whole.get("hands_back_to"), &whole["letter"]["status"]), (None, &json!("completed")));
            assert_eq!(rejection(&mut caller, RETRY, of(&id)).await, (409, "conflict".to_owned()), "it is not there");
            let item = caller.lease_one("orders").await;
            assert_eq!((item.payload.as_str(), item.attempts), ("a book", 1));
            caller.retry("orders", &item, json!({ "dead": true })).await;
            let again = get(&mut caller, &id).await;
            assert_eq!((&again["origin"]["replays"], &again["hands_back_to"]), (&json!(round), &json!("orders")));
        }
        let list = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        assert_eq!(list["letters"].as_array().map(Vec::len), Some(1), "it is one letter");
    });
}

#[test]
fn a_bulk_retry_hands_back_what_has_a_way_waits_for_a_paused_queue_and_names_the_rest() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("orders", json!({})).await;
        caller.create("jobs", json!({ "dead_queue": "dead" })).await;
        dead_items(&mut caller, "orders", &["1", "2", "3"]).await;
        let ids = dead_items(&mut caller, "jobs", &["4"]).await;
        assert_eq!(ids.len(), 4);
        let kafka = json!({ "origin": { "transport": "kafka", "name": "orders" } });
        captured(&mut caller, failure_with("k", kafka)).await;
        captured(&mut caller, from_queue("q", "orders")).await;
        captured(&mut caller, from_queue("m", "missing")).await;
        let planned = caller.ok(PLAN, retry_all()).await;
        assert_eq!((&planned["letters"], &planned["no_way_back"]), (&json!("5"), &json!("2")));
        caller.ok("/v1/letters.annotate", with(of(&ids[0]), json!({ "text": "wait" }))).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "jobs" })).await;
        let confirm = json!({ "queue_name": "dead", "token": planned["token"] });
        caller.ok(CONFIRM, confirm).await;
        let waiting = loop {
            let run = caller.run_of(&planned, 0).await;
            if run["state"] == "waiting" {
                break run;
            }
        };
        assert_eq!(
            (&waiting["changed"], &waiting["skipped"], &waiting["remaining"]),
            (&json!("3"), &json!("1"), &json!("1"))
        );
        assert_eq!(waiting["cause"], "the queue of origin is paused");
        assert_eq!(waiting["skips"], json!([{ "id": ids[0], "reason": "changed" }]));
        let mut back: Vec<String> = caller.lease("orders", 10).await.into_iter().map(|item| item.payload).collect();
        back.sort();
        assert_eq!(back, ["2", "3", "payload of it"]);
        assert_eq!(rejection(&mut caller, RETRY, of(&ids[3])).await, (409, "queue_paused".to_owned()));
        caller.ok("/v1/queue.resume", json!({ "queue_name": "jobs" })).await;
        server.advance(Span::from_secs(10));
        let done = caller.run_of(&planned, 60).await;
        assert_eq!((&done["state"], &done["changed"], done.get("remaining")), (&json!("finished"), &json!("4"), None));
        assert_eq!(caller.lease_one("jobs").await.payload, "4");
    });
}

#[test]
fn a_letter_goes_only_where_its_caller_may_produce_and_its_origin_is_known() {
    on_each_store_with_auth(async |server, mut anonymous| {
        for name in ["shop", "bank"] {
            namespace(&mut anonymous, name).await;
        }
        anonymous.create("dead", json!({ "namespace": "shop" })).await;
        anonymous.create("accounts", json!({ "namespace": "bank", "dead_queue": "dead" })).await;
        anonymous.create("orders", json!({ "namespace": "shop", "dead_queue": "dead" })).await;
        let died = dead_items(&mut anonymous, "accounts", &["a"]).await.remove(0);
        let forged = captured(&mut anonymous, from_queue("forged", "accounts")).await;
        let missing = captured(&mut anonymous, from_queue("missing", "nowhere")).await;
        let near = captured(&mut anonymous, from_queue("near", "orders")).await;
        role(&mut anonymous, "shop", "operator", &["letters.read", "letters.retry", "queue.produce"]).await;
        role(&mut anonymous, "bank", "producer", &["queue.produce"]).await;
        let user_id = user(&mut anonymous, "ann").await;
        bind(&mut anonymous, "shop", "operator", &user_id).await;
        let key = key_of(&mut anonymous, &user_id).await.1;
        let mut ann = server.caller().await.with_key(&key);
        ann.headers.insert("x-redrive-reason", HeaderValue::from_static("a test"));

        let no_way = (453, "no_way_back".to_owned());
        for id in [&died, &forged, &missing] {
            assert_eq!(rejection(&mut ann, RETRY, of(id)).await, no_way, "{id}");
            assert_eq!(get(&mut ann, id).await.get("hands_back_to"), None);
        }
        let sentence = async |caller: &mut Caller, id: &Value| caller.json(RETRY, of(id)).await.rejection().1;
        let existing = sentence(&mut ann, &forged).await.replace("accounts", "X");
        assert_eq!(
            existing,
            sentence(&mut ann, &missing).await.replace("nowhere", "X"),
            "nothing tells that it exists"
        );
        let planned = ann.ok(PLAN, retry_all()).await;
        assert_eq!((&planned["letters"], &planned["no_way_back"]), (&json!("1"), &json!("3")));
        assert_eq!(ann.ok(RETRY, of(&near)).await["success"], true);

        // The permission comes, and goes again before the plan is confirmed.
        bind(&mut anonymous, "bank", "producer", &user_id).await;
        let planned = ann.ok(PLAN, retry_all()).await;
        assert_eq!(
            (&planned["letters"], &planned["no_way_back"]),
            (&json!("1"), &json!("2")),
            "a forged origin stays one"
        );
        let unbind = json!({ "namespace": "bank", "role_name": "producer", "user_id": user_id });
        anonymous.ok("/v1/rolebindings.delete", unbind).await;
        let stopped = ann.carry_out(&planned).await;
        assert_eq!((&stopped["state"], &stopped["remaining"]), (&json!("stopped"), &json!("1")));
        assert!(stopped["cause"].as_str().unwrap().contains("lacks the permission 'queue.produce'"), "{stopped}");
        bind(&mut anonymous, "bank", "producer", &user_id).await;
        let done = ann.carry_out(&planned).await;
        assert_eq!((&done["state"], &done["changed"]), (&json!("finished"), &json!("1")));
    });
}

/// The record of an act that was not done must not say that it was.
#[test]
fn a_hand_back_that_the_queue_does_not_take_is_recorded_as_rejected() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.headers.insert("x-redrive-reason", HeaderValue::from_static("a test"));
        caller.create_with_dead("orders", json!({ "max_items": 1 })).await;
        let id = dead_items(&mut caller, "orders", &["a"]).await.remove(0);
        caller.produce("orders", &["b"]).await;
        for (pause, code) in [(false, 429), (true, 409)] {
            if pause {
                caller.ok("/v1/queue.pause", json!({ "queue_name": "orders" })).await;
            }
            let before = records(&server).await.len();
            assert_eq!(rejection(&mut caller, RETRY, of(&id)).await.0, code);
            let codes: Vec<u16> = records(&server).await[before..].iter().map(|record| record.result.code).collect();
            assert_eq!(codes, [code]);
        }
    });
}

/// It would be an item of the dead queue, and no letter any more.
#[test]
fn no_letter_goes_back_to_its_own_dead_queue() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        let id = captured(&mut caller, from_queue("circle", "dead")).await;
        assert_eq!(rejection(&mut caller, RETRY, of(&id)).await, (453, "no_way_back".to_owned()));
        assert_eq!(get(&mut caller, &id).await["letter"]["status"], "pending");
    });
}

#[test]
fn an_imported_letter_only_claims_its_origin() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        namespace(&mut caller, "shop").await;
        caller.create("dead", json!({ "namespace": "shop" })).await;
        caller.create("orders", json!({ "dead_queue": "dead" })).await;
        let id = dead_items(&mut caller, "orders", &["a"]).await.remove(0);
        assert_eq!(get(&mut caller, &id).await["hands_back_to"], "orders", "it died here");
        let lines = caller.ok("/v1/letters.export", json!({ "queue_name": "dead" })).await["lines"].clone();
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [id] })).await;
        caller.ok("/v1/letters.import", json!({ "queue_name": "dead", "lines": lines })).await;
        assert_eq!(rejection(&mut caller, RETRY, of(&id)).await, (453, "no_way_back".to_owned()));
    });
}

#[test]
fn a_letter_that_is_removed_at_once_was_handed_back_all_the_same() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        caller.create_with_dead("orders", json!({})).await;
        let settings = json!({ "queue_name": "dead", "set": { "completed_retention_seconds": "0" } });
        caller.ok("/v1/letters.configure", settings).await;
        let id = dead_items(&mut caller, "orders", &["a"]).await.remove(0);
        let retried = caller.ok(RETRY, of(&id)).await;
        assert_eq!((&retried["success"], &retried["message"]), (&json!(true), &json!("Task handed back to 'orders'")));
        assert_eq!(retried.get("error"), Some(&Value::Null), "every answer has it");
        assert_eq!(retried.get("letter"), None, "it is removed already");
        assert_eq!(caller.lease_one("orders").await.payload, "a");
    });
}
