//! A queue without a target: no retry of its letters is announced, and the health page lists it.

use redrive_core::Span;
use serde_json::{Value, json};

use super::failure;
use crate::harness::{Caller, StoreKind, on_each_store_with_queue, on_store_with_queue, on_store_with_target};

/// Captures a failure into `other`, which has no target.
async fn capture(caller: &mut Caller, letter: Value) -> Value {
    let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "other", "letters": [letter] })).await;
    captured["letters"][0]["id"].clone()
}

async fn health(caller: &mut Caller) -> Value {
    caller.page("/health").await.value()
}

#[test]
fn no_time_of_a_retry_is_shown() {
    on_each_store_with_queue("other", async |server, mut caller| {
        let id = capture(&mut caller, failure("a")).await;
        let whole = caller.ok("/v1/letters.get", json!({ "queue_name": "other", "id": id })).await;
        assert_eq!(whole["letter"].get("next_retry_at"), None);
        assert_eq!(whole["letter"]["retry_policy"], "exponential", "its policy is kept for a target");
        let edit = json!({ "queue_name": "other", "id": id, "retry_policy": "linear" });
        assert_eq!(caller.ok("/v1/letters.edit", edit).await["letter"].get("next_retry_at"), None);
        let listed = |more: Value| {
            let mut list = json!({ "queue_name": "other" });
            list.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            list
        };
        let all = caller.ok("/v1/letters.list", listed(json!({}))).await;
        assert_eq!(all["letters"][0].get("next_retry_at"), None);
        let filtered = caller.ok("/v1/letters.list", listed(json!({ "filter": "next_retry_at != null" }))).await;
        assert_eq!(filtered.get("letters"), None);
        server.advance(Span::from_hours(1));
        let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "other" })).await;
        assert_eq!((&stats["overdue"], &stats["next_due_at"]), (&json!(0), &Value::Null));
        let metrics = caller.page("/metrics").await.text();
        assert!(metrics.contains("redrive_dlq_overdue{queue=\"other\"} 0\n"), "{metrics}");
    });
}

#[test]
fn letters_without_a_next_retry_are_listed_newest_first() {
    on_store_with_queue(StoreKind::Memory, "other", async |server, mut caller| {
        for (source_id, policy) in [("a", "linear"), ("b", "immediate"), ("c", "exponential")] {
            let mut letter = failure(source_id);
            letter["retry_policy"] = json!(policy);
            capture(&mut caller, letter).await;
            server.advance(Span::from_secs(1));
        }
        for sort in ["due", "-due"] {
            let mut sources = Vec::new();
            let mut after = json!("");
            loop {
                let list = json!({ "queue_name": "other", "sort": sort, "limit": 2, "after": after });
                let page = caller.ok("/v1/letters.list", list).await;
                let letters = page["letters"].as_array().unwrap();
                sources.extend(letters.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()));
                match page.get("next") {
                    Some(next) => after = next.clone(),
                    None => break,
                }
            }
            assert_eq!(sources, ["c", "b", "a"], "{sort}");
        }
    });
}

#[test]
fn the_health_page_lists_queues_with_pending_letters_and_no_target() {
    on_store_with_target(StoreKind::Memory, async |_server, mut caller, _target| {
        super::capture(&mut caller, failure("a")).await;
        caller.create("other", json!({})).await;
        assert_eq!(health(&mut caller).await["checks"].get("queues:targets"), None, "'dead' has a target");
        let mut by_hand = failure("b");
        by_hand["retry_policy"] = json!("never");
        capture(&mut caller, by_hand).await;
        let page = health(&mut caller).await;
        let check = &page["checks"]["queues:targets"][0];
        assert_eq!((&check["componentId"], &check["status"]), (&json!("other"), &json!("pass")));
        assert_eq!(check["output"], "1 pending letter and no target in dlq.targets: none is retried");
        assert_eq!(page["status"], "pass", "a letter that waits for an operator needs no target");
        let scheduled = capture(&mut caller, failure("c")).await;
        let page = health(&mut caller).await;
        let check = &page["checks"]["queues:targets"][0];
        assert_eq!((&check["status"], &page["status"]), (&json!("warn"), &json!("warn")));
        assert_eq!(check["output"], "2 pending letters and no target in dlq.targets: none is retried");
        caller.ok("/v1/letters.archive", json!({ "queue_name": "other", "ids": [scheduled] })).await;
        assert_eq!(health(&mut caller).await["status"], "pass");
    });
}
