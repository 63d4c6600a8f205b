//! `letters.list` and `letters.groups`.

use serde_json::{Value, json};

use super::{capture, failure, found, rejection};
use crate::harness::{Caller, on_each_store_with_queue, on_each_store_with_target};

const LIST: &str = "/v1/letters.list";

async fn with_three(caller: &mut Caller) -> Vec<Value> {
    let mut letters = Vec::new();
    for (id, error, policy, tenant) in [
        ("a", "HTTP 503", "exponential", "acme"),
        ("b", "no such customer", "never", "acme"),
        ("c", "disk quota exceeded", "linear", "zeta"),
    ] {
        let mut letter = failure(id);
        letter["fault"] = json!({ "error": error });
        letter["retry_policy"] = json!(policy);
        letter["metadata"] = json!({ "tenant": tenant });
        letter["kind"] = json!("order");
        letter["parts"] = json!([id]);
        letters.push(capture(caller, letter).await);
    }
    letters
}

#[test]
fn pages_follow_each_other_without_a_gap() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        for number in 0..7 {
            capture(&mut caller, failure(&format!("f-{number}"))).await;
        }
        let (mut after, mut seen, mut pages) = (json!(""), Vec::new(), 0);
        loop {
            let page = caller.ok(LIST, json!({ "queue_name": "dead", "limit": 3, "after": after })).await;
            let letters = page["letters"].as_array().cloned().unwrap_or_default();
            seen.extend(letters.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()));
            pages += 1;
            match page.get("next") {
                Some(next) => after = next.clone(),
                None => break,
            }
        }
        assert_eq!(seen, (0..7).map(|number| format!("f-{number}")).collect::<Vec<_>>());
        assert_eq!(pages, 3);
    });
}

#[test]
fn a_filter_can_use_any_field() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        with_three(&mut caller).await;
        for (filter, expected) in [
            ("status == 'pending'", &["a", "b", "c"][..]),
            ("category == 'transient'", &["a"]),
            ("category in ['transient', 'resource'] && retry_count == 0", &["a", "c"]),
            ("metadata.tenant == 'acme'", &["a", "b"]),
            ("error.contains('customer')", &["b"]),
            ("rule.startsWith('word:')", &["c"]),
            ("parts.exists(part, part == 'c')", &["c"]),
            ("next_retry_at != null && next_retry_at <= '2026-11-15T12:01:00.000Z'", &["a"]),
            ("first_failed_at > '2026-11-15T12:00:00.000Z'", &[]),
            ("source_id.matches('^[bc]$') && kind == 'order'", &["b", "c"]),
            ("max_retries > 3 || overflow == true || outcome_unknown == true", &[]),
        ] {
            assert_eq!(found(&mut caller, filter).await, expected, "{filter}");
        }
    });
}

#[test]
fn letters_can_be_listed_by_status() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let letters = with_three(&mut caller).await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [letters[1]["id"]] })).await;
        let archived = caller.ok(LIST, json!({ "queue_name": "dead", "statuses": ["Archived"] })).await;
        assert_eq!(archived["letters"][0]["source_id"], "b");
        assert_eq!(
            (&archived["letters"][0]["before"], archived["letters"].as_array().unwrap().len()),
            (&json!("pending"), 1)
        );
        let live = caller.ok(LIST, json!({ "queue_name": "dead", "statuses": ["pending", "exhausted"] })).await;
        assert_eq!(live["letters"].as_array().unwrap().len(), 2);
    });
}

#[test]
fn letters_are_grouped_by_fault() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        with_three(&mut caller).await;
        server.advance(redrive_core::Span::from_secs(5));
        let mut again = failure("d");
        again["fault"] = json!({ "error": "HTTP 503" });
        capture(&mut caller, again).await;
        let groups = caller.ok("/v1/letters.groups", json!({ "queue_name": "dead" })).await;
        let groups = groups["groups"].as_array().unwrap();
        assert_eq!(groups.len(), 3);
        let two = groups.iter().find(|group| group["count"] == "2").unwrap();
        assert_eq!(
            (&two["first_seen"], &two["last_seen"]),
            (&json!("2026-11-15T12:00:00Z"), &json!("2026-11-15T12:00:05Z"))
        );
    });
}

#[test]
fn an_invalid_list_request_is_rejected() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        with_three(&mut caller).await;
        for (field, wrong) in [
            ("filter", json!("status = 'x'")),
            ("filter", json!("colour == 'red'")),
            ("filter", json!("retry_count")),
            ("filter", json!("category + 1 == 2")),
            ("statuses", json!(["lost"])),
            ("after", json!("nonsense")),
            ("limit", json!(-1)),
            ("limit", json!(65_537)),
        ] {
            let mut body = json!({ "queue_name": "dead" });
            body[field] = wrong.clone();
            assert_eq!(caller.json(LIST, body).await.status, 400, "{field} {wrong}");
        }
        assert_eq!(rejection(&mut caller, LIST, json!({ "queue_name": "nowhere" })).await, (404, "not_found".into()));
        let unindexed = caller.json(LIST, json!({ "queue_name": "dead", "query": "words" })).await;
        let error = unindexed.value();
        assert_eq!((unindexed.status.as_u16(), &error["details"]["reason"]), (453, &json!("no_index")));
        assert!(error["message"].as_str().unwrap().contains("dlq.opensearch_url"), "names the setting: {error}");
    });
}

#[test]
fn a_filter_whose_patterns_cost_too_much_is_rejected_with_the_limit() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let mut letter = failure("a");
        letter["metadata"] = json!({ "long": "x".repeat(60_000) });
        capture(&mut caller, letter).await;
        let filter = |pattern: &str| format!("metadata.long.matches('{pattern}')");
        assert_eq!(found(&mut caller, &filter("x$")).await, ["a"]);
        let list = json!({ "queue_name": "dead", "filter": filter("^[a-y]{1,300}$") });
        let response = caller.json(LIST, list).await;
        assert_eq!(response.status, 400);
        let message = response.value()["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("filter is invalid; matches() has too much to do: at most 536870912"), "{message}");
    });
}
