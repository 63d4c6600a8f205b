//! Manual transitions: archive, restore, remove, edit, resume.

use redrive_core::{QueueName, Span};
use redrive_model::{FeedChange, ReadChanges};
use redrive_store::Store;
use serde_json::{Value, json};

use super::{
    captured, failure_with, fence, letter, lifetime_counter, manual_retry, newest_attempt, one_letter_per_status,
    response_of, until_status, with_id, with_ids,
};
use crate::harness::{CLAIM, Caller, on_each_store_with_target, request_timeout};
use crate::letters::{failure, get, rejection};

const ARCHIVE: &str = "/v1/letters.archive";
const RESTORE: &str = "/v1/letters.restore";
const EDIT: &str = "/v1/letters.edit";
const RESUME: &str = "/v1/letters.resume";

#[test]
fn r09_a_letter_is_archived_from_every_status_under_a_new_id() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let (all, attempt) = one_letter_per_status(&server, &mut caller, &mut target).await;
        for (status, id) in &all {
            let before = fence(&server, id).await;
            let is_new = *status != "archived";
            let expected = if is_new { json!({ "changed": "1" }) } else { json!({}) };
            assert_eq!(caller.ok(ARCHIVE, with_ids(id)).await, expected, "{status}");
            let current = letter(&mut caller, id).await;
            assert_eq!(current["status"], "archived", "{status}");
            assert_eq!(current["before"], if is_new { *status } else { "pending" });
            assert_eq!(fence(&server, id).await > before, is_new, "{status}");
        }
        let retrying = &all[1].1;
        let before = letter(&mut caller, retrying).await;
        attempt.done();
        while newest_attempt(&mut caller, retrying).await["cause"] != "late" {
            tokio::task::yield_now().await;
        }
        let after = letter(&mut caller, retrying).await;
        for field in ["status", "before", "retry_count", "total_attempts", "ended_at"] {
            assert_eq!(after[field], before[field], "a late result does not change {field}");
        }
        assert_eq!(newest_attempt(&mut caller, retrying).await["outcome"], "success", "the late result is recorded");
    });
}

#[test]
fn r10_a_restored_letter_has_its_former_status_and_schedule() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let (all, _attempt) = one_letter_per_status(&server, &mut caller, &mut target).await;
        let before = [&all[0], &all[2], &all[3]];
        for (status, id) in before {
            let was = letter(&mut caller, id).await;
            caller.ok(ARCHIVE, with_ids(id)).await;
            assert_eq!(caller.ok(RESTORE, with_ids(id)).await, json!({ "changed": "1" }), "{status}");
            let is = letter(&mut caller, id).await;
            for field in ["status", "next_retry_at", "retry_count", "total_attempts", "ended_at"] {
                assert_eq!(is[field], was[field], "{status}: {field}");
            }
        }
    });
}

#[test]
fn r10_restoring_a_letter_archived_while_retrying_counts_the_lost_attempt() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        for (max_retries, status) in [(2, "pending"), (1, "exhausted")] {
            let new = failure_with(status, json!({ "max_retries": max_retries }));
            let id = captured(&mut caller, new).await;
            let (_call, _attempt) = manual_retry(&server, &mut target, &id).await;
            caller.ok(ARCHIVE, with_ids(&id)).await;
            caller.ok(RESTORE, with_ids(&id)).await;
            let current = letter(&mut caller, &id).await;
            assert_eq!((&current["status"], &current["retry_count"]), (&json!(status), &json!(1)));
            assert_eq!((&current["total_attempts"], &current["outcome_unknown"]), (&json!(2), &json!(true)));
            assert_eq!(newest_attempt(&mut caller, &id).await["cause"], "lost");
        }
    });
}

#[test]
fn r10_a_due_time_that_passed_in_the_archive_becomes_now() {
    on_each_store_with_target(async |server, mut caller, _target| {
        let id = captured(&mut caller, failure("a")).await;
        caller.ok(ARCHIVE, with_ids(&id)).await;
        server.advance(Span::from_hours(1));
        caller.ok(RESTORE, with_ids(&id)).await;
        assert_eq!(letter(&mut caller, &id).await["next_retry_at"], "2026-11-15T13:00:00Z");
    });
}

/// The ways to remove a letter.
const REMOVALS: [&str; 3] = ["purge", "clear", "bulk purge"];

async fn remove(caller: &mut Caller, way: &str, id: &Value) {
    match way {
        "purge" => {
            assert_eq!(caller.ok("/v1/letters.purge", with_ids(id)).await, json!({ "changed": "1" }));
        }
        "clear" => {
            let clear = json!({ "queue_name": "dead", "queue": true, "scheduled": true, "destructive": true });
            caller.ok("/v1/queue.clear", clear).await;
        }
        _ => {
            let all = json!({ "queue_name": "dead", "action": "purge", "all": "dead", "include_archived": true });
            let plan = caller.ok("/v1/letters.plan", all).await;
            caller.carry_out(&plan).await;
        }
    }
}

#[test]
fn r11_a_letter_is_removed_from_every_status() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let (all, _attempt) = one_letter_per_status(&server, &mut caller, &mut target).await;
        for (status, id) in &all {
            remove(&mut caller, "purge", id).await;
            let gone = rejection(&mut caller, "/v1/letters.get", with_id(id)).await;
            assert_eq!(gone, (404, "not_found".to_owned()), "{status}");
        }
        assert_eq!(lifetime_counter(&mut caller, "cleared").await, 5);
    });
}

/// A result that arrives after its letter was removed has no effect, in particular not on a newer letter with the same
/// source id.
#[test]
fn r11_a_late_result_neither_restores_a_removed_letter_nor_affects_a_newer_one() {
    for way in REMOVALS {
        on_each_store_with_target(async |server, mut caller, mut target| {
            caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
            let by_processor = captured(&mut caller, failure("a")).await;
            let (call, attempt) = manual_retry(&server, &mut target, &by_processor).await;
            remove(&mut caller, way, &by_processor).await;
            let again = captured(&mut caller, failure_with("a", json!({ "retry_policy": "never" }))).await;
            assert_ne!(again, by_processor);
            let before = letter(&mut caller, &again).await;
            attempt.done();
            assert_eq!(call.await.unwrap().status, 404, "{way}");
            assert_eq!(letter(&mut caller, &again).await, before, "{way}");

            let held = caller.lease_one("dead").await;
            remove(&mut caller, way, &again).await;
            let third = captured(&mut caller, failure_with("a", json!({ "retry_policy": "never" }))).await;
            let before = letter(&mut caller, &third).await;
            let late =
                json!({ "queue_name": "dead", "partition": 0, "ids": [held.id], "request_timeout": request_timeout() });
            assert_eq!(caller.json("/v1/queue.complete", late).await.status, 400, "{way}");
            let late = json!({ "queue_name": "dead", "partition": 0, "items": [{ "id": held.id }] });
            assert_eq!(caller.json("/v1/queue.retry", late).await.status, 400, "{way}");
            assert_eq!(letter(&mut caller, &third).await, before, "{way}");
            for gone in [&by_processor, &again] {
                assert_eq!(rejection(&mut caller, "/v1/letters.get", with_id(gone)).await.0, 404, "{way}");
            }
            server.advance(CLAIM.saturating_add(CLAIM));
            assert_eq!(letter(&mut caller, &third).await, before, "{way}: the expiry of the claim changes nothing");
        });
    }
}

#[test]
fn r11_a_reader_of_the_feed_sees_the_removal() {
    on_each_store_with_target(async |server, mut caller, _target| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let store = server.store();
        let register = redrive_model::Cursor::Register { name: "follower".to_owned() };
        store.cursor(register).await.unwrap();
        for way in REMOVALS {
            let id = captured(&mut caller, failure(way)).await;
            remove(&mut caller, way, &id).await;
            let changes =
                ReadChanges { cursor: "follower".to_owned(), after: None, limit: 100, wait: redrive_core::Span::ZERO };
            let page = store.changes(changes).await.unwrap();
            let is_gone = |change: &FeedChange| {
                matches!(change, FeedChange::Gone { queue, letter }
                    if *queue == QueueName::new("dead").unwrap() && letter.to_string() == id.as_str().unwrap())
            };
            assert!(page.changes.iter().any(is_gone), "{way}: {page:?}");
        }
    });
}

#[test]
fn r12_a_new_max_retries_recomputes_status_and_due_time() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let cases = [("pending", 2, 5, "pending"), ("pending", 2, 1, "exhausted"), ("exhausted", 1, 5, "pending")];
        for (from, max_retries, more, to) in cases {
            let source = format!("{from}-{more}");
            let new = failure_with(&source, json!({ "retry_policy": "exponential", "max_retries": max_retries }));
            let id = captured(&mut caller, new).await;
            let (call, attempt) = manual_retry(&server, &mut target, &id).await;
            let key = attempt.call.idempotency_key();
            attempt.fail();
            assert_eq!(response_of(call).await["letter"]["status"], from);
            let (was, before) = (letter(&mut caller, &id).await, fence(&server, &id).await);
            let edit = json!({ "queue_name": "dead", "id": id, "max_retries": more });
            let edited = caller.ok(EDIT, edit).await["letter"].clone();
            assert_eq!((&edited["status"], &edited["retry_count"]), (&json!(to), &json!(1)), "{source}");
            let due = if to == "pending" { json!("2026-11-15T12:02:00Z") } else { Value::Null };
            assert_eq!(
                edited.get("next_retry_at").cloned().unwrap_or_default(),
                due,
                "{source}: the delay after one retry is two minutes"
            );
            assert!(revision(&edited) > revision(&was), "{source}");
            assert!(fence(&server, &id).await > before, "{source}");
            let (call, attempt) = manual_retry(&server, &mut target, &id).await;
            assert_eq!(attempt.call.idempotency_key(), key, "{source}: more retries do not change the idempotency key");
            attempt.done();
            assert_eq!(response_of(call).await["success"], true);
        }
    });
}

#[test]
fn r12_an_edit_of_the_payload_changes_the_idempotency_key_and_keeps_the_original() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        for (from, max_retries) in [("pending", 3), ("exhausted", 1)] {
            let id = captured(&mut caller, failure_with(from, json!({ "max_retries": max_retries }))).await;
            let (call, attempt) = manual_retry(&server, &mut target, &id).await;
            let mut keys = vec![attempt.call.idempotency_key()];
            attempt.fail();
            assert_eq!(response_of(call).await["letter"]["status"], from);
            for (payload, edition) in [("Zmlyc3Q=", &b"first"[..]), ("c2Vjb25k", &b"second"[..])] {
                let (was, before) = (letter(&mut caller, &id).await, fence(&server, &id).await);
                let edit = json!({ "queue_name": "dead", "id": id, "payload": payload });
                let edited = caller.ok(EDIT, edit).await["letter"].clone();
                assert_eq!((&edited["status"], &edited["retry_count"]), (&was["status"], &was["retry_count"]));
                assert!(revision(&edited) > revision(&was));
                assert!(fence(&server, &id).await > before);
                let whole =
                    caller.ok("/v1/letters.get", json!({ "queue_name": "dead", "id": id, "reveal": true })).await;
                assert_eq!(whole["original"]["payload"], "cGF5bG9hZCBvZiBpdA==", "the captured content is kept");
                let (call, attempt) = manual_retry(&server, &mut target, &id).await;
                assert_eq!(&*attempt.call.content.payload, edition);
                keys.push(attempt.call.idempotency_key());
                attempt.fail();
                response_of(call).await;
            }
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), 3, "each content has a different idempotency key: {keys:?}");
        }
    });
}

#[test]
fn r12_only_pending_and_exhausted_letters_can_be_edited() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let (all, attempt) = one_letter_per_status(&server, &mut caller, &mut target).await;
        for (status, id) in &all {
            let edit = json!({ "queue_name": "dead", "id": id, "max_retries": 9 });
            let is_waiting = matches!(*status, "pending" | "exhausted");
            let before = get(&mut caller, id).await;
            let response = caller.json(EDIT, edit).await;
            assert_eq!(response.status, if is_waiting { 200 } else { 409 }, "{status}");
            assert_eq!(get(&mut caller, id).await == before, !is_waiting, "{status}");
        }
        attempt.done();
        until_status(&mut caller, &all[1].1, "completed").await;
    });
}

#[test]
fn r13_an_exhausted_letter_is_resumed_under_a_new_id_with_all_its_retries() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let new = failure_with("a", json!({ "retry_policy": "exponential", "max_retries": 1 }));
        let id = captured(&mut caller, new).await;
        for round in 1..=3 {
            let (call, attempt) = manual_retry(&server, &mut target, &id).await;
            attempt.fail();
            assert_eq!(response_of(call).await["letter"]["status"], "exhausted", "round {round}");
            let (was, before) = (letter(&mut caller, &id).await, fence(&server, &id).await);
            assert_eq!(caller.ok(RESUME, with_ids(&id)).await, json!({ "changed": "1" }));
            let resumed = letter(&mut caller, &id).await;
            assert_eq!((&resumed["status"], resumed.get("retry_count")), (&json!("pending"), None), "round {round}");
            assert_eq!(resumed["next_retry_at"], "2026-11-15T12:01:00Z", "round {round}: the delay of the first retry");
            assert_eq!(resumed["total_attempts"], 1 + round, "every attempt still counts");
            assert!(revision(&resumed) > revision(&was) && fence(&server, &id).await > before);
        }
    });
}

#[test]
fn r13_letters_in_other_states_and_without_retries_are_not_resumed() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        // The exhausted one has no retries.
        let (all, attempt) = one_letter_per_status(&server, &mut caller, &mut target).await;
        for (status, id) in &all {
            let before = get(&mut caller, id).await;
            assert_eq!(caller.ok(RESUME, with_ids(id)).await, json!({}), "{status}");
            assert_eq!(get(&mut caller, id).await, before, "{status}");
        }
        attempt.done();
        until_status(&mut caller, &all[1].1, "completed").await;
    });
}

fn revision(letter: &Value) -> u64 {
    letter["revision"].as_str().unwrap().parse().unwrap()
}
