//! `letters.groups` of counted letters: of a time with a trend, with statuses and a filter, and of all queues.

use redrive_core::Span;
use serde_json::{Value, json};

use super::{captured, failure_with, rejection};
use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, StoreKind, on_each_store_with_caller, on_store_with_caller};
use crate::tenancy::{bind, key_of, namespace, role, user};

const GROUPS: &str = "/v1/letters.groups";

/// Captures a failure with this error in a queue; returns the id of its letter.
pub(crate) async fn fails(caller: &mut Caller, queue: &str, source_id: &str, error: &str) -> Value {
    let letter = json!({ "source_id": source_id, "utf8": "x", "fault": { "error": error } });
    let answer = caller.ok("/v1/letters.capture", json!({ "queue_name": queue, "letters": [letter] })).await;
    answer["letters"][0]["id"].clone()
}

/// Sample error, letters, arrivals since and before, and whether the group is new.
fn trends(answer: &Value) -> Vec<(&str, &str, &str, &str, bool)> {
    let groups = answer["groups"].as_array().unwrap().iter();
    groups
        .map(|group| {
            let is_new = group["is_new"].as_bool().unwrap_or_default();
            (
                group["sample"]["error"].as_str().unwrap(),
                group["count"].as_str().unwrap(),
                group["arrived"].as_str().unwrap_or("-"),
                group["arrived_before"].as_str().unwrap_or("-"),
                is_new,
            )
        })
        .collect()
}

/// A queue whose letters do not expire while a test advances the clock.
pub(crate) async fn lasting(caller: &mut Caller, queue: &str) {
    caller.create(queue, json!({ "expire_timeout": "10000h" })).await;
}

#[test]
fn groups_of_a_time_have_their_arrivals_and_those_before_and_new_ones_are_marked() {
    on_each_store_with_caller(async |server, mut caller| {
        lasting(&mut caller, "dead").await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        fails(&mut caller, "dead", "old-1", "disk quota exceeded").await;
        server.advance(Span::from_mins(40));
        fails(&mut caller, "dead", "gone-1", "no such customer").await;
        fails(&mut caller, "dead", "up-1", "timed out").await;
        server.advance(Span::from_mins(60));
        for (source_id, error) in [("up-2", "timed out"), ("up-3", "timed out"), ("up-4", "timed out")] {
            fails(&mut caller, "dead", source_id, error).await;
        }
        let archived = fails(&mut caller, "dead", "up-5", "timed out").await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [archived] })).await;
        fails(&mut caller, "dead", "new-1", "HTTP 503 Service Unavailable").await;
        fails(&mut caller, "dead", "old-2", "disk quota exceeded").await;
        server.advance(Span::from_mins(50));

        let request = json!({ "queue_name": "dead", "since": "1h", "samples": true });
        let answer = caller.ok(GROUPS, request).await;
        // An archived letter has arrived, but is not live; a letter from before both times makes a group known.
        assert_eq!(trends(&answer)[0], ("timed out", "3", "4", "1", false));
        let mut others = trends(&answer)[1..].to_vec();
        others.sort_unstable();
        assert_eq!(
            others,
            [("HTTP 503 Service Unavailable", "1", "1", "0", true), ("disk quota exceeded", "1", "1", "0", false),]
        );
        let group = &answer["groups"][0];
        assert_eq!((&group["queue_name"], &group["status_breakdown"]["pending"]), (&json!("dead"), &json!("3")));
        assert_eq!((&answer["groups_total"], &answer["letters_total"]), (&json!("3"), &json!("5")));
        assert_eq!((answer.get("is_cut"), answer.get("next")), (None, None));
        let ages = ["before_since", "since", "now"].map(|name| answer[name].as_str().unwrap()[11..16].to_owned());
        assert_eq!(ages, ["12:30", "13:30", "14:30"]);

        let one = caller.ok(GROUPS, json!({ "queue_name": "dead", "since": "1h", "limit": 1 })).await;
        assert_eq!((one["groups"].as_array().unwrap().len(), &one["groups_total"]), (1, &json!("3")));
        let archived = json!({ "queue_name": "dead", "since": "1h", "statuses": ["archived"], "samples": true });
        assert_eq!(trends(&caller.ok(GROUPS, archived).await), [("timed out", "1", "4", "1", false)]);
    });
}

#[test]
fn groups_can_be_counted_by_status_and_by_any_field() {
    on_each_store_with_caller(async |_server, mut caller| {
        lasting(&mut caller, "dead").await;
        let exhausted = json!({ "max_retries": 0, "fault": { "error": "HTTP 503" } });
        captured(&mut caller, failure_with("a", exhausted)).await;
        captured(&mut caller, failure_with("b", json!({ "fault": { "error": "HTTP 503" } }))).await;
        captured(&mut caller, failure_with("c", json!({ "fault": { "error": "no such customer" } }))).await;
        for (more, expected) in [
            (json!({ "statuses": ["exhausted"] }), &[("HTTP 503", "1")][..]),
            (json!({ "filter": "error.contains('customer')" }), &[("no such customer", "1")]),
            (json!({ "filter": "category == 'transient'" }), &[("HTTP 503", "2")]),
            (json!({ "filter": "source_id == 'nobody'" }), &[]),
        ] {
            let mut request = json!({ "queue_name": "dead", "samples": true });
            request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let answer = caller.ok(GROUPS, request).await;
            let groups = answer["groups"].as_array().cloned().unwrap_or_default();
            let found: Vec<_> = groups
                .iter()
                .map(|group| (group["sample"]["error"].as_str().unwrap(), group["count"].as_str().unwrap()))
                .collect();
            assert_eq!(found, expected, "{more}");
            assert!(groups.iter().all(|group| group.get("arrived").is_none()), "no trend without since");
        }
    });
}

#[test]
fn groups_of_all_queues_are_those_that_the_caller_may_read() {
    on_each_store_with_auth(async |server, mut anonymous| {
        for name in ["shop", "bar"] {
            namespace(&mut anonymous, name).await;
            let queue = format!("{name}-dead");
            anonymous.create(&queue, json!({ "namespace": name })).await;
            fails(&mut anonymous, &queue, "a", "timed out").await;
        }
        anonymous.create("empty", json!({})).await;
        fails(&mut anonymous, "shop-dead", "b", "timed out").await;
        let ann = user(&mut anonymous, "ann").await;
        role(&mut anonymous, "shop", "reader", &["letters.read"]).await;
        bind(&mut anonymous, "shop", "reader", &ann).await;
        let mut ann = server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1);

        let all = json!({ "all_queues": true });
        let queues = |answer: &Value| -> Vec<(String, String)> {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let groups = answer["groups"].as_array().unwrap().iter();
            groups.map(|group| (text(&group["queue_name"]), text(&group["count"]))).collect()
        };
        let named = |names: &[(&str, &str)]| -> Vec<(String, String)> {
            names.iter().map(|(name, count)| ((*name).to_owned(), (*count).to_owned())).collect()
        };
        for more in [json!({}), json!({ "since": "1h" })] {
            let mut request = all.clone();
            request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let answer = anonymous.ok(GROUPS, request.clone()).await;
            assert_eq!(queues(&answer), named(&[("shop-dead", "2"), ("bar-dead", "1")]), "the largest first");
            assert_eq!(queues(&ann.ok(GROUPS, request).await), named(&[("shop-dead", "2")]));
        }
        let of_bar = json!({ "all_queues": true, "namespace": "bar" });
        assert_eq!(queues(&anonymous.ok(GROUPS, of_bar.clone()).await), named(&[("bar-dead", "1")]));
        assert_eq!(ann.json(GROUPS, of_bar).await.status, 403);
        assert_eq!(ann.json(GROUPS, json!({ "queue_name": "bar-dead", "since": "1h" })).await.status, 403);
    });
}

#[test]
fn a_count_that_ends_at_its_limit_says_so() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        lasting(&mut caller, "dead").await;
        lasting(&mut caller, "few").await;
        fails(&mut caller, "few", "a", "timed out").await;
        for batch in 0..11 {
            let letter = |number: usize| json!({ "utf8": "x", "source_id": format!("{batch}-{number}"), "fault": { "error": "timed out" } });
            let letters: Vec<Value> = (0..500).map(letter).collect();
            caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": letters })).await;
        }
        let filter = "error.contains('timed')";
        let cut = caller.ok(GROUPS, json!({ "queue_name": "dead", "filter": filter })).await;
        assert_eq!((&cut["is_cut"], &cut["letters_total"]), (&json!(true), &json!("5000")));
        let all = caller.ok(GROUPS, json!({ "all_queues": true, "filter": filter })).await;
        let counts: Vec<&Value> = all["groups"].as_array().unwrap().iter().map(|group| &group["count"]).collect();
        assert_eq!(
            (&all["is_cut"], counts),
            (&json!(true), vec![&json!("4999"), &json!("1")]),
            "a small queue is whole"
        );
        let in_memory = caller.ok(GROUPS, json!({ "queue_name": "dead", "filter": "category == 'network'" })).await;
        assert_eq!((in_memory.get("is_cut"), &in_memory["letters_total"]), (None, &json!("5500")));
    });
}

#[test]
fn wrong_requests_and_confidential_filters_are_rejected() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        lasting(&mut caller, "dead").await;
        fails(&mut caller, "dead", "a", "timed out").await;
        for (request, message) in [
            (json!({ "queue_name": "dead", "all_queues": true }), "queue_name is invalid; "),
            (
                json!({ "queue_name": "dead", "since": "2099-01-01T00:00:00Z" }),
                "since is invalid; it must be a time in the past",
            ),
            (json!({ "queue_name": "dead", "since": "soon" }), "since is invalid; "),
            (json!({ "queue_name": "dead", "statuses": ["dead"] }), "status is invalid; "),
            (json!({ "queue_name": "dead", "since": "1h", "after": "0".repeat(32) }), "after is invalid; "),
            (json!({ "queue_name": "dead", "filter": "nonsense" }), "filter is invalid; "),
            (json!({ "all_queues": true, "filter": "key == 'a'" }), "filter is invalid; key and headers"),
            (json!({ "queue_name": "dead", "filter": "key == 'a'" }), "reason is required; "),
        ] {
            let (code, found) = caller.rejection(GROUPS, request.clone()).await;
            assert!(code == 400 && found.starts_with(message), "{request}: {code} {found}");
        }
        assert_eq!(rejection(&mut caller, GROUPS, json!({ "queue_name": "nowhere", "since": "1h" })).await.0, 404);
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        caller.ok(GROUPS, json!({ "queue_name": "dead", "filter": "key == 'a'" })).await;
    });
}
