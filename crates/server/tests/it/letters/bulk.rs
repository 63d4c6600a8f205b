//! Bulk actions on all letters that match a filter: `letters.plan`, then `letters.confirm`.

use redrive_core::Span;
use serde_json::{Value, json};

use super::runs::listed_items;
use super::{capture, captured, failure, get, rejection, with_letters};
use crate::audit::records;
use crate::harness::{
    Caller, StoreKind, TestServer, on_each_store, on_each_store_with_queue, on_each_store_with_target,
    on_store_with_queue,
};
use crate::tenancy::InterleavingStore;

const PLAN: &str = "/v1/letters.plan";
const CONFIRM: &str = "/v1/letters.confirm";

fn plan(action: &str, filter: &str) -> Value {
    json!({ "queue_name": "dead", "action": action, "filter": filter })
}

fn confirm(plan: &Value) -> Value {
    json!({ "queue_name": "dead", "token": plan["token"] })
}

#[test]
fn only_the_confirmation_of_a_plan_changes_letters() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let ids = with_letters(&mut caller, &["a", "b", "c"]).await;
        let planned = caller.ok(PLAN, plan("archive", "source_id != 'c'")).await;
        assert_eq!((&planned["letters"], &planned["status_breakdown"]["pending"]), (&json!("2"), &json!("2")));
        assert_eq!(get(&mut caller, &ids[0]).await["letter"]["status"], "pending");
        let done = caller.carry_out(&planned).await;
        assert_eq!((&done["changed"], &done["skipped"], &done["remaining"]), (&json!("2"), &Value::Null, &Value::Null));
        let mut statuses = Vec::new();
        for id in &ids {
            statuses.push(get(&mut caller, id).await["letter"]["status"].clone());
        }
        assert_eq!(statuses, ["archived", "archived", "pending"]);
        let again = caller.carry_out(&planned).await;
        assert_eq!(again["changed"], "2", "a second confirmation changes nothing");
    });
}

#[test]
fn letters_added_or_changed_after_the_plan_are_not_affected() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        let ids = with_letters(&mut caller, &["a", "b", "c"]).await;
        let planned = caller.ok(PLAN, plan("purge", "status == 'pending'")).await;
        let late = captured(&mut caller, failure("d")).await;
        let note = json!({ "queue_name": "dead", "id": ids[0], "text": "wait" });
        caller.ok("/v1/letters.annotate", note).await;
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [ids[1]] })).await;
        let done = caller.carry_out(&planned).await;
        assert_eq!((&done["changed"], &done["skipped"]), (&json!("1"), &json!("2")), "planned = done + skipped");
        let expected = json!([{ "id": ids[0], "reason": "changed" }, { "id": ids[1], "reason": "gone" }]);
        assert_eq!(done["skips"], expected);
        assert_eq!(get(&mut caller, &late).await["letter"]["status"], "pending");
        assert_eq!(get(&mut caller, &ids[0]).await["letter"]["status"], "pending");
    });
}

#[test]
fn a_token_is_valid_for_its_queue_and_for_ten_minutes() {
    on_store_with_queue(StoreKind::Memory, "dead", async |server, mut caller| {
        with_letters(&mut caller, &["a"]).await;
        caller.create("other", json!({})).await;
        let planned = caller.ok(PLAN, plan("archive", "source_id == 'a'")).await;
        let elsewhere = json!({ "queue_name": "other", "token": planned["token"] });
        let missing = (404, "not_found".to_owned());
        assert_eq!(rejection(&mut caller, CONFIRM, elsewhere).await, missing);
        assert_eq!(rejection(&mut caller, CONFIRM, json!({ "queue_name": "dead", "token": "guessed" })).await, missing);
        caller.headers.clear();
        let without_reason = rejection(&mut caller, CONFIRM, confirm(&planned)).await;
        assert_eq!(without_reason, (400, "reason_required".to_owned()));
        server.advance(Span::from_mins(10));
        assert_eq!(rejection(&mut caller, CONFIRM, confirm(&planned)).await, missing, "the token has expired");
    });
}

#[test]
fn a_plan_for_all_letters_needs_the_name_of_the_queue() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        let ids = with_letters(&mut caller, &["a", "b"]).await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [ids[0]] })).await;
        let all = |all: &str| json!({ "queue_name": "dead", "action": "purge", "all": all });
        let invalid = (400, "invalid".to_owned());
        for body in [plan("purge", ""), plan("purge", "  "), all("deed"), plan("explode", "true"), plan("purge", "((")]
        {
            assert_eq!(rejection(&mut caller, PLAN, body.clone()).await, invalid, "{body}");
        }
        let planned = caller.ok(PLAN, all("dead")).await;
        assert_eq!(
            (&planned["letters"], &planned["ineligible"]),
            (&json!("1"), &json!("1")),
            "archived letters are excluded"
        );
        let mut with_archived = all("dead");
        with_archived["include_archived"] = json!(true);
        let planned = caller.ok(PLAN, with_archived).await;
        assert_eq!(planned["letters"], "2");
        caller.carry_out(&planned).await;
        let left = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        assert_eq!(left.get("letters"), None);
    });
}

#[test]
fn a_plan_of_several_lists_is_carried_out_once() {
    on_store_with_queue(StoreKind::Memory, "dead", async |server, mut caller| {
        with_letters(&mut caller, &[]).await;
        for part in 0..10 {
            let letters: Vec<Value> = (0..500).map(|number| failure(&format!("{part}-{number}"))).collect();
            caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": letters })).await;
        }
        let planned = caller.ok(PLAN, plan("archive", "status == 'pending'")).await;
        assert_eq!(planned["letters"], "5000");
        let done = caller.carry_out(&planned).await;
        assert_eq!((&done["changed"], &done["state"]), (&json!("5000"), &json!("finished")));
        let archived = caller.ok("/v1/letters.list", json!({ "queue_name": "dead", "statuses": ["archived"] })).await;
        assert_eq!(archived["total"], "5000");
        assert_eq!(listed_items(&server).await, 0, "the lists are removed");
    });
}

#[test]
fn a_bulk_resume_needs_a_target() {
    on_store_with_queue(StoreKind::Memory, "other", async |_server, mut caller| {
        let plan = json!({ "queue_name": "other", "action": "resume", "filter": "status == 'pending'" });
        assert_eq!(rejection(&mut caller, PLAN, plan).await, (453, "no_target".to_owned()));
    });
}

/// A note that is added between the check and the change counts as a change: its text may be "wait".
#[test]
fn a_letter_that_changes_just_before_a_bulk_action_is_skipped() {
    for action in ["archive", "purge"] {
        on_each_store(async |server| {
            let (interleaving, mut caller) = InterleavingStore::serve(&server).await;
            caller.create("dead", json!({})).await;
            let ids = with_letters(&mut caller, &["a", "b"]).await;
            let planned = caller.ok(PLAN, plan(action, "status == 'pending'")).await;
            let note = json!({ "queue_name": "dead", "id": ids[0], "text": "wait" });
            interleaving.before_next_write("/v1/letters.annotate", note);
            let done = caller.carry_out(&planned).await;
            assert_eq!((&done["changed"], &done["skipped"]), (&json!("1"), &json!("1")), "{action}");
            assert_eq!(done["skips"], json!([{ "id": ids[0], "reason": "changed" }]), "{action}");
            assert_eq!(get(&mut caller, &ids[0]).await["letter"]["status"], "pending", "{action}");
        });
    }
}

#[test]
fn archived_letters_are_restored_unless_their_work_has_a_live_letter() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        let ids = with_letters(&mut caller, &["a", "b", "c"]).await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [ids[0], ids[1]] })).await;
        capture(&mut caller, failure("b")).await;
        let all = json!({ "queue_name": "dead", "action": "restore", "all": "dead" });
        let planned = caller.ok(PLAN, all).await;
        assert_eq!((&planned["letters"], &planned["ineligible"]), (&json!("2"), &json!("2")), "only archived letters");
        let done = caller.carry_out(&planned).await;
        assert_eq!((&done["changed"], &done["skips"]), (&json!("1"), &json!([{ "id": ids[1], "reason": "held" }])));
        assert_eq!(get(&mut caller, &ids[0]).await["letter"]["status"], "pending");
        let record = records(&server).await.pop().unwrap();
        let action = record.targets.iter().find(|target| target.kind == "action").unwrap();
        assert_eq!((record.action.as_str(), action.name.as_str()), ("letters.run", "restore"));
    });
}

/// Starts a run in a separate task, so that the test can answer its attempts.
async fn spawn_run(server: &TestServer, planned: &Value) -> tokio::task::JoinHandle<Value> {
    let mut caller = server.caller().await;
    caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
    let planned = planned.clone();
    tokio::spawn(async move { caller.carry_out(&planned).await })
}

/// Waits until a run waits for something.
async fn until_waiting(caller: &mut Caller, planned: &Value) -> Value {
    loop {
        let run = caller.run_of(planned, 0).await;
        if run["state"] == "waiting" {
            return run;
        }
    }
}

#[test]
fn a_bulk_retry_that_fails_half_way_goes_on_and_reports_a_failed_retry_once() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let ids = with_letters(&mut caller, &["a", "b", "c"]).await;
        let planned = caller.ok(PLAN, plan("retry", "status == 'pending'")).await;
        target.fail_claims_of(&[&ids[1]]);
        let run = spawn_run(&server, &planned).await;
        let (one, other) = (target.next().await, target.next().await);
        one.done();
        other.fail();
        let waiting = until_waiting(&mut caller, &planned).await;
        assert_eq!((&waiting["changed"], &waiting["remaining"]), (&json!("2"), &json!("1")), "{waiting}");
        target.fail_claims_of(&[]);
        server.advance(Span::from_secs(10));
        let left = target.next().await;
        assert_eq!(left.call.id.to_string(), ids[1].as_str().unwrap(), "no letter is retried twice");
        left.done();
        let done = run.await.unwrap();
        let counts =
            ["changed", "failed", "skipped", "remaining"].map(|what| done.get(what).cloned().unwrap_or_default());
        assert_eq!(counts, [json!("3"), json!("1"), Value::Null, Value::Null]);
        let failures = done["failures"].as_array().unwrap();
        assert_eq!((failures.len(), &failures[0]["status"]), (1, &json!("pending")));
        let error = get(&mut caller, &failures[0]["id"]).await["last_error"].clone();
        assert_eq!(failures[0]["error"], error);
        assert_eq!(done["causes"], json!([{ "reason": failures[0]["category"], "failed": true, "letters": "1" }]));
        assert_eq!(caller.carry_out(&planned).await, done, "a second confirmation does nothing");
        let records = records(&server).await;
        let acts: Vec<&str> = records.iter().rev().take(2).map(|record| record.action.as_str()).collect();
        assert_eq!(acts, ["letters.run", "letters.confirm"]);
        let end = records.last().unwrap();
        let of = |kind: &str| end.targets.iter().find(|target| target.kind == kind).map(|target| target.name.as_str());
        assert_eq!(
            (of("action"), of("state"), of("changed"), of("failed")),
            (Some("retry"), Some("finished"), Some("3"), Some("1"))
        );
        assert_eq!((end.reason.as_deref(), end.actor.user.as_str()), (Some("a test"), "anonymous"));
    });
}

/// Between the check of a letter and its attempt an operator may have added a note such as "wait".
#[test]
fn a_letter_that_changes_just_before_its_bulk_retry_is_skipped() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let ids = with_letters(&mut caller, &["a", "b"]).await;
        let planned = caller.ok(PLAN, plan("retry", "status == 'pending'")).await;
        target.annotate_before_claim(&[&ids[0]]);
        let confirmation = spawn_run(&server, &planned).await;
        let attempt = target.next().await;
        assert_eq!(attempt.call.id.to_string(), ids[1].as_str().unwrap());
        attempt.done();
        let done = confirmation.await.unwrap();
        assert_eq!((&done["changed"], &done["skipped"]), (&json!("1"), &json!("1")));
        assert_eq!(done["skips"], json!([{ "id": ids[0], "reason": "changed" }]));
        assert_eq!(get(&mut caller, &ids[0]).await["letter"]["status"], "pending");
    });
}

#[test]
fn skipped_letters_are_reported_even_if_the_others_could_not_be_retried() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let ids = with_letters(&mut caller, &["gone", "archived", "retrying", "out of reach"]).await;
        let planned = caller.ok(PLAN, plan("retry", "status == 'pending'")).await;
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [ids[0]] })).await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [ids[1]] })).await;
        let retrying = server.spawn_call("/v1/letters.retry", json!({ "queue_name": "dead", "id": ids[2] })).await;
        let held = target.next().await;
        target.fail_claims_of(&[&ids[3]]);
        let run = spawn_run(&server, &planned).await;
        until_waiting(&mut caller, &planned).await;
        target.fail_claims_of(&[]);
        server.advance(Span::from_secs(10));
        target.next().await.done();
        let done = run.await.unwrap();
        assert_eq!((&done["changed"], &done["skipped"]), (&json!("1"), &json!("3")));
        let mut reasons: Vec<(&Value, &Value)> = Vec::new();
        for skip in done["skips"].as_array().unwrap() {
            reasons.push((&skip["id"], &skip["reason"]));
        }
        reasons.sort_by_key(|(id, _)| ids.iter().position(|known| known == *id));
        let expected = [json!("gone"), json!("changed"), json!("conflict")];
        assert_eq!(reasons, ids.iter().zip(&expected).collect::<Vec<_>>());
        held.done();
        assert_eq!(retrying.await.unwrap().status, 200);
    });
}
