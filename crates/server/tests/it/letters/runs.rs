//! Runs: the server carries plans out, for the user who confirmed them, also if the caller leaves or the server restarts.

use redrive_core::{QueueName, Span};
use redrive_model::GetStats;
use redrive_store::Store;
use serde_json::{Value, json};

use super::{captured, failure, get, rejection, with_letters};
use crate::audit::records;
use crate::auth::on_each_store_with_auth;
use crate::harness::{
    Caller, PendingAttempt, StoreKind, TestServer, on_each_store_with_caller, on_each_store_with_target,
    on_store_with_caller, on_store_with_queue,
};
use crate::tenancy::{bind, key_of, namespace, role, user};

const PLAN: &str = "/v1/letters.plan";
const CONFIRM: &str = "/v1/letters.confirm";
const CANCEL: &str = "/v1/letters.cancel";
const RUNS: &str = "/v1/letters.runs";

fn plan(action: &str) -> Value {
    json!({ "queue_name": "dead", "action": action, "all": "dead" })
}

fn of(planned: &Value) -> Value {
    json!({ "queue_name": "dead", "id": planned["token"] })
}

/// The items of all lists of plans and runs.
pub(super) async fn listed_items(server: &TestServer) -> u64 {
    let queue = QueueName::new("_redrive/letter-runs").unwrap();
    let stats = server.store().stats(GetStats { queue }).await.unwrap();
    stats.partitions.iter().map(|partition| partition.total).sum()
}

/// Items of `orders` that died there. Their letters are in `dead`.
async fn dead_items(caller: &mut Caller, count: usize) {
    caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
    caller.create_with_dead("orders", json!({})).await;
    caller.produce_many("orders", count).await;
    for item in caller.lease("orders", i32::try_from(count).unwrap()).await {
        caller.retry("orders", &item, json!({ "dead": true })).await;
    }
}

async fn until(caller: &mut Caller, planned: &Value, state: &str) -> Value {
    loop {
        let run = caller.run_of(planned, 0).await;
        if run["state"] == state {
            return run;
        }
    }
}

#[test]
fn a_run_that_waits_is_continued_by_the_next_server_and_hands_each_letter_back_once() {
    on_each_store_with_caller(async |mut server, mut caller| {
        dead_items(&mut caller, 30).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "orders" })).await;
        let planned = caller.ok(PLAN, plan("retry")).await;
        caller.ok(CONFIRM, json!({ "queue_name": "dead", "token": planned["token"] })).await;
        until(&mut caller, &planned, "waiting").await;
        if server.store_kind() == StoreKind::Memory {
            return;
        }
        drop(caller);
        server.restart().await;
        let mut caller = server.caller().await;
        assert_eq!(until(&mut caller, &planned, "waiting").await["remaining"], "30");
        caller.ok("/v1/queue.resume", json!({ "queue_name": "orders" })).await;
        // The state may still be that of the server before.
        let done = loop {
            server.advance(Span::from_secs(10));
            let run = caller.run_of(&planned, 0).await;
            if run["state"] == "finished" {
                break run;
            }
        };
        assert_eq!((&done["changed"], done.get("skipped")), (&json!("30"), None));
        assert_eq!(caller.lease("orders", 100).await.len(), 30);
    });
}

#[test]
fn a_run_gives_up_after_its_time_and_can_be_continued() {
    on_each_store_with_caller(async |server, mut caller| {
        dead_items(&mut caller, 3).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "orders" })).await;
        let planned = caller.ok(PLAN, plan("retry")).await;
        let confirm = json!({ "queue_name": "dead", "token": planned["token"], "give_up_after_seconds": 5 });
        caller.ok(CONFIRM, confirm.clone()).await;
        until(&mut caller, &planned, "waiting").await;
        server.advance(Span::from_secs(10));
        let gave_up = caller.run_of(&planned, 60).await;
        assert_eq!((&gave_up["state"], &gave_up["remaining"]), (&json!("gave_up"), &json!("3")));
        assert_eq!(gave_up["cause"], "the queue of origin is paused");
        caller.ok("/v1/queue.resume", json!({ "queue_name": "orders" })).await;
        let done = caller.confirmed(&planned, json!({})).await;
        assert_eq!((&done["state"], &done["changed"], done.get("cause")), (&json!("finished"), &json!("3"), None));
    });
}

#[test]
fn a_run_is_cancelled_and_what_it_has_done_stays() {
    on_each_store_with_caller(async |server, mut caller| {
        dead_items(&mut caller, 5).await;
        let planned = caller.ok(PLAN, plan("retry")).await;
        let confirm = json!({ "queue_name": "dead", "token": planned["token"], "rate": 2 });
        caller.ok(CONFIRM, confirm).await;
        while caller.run_of(&planned, 0).await["changed"] != "2" {}
        let cancelled = caller.ok(CANCEL, of(&planned)).await;
        assert_eq!(
            (&cancelled["state"], &cancelled["changed"], &cancelled["remaining"]),
            (&json!("cancelled"), &json!("2"), &json!("3"))
        );
        assert_eq!(caller.ok(CANCEL, of(&planned)).await["state"], "cancelled", "again");
        assert_eq!(caller.carry_out(&planned).await["state"], "cancelled", "it does not begin again");
        assert_eq!((caller.lease("orders", 10).await.len(), listed_items(&server).await), (2, 0));
        let acts: Vec<String> = records(&server).await.into_iter().map(|record| record.action).rev().take(3).collect();
        assert_eq!(acts, ["letters.run", "letters.cancel", "letters.confirm"], "only one cancel did something");
        // A plan that was not confirmed.
        let planned = caller.ok(PLAN, plan("purge")).await;
        assert_eq!(caller.ok(CANCEL, of(&planned)).await["state"], "cancelled");
        assert_eq!(listed_items(&server).await, 0);
        let unknown = json!({ "queue_name": "dead", "id": "2PqKcMkQhVbFQ0dQ4mC3nCyaQWz" });
        assert_eq!(rejection(&mut caller, CANCEL, unknown).await, (404, "not_found".to_owned()));
    });
}

#[test]
fn a_run_stops_when_its_user_loses_the_permission_and_goes_on_when_it_is_back() {
    on_each_store_with_auth(async |server, mut admin| {
        admin.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        admin.create("dead", json!({})).await;
        for source in ["a", "b", "c"] {
            captured(&mut admin, failure(source)).await;
        }
        role(&mut admin, "_system", "archivist", &["letters.archive", "letters.read"]).await;
        let ann = user(&mut admin, "ann").await;
        bind(&mut admin, "_system", "archivist", &ann).await;
        let (_, key) = key_of(&mut admin, &ann).await;
        let mut caller = server.caller().await.with_key(&key);
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("closed accounts"));
        let planned = caller.ok(PLAN, plan("archive")).await;
        let confirm = json!({ "queue_name": "dead", "token": planned["token"], "rate": 1 });
        caller.ok(CONFIRM, confirm.clone()).await;
        while admin.run_of(&planned, 0).await["changed"] != "1" {}
        let unbind = json!({ "namespace": "_system", "role_name": "archivist", "user_id": ann });
        admin.ok("/v1/rolebindings.delete", unbind).await;
        server.advance(Span::from_secs(1));
        let stopped = admin.run_of(&planned, 60).await;
        assert_eq!((&stopped["state"], &stopped["remaining"]), (&json!("stopped"), &json!("2")));
        let cause = stopped["cause"].as_str().unwrap();
        assert!(cause.contains("user 'ann' lacks the permission 'letters.archive'"), "{cause}");
        let end = records(&server).await.pop().unwrap();
        assert_eq!((end.action.as_str(), end.actor.name.as_deref()), ("letters.run", Some("ann")));
        bind(&mut admin, "_system", "archivist", &ann).await;
        let other = caller.ok(PLAN, plan("restore")).await;
        let confirm_other = json!({ "queue_name": "dead", "token": other["token"] });
        assert_eq!(admin.rejection(CONFIRM, confirm_other).await.0, 404, "the plan of another user");
        let done = admin.confirmed(&planned, json!({})).await;
        assert_eq!((&done["state"], &done["changed"]), (&json!("finished"), &json!("3")));
        assert_ne!(done["user"], json!(ann), "the user who continues a run is its user");
    });
}

/// The user of a run may hand letters back to another namespace, and then not any more.
#[test]
fn a_run_stops_in_the_middle_when_its_user_may_not_produce_any_more() {
    on_each_store_with_auth(async |server, mut admin| {
        namespace(&mut admin, "shop").await;
        admin.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        admin.create("dead", json!({})).await;
        admin.create("orders", json!({ "namespace": "shop", "dead_queue": "dead" })).await;
        admin.produce_many("orders", 3).await;
        for item in admin.lease("orders", 3).await {
            admin.retry("orders", &item, json!({ "dead": true })).await;
        }
        role(&mut admin, "_system", "operator", &["letters.retry", "letters.read"]).await;
        role(&mut admin, "shop", "producer", &["queue.produce"]).await;
        let ann = user(&mut admin, "ann").await;
        bind(&mut admin, "_system", "operator", &ann).await;
        bind(&mut admin, "shop", "producer", &ann).await;
        let (_, key) = key_of(&mut admin, &ann).await;
        let mut caller = server.caller().await.with_key(&key);
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("repaired"));
        let planned = caller.ok(PLAN, plan("retry")).await;
        caller.ok(CONFIRM, json!({ "queue_name": "dead", "token": planned["token"], "rate": 1 })).await;
        while admin.run_of(&planned, 0).await["changed"] != "1" {}
        let unbind = json!({ "namespace": "shop", "role_name": "producer", "user_id": ann });
        admin.ok("/v1/rolebindings.delete", unbind).await;
        server.advance(Span::from_secs(1));
        let stopped = admin.run_of(&planned, 60).await;
        assert_eq!((&stopped["state"], &stopped["remaining"]), (&json!("stopped"), &json!("2")));
        let cause = stopped["cause"].as_str().unwrap();
        assert!(cause.contains("user 'ann' lacks the permission 'queue.produce'"), "{cause}");
        assert_eq!(admin.lease("orders", 3).await.len(), 1, "nothing arrives after that");
        bind(&mut admin, "shop", "producer", &ann).await;
        assert_eq!(caller.confirmed(&planned, json!({})).await["changed"], "3");
    });
}

#[test]
fn a_run_stops_when_its_user_or_its_key_is_deleted() {
    on_each_store_with_auth(async |server, mut admin| {
        admin.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        admin.create("dead", json!({})).await;
        role(&mut admin, "_system", "archivist", &["letters.archive", "letters.read"]).await;
        for gone in ["key", "user"] {
            for source in ["a", "b", "c"] {
                captured(&mut admin, failure(&format!("{gone} {source}"))).await;
            }
            let ann = user(&mut admin, gone).await;
            bind(&mut admin, "_system", "archivist", &ann).await;
            let (key_id, key) = key_of(&mut admin, &ann).await;
            let mut caller = server.caller().await.with_key(&key);
            caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("closed accounts"));
            let planned = caller.ok(PLAN, plan("archive")).await;
            caller.ok(CONFIRM, json!({ "queue_name": "dead", "token": planned["token"], "rate": 1 })).await;
            while admin.run_of(&planned, 0).await["changed"] != "1" {}
            if gone == "key" {
                admin.ok("/v1/apikeys.delete", json!({ "id": key_id })).await;
            } else {
                admin.ok("/v1/users.delete", json!({ "id": ann })).await;
            }
            server.advance(Span::from_secs(1));
            let stopped = admin.run_of(&planned, 60).await;
            assert_eq!((&stopped["state"], &stopped["remaining"]), (&json!("stopped"), &json!("2")), "{gone}");
            assert_eq!(admin.confirmed(&planned, json!({})).await["changed"], "3", "another user continues it");
        }
    });
}

/// A run ends for good with its queue: nothing could be continued.
#[test]
fn a_run_whose_queue_is_deleted_is_cancelled() {
    on_store_with_queue(StoreKind::Memory, "dead", async |server, mut caller| {
        with_letters(&mut caller, &["a", "b"]).await;
        let planned = caller.ok(PLAN, plan("archive")).await;
        caller.ok(CONFIRM, json!({ "queue_name": "dead", "token": planned["token"], "rate": 1 })).await;
        while caller.run_of(&planned, 0).await["changed"] != "1" {}
        caller.ok("/v1/queues.delete", json!({ "queue_name": "dead", "force": true })).await;
        server.advance(Span::from_secs(1));
        while listed_items(&server).await > 0 {}
        caller.create("dead", json!({})).await;
        let run = caller.run_of(&planned, 60).await;
        assert_eq!((&run["state"], &run["remaining"]), (&json!("cancelled"), &json!("1")), "{run}");
    });
}

/// What another holder has leased is skipped, and named.
#[test]
fn letters_that_are_leased_before_the_plan_are_skipped_and_named() {
    on_each_store_with_caller(async |_server, mut caller| {
        dead_items(&mut caller, 3).await;
        let leased = caller.lease_one("dead").await;
        let planned = caller.ok(PLAN, plan("retry")).await;
        assert_eq!((&planned["letters"], planned.get("ineligible")), (&json!("3"), None));
        let done = caller.carry_out(&planned).await;
        assert_eq!((&done["changed"], &done["skipped"]), (&json!("2"), &json!("1")));
        assert_eq!(done["skips"][0]["reason"], "conflict");
        caller.complete("dead", &[leased]).await;
    });
}

#[test]
fn a_run_whose_letters_change_meanwhile_skips_them_by_cause() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        let ids = with_letters(&mut caller, &["a", "b", "c", "d"]).await;
        let planned = caller.ok(PLAN, plan("archive")).await;
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [ids[0]] })).await;
        for id in &ids[1..3] {
            caller.ok("/v1/letters.annotate", json!({ "queue_name": "dead", "id": id, "text": "wait" })).await;
        }
        let done = caller.carry_out(&planned).await;
        let cause = |reason: &str, letters: &str| json!({ "reason": reason, "letters": letters });
        assert_eq!(done["causes"], json!([cause("changed", "2"), cause("gone", "1")]));
        assert_eq!(get(&mut caller, &ids[3]).await["letter"]["status"], "archived");
    });
}

/// Plans over the same letters: each letter is archived by one of them, and counted as skipped by all others.
#[test]
fn many_plans_of_two_namespaces_run_at_once_and_none_is_lost_or_seen_by_the_other() {
    const PLANS: u64 = 500;
    const LETTERS: u64 = 100;
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let names = ["shop", "bank"];
        let mut plans = Vec::new();
        for name in names {
            namespace(&mut caller, name).await;
            caller.create(name, json!({ "namespace": name })).await;
            let letters: Vec<Value> = (0..LETTERS).map(|number| failure(&number.to_string())).collect();
            caller.ok("/v1/letters.capture", json!({ "queue_name": name, "letters": letters })).await;
        }
        for _ in 0..PLANS {
            for name in names {
                let planned = caller.ok(PLAN, json!({ "queue_name": name, "action": "archive", "all": name })).await;
                assert_eq!(planned["letters"], LETTERS.to_string());
                plans.push((name, planned));
            }
        }
        for (name, planned) in &plans {
            caller.ok(CONFIRM, json!({ "queue_name": name, "token": planned["token"] })).await;
        }
        let number = |run: &Value, field: &str| run[field].as_str().map_or(0, |text| text.parse::<u64>().unwrap());
        for name in names {
            let (mut changed, mut skipped) = (0, 0);
            for (_, planned) in plans.iter().filter(|(of, _)| *of == name) {
                let run = json!({ "queue_name": name, "id": planned["token"], "wait_seconds": 60 });
                let run = caller.ok("/v1/letters.run", run).await["run"].clone();
                assert_eq!(run["state"], "finished", "{run}");
                changed += number(&run, "changed");
                skipped += number(&run, "skipped");
            }
            assert_eq!((changed, skipped), (LETTERS, (PLANS - 1) * LETTERS), "{name}");
            let listed = caller.ok(RUNS, json!({ "queue_name": name, "limit": 1_000 })).await;
            let listed = listed["runs"].as_array().unwrap();
            assert_eq!(listed.len() as u64, PLANS);
            assert!(listed.iter().all(|run| run["queue_name"] == name));
        }
        let elsewhere = json!({ "queue_name": "bank", "id": plans[0].1["token"] });
        assert_eq!(rejection(&mut caller, CANCEL, elsewhere).await, (404, "not_found".to_owned()));
    });
}

#[test]
fn a_namespace_has_a_limit_of_plans_which_ended_runs_make_space_for() {
    on_store_with_queue(StoreKind::Memory, "dead", async |server, mut caller| {
        with_letters(&mut caller, &["a"]).await;
        let first = caller.ok(PLAN, plan("archive")).await;
        for _ in 1..1_000 {
            caller.ok(PLAN, plan("archive")).await;
        }
        assert_eq!(rejection(&mut caller, PLAN, plan("archive")).await, (429, "too_many_plans".to_owned()));
        caller.carry_out(&first).await;
        let next = caller.ok(PLAN, plan("restore")).await;
        assert_eq!(rejection(&mut caller, "/v1/letters.run", of(&first)).await.0, 404, "the ended run made space");
        assert_eq!(rejection(&mut caller, PLAN, plan("archive")).await.0, 429);
        server.advance(Span::from_mins(10));
        caller.ok(PLAN, plan("restore")).await;
        assert_eq!(rejection(&mut caller, CANCEL, of(&next)).await.0, 404, "unconfirmed plans expire");
        assert_eq!(listed_items(&server).await, 1, "with their lists");
    });
}

/// The queue of a thousand letters is paused: those of another queue do not wait behind them.
#[test]
fn letters_that_wait_do_not_hold_up_those_of_other_destinations() {
    on_store_with_caller(StoreKind::Memory, async |server, mut caller| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        caller.create_with_dead("paused", json!({})).await;
        caller.create("open", json!({ "dead_queue": "dead" })).await;
        for (queue, rounds, count) in [("paused", 3, 500), ("open", 1, 5)] {
            for _ in 0..rounds {
                caller.produce_many(queue, count).await;
                for item in caller.lease(queue, i32::try_from(count).unwrap()).await {
                    caller.retry(queue, &item, json!({ "dead": true })).await;
                }
            }
        }
        caller.ok("/v1/queue.pause", json!({ "queue_name": "paused" })).await;
        let planned = caller.ok(PLAN, plan("retry")).await;
        caller.ok(CONFIRM, json!({ "queue_name": "dead", "token": planned["token"] })).await;
        let waiting = until(&mut caller, &planned, "waiting").await;
        assert_eq!((&waiting["changed"], &waiting["remaining"]), (&json!("5"), &json!("1500")));
        assert_eq!(caller.lease("open", 10).await.len(), 5);
        caller.ok("/v1/queue.resume", json!({ "queue_name": "paused" })).await;
        server.advance(Span::from_secs(10));
        let done = caller.run_of(&planned, 60).await;
        assert_eq!((&done["state"], &done["changed"]), (&json!("finished"), &json!("1505")));
        assert_eq!(listed_items(&server).await, 0);
    });
}

/// A later namespace of the same name shows none of them.
#[test]
fn the_runs_of_a_namespace_are_removed_with_it() {
    on_store_with_caller(StoreKind::Memory, async |server, mut caller| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        for round in 0..2 {
            namespace(&mut caller, "shop").await;
            caller.create("dead", json!({ "namespace": "shop" })).await;
            let runs = caller.ok(RUNS, json!({ "queue_name": "dead" })).await;
            assert_eq!(runs.get("runs"), None, "round {round}");
            with_letters(&mut caller, &["a"]).await;
            let planned = caller.ok(PLAN, plan("archive")).await;
            assert_eq!(caller.carry_out(&planned).await["changed"], "1");
            caller.ok(PLAN, plan("purge")).await;
            caller.ok("/v1/queues.delete", json!({ "queue_name": "dead", "force": true })).await;
            caller.ok("/v1/namespaces.delete", json!({ "name": "shop" })).await;
            assert_eq!(listed_items(&server).await, 0);
        }
    });
}

/// A run of one letter a second reports each of them, and neither its record nor its reports grow with their number.
#[test]
fn many_small_parts_share_a_report() {
    const LETTERS: usize = 300;
    on_store_with_queue(StoreKind::Memory, "dead", async |server, mut caller| {
        let sources: Vec<String> = (0..LETTERS).map(|number| number.to_string()).collect();
        with_letters(&mut caller, &sources.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let late = caller.ok(PLAN, plan("archive")).await;
        let early = caller.ok(PLAN, plan("archive")).await;
        assert_eq!(caller.carry_out(&early).await["changed"], LETTERS.to_string());
        let done = caller.confirmed(&late, json!({ "rate": 1 })).await;
        assert_eq!((&done["skipped"], done["skips"].as_array().unwrap().len()), (&json!("300"), LETTERS));
        assert_eq!(listed_items(&server).await, 1, "all skipped letters are in one item");
    });
}

/// Another caller may have a queue with the name of the server's: it gets nothing of the plans of others.
#[test]
fn a_queue_of_a_caller_with_the_name_of_the_servers_gets_no_lists() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        namespace(&mut caller, "shop").await;
        caller.create("_redrive/letter-runs", json!({ "namespace": "shop" })).await;
        with_letters(&mut caller, &["a", "b"]).await;
        let planned = caller.ok(PLAN, plan("archive")).await;
        assert_eq!(caller.counts("_redrive/letter-runs").await, [(0, 0, 0)]);
        caller.ok("/v1/queues.delete", json!({ "queue_name": "_redrive/letter-runs" })).await;
        assert_eq!(caller.carry_out(&planned).await["changed"], "2", "the lists are found without the name");
        let reserved = caller.rejection("/v1/queues.create", json!({
            "queue_name": "x", "namespace": "_redrive", "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1
        }));
        assert!(reserved.await.1.contains("namespace"), "no caller creates a queue beside the lists");
    });
}

/// A letter that was claimed before its attempt can begin could lose its claim while it waits.
#[test]
fn a_run_claims_a_letter_when_its_attempt_can_begin() {
    on_each_store_with_target(async |_server, mut caller, mut target| {
        let sources = ["a", "b", "c", "d", "e", "f"];
        let ids = with_letters(&mut caller, &sources).await;
        let planned = caller.ok(PLAN, plan("retry")).await;
        caller.ok(CONFIRM, json!({ "queue_name": "dead", "token": planned["token"] })).await;
        let mut attempts = Vec::new();
        for _ in 0..4 {
            attempts.push(target.next().await);
        }
        let mut waiting = 0;
        for id in &ids {
            waiting += u64::from(get(&mut caller, id).await["letter"]["status"] == "pending");
        }
        assert_eq!(waiting, 2, "the runner of the harness has four slots");
        attempts.drain(..).for_each(PendingAttempt::done);
        for _ in 0..2 {
            target.next().await.done();
        }
        let done = caller.run_of(&planned, 60).await;
        assert_eq!((&done["state"], &done["changed"], done.get("failed")), (&json!("finished"), &json!("6"), None));
    });
}

#[test]
fn items_that_carry_no_failure_are_counted_and_left_alone() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        dead_items(&mut caller, 2).await;
        caller.produce("dead", &["an item", "another"]).await;
        let archived = with_letters(&mut caller, &["archived"]).await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": archived })).await;
        let planned = caller.ok(PLAN, plan("purge")).await;
        assert_eq!((&planned["letters"], &planned["not_letters"]), (&json!("2"), &json!("2")));
        assert_eq!(caller.carry_out(&planned).await["changed"], "2");
        assert_eq!(caller.lease("dead", 10).await.len(), 2);
    });
}

#[test]
fn wrong_settings_of_a_run_are_rejected() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        with_letters(&mut caller, &["a"]).await;
        let planned = caller.ok(PLAN, plan("archive")).await;
        let invalid = (400, "invalid".to_owned());
        for wrong in [
            json!({ "rate": -1 }),
            json!({ "give_up_after_seconds": -1 }),
            json!({ "give_up_after_seconds": 604_801 }),
            json!({ "wait_seconds": 61 }),
            json!({ "wait_seconds": -1 }),
        ] {
            let mut confirm = json!({ "queue_name": "dead", "token": planned["token"] });
            confirm.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
            assert_eq!(rejection(&mut caller, CONFIRM, confirm).await, invalid, "{wrong}");
        }
    });
}
