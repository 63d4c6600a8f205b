//! Letters of a route go back to the mailbox that it reads, when a person asks. Nothing listens at the Redis servers of the
//! harness: an attempt that names the mailbox shows that the letter was on its way.

use std::sync::Arc;

use http::HeaderValue;
use redrive_core::{Failure, QueueName, Time};
use redrive_model::capture::FailedWork;
use redrive_model::{CaptureContext, Content, Origin};
use redrive_run::{LetterBox, StoreLetterBox};
use serde_json::{Value, json};

use super::{captured, failure_with, get, rejection};
use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, StoreKind, TestServer, on_store_with_caller, with};
use crate::tenancy::{bind, key_of, namespace, role, user};

const RETRY: &str = "/v1/letters.retry";
const PLAN: &str = "/v1/letters.plan";

fn of(id: &Value) -> Value {
    json!({ "queue_name": "dead", "id": id })
}

fn retry_all() -> Value {
    json!({ "queue_name": "dead", "action": "retry", "all": "dead" })
}

fn no_way() -> (u16, String) {
    (453, "no_way_back".to_owned())
}

/// A route of the namespace `shop` that reads a mailbox.
fn route(name: &str, redis: &str, mailbox: &str, dead_queue: &str) -> Value {
    let mailbox = json!({ "name": mailbox, "redis": redis });
    let definition = json!({ "target": "shop", "mailbox": mailbox, "dead_queue": dead_queue });
    json!({ "namespace": "shop", "name": name, "definition": definition })
}

/// Captures the failure of a message as the source of a route does. Returns the id of the letter.
async fn letter_of_message(server: &TestServer, mailbox: &str, number: i64) -> Value {
    letter_of(server, "mailbox", "shop", mailbox, number).await
}

async fn letter_of(server: &TestServer, transport: &str, redis: &str, mailbox: &str, number: i64) -> Value {
    let origin = Origin {
        transport: transport.into(),
        name: mailbox.into(),
        server: Some(redis.into()),
        offset: Some(number),
        message_id: Some(number.to_string()),
        ..Origin::default()
    };
    let work = FailedWork {
        content: Arc::new(Content::of_payload("a request")),
        context: CaptureContext { origin, ..CaptureContext::default() },
        is_of_source: true,
        ..FailedWork::new(
            format!("{transport}/{redis}/{mailbox}/{number}"),
            Failure::new("validation: no"),
            Time::from_secs(1),
        )
    };
    let letters = StoreLetterBox::new(Arc::new(server.store().clone()));
    let posted = letters.post(&QueueName::new("dead").unwrap(), &server.settings.policy, &[work]).await;
    json!(posted.into_iter().next().unwrap().unwrap().captured.letter.to_string())
}

async fn shop_and_bank(caller: &mut Caller) {
    caller.headers.insert("x-redrive-reason", HeaderValue::from_static("a test"));
    for name in ["shop", "bank"] {
        namespace(caller, name).await;
        caller.create(&format!("{name}-dead"), json!({ "namespace": name })).await;
    }
    caller.create("dead", json!({ "namespace": "shop" })).await;
}

#[test]
fn a_letter_goes_back_only_to_what_a_route_of_its_namespace_reads_into_its_dead_queue() {
    on_each_store_with_auth(async |server, mut caller| {
        let caller = &mut caller;
        shop_and_bank(caller).await;
        let of_bank = with(route("bank", "bank", "accounts", "bank-dead"), json!({ "namespace": "bank" }));
        let mut of_bank = of_bank;
        of_bank["definition"]["target"] = json!("bank");
        caller.ok("/v1/routes.create", of_bank).await;
        caller.ok("/v1/routes.create", route("orders", "shop", "orders", "dead")).await;
        caller.ok("/v1/routes.create", route("elsewhere", "shop", "returns", "shop-dead")).await;
        let known = letter_of_message(&server, "orders", 1).await;
        assert_eq!(get(caller, &known).await["hands_back_to"], "orders");
        let tried = caller.ok(RETRY, of(&known)).await;
        let error = tried["error"].as_str().unwrap();
        assert!(error.starts_with("the hand-back to mailbox 'orders' failed: "), "{error}");
        assert_eq!(get(caller, &known).await["letter"]["status"], "pending", "it was claimed, and is here again");

        let mut lost = vec![
            letter_of_message(&server, "accounts", 2).await,
            letter_of_message(&server, "returns", 3).await,
            letter_of_message(&server, "nowhere", 4).await,
            letter_of(&server, "mailbox", "other", "orders", 5).await,
            letter_of(&server, "kafka", "shop", "orders", 6).await,
        ];
        let forged = [
            ("forged", "mailbox", "orders"),
            ("of the bank", "mailbox", "accounts"),
            ("missing", "mailbox", "nowhere"),
            ("a topic", "kafka", "orders"),
        ];
        for (source_id, transport, name) in forged {
            let origin = json!({ "origin": { "transport": transport, "name": name, "offset": "9" } });
            lost.push(captured(caller, failure_with(source_id, origin)).await);
        }
        for id in &lost {
            assert_eq!(rejection(caller, RETRY, of(id)).await, no_way(), "{id}");
            assert_eq!(get(caller, id).await.get("hands_back_to"), None);
        }
        let planned = caller.ok(PLAN, retry_all()).await;
        assert_eq!((&planned["letters"], &planned["no_way_back"]), (&json!("1"), &json!("9")));

        // Another server has a mailbox of this name: each letter goes back to its own.
        caller.ok("/v1/routes.create", route("twin", "other", "orders", "dead")).await;
        caller.ok("/v1/routes.delete", json!({ "namespace": "shop", "name": "orders" })).await;
        assert_eq!(rejection(caller, RETRY, of(&known)).await, no_way());
        assert_eq!(get(caller, &lost[3]).await["hands_back_to"], "orders");
    });
}

/// A server that stops has no routes any more: the next one has them.
#[test]
fn a_run_does_not_skip_the_letters_of_a_route_because_the_server_stops() {
    on_store_with_caller(StoreKind::Memory, async |server, mut caller| {
        shop_and_bank(&mut caller).await;
        caller.ok("/v1/routes.create", route("orders", "shop", "orders", "dead")).await;
        letter_of_message(&server, "orders", 1).await;
        let planned = caller.ok(PLAN, retry_all()).await;
        server.stop_routes().await;
        caller.ok("/v1/letters.confirm", json!({ "queue_name": "dead", "token": planned["token"] })).await;
        let run = loop {
            let run = caller.run_of(&planned, 0).await;
            if run["state"] != "running" {
                break run;
            }
        };
        assert_eq!((&run["state"], &run["remaining"], run.get("skipped")), (&json!("waiting"), &json!("1"), None));
    });
}

#[test]
fn a_route_or_a_permission_that_goes_after_the_plan_stops_its_letters() {
    on_each_store_with_auth(async |server, mut anonymous| {
        shop_and_bank(&mut anonymous).await;
        anonymous.ok("/v1/routes.create", route("orders", "shop", "orders", "dead")).await;
        role(&mut anonymous, "shop", "operator", &["letters.read", "letters.retry"]).await;
        role(&mut anonymous, "shop", "producer", &["queue.produce"]).await;
        let user_id = user(&mut anonymous, "ann").await;
        bind(&mut anonymous, "shop", "operator", &user_id).await;
        let key = key_of(&mut anonymous, &user_id).await.1;
        let mut ann = server.caller().await.with_key(&key);
        ann.headers.insert("x-redrive-reason", HeaderValue::from_static("a test"));
        let letter = letter_of_message(&server, "orders", 1).await;
        assert_eq!(rejection(&mut ann, RETRY, of(&letter)).await, no_way(), "she must not produce in the namespace");

        let unbind = json!({ "namespace": "shop", "role_name": "producer", "user_id": user_id });
        let other_queue = route("orders", "shop", "orders", "shop-dead");
        for (call, change) in [("/v1/rolebindings.delete", unbind), ("/v1/routes.update", other_queue)] {
            bind(&mut anonymous, "shop", "producer", &user_id).await;
            assert_eq!(get(&mut ann, &letter).await["hands_back_to"], "orders");
            let planned = ann.ok(PLAN, retry_all()).await;
            assert_eq!((&planned["letters"], planned.get("no_way_back")), (&json!("1"), None));
            anonymous.ok(call, change).await;
            let ended = ann.carry_out(&planned).await;
            assert_eq!(ended.get("changed"), None, "{call}");
            if call == "/v1/routes.update" {
                assert_eq!(ended["skips"][0]["reason"], "no_way_back");
            } else {
                assert_eq!((&ended["state"], &ended["remaining"]), (&json!("stopped"), &json!("1")));
            }
        }
    });
}

#[test]
fn an_imported_letter_only_claims_to_be_of_a_mailbox() {
    on_store_with_caller(StoreKind::Memory, async |server, mut caller| {
        shop_and_bank(&mut caller).await;
        caller.ok("/v1/routes.create", route("orders", "shop", "orders", "dead")).await;
        let id = letter_of_message(&server, "orders", 1).await;
        assert_eq!(get(&mut caller, &id).await["hands_back_to"], "orders");
        let lines = caller.ok("/v1/letters.export", json!({ "queue_name": "dead" })).await["lines"].clone();
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [id] })).await;
        caller.ok("/v1/letters.import", json!({ "queue_name": "dead", "lines": lines })).await;
        assert_eq!(rejection(&mut caller, RETRY, of(&id)).await, no_way());
    });
}
