//! Letters that are retried by the delays of their queue.

use redrive_core::Span;
use serde_json::json;

use super::{capture, failure, get, refused};
use crate::bed::{Caller, each};

const CONFIGURE: &str = "/v1/letters.configure";
const EXPLAIN: &str = "/v1/letters.explain";

async fn set(caller: &mut Caller, name: &str, value: &str) {
    caller.ok(CONFIGURE, json!({ "queue_name": "dead", "set": { name: value } })).await;
}

fn custom(source_id: &str) -> serde_json::Value {
    let mut letter = failure(source_id);
    letter["retry_policy"] = json!("custom");
    letter
}

#[tokio::test]
async fn a_queue_has_delays_of_its_own() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        set(&mut caller, "custom_backoff", "list 5s 2m").await;
        let captured = capture(&mut caller, custom("a")).await;
        assert_eq!(captured["retry_policy"], "custom");
        let letter = get(&mut caller, &captured["id"]).await["letter"].clone();
        assert_eq!(
            (&letter["policy_source"], &letter["next_retry_at"]),
            (&json!("explicit"), &json!("2026-11-15T12:00:05Z"))
        );
        let other = capture(&mut caller, failure("b")).await;
        let edit = json!({ "queue_name": "dead", "id": other["id"], "retry_policy": "custom" });
        assert_eq!(caller.ok("/v1/letters.edit", edit).await["letter"]["next_retry_at"], "2026-11-15T12:00:05Z");
        let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!(stats["retry_policies"]["custom"], json!(2));
    })
    .await;
}

#[tokio::test]
async fn items_that_a_queue_moves_may_have_the_delays_of_the_dead_queue() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        caller.create("orders", json!({ "dead_queue": "dead", "max_attempts": 1 })).await;
        set(&mut caller, "custom_backoff", "exponential base=10s factor=3 cap=1m").await;
        set(&mut caller, "moved_retry_policy", "custom").await;
        caller.produce("orders", &["a"]).await;
        caller.lease_one("orders").await;
        bed.clock.advance(Span::from_mins(2));
        let listed = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        let letter = &listed["letters"][0];
        assert_eq!((&letter["retry_policy"], &letter["policy_source"]), (&json!("custom"), &json!("default")));
        assert!(letter["next_retry_at"].is_string(), "{letter}");
    })
    .await;
}

#[tokio::test]
async fn delays_that_are_not_there_cannot_be_asked_for() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let invalid = || (400, "invalid".to_owned());
        let of = json!({ "queue_name": "dead", "letters": [custom("a")] });
        let heard = caller.json("/v1/letters.capture", of.clone()).await;
        let message = heard.value()["message"].as_str().unwrap().to_owned();
        assert!(message.contains("set its custom_backoff first"), "{message}");
        let id = capture(&mut caller, failure("b")).await["id"].clone();
        let edit = json!({ "queue_name": "dead", "id": id, "retry_policy": "custom" });
        assert_eq!(refused(&mut caller, "/v1/letters.edit", edit).await, invalid());
        let asked = json!({ "queue_name": "dead", "fault": { "error": "boom" }, "retry_policy": "custom" });
        assert_eq!(refused(&mut caller, EXPLAIN, asked).await, invalid());
        for (name, value) in [
            ("moved_retry_policy", "custom"),
            ("default_retry_policy", "custom"),
            ("custom_backoff", "never"),
            ("custom_backoff", "list 31d"),
            ("custom_backoff", "linear base=721h"),
            ("custom_backoff", "cel n - 1"),
        ] {
            let body = json!({ "queue_name": "dead", "set": { name: value } });
            assert_eq!(refused(&mut caller, CONFIGURE, body).await, invalid(), "{name}={value}");
        }
        // Both at once are as good as one after the other; taking the delays away leaves the policy without them.
        let both = json!({ "custom_backoff": "cel 10 * (n + 1)", "default_retry_policy": "custom" });
        caller.ok(CONFIGURE, json!({ "queue_name": "dead", "set": both })).await;
        let reset = json!({ "queue_name": "dead", "reset": ["custom_backoff"] });
        assert_eq!(refused(&mut caller, CONFIGURE, reset).await, invalid());
        assert_eq!(capture(&mut caller, json!({ "source_id": "c" })).await["retry_policy"], "custom");
    })
    .await;
}

#[tokio::test]
async fn an_explanation_has_the_schedule_of_the_queue() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        set(&mut caller, "custom_backoff", "linear base=10s step=5s cap=12s").await;
        let asked = json!({ "queue_name": "dead", "fault": { "error": "no such customer" }, "retry_policy": "custom",
            "max_retries": 3 });
        let told = caller.ok(EXPLAIN, asked).await;
        assert_eq!((&told["policy"], &told["ends"]), (&json!("custom"), &json!("exhausted")));
        let delays: Vec<_> = told["schedule"].as_array().unwrap().iter().map(|retry| &retry["delay"]).collect();
        assert_eq!(delays, ["10s", "12s", "12s"]);
    })
    .await;
}
