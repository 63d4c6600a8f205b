//! Rejected administrative actions are recorded, too.

use serde_json::json;

use super::{LastRecord, records};
use crate::auth::on_each_store_with_auth;
use crate::harness::{on_each_store_with_caller, on_each_store_with_queue, on_each_store_with_target};
use crate::tenancy::{key_of, namespace, user};

#[test]
fn a_denied_action_is_recorded() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let ann = user(&mut anonymous, "ann").await;
        let mut caller = server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1);
        caller.json("/v1/users.delete", json!({ "id": ann })).await;
        assert_eq!(server.last_record().await, ("users.delete".to_owned(), 403, vec![format!("user={ann}")]));
        let record = records(&server).await.pop().unwrap();
        assert_eq!(record.actor.user, ann);
        assert_eq!(record.result.message, "access denied");
        let before = records(&server).await.len();
        caller.json("/v1/users.list", json!({})).await;
        assert_eq!(records(&server).await.len(), before, "reads are not recorded");
    });
}

#[test]
fn a_conflict_is_recorded_without_the_content_of_the_request() {
    on_each_store_with_caller(async |server, mut caller| {
        namespace(&mut caller, "shop").await;
        caller.json("/v1/namespaces.create", json!({ "name": "shop" })).await;
        let record = records(&server).await.pop().unwrap();
        assert_eq!(record.result.code, 400);
        assert_eq!(record.result.message, "namespace already exists");
        assert_eq!((record.before, record.after), (None, None));
        caller.json("/v1/queues.delete", json!({ "queue_name": "gone" })).await;
        assert_eq!(server.last_record().await, ("queues.delete".to_owned(), 400, vec!["queue=gone".to_owned()]));
        caller.json("/v1/users.delete", json!({ "id": "gone" })).await;
        assert_eq!(server.last_record().await.1, 453);
    });
}

/// The letter does not exist, or another caller holds it.
#[test]
fn an_action_on_a_missing_or_claimed_letter_is_recorded() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        caller.create("dead", json!({})).await;
        let letters = json!([{ "source_id": "a", "retry_policy": "never" }]);
        let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": letters })).await;
        let id = captured["letters"][0]["id"].as_str().unwrap();
        caller.lease_one("dead").await;
        let unknown = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";
        let of_letter = |id: &str| vec!["queue=dead".to_owned(), format!("letter={id}")];
        let cases = [
            ("letters.archive", json!({ "queue_name": "dead", "ids": [unknown] }), 404, of_letter(unknown)),
            ("letters.restore", json!({ "queue_name": "dead", "ids": [unknown] }), 404, of_letter(unknown)),
            ("letters.resume", json!({ "queue_name": "dead", "ids": [unknown] }), 453, of_letter(unknown)),
            ("letters.annotate", json!({ "queue_name": "dead", "id": unknown, "text": "x" }), 404, of_letter(unknown)),
            ("letters.edit", json!({ "queue_name": "dead", "id": id, "max_retries": 5 }), 409, of_letter(id)),
            ("letters.get", json!({ "queue_name": "dead", "id": unknown, "reveal": true }), 404, of_letter(unknown)),
            ("letters.confirm", json!({ "queue_name": "dead", "token": "x" }), 404, vec!["queue=dead".to_owned()]),
            (
                "letters.purge",
                json!({ "queue_name": "gone", "ids": [id] }),
                404,
                vec!["queue=gone".to_owned(), format!("letter={id}")],
            ),
        ];
        for (action, body, code, targets) in cases {
            let response = caller.json(&format!("/v1/{action}"), body).await;
            assert_eq!(response.status, code, "{action}: {}", response.text());
            assert_eq!(server.last_record().await, (action.to_owned(), code, targets));
        }
    });
}

/// A full queue rejects captures as fast as work fails. They are only counted, since records of them would displace all
/// others.
#[test]
fn a_rejected_capture_is_counted_and_not_recorded() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        let set = json!({ "queue_name": "dead", "set": { "max_size": "100" } });
        caller.ok("/v1/letters.configure", set).await;
        let letters = |from: usize, count: usize| {
            let letters: Vec<_> =
                (from..from + count).map(|number| json!({ "source_id": number.to_string() })).collect();
            json!({ "queue_name": "dead", "letters": letters })
        };
        caller.ok("/v1/letters.capture", letters(0, 100)).await;
        let before = records(&server).await;
        for _ in 0..3 {
            assert_eq!(caller.json("/v1/letters.capture", letters(100, 1)).await.status, 429);
        }
        assert_eq!(records(&server).await, before);
        let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!(stats["lifetime_stats"]["rejected"]["queue_full"], 3);
    });
}

#[test]
fn a_denied_bulk_plan_is_recorded_with_queue_and_action() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let ann = user(&mut anonymous, "ann").await;
        let mut caller = server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1);
        anonymous.create("dead", json!({})).await;
        let plan = json!({ "queue_name": "dead", "action": "purge", "all": "dead" });
        assert_eq!(caller.json("/v1/letters.plan", plan).await.status, 403);
        let targets = vec!["queue=dead".to_owned(), "action=purge".to_owned()];
        assert_eq!(server.last_record().await, ("letters.plan".to_owned(), 403, targets));
    });
}

#[test]
fn a_started_retry_is_recorded_even_if_its_caller_disconnects() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let letters = json!([{ "source_id": "a", "retry_policy": "never" }]);
        let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": letters })).await;
        let body = json!({ "queue_name": "dead", "id": captured["letters"][0]["id"] });
        let mut gone = server.raw_connection().await;
        gone.post("/v1/letters.retry", &body.to_string()).await;
        let attempt = target.next().await;
        drop(gone);
        // Further requests give the server time to see the disconnect.
        for _ in 0..50 {
            caller.ok("/v1/letters.get", body.clone()).await;
        }
        attempt.done();
        while records(&server).await.pop().is_none_or(|record| record.action != "letters.retry") {
            tokio::task::yield_now().await;
        }
        let letter = caller.ok("/v1/letters.get", body).await;
        assert_eq!(letter["letter"]["status"], "completed");
    });
}

#[test]
fn a_long_name_is_truncated_in_its_record() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.json("/v1/namespaces.create", json!({ "name": "ü".repeat(100_000) })).await;
        assert_eq!(server.last_record().await.2[0].len(), "namespace=".len() + 512);
    });
}

#[test]
fn a_flood_of_rejections_does_not_displace_successful_actions() {
    on_each_store_with_caller(async |server, mut caller| {
        for _ in 0..610 {
            caller.json("/v1/users.delete", json!({ "id": "gone" })).await;
        }
        assert_eq!(records(&server).await.len(), 600);
        namespace(&mut caller, "shop").await;
        assert_eq!(records(&server).await.pop().unwrap().unrecorded, 0);
        server.advance(redrive_core::Span::from_mins(1));
        caller.json("/v1/users.delete", json!({ "id": "gone" })).await;
        assert_eq!(records(&server).await.pop().unwrap().unrecorded, 10);
    });
}
