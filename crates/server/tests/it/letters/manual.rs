//! Manual actions on letters: archive, restore, purge, edit, reveal and annotate.

use http::HeaderValue;
use serde_json::{Value, json};

use super::{captured, failure, get, rejection, with_ids};
use crate::harness::{Caller, on_each_store_with_queue, on_each_store_with_target};

const UNKNOWN: &str = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";

async fn with_letter(caller: &mut Caller) -> Value {
    captured(caller, failure("order-17")).await
}

#[test]
fn a_restored_letter_has_its_former_status() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        let id = with_letter(&mut caller).await;
        assert_eq!(caller.ok("/v1/letters.archive", with_ids(&id)).await, json!({ "changed": "1" }));
        assert_eq!(caller.ok("/v1/letters.archive", with_ids(&id)).await, json!({}), "the letter is already archived");
        assert_eq!(get(&mut caller, &id).await["letter"]["status"], "archived");
        assert_eq!(caller.ok("/v1/letters.restore", with_ids(&id)).await, json!({ "changed": "1" }));
        let letter = &get(&mut caller, &id).await["letter"];
        assert_eq!((&letter["status"], &letter["next_retry_at"]), (&json!("pending"), &json!("2026-11-15T12:01:00Z")));
        assert_eq!(caller.ok("/v1/letters.restore", with_ids(&id)).await, json!({}), "the letter is not archived");
    });
}

#[test]
fn a_purged_letter_no_longer_exists() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let id = with_letter(&mut caller).await;
        assert_eq!(caller.ok("/v1/letters.purge", with_ids(&id)).await, json!({ "changed": "1" }));
        let body = json!({ "queue_name": "dead", "id": id });
        assert_eq!(rejection(&mut caller, "/v1/letters.get", body).await, (404, "not_found".into()));
        assert_eq!(rejection(&mut caller, "/v1/letters.archive", with_ids(&id)).await, (404, "not_found".into()));
    });
}

#[test]
fn a_claimed_letter_cannot_be_edited() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let mut letter = failure("by-hand");
        letter["retry_policy"] = json!("never");
        let id = captured(&mut caller, letter).await;
        caller.lease_one("dead").await;
        assert_eq!(get(&mut caller, &id).await["letter"]["status"], "retrying");
        let edit = json!({ "queue_name": "dead", "id": id, "max_retries": 5 });
        assert_eq!(rejection(&mut caller, "/v1/letters.edit", edit).await, (409, "conflict".into()));
    });
}

#[test]
fn an_edit_changes_the_given_fields_and_keeps_the_original() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let id = with_letter(&mut caller).await;
        let before = get(&mut caller, &id).await["letter"]["revision"].clone();
        let edit = json!({ "queue_name": "dead", "id": id, "revision": before, "payload": "bmV3", "max_retries": 9,
            "headers": { "headers": [{ "name": "fixed", "value": "eWVz" }] }, "retry_policy": "never", "priority": "low" });
        let edited = caller.ok("/v1/letters.edit", edit.clone()).await;
        assert_eq!((&edited["letter"]["max_retries"], &edited["letter"]["retry_policy"]), (&json!(9), &json!("never")));
        assert_eq!(
            (&edited["letter"]["priority"], &edited["letter"]["policy_source"]),
            (&json!("low"), &json!("explicit"))
        );
        assert!(edited["letter"].get("next_retry_at").is_none());
        assert_eq!(rejection(&mut caller, "/v1/letters.edit", edit).await, (409, "stale_revision".into()));
        caller.headers.insert("x-redrive-reason", HeaderValue::from_static("support case 9"));
        let whole = caller.ok("/v1/letters.get", json!({ "queue_name": "dead", "id": id, "reveal": true })).await;
        assert_eq!(
            (&whole["content"]["payload"], &whole["content"]["headers"][0]["name"]),
            (&json!("bmV3"), &json!("fixed"))
        );
        assert_eq!(whole["original"]["payload"], "cGF5bG9hZCBvZiBpdA==");
    });
}

#[test]
fn a_payload_is_revealed_only_with_a_reason() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let id = with_letter(&mut caller).await;
        let masked = &get(&mut caller, &id).await["content"];
        assert_eq!((masked.get("payload"), &masked["payload_bytes"]), (None, &json!("13")));
        let reveal = json!({ "queue_name": "dead", "id": id, "reveal": true });
        assert_eq!(rejection(&mut caller, "/v1/letters.get", reveal.clone()).await, (400, "reason_required".into()));
        caller.headers.insert("x-redrive-reason", HeaderValue::from_static("support case 9"));
        let shown = caller.ok("/v1/letters.get", reveal).await;
        assert_eq!(shown["content"]["payload"], "cGF5bG9hZCBvZiBpdA==");
    });
}

#[test]
fn notes_and_tags_are_stored_with_a_letter() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let id = with_letter(&mut caller).await;
        let note = json!({ "queue_name": "dead", "id": id, "text": "asked the bank", "tags": ["waiting", "bank"] });
        caller.ok("/v1/letters.annotate", note).await;
        let notes = &get(&mut caller, &id).await["notes"];
        assert_eq!(
            *notes,
            json!([{ "text": "asked the bank", "author": "anonymous", "at": "2026-11-15T12:00:00Z", "tags": ["waiting", "bank"] }])
        );
        let nothing = json!({ "queue_name": "dead", "id": id });
        assert_eq!(rejection(&mut caller, "/v1/letters.annotate", nothing).await, (400, "invalid".into()));
        let gone = json!({ "queue_name": "dead", "id": UNKNOWN, "text": "x" });
        assert_eq!(rejection(&mut caller, "/v1/letters.annotate", gone).await, (404, "not_found".into()));
    });
}

#[test]
fn a_dead_item_is_a_letter_with_the_same_actions() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        caller.create("orders", json!({ "dead_queue": "dead", "max_attempts": 1 })).await;
        caller.produce("orders", &["a"]).await;
        let held = caller.lease_one("orders").await;
        let dead = json!({ "queue_name": "orders", "partition": 0, "items": [{ "id": held.id, "dead": true }] });
        caller.ok("/v1/queue.retry", dead).await;
        let list = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        let letter = &list["letters"][0];
        assert_eq!((&letter["status"], &letter["retry_policy"]), (&json!("pending"), &json!("never")));
        let whole = get(&mut caller, &letter["id"]).await;
        assert_eq!((&whole["death"]["queue_name"], &whole["death"]["reason"]), (&json!("orders"), &json!("given_up")));
        assert_eq!(caller.ok("/v1/letters.archive", with_ids(&letter["id"])).await, json!({ "changed": "1" }));
        assert_eq!(caller.ok("/v1/letters.restore", with_ids(&letter["id"])).await, json!({ "changed": "1" }));
        assert_eq!(caller.lease("dead", 1).await.len(), 1);
    });
}

/// The calls about letters add a machine-readable reason to every rejection.
#[test]
fn invalid_requests_are_rejected_with_the_reason_invalid() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let id = with_letter(&mut caller).await;
        caller.headers.insert("x-redrive-reason", HeaderValue::from_static("a test"));
        let cases = [
            ("get", json!({ "id": "" })),
            ("retry", json!({ "id": "" })),
            ("edit", json!({ "id": "", "max_retries": 1 })),
            ("edit", json!({ "id": id, "priority": "urgent" })),
            ("edit", json!({ "id": id, "retry_policy": "sometimes" })),
            ("edit", json!({ "id": id, "max_retries": 101 })),
            ("edit", json!({ "id": id })),
            ("annotate", json!({ "id": "", "text": "x" })),
            ("archive", json!({ "ids": [""] })),
            ("restore", json!({ "ids": [""] })),
            ("purge", json!({ "ids": [""] })),
            ("list", json!({ "statuses": ["lost"] })),
            ("list", json!({ "after": "nonsense" })),
            ("list", json!({ "limit": -1 })),
            ("list", json!({ "filter": "((" })),
            ("groups", json!({ "after": "nonsense" })),
            ("export", json!({ "statuses": ["lost"] })),
            ("export", json!({ "after": "nonsense" })),
            ("import", json!({ "lines": [] })),
            ("plan", json!({ "action": "purge", "statuses": ["lost"] })),
            ("plan", json!({ "action": "explode", "all": "dead" })),
            ("explain", json!({ "fault": { "error": "x", "sqlstate": "!" } })),
            ("explain", json!({ "fault": { "error": "x", "http_status": 7 } })),
            ("explain", json!({ "fault": { "error": "x" }, "retry_policy": "sometimes" })),
        ];
        for (verb, mut body) in cases {
            body["queue_name"] = json!("dead");
            let answer = rejection(&mut caller, &format!("/v1/letters.{verb}"), body.clone()).await;
            assert_eq!(answer, (400, "invalid".into()), "{verb} {body}");
            if verb != "explain" {
                body["queue_name"] = json!("");
                let answer = rejection(&mut caller, &format!("/v1/letters.{verb}"), body).await;
                assert_eq!(answer, (400, "invalid".into()), "{verb} without a queue");
            }
        }
        assert_eq!(get(&mut caller, &id).await["letter"]["status"], "pending");
    });
}

#[test]
fn a_request_with_an_invalid_id_changes_no_letter() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let id = with_letter(&mut caller).await;
        for path in ["/v1/letters.archive", "/v1/letters.restore", "/v1/letters.resume", "/v1/letters.purge"] {
            for (ids, code) in [(json!([]), 400), (json!([id, ""]), 400), (json!([id, "nonsense"]), 404)] {
                let body = json!({ "queue_name": "dead", "ids": ids });
                assert_eq!(caller.json(path, body).await.status, code, "{path} {ids}");
            }
        }
        for path in ["/v1/letters.archive", "/v1/letters.restore"] {
            let body = json!({ "queue_name": "dead", "ids": [id, UNKNOWN] });
            assert_eq!(caller.json(path, body).await.status, 404, "{path}");
        }
        assert_eq!(get(&mut caller, &id).await["letter"]["status"], "pending");
    });
}
