//! Exhausted letters get their retries back: `letters.resume`, and the bulk action `resume`.

use redrive_core::{LetterId, QueueName, Span, Trigger};
use redrive_model::{ClaimById, RetryAt, SettleAction};
use redrive_store::Store;
use serde_json::{Value, json};

use super::{capture, captured, failure, get, rejection};
use crate::audit::records;
use crate::harness::{Caller, TestServer, on_each_store_with_queue, on_each_store_with_target};

const RESUME: &str = "/v1/letters.resume";

/// A letter of `dead` for a destination, whose only retry failed.
async fn exhausted(server: &TestServer, caller: &mut Caller, source_id: &str, destination: &str) -> Value {
    let mut letter = failure(source_id);
    letter["max_retries"] = json!(1);
    letter["destination"] = json!(destination);
    let id = captured(caller, letter).await;
    let queue = QueueName::new("dead").unwrap();
    let letters = vec![LetterId::new(id.as_str().unwrap().parse().unwrap()).into()];
    let claim = ClaimById { queue: queue.clone(), letters, lease: Span::from_mins(1), trigger: Trigger::Manual };
    let claimed = server.store().claim_by_id(claim).await.unwrap().letters[0].info.id;
    let failed = SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true };
    server.store().settle_all(queue, None, vec![claimed], failed).await.unwrap();
    assert_eq!(get(caller, &id).await["letter"]["status"], "exhausted");
    id
}

fn named(ids: &[&Value]) -> Value {
    json!({ "queue_name": "dead", "ids": ids })
}

#[test]
fn a_resumed_letter_is_pending_with_all_its_retries() {
    on_each_store_with_target(async |server, mut caller, _target| {
        let id = exhausted(&server, &mut caller, "a", "bank").await;
        let pending = captured(&mut caller, failure("b")).await;
        let before = get(&mut caller, &id).await;
        assert_eq!(caller.ok(RESUME, named(&[&id, &pending])).await, json!({ "changed": "1" }));
        assert_eq!(records(&server).await.last().unwrap().action, "letters.resume");
        let after = get(&mut caller, &id).await;
        let letter = &after["letter"];
        assert_eq!((&letter["status"], letter.get("retry_count")), (&json!("pending"), None));
        assert_eq!(letter["next_retry_at"], "2026-11-15T12:01:00Z", "as after its capture");
        assert_eq!(letter["total_attempts"], before["letter"]["total_attempts"]);
        assert_eq!((letter.get("ended_at"), letter.get("exhausted_at")), (None, None));
        let attempts = after["attempts"].as_array().unwrap();
        assert_eq!(attempts[..2], before["attempts"].as_array().unwrap()[..]);
        let resumed = &attempts[2]["attempt"];
        assert_eq!((&resumed["cause"], &resumed["outcome"]), (&json!("resumed"), &json!("deferred")));
        assert_eq!(after["last_error"], before["last_error"]);
        assert_eq!(caller.ok(RESUME, named(&[&id])).await, json!({}), "it is not exhausted any more");
    });
}

#[test]
fn a_resumed_letter_is_retried_by_the_processor() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let id = exhausted(&server, &mut caller, "a", "bank").await;
        caller.ok("/v1/letters.process", json!({ "queue_name": "dead", "action": "start" })).await;
        caller.ok(RESUME, named(&[&id])).await;
        server.advance(Span::from_mins(1));
        target.next().await.done();
        while get(&mut caller, &id).await["letter"]["status"] != "completed" {
            tokio::task::yield_now().await;
        }
    });
}

#[test]
fn a_queue_without_a_target_resumes_nothing() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        let id = exhausted(&server, &mut caller, "a", "bank").await;
        let rejected = (453, "no_target".to_owned());
        assert_eq!(rejection(&mut caller, RESUME, named(&[&id])).await, rejected);
        let plan = json!({ "queue_name": "dead", "action": "resume", "filter": "destination == 'bank'" });
        assert_eq!(rejection(&mut caller, "/v1/letters.plan", plan).await, rejected);
        assert_eq!(get(&mut caller, &id).await["letter"]["status"], "exhausted", "a lease can still claim it");
    });
}

#[test]
fn all_letters_of_a_resume_must_exist() {
    on_each_store_with_target(async |server, mut caller, _target| {
        let id = exhausted(&server, &mut caller, "a", "bank").await;
        let unknown = json!("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
        let missing = (404, "not_found".to_owned());
        assert_eq!(rejection(&mut caller, RESUME, named(&[&id, &unknown])).await, missing);
        assert_eq!(rejection(&mut caller, RESUME, json!({ "queue_name": "gone", "ids": [id] })).await, missing);
        assert_eq!(rejection(&mut caller, RESUME, named(&[])).await, (400, "invalid".to_owned()));
        assert_eq!(get(&mut caller, &id).await["letter"]["status"], "exhausted");
        assert_eq!(caller.ok(RESUME, named(&[&json!("a")])).await, json!({ "changed": "1" }), "by its source id");
    });
}

#[test]
fn the_letters_of_a_destination_are_resumed_in_bulk() {
    on_each_store_with_target(async |server, mut caller, _target| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("the bank is back"));
        let bank =
            [exhausted(&server, &mut caller, "a", "bank").await, exhausted(&server, &mut caller, "b", "bank").await];
        let shop = exhausted(&server, &mut caller, "c", "shop").await;
        let mut without_retries = failure("d");
        without_retries["max_retries"] = json!(0);
        without_retries["destination"] = json!("bank");
        let none = captured(&mut caller, without_retries).await;
        let mut waiting = failure("e");
        waiting["destination"] = json!("bank");
        capture(&mut caller, waiting).await;
        let filter = "destination == 'bank'";
        let plan = json!({ "queue_name": "dead", "action": "resume", "filter": filter });
        let planned = caller.ok("/v1/letters.plan", plan).await;
        assert_eq!((&planned["letters"], &planned["ineligible"]), (&json!("3"), &json!("1")), "only exhausted letters");
        let note = json!({ "queue_name": "dead", "id": bank[1], "text": "wait" });
        caller.ok("/v1/letters.annotate", note).await;
        let done = caller.carry_out(&planned).await;
        assert_eq!((&done["changed"], &done["skipped"]), (&json!("1"), &json!("2")));
        let skips = json!([{ "id": bank[1], "reason": "changed" }, { "id": none, "reason": "no_retries" }]);
        assert_eq!(done["skips"], skips);
        for (id, status) in [(&bank[0], "pending"), (&bank[1], "exhausted"), (&shop, "exhausted"), (&none, "exhausted")]
        {
            assert_eq!(get(&mut caller, id).await["letter"]["status"], status);
        }
        let record = records(&server).await.pop().unwrap();
        let action = record.targets.iter().find(|target| target.kind == "action").unwrap();
        assert_eq!((record.action.as_str(), action.name.as_str()), ("letters.run", "resume"));
        assert_eq!(record.reason.as_deref(), Some("the bank is back"));
    });
}
