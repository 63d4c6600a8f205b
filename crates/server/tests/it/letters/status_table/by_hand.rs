//! What people do with letters.

use redrive_core::{QueueName, Span};
use redrive_model::{FeedChange, ReadChanges};
use redrive_store::Store;
use serde_json::{Value, json};

use super::{
    answered, by_hand, captured, dead_queue, fence, letter, lifetime, named, newest, one, one_of_each, until, with,
};
use crate::bed::{CLAIM, Caller, each_retrying, request_timeout};
use crate::letters::{failure, get, refused};

const ARCHIVE: &str = "/v1/letters.archive";
const RESTORE: &str = "/v1/letters.restore";
const EDIT: &str = "/v1/letters.edit";

#[tokio::test]
async fn r09_a_letter_is_archived_from_every_state_under_a_new_id() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let (all, tried) = one_of_each(&bed, &mut caller, &mut target).await;
        for (status, id) in &all {
            let before = fence(&bed, id).await;
            let is_new = *status != "archived";
            let expected = if is_new { json!({ "changed": "1" }) } else { json!({}) };
            assert_eq!(caller.ok(ARCHIVE, named(id)).await, expected, "{status}");
            let told = letter(&mut caller, id).await;
            assert_eq!(told["status"], "archived", "{status}");
            assert_eq!(told["before"], if is_new { *status } else { "pending" });
            assert_eq!(fence(&bed, id).await > before, is_new, "{status}");
        }
        let retrying = &all[1].1;
        let before = letter(&mut caller, retrying).await;
        tried.done();
        while newest(&mut caller, retrying).await["cause"] != "late" {
            tokio::task::yield_now().await;
        }
        let after = letter(&mut caller, retrying).await;
        for field in ["status", "before", "retry_count", "total_attempts", "ended_at"] {
            assert_eq!(after[field], before[field], "a late result changes nothing: {field}");
        }
        assert_eq!(newest(&mut caller, retrying).await["outcome"], "success", "but it is known");
    })
    .await;
}

#[tokio::test]
async fn r10_a_letter_comes_back_from_the_archive_to_where_it_was() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let (all, _tried) = one_of_each(&bed, &mut caller, &mut target).await;
        let before = [&all[0], &all[2], &all[3]];
        for (status, id) in before {
            let was = letter(&mut caller, id).await;
            caller.ok(ARCHIVE, named(id)).await;
            assert_eq!(caller.ok(RESTORE, named(id)).await, json!({ "changed": "1" }), "{status}");
            let is = letter(&mut caller, id).await;
            for field in ["status", "next_retry_at", "retry_count", "total_attempts", "ended_at"] {
                assert_eq!(is[field], was[field], "{status}: {field}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn r10_a_letter_that_was_being_retried_comes_back_with_that_attempt_counted() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        for (max_retries, status) in [(2, "pending"), (1, "exhausted")] {
            let new = with(status, json!({ "max_retries": max_retries }));
            let id = captured(&mut caller, new).await;
            let (_asked, _tried) = by_hand(&bed, &mut target, &id).await;
            caller.ok(ARCHIVE, named(&id)).await;
            caller.ok(RESTORE, named(&id)).await;
            let told = letter(&mut caller, &id).await;
            assert_eq!((&told["status"], &told["retry_count"]), (&json!(status), &json!(1)));
            assert_eq!((&told["total_attempts"], &told["outcome_unknown"]), (&json!(2), &json!(true)));
            assert_eq!(newest(&mut caller, &id).await["cause"], "lost");
        }
    })
    .await;
}

#[tokio::test]
async fn r10_a_due_time_that_passed_in_the_archive_is_now() {
    each_retrying(async |bed, _target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let id = captured(&mut caller, failure("a")).await;
        caller.ok(ARCHIVE, named(&id)).await;
        bed.advance(Span::from_hours(1));
        caller.ok(RESTORE, named(&id)).await;
        assert_eq!(letter(&mut caller, &id).await["next_retry_at"], "2026-11-15T13:00:00Z");
    })
    .await;
}

/// The ways to remove a letter.
const REMOVALS: [&str; 3] = ["purge", "clear", "bulk purge"];

async fn remove(caller: &mut Caller, way: &str, id: &Value) {
    match way {
        "purge" => {
            assert_eq!(caller.ok("/v1/letters.purge", named(id)).await, json!({ "changed": "1" }));
        }
        "clear" => {
            let clear = json!({ "queue_name": "dead", "queue": true, "scheduled": true, "destructive": true });
            caller.ok("/v1/queue.clear", clear).await;
        }
        _ => {
            let all = json!({ "queue_name": "dead", "action": "purge", "all": "dead", "include_archived": true });
            let plan = caller.ok("/v1/letters.plan", all).await;
            let confirm = json!({ "queue_name": "dead", "token": plan["token"] });
            caller.ok("/v1/letters.confirm", confirm).await;
        }
    }
}

#[tokio::test]
async fn r11_a_letter_is_removed_from_every_state() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        dead_queue(&mut caller).await;
        let (all, _tried) = one_of_each(&bed, &mut caller, &mut target).await;
        for (status, id) in &all {
            remove(&mut caller, "purge", id).await;
            let gone = refused(&mut caller, "/v1/letters.get", one(id)).await;
            assert_eq!(gone, (404, "not_found".to_owned()), "{status}");
        }
        assert_eq!(lifetime(&mut caller, "cleared").await, 5);
    })
    .await;
}

/// Whatever removes a letter that somebody works on: what they say later is about nothing, least of all about the letter
/// that has the same name by then.
#[tokio::test]
async fn r11_a_late_result_neither_resurrects_nor_deletes() {
    for way in REMOVALS {
        each_retrying(async |bed, mut target| {
            let mut caller = bed.caller().await;
            caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
            dead_queue(&mut caller).await;
            let by_processor = captured(&mut caller, failure("a")).await;
            let (asked, tried) = by_hand(&bed, &mut target, &by_processor).await;
            remove(&mut caller, way, &by_processor).await;
            let again = captured(&mut caller, with("a", json!({ "retry_policy": "never" }))).await;
            assert_ne!(again, by_processor);
            let before = letter(&mut caller, &again).await;
            tried.done();
            assert_eq!(asked.await.unwrap().status, 404, "{way}");
            assert_eq!(letter(&mut caller, &again).await, before, "{way}");

            let held = caller.lease_one("dead").await;
            remove(&mut caller, way, &again).await;
            let third = captured(&mut caller, with("a", json!({ "retry_policy": "never" }))).await;
            let before = letter(&mut caller, &third).await;
            let late =
                json!({ "queue_name": "dead", "partition": 0, "ids": [held.id], "request_timeout": request_timeout() });
            assert_eq!(caller.json("/v1/queue.complete", late).await.status, 400, "{way}");
            let late = json!({ "queue_name": "dead", "partition": 0, "items": [{ "id": held.id }] });
            assert_eq!(caller.json("/v1/queue.retry", late).await.status, 400, "{way}");
            assert_eq!(letter(&mut caller, &third).await, before, "{way}");
            for gone in [&by_processor, &again] {
                assert_eq!(refused(&mut caller, "/v1/letters.get", one(gone)).await.0, 404, "{way}");
            }
            bed.advance(CLAIM.saturating_add(CLAIM));
            assert_eq!(letter(&mut caller, &third).await, before, "{way}: nor does the end of the claim");
        })
        .await;
    }
}

#[tokio::test]
async fn r11_whoever_follows_the_letters_hears_that_one_is_gone() {
    each_retrying(async |bed, _target| {
        let mut caller = bed.caller().await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        dead_queue(&mut caller).await;
        let store = bed.store();
        let register = redrive_model::Cursor::Register { name: "follower".to_owned() };
        store.cursor(register).await.unwrap();
        for way in REMOVALS {
            let id = captured(&mut caller, failure(way)).await;
            remove(&mut caller, way, &id).await;
            let changes =
                ReadChanges { cursor: "follower".to_owned(), after: None, limit: 100, wait: redrive_core::Span::ZERO };
            let page = store.changes(changes).await.unwrap();
            let is_told = |change: &FeedChange| {
                matches!(change, FeedChange::Gone { queue, letter }
                    if *queue == QueueName::new("dead").unwrap() && letter.to_string() == id.as_str().unwrap())
            };
            assert!(page.changes.iter().any(is_told), "{way}: {page:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn r12_more_retries_settle_a_letter_anew() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let cases = [("pending", 2, 5, "pending"), ("pending", 2, 1, "exhausted"), ("exhausted", 1, 5, "pending")];
        for (from, max_retries, more, to) in cases {
            let source = format!("{from}-{more}");
            let new = with(&source, json!({ "retry_policy": "exponential", "max_retries": max_retries }));
            let id = captured(&mut caller, new).await;
            let (asked, tried) = by_hand(&bed, &mut target, &id).await;
            let key = tried.call.idempotency_key();
            tried.fail();
            assert_eq!(answered(asked).await["letter"]["status"], from);
            let (was, before) = (letter(&mut caller, &id).await, fence(&bed, &id).await);
            let edit = json!({ "queue_name": "dead", "id": id, "max_retries": more });
            let edited = caller.ok(EDIT, edit).await["letter"].clone();
            assert_eq!((&edited["status"], &edited["retry_count"]), (&json!(to), &json!(1)), "{source}");
            let due = if to == "pending" { json!("2026-11-15T12:02:00Z") } else { Value::Null };
            assert_eq!(
                edited.get("next_retry_at").cloned().unwrap_or_default(),
                due,
                "{source}: two minutes, by settle(1)"
            );
            assert!(revision(&edited) > revision(&was), "{source}");
            assert!(fence(&bed, &id).await > before, "{source}");
            let (asked, tried) = by_hand(&bed, &mut target, &id).await;
            assert_eq!(tried.call.idempotency_key(), key, "{source}: it is the same work");
            tried.done();
            assert_eq!(answered(asked).await["success"], true);
        }
    })
    .await;
}

#[tokio::test]
async fn r12_an_edited_letter_is_other_work_and_keeps_its_original() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        dead_queue(&mut caller).await;
        for (from, max_retries) in [("pending", 3), ("exhausted", 1)] {
            let id = captured(&mut caller, with(from, json!({ "max_retries": max_retries }))).await;
            let (asked, tried) = by_hand(&bed, &mut target, &id).await;
            let mut keys = vec![tried.call.idempotency_key()];
            tried.fail();
            assert_eq!(answered(asked).await["letter"]["status"], from);
            for (payload, edition) in [("Zmlyc3Q=", &b"first"[..]), ("c2Vjb25k", &b"second"[..])] {
                let (was, before) = (letter(&mut caller, &id).await, fence(&bed, &id).await);
                let edit = json!({ "queue_name": "dead", "id": id, "payload": payload });
                let edited = caller.ok(EDIT, edit).await["letter"].clone();
                assert_eq!((&edited["status"], &edited["retry_count"]), (&was["status"], &was["retry_count"]));
                assert!(revision(&edited) > revision(&was));
                assert!(fence(&bed, &id).await > before);
                let whole =
                    caller.ok("/v1/letters.get", json!({ "queue_name": "dead", "id": id, "reveal": true })).await;
                assert_eq!(whole["original"]["payload"], "cGF5bG9hZCBvZiBpdA==", "the first content is kept");
                let (asked, tried) = by_hand(&bed, &mut target, &id).await;
                assert_eq!(&*tried.call.content.payload, edition);
                keys.push(tried.call.idempotency_key());
                tried.fail();
                answered(asked).await;
            }
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), 3, "each content has a key of its own: {keys:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn r12_only_letters_that_wait_are_edited() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let (all, tried) = one_of_each(&bed, &mut caller, &mut target).await;
        for (status, id) in &all {
            let edit = json!({ "queue_name": "dead", "id": id, "max_retries": 9 });
            let is_waiting = matches!(*status, "pending" | "exhausted");
            let before = get(&mut caller, id).await;
            let heard = caller.json(EDIT, edit).await;
            assert_eq!(heard.status, if is_waiting { 200 } else { 409 }, "{status}");
            assert_eq!(get(&mut caller, id).await == before, !is_waiting, "{status}");
        }
        tried.done();
        until(&mut caller, &all[1].1, "completed").await;
    })
    .await;
}

fn revision(letter: &Value) -> u64 {
    letter["revision"].as_str().unwrap().parse().unwrap()
}
