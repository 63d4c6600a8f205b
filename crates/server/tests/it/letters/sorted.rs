//! Orders, times, totals and errors of `letters.list`, and the samples of `letters.groups`.

use redrive_core::Span;
use serde_json::{Value, json};

use super::{capture, captured, failure};
use crate::harness::{Caller, on_each_store_with_queue, on_each_store_with_target};

const LIST: &str = "/v1/letters.list";

/// Captures a failure with a retry policy, and advances the clock by a minute.
async fn letter(caller: &mut Caller, server: &crate::harness::TestServer, source_id: &str, policy: &str) -> Value {
    let mut letter = failure(source_id);
    letter["retry_policy"] = json!(policy);
    let captured = capture(caller, letter).await;
    server.advance(Span::from_mins(1));
    captured["id"].clone()
}

/// The source ids of all pages, and the totals that the pages name.
async fn pages(caller: &mut Caller, list: Value, limit: usize) -> (Vec<String>, Vec<Value>) {
    let (mut listed, mut totals, mut after) = (Vec::new(), Vec::new(), json!(""));
    loop {
        let mut body = list.clone();
        (body["queue_name"], body["after"], body["limit"]) = (json!("dead"), after, json!(limit));
        let page = caller.ok(LIST, body).await;
        let letters = page["letters"].as_array().cloned().unwrap_or_default();
        listed.extend(letters.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()));
        totals.push(page["total"].clone());
        match page.get("next") {
            Some(next) => after = next.clone(),
            None => return (listed, totals),
        }
    }
}

#[test]
fn pages_of_every_order_follow_each_other() {
    on_each_store_with_target(async |server, mut caller, _target| {
        for (source_id, policy) in
            [("a", "never"), ("b", "linear"), ("c", "immediate"), ("d", "never"), ("e", "exponential")]
        {
            letter(&mut caller, &server, source_id, policy).await;
        }
        for (sort, expected) in [
            ("", ["a", "b", "c", "d", "e"]),
            ("id", ["a", "b", "c", "d", "e"]),
            ("-id", ["e", "d", "c", "b", "a"]),
            ("due", ["c", "e", "b", "d", "a"]),
            ("-due", ["b", "e", "c", "d", "a"]),
        ] {
            for limit in [1, 2, 5, 9] {
                let (listed, totals) = pages(&mut caller, json!({ "sort": sort }), limit).await;
                assert_eq!(listed, expected, "{sort} {limit}");
                assert!(totals.iter().all(|total| *total == json!("5")), "{sort} {limit}: {totals:?}");
                assert_eq!(totals.len(), 5_usize.div_ceil(limit), "the last page has no next");
                let filter = json!({ "sort": sort, "filter": "retry_count == 0 && source_id != 'c'" });
                let (listed, _) = pages(&mut caller, filter, limit).await;
                assert_eq!(listed.len(), 4, "{sort} {limit}: with a filter that is examined letter by letter");
            }
        }
    });
}

#[test]
fn a_page_in_due_order_continues_after_a_letter_that_has_changed() {
    on_each_store_with_target(async |server, mut caller, _target| {
        let mut ids = Vec::new();
        for source_id in ["a", "b", "c"] {
            ids.push(letter(&mut caller, &server, source_id, "linear").await);
        }
        let list = json!({ "queue_name": "dead", "sort": "due", "limit": 1 });
        let first = caller.ok(LIST, list.clone()).await;
        assert_eq!(first["letters"][0]["source_id"], "a");
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [ids[0]] })).await;
        let mut next = list.clone();
        next["after"] = first["next"].clone();
        assert_eq!(caller.ok(LIST, next.clone()).await["letters"][0]["source_id"], "b");
        next["sort"] = json!("id");
        let rejected = caller.json(LIST, next).await;
        assert_eq!(rejected.status, 400, "a position of another order");
        assert!(rejected.value()["message"].as_str().unwrap().starts_with("after is invalid; "));
    });
}

#[test]
fn letters_are_listed_by_the_time_of_their_capture() {
    on_each_store_with_target(async |server, mut caller, _target| {
        for source_id in ["a", "b", "c"] {
            letter(&mut caller, &server, source_id, "linear").await;
        }
        for (since, until, expected) in [
            ("2m", "", &["b", "c"][..]),
            ("2026-11-15T12:01:00Z", "", &["b", "c"]),
            ("", "2026-11-15T12:01:00.900Z", &["a"]),
            ("1d", "1m", &["a", "b"]),
            ("0s", "", &[]),
            ("", "1w", &[]),
        ] {
            for sort in ["id", "due"] {
                let list = json!({ "since": since, "until": until, "sort": sort });
                let (listed, totals) = pages(&mut caller, list, 2).await;
                assert_eq!(listed, expected, "{since} {until} {sort}");
                assert!(totals.iter().all(|total| *total == json!(expected.len().to_string())), "{totals:?}");
            }
        }
        for (field, wrong) in [("since", "yesterday"), ("until", "-1h"), ("since", "5"), ("sort", "age")] {
            let rejected = caller.json(LIST, json!({ "queue_name": "dead", field: wrong })).await;
            let message = rejected.value()["message"].as_str().unwrap().to_owned();
            assert!(
                rejected.status == 400 && message.starts_with(&format!("{field} is invalid; '{wrong}'")),
                "{message}"
            );
        }
    });
}

#[test]
fn a_total_is_exact_or_missing() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        for number in 0..5 {
            letter(&mut caller, &server, &format!("f-{number}"), "linear").await;
        }
        let fingerprint =
            caller.ok("/v1/letters.groups", json!({ "queue_name": "dead" })).await["groups"][0]["fingerprint"].clone();
        let fingerprint = fingerprint.as_str().unwrap().to_owned();
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": ["f-0"] })).await;
        for (list, total) in [
            (json!({}), json!("5")),
            (json!({ "statuses": ["pending"] }), json!("4")),
            (json!({ "filter": "category == 'transient'" }), json!("5")),
            (json!({ "filter": format!("fingerprint == '{fingerprint}' && status == 'archived'") }), json!("1")),
            (json!({ "filter": "category == 'transient' && category == 'network'" }), json!("0")),
            (json!({ "filter": "category == 'TRANSIENT'" }), json!("0")),
            (json!({ "filter": "retry_count == 0" }), Value::Null),
            (json!({ "filter": "source_id == 'f-3' && retry_count == 0" }), json!("1")),
        ] {
            let mut body = list.clone();
            (body["queue_name"], body["limit"]) = (json!("dead"), json!(2));
            let page = caller.ok(LIST, body).await;
            assert_eq!(page["total"], total, "{list}");
            assert_eq!(page["now"], "2026-11-15T12:05:00Z");
        }
    });
}

#[test]
fn the_error_of_each_letter_is_listed_on_request() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        letter(&mut caller, &server, "a", "linear").await;
        let mut again = failure("a");
        again["fault"] = json!({ "error": "disk quota exceeded" });
        capture(&mut caller, again).await;
        let plain = caller.ok(LIST, json!({ "queue_name": "dead" })).await;
        assert_eq!(plain["letters"][0].get("last_error"), None);
        for filter in ["", "error.contains('quota')", "category == 'resource'"] {
            let list = json!({ "queue_name": "dead", "errors": true, "filter": filter });
            let listed = caller.ok(LIST, list).await;
            assert_eq!(listed["letters"][0]["last_error"], "disk quota exceeded", "{filter}: the newest failure");
        }
        let filter = json!({ "queue_name": "dead", "filter": "error.contains('quota')" });
        assert_eq!(caller.ok(LIST, filter).await["letters"][0].get("last_error"), None);
    });
}

#[test]
fn a_group_has_its_statuses_and_a_sample() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let mut named = failure("a");
        named["destination"] = json!("bank");
        let id = captured(&mut caller, named).await;
        let mut other = failure("b");
        (other["fault"], other["max_retries"]) = (json!({ "error": "no such customer 7" }), json!(0));
        capture(&mut caller, other).await;
        let answer = caller.ok("/v1/letters.groups", json!({ "queue_name": "dead", "samples": true })).await;
        assert_eq!(answer["now"], "2026-11-15T12:00:00Z");
        let groups = answer["groups"].as_array().unwrap();
        let of = |error: &str| groups.iter().find(|group| group["sample"]["error"] == error).unwrap().clone();
        let bank = of("HTTP 503 Service Unavailable");
        let sample = json!({ "id": id, "error": "HTTP 503 Service Unavailable", "category": "transient",
            "destination": "bank" });
        assert_eq!((&bank["sample"], &bank["status_breakdown"]), (&sample, &json!({ "pending": "1" })));
        assert_eq!(of("no such customer 7")["status_breakdown"], json!({ "exhausted": "1" }));
        let plain = caller.ok("/v1/letters.groups", json!({ "queue_name": "dead" })).await;
        let samples: Vec<&Value> = plain["groups"].as_array().unwrap().iter().map(|group| &group["sample"]).collect();
        assert!(samples.contains(&&json!({ "id": id })), "errors are read on request only: {samples:?}");
    });
}

#[test]
fn a_filter_has_the_time_of_the_request_and_null_for_missing_keys() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        let mut of_tenant = failure("a");
        of_tenant["metadata"] = json!({ "tenant": "acme", "order": { "id": 17 } });
        capture(&mut caller, of_tenant).await;
        server.advance(Span::from_hours(3));
        capture(&mut caller, failure("b")).await;
        for (filter, expected) in [
            ("last_failed_at > now() - duration('2h')", &["b"][..]),
            ("now() - last_failed_at > duration('2h')", &["a"]),
            ("metadata.tenant == 'acme' && error.contains('503')", &["a"]),
            ("metadata.tenant != 'acme'", &["b"]),
            ("metadata.order.id == 17 || metadata.order.id == null", &["a", "b"]),
        ] {
            let (listed, _) = pages(&mut caller, json!({ "filter": filter }), 9).await;
            assert_eq!(listed, expected, "{filter}");
        }
        let wrong = json!({ "queue_name": "dead", "filter": "last_failed_at > duration('2h')" });
        let message = caller.json(LIST, wrong).await.value()["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("filter is invalid; allowed: a CEL expression in which a duration"), "{message}");
    });
}
