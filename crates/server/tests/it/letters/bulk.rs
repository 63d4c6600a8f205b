//! Acts on all letters that match: planned, then confirmed.

use redrive_core::Span;
use serde_json::{Value, json};

use super::{capture, failure, get, refused};
use crate::audit::records;
use crate::bed::{Bed, Caller, Ground, Heard, each, each_retrying, on};
use crate::tenancy::Meddler;

const PLAN: &str = "/v1/letters.plan";
const CONFIRM: &str = "/v1/letters.confirm";

async fn with_letters(caller: &mut Caller, sources: &[&str]) -> Vec<Value> {
    caller.create("dead", json!({})).await;
    caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
    let mut ids = Vec::new();
    for source in sources {
        ids.push(capture(caller, failure(source)).await["id"].clone());
    }
    ids
}

fn plan(action: &str, filter: &str) -> Value {
    json!({ "queue_name": "dead", "action": action, "filter": filter })
}

fn confirm(plan: &Value) -> Value {
    json!({ "queue_name": "dead", "token": plan["token"] })
}

#[tokio::test]
async fn a_plan_changes_nothing_and_its_confirmation_does() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let ids = with_letters(&mut caller, &["a", "b", "c"]).await;
        let planned = caller.ok(PLAN, plan("archive", "source_id != 'c'")).await;
        assert_eq!((&planned["letters"], &planned["status_breakdown"]["pending"]), (&json!("2"), &json!("2")));
        assert_eq!(get(&mut caller, &ids[0]).await["letter"]["status"], "pending");
        let done = caller.ok(CONFIRM, confirm(&planned)).await;
        assert_eq!((&done["changed"], &done["skipped"], &done["remaining"]), (&json!("2"), &Value::Null, &Value::Null));
        let mut statuses = Vec::new();
        for id in &ids {
            statuses.push(get(&mut caller, id).await["letter"]["status"].clone());
        }
        assert_eq!(statuses, ["archived", "archived", "pending"]);
        let again = caller.ok(CONFIRM, confirm(&planned)).await;
        assert_eq!(again["changed"], "2", "a second confirmation does nothing more");
    })
    .await;
}

#[tokio::test]
async fn what_comes_or_changes_after_the_plan_stays_out_of_it() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        let ids = with_letters(&mut caller, &["a", "b", "c"]).await;
        let planned = caller.ok(PLAN, plan("purge", "status == 'pending'")).await;
        let late = capture(&mut caller, failure("d")).await["id"].clone();
        let note = json!({ "queue_name": "dead", "id": ids[0], "text": "wait" });
        caller.ok("/v1/letters.annotate", note).await;
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [ids[1]] })).await;
        let done = caller.ok(CONFIRM, confirm(&planned)).await;
        assert_eq!((&done["changed"], &done["skipped"]), (&json!("1"), &json!("2")), "planned = done + skipped");
        let expected = json!([{ "id": ids[0], "reason": "changed" }, { "id": ids[1], "reason": "gone" }]);
        assert_eq!(done["skips"], expected);
        assert_eq!(get(&mut caller, &late).await["letter"]["status"], "pending");
        assert_eq!(get(&mut caller, &ids[0]).await["letter"]["status"], "pending");
    })
    .await;
}

#[tokio::test]
async fn a_token_is_good_for_its_queue_and_its_time() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        with_letters(&mut caller, &["a"]).await;
        caller.create("other", json!({})).await;
        let planned = caller.ok(PLAN, plan("archive", "source_id == 'a'")).await;
        let elsewhere = json!({ "queue_name": "other", "token": planned["token"] });
        let missing = (404, "not_found".to_owned());
        assert_eq!(refused(&mut caller, CONFIRM, elsewhere).await, missing);
        assert_eq!(refused(&mut caller, CONFIRM, json!({ "queue_name": "dead", "token": "guessed" })).await, missing);
        caller.headers.clear();
        let unsaid = refused(&mut caller, CONFIRM, confirm(&planned)).await;
        assert_eq!(unsaid, (400, "reason_required".to_owned()));
        bed.advance(Span::from_mins(10));
        assert_eq!(refused(&mut caller, CONFIRM, confirm(&planned)).await, missing, "its time is over");
    })
    .await;
}

#[tokio::test]
async fn everything_is_meant_only_where_somebody_says_so() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        let ids = with_letters(&mut caller, &["a", "b"]).await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [ids[0]] })).await;
        let all = |all: &str| json!({ "queue_name": "dead", "action": "purge", "all": all });
        let invalid = (400, "invalid".to_owned());
        for body in [plan("purge", ""), plan("purge", "  "), all("deed"), plan("explode", "true"), plan("purge", "((")]
        {
            assert_eq!(refused(&mut caller, PLAN, body.clone()).await, invalid, "{body}");
        }
        let planned = caller.ok(PLAN, all("dead")).await;
        assert_eq!((&planned["letters"], &planned["ineligible"]), (&json!("1"), &json!("1")), "archived ones are left");
        let mut with_archived = all("dead");
        with_archived["include_archived"] = json!(true);
        let planned = caller.ok(PLAN, with_archived).await;
        assert_eq!(planned["letters"], "2");
        caller.ok(CONFIRM, confirm(&planned)).await;
        let left = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        assert_eq!(left.get("letters"), None);
    })
    .await;
}

#[tokio::test]
async fn a_large_plan_is_done_part_by_part() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        with_letters(&mut caller, &[]).await;
        for part in 0..3 {
            let letters: Vec<Value> = (0..500).map(|number| failure(&format!("{part}-{number}"))).collect();
            caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": letters })).await;
        }
        let planned = caller.ok(PLAN, plan("archive", "status == 'pending'")).await;
        assert_eq!(planned["letters"], "1500");
        let first = caller.ok(CONFIRM, confirm(&planned)).await;
        assert_eq!((&first["changed"], &first["remaining"]), (&json!("1000"), &json!("500")));
        let second = caller.ok(CONFIRM, confirm(&planned)).await;
        assert_eq!((&second["changed"], &second["remaining"]), (&json!("1500"), &Value::Null));
    })
    .await;
}

#[tokio::test]
async fn a_bulk_retry_needs_something_that_retries() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        with_letters(&mut caller, &["a"]).await;
        let told = refused(&mut caller, PLAN, plan("retry", "status == 'pending'")).await;
        assert_eq!(told, (453, "no_target".to_owned()));
    })
    .await;
}

/// A note that comes between the decision and the deed is a change like any other: what it says may be "wait".
#[tokio::test]
async fn a_letter_that_changes_at_the_last_moment_is_passed_over() {
    for action in ["archive", "purge"] {
        each(async |bed| {
            let (meddler, mut caller) = Meddler::serve(&bed).await;
            let ids = with_letters(&mut caller, &["a", "b"]).await;
            let planned = caller.ok(PLAN, plan(action, "status == 'pending'")).await;
            let note = json!({ "queue_name": "dead", "id": ids[0], "text": "wait" });
            meddler.before_the_next("/v1/letters.annotate", note);
            let done = caller.ok(CONFIRM, confirm(&planned)).await;
            assert_eq!((&done["changed"], &done["skipped"]), (&json!("1"), &json!("1")), "{action}");
            assert_eq!(done["skips"], json!([{ "id": ids[0], "reason": "changed" }]), "{action}");
            assert_eq!(get(&mut caller, &ids[0]).await["letter"]["status"], "pending", "{action}");
        })
        .await;
    }
}

/// A confirmation that goes on while the test answers its attempts.
async fn confirming(bed: &Bed, planned: &Value) -> tokio::task::JoinHandle<Heard> {
    let mut caller = bed.caller().await;
    caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
    let body = confirm(planned);
    tokio::spawn(async move { caller.json(CONFIRM, body).await })
}

#[tokio::test]
async fn a_bulk_retry_that_fails_half_way_is_recorded_and_goes_on_where_it_stopped() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        let ids = with_letters(&mut caller, &["a", "b", "c"]).await;
        let planned = caller.ok(PLAN, plan("retry", "status == 'pending'")).await;
        target.out_of_reach(&[&ids[1]]);
        let first = confirming(&bed, &planned).await;
        let (one, other) = (target.next().await, target.next().await);
        one.done();
        other.fail();
        assert_eq!(first.await.unwrap().status, 454, "one of them could not be tried");
        let record = records(&bed).await.pop().unwrap();
        assert_eq!((record.action.as_str(), record.result.code), ("letters.confirm", 200), "the others were");
        let action = record.targets.iter().find(|target| target.kind == "action").unwrap();
        assert_eq!(action.name, "retry");

        target.out_of_reach(&[]);
        let second = confirming(&bed, &planned).await;
        let left = target.next().await;
        assert_eq!(left.call.id.to_string(), ids[1].as_str().unwrap(), "nothing is tried twice");
        left.done();
        let done = second.await.unwrap().value();
        let told =
            ["changed", "failed", "skipped", "remaining"].map(|what| done.get(what).cloned().unwrap_or_default());
        assert_eq!(told, [json!("3"), json!("1"), Value::Null, Value::Null]);
    })
    .await;
}

/// Between the look at a letter and its attempt somebody may have said "wait".
#[tokio::test]
async fn a_letter_that_changes_just_before_its_retry_is_not_tried() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        let ids = with_letters(&mut caller, &["a", "b"]).await;
        let planned = caller.ok(PLAN, plan("retry", "status == 'pending'")).await;
        target.annotated(&[&ids[0]]);
        let asked = confirming(&bed, &planned).await;
        let tried = target.next().await;
        assert_eq!(tried.call.id.to_string(), ids[1].as_str().unwrap());
        tried.done();
        let done = asked.await.unwrap().value();
        assert_eq!((&done["changed"], &done["skipped"]), (&json!("1"), &json!("1")));
        assert_eq!(done["skips"], json!([{ "id": ids[0], "reason": "changed" }]));
        assert_eq!(get(&mut caller, &ids[0]).await["letter"]["status"], "pending");
    })
    .await;
}

#[tokio::test]
async fn what_was_passed_over_is_told_also_where_the_others_could_not_be_tried() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        let ids = with_letters(&mut caller, &["gone", "archived", "retrying", "out of reach"]).await;
        let planned = caller.ok(PLAN, plan("retry", "status == 'pending'")).await;
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [ids[0]] })).await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [ids[1]] })).await;
        let retrying = bed.calling("/v1/letters.retry", json!({ "queue_name": "dead", "id": ids[2] })).await;
        let held = target.next().await;
        target.out_of_reach(&[&ids[3]]);
        assert_eq!(confirming(&bed, &planned).await.await.unwrap().status, 454);

        target.out_of_reach(&[]);
        let second = confirming(&bed, &planned).await;
        target.next().await.done();
        let done = second.await.unwrap().value();
        assert_eq!((&done["changed"], &done["skipped"]), (&json!("1"), &json!("3")));
        let mut reasons: Vec<(&Value, &Value)> = Vec::new();
        for skip in done["skips"].as_array().unwrap() {
            reasons.push((&skip["id"], &skip["reason"]));
        }
        reasons.sort_by_key(|(id, _)| ids.iter().position(|known| known == *id));
        let expected = [json!("gone"), json!("changed"), json!("conflict")];
        assert_eq!(reasons, ids.iter().zip(&expected).collect::<Vec<_>>());
        let third = confirming(&bed, &planned).await.await.unwrap().value();
        assert_eq!(third.get("skips"), None, "each is told once");
        held.done();
        assert_eq!(retrying.await.unwrap().status, 200);
    })
    .await;
}
