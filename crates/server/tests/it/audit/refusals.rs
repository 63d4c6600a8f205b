//! What was not done is recorded, too.

use serde_json::json;

use super::{AuditedBed, records};
use crate::auth::each_closed;
use crate::bed::{each, each_retrying};
use crate::tenancy::{key_of, namespace, user};

#[tokio::test]
async fn a_denied_act_is_recorded() {
    each_closed(async |bed| {
        let mut anybody = bed.caller().await;
        let ann = user(&mut anybody, "ann").await;
        let mut caller = bed.caller().await.with_key(&key_of(&mut anybody, &ann).await.1);
        caller.json("/v1/users.delete", json!({ "id": ann })).await;
        assert_eq!(bed.last().await, ("users.delete".to_owned(), 403, vec![format!("user={ann}")]));
        let record = records(&bed).await.pop().unwrap();
        assert_eq!(record.actor.user, ann);
        assert_eq!(record.result.message, "access denied");
        let before = records(&bed).await.len();
        caller.json("/v1/users.list", json!({})).await;
        assert_eq!(records(&bed).await.len(), before, "looking is no act");
    })
    .await;
}

#[tokio::test]
async fn a_conflict_is_recorded_without_what_was_sent() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        namespace(&mut caller, "shop").await;
        caller.json("/v1/namespaces.create", json!({ "name": "shop" })).await;
        let record = records(&bed).await.pop().unwrap();
        assert_eq!(record.result.code, 400);
        assert_eq!(record.result.message, "namespace already exists");
        assert_eq!((record.before, record.after), (None, None));
        caller.json("/v1/queues.delete", json!({ "queue_name": "gone" })).await;
        assert_eq!(bed.last().await, ("queues.delete".to_owned(), 400, vec!["queue=gone".to_owned()]));
        caller.json("/v1/users.delete", json!({ "id": "gone" })).await;
        assert_eq!(bed.last().await.1, 453);
    })
    .await;
}

/// Acts of people that came to nothing: the letter is not there, or somebody was faster.
#[tokio::test]
async fn an_act_on_a_letter_that_is_not_there_or_not_free_is_recorded() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        caller.create("dead", json!({})).await;
        let letters = json!([{ "source_id": "a", "retry_policy": "never" }]);
        let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": letters })).await;
        let id = captured["letters"][0]["id"].as_str().unwrap();
        caller.lease_one("dead").await;
        let nobody = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";
        let of_letter = |id: &str| vec!["queue=dead".to_owned(), format!("letter={id}")];
        let cases = [
            ("letters.archive", json!({ "queue_name": "dead", "ids": [nobody] }), 404, of_letter(nobody)),
            ("letters.restore", json!({ "queue_name": "dead", "ids": [nobody] }), 404, of_letter(nobody)),
            ("letters.annotate", json!({ "queue_name": "dead", "id": nobody, "text": "x" }), 404, of_letter(nobody)),
            ("letters.edit", json!({ "queue_name": "dead", "id": id, "max_retries": 5 }), 409, of_letter(id)),
            ("letters.get", json!({ "queue_name": "dead", "id": nobody, "reveal": true }), 404, of_letter(nobody)),
            ("letters.confirm", json!({ "queue_name": "dead", "token": "x" }), 404, vec!["queue=dead".to_owned()]),
            (
                "letters.purge",
                json!({ "queue_name": "gone", "ids": [id] }),
                404,
                vec!["queue=gone".to_owned(), format!("letter={id}")],
            ),
        ];
        for (action, body, code, targets) in cases {
            let heard = caller.json(&format!("/v1/{action}"), body).await;
            assert_eq!(heard.status, code, "{action}: {}", heard.text());
            assert_eq!(bed.last().await, (action.to_owned(), code, targets));
        }
    })
    .await;
}

/// A full queue refuses captures as fast as work fails: they are counted, and push nothing out of the records.
#[tokio::test]
async fn a_refused_capture_is_counted_and_not_recorded() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let set = json!({ "queue_name": "dead", "set": { "max_size": "100" } });
        caller.ok("/v1/letters.configure", set).await;
        let letters = |from: usize, count: usize| {
            let letters: Vec<_> =
                (from..from + count).map(|number| json!({ "source_id": number.to_string() })).collect();
            json!({ "queue_name": "dead", "letters": letters })
        };
        caller.ok("/v1/letters.capture", letters(0, 100)).await;
        let before = records(&bed).await;
        for _ in 0..3 {
            assert_eq!(caller.json("/v1/letters.capture", letters(100, 1)).await.status, 429);
        }
        assert_eq!(records(&bed).await, before);
        let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!(stats["lifetime_stats"]["rejected"]["queue_full"], 3);
    })
    .await;
}

#[tokio::test]
async fn whoever_may_not_act_on_letters_is_recorded_where_they_tried() {
    each_closed(async |bed| {
        let mut anybody = bed.caller().await;
        let ann = user(&mut anybody, "ann").await;
        let mut caller = bed.caller().await.with_key(&key_of(&mut anybody, &ann).await.1);
        anybody.create("dead", json!({})).await;
        let plan = json!({ "queue_name": "dead", "action": "purge", "all": "dead" });
        assert_eq!(caller.json("/v1/letters.plan", plan).await.status, 403);
        let targets = vec!["queue=dead".to_owned(), "action=purge".to_owned()];
        assert_eq!(bed.last().await, ("letters.plan".to_owned(), 403, targets));
    })
    .await;
}

#[tokio::test]
async fn a_retry_that_was_begun_is_recorded_also_where_its_caller_has_gone() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let letters = json!([{ "source_id": "a", "retry_policy": "never" }]);
        let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": letters })).await;
        let body = json!({ "queue_name": "dead", "id": captured["letters"][0]["id"] });
        let mut gone = bed.raw().await;
        gone.post("/v1/letters.retry", &body.to_string()).await;
        let tried = target.next().await;
        drop(gone);
        // The server hears of it while it is busy with others.
        for _ in 0..50 {
            caller.ok("/v1/letters.get", body.clone()).await;
        }
        tried.done();
        while records(&bed).await.pop().is_none_or(|record| record.action != "letters.retry") {
            tokio::task::yield_now().await;
        }
        let letter = caller.ok("/v1/letters.get", body).await;
        assert_eq!(letter["letter"]["status"], "completed");
    })
    .await;
}

#[tokio::test]
async fn a_long_name_makes_no_long_record() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.json("/v1/namespaces.create", json!({ "name": "ü".repeat(100_000) })).await;
        assert_eq!(bed.last().await.2[0].len(), "namespace=".len() + 512);
    })
    .await;
}

#[tokio::test]
async fn a_flood_of_refusals_leaves_room_for_what_was_done() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        for _ in 0..610 {
            caller.json("/v1/users.delete", json!({ "id": "gone" })).await;
        }
        assert_eq!(records(&bed).await.len(), 600);
        namespace(&mut caller, "shop").await;
        assert_eq!(records(&bed).await.pop().unwrap().unrecorded, 0);
        bed.advance(redrive_core::Span::from_mins(1));
        caller.json("/v1/users.delete", json!({ "id": "gone" })).await;
        assert_eq!(records(&bed).await.pop().unwrap().unrecorded, 10);
    })
    .await;
}
