//! Letters with the retry policy `custom`, whose delays come from the queue's setting `custom_backoff`.

use redrive_core::Span;
use serde_json::json;

use super::{capture, captured, failure, get, rejection};
use crate::harness::{Caller, on_each_store_with_queue, on_each_store_with_target};

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

#[test]
fn a_letter_with_policy_custom_uses_the_delays_of_its_queue() {
    on_each_store_with_target(async |_server, mut caller, _target| {
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
    });
}

#[test]
fn moved_items_can_use_the_custom_delays_of_the_dead_queue() {
    on_each_store_with_target(async |server, mut caller, _target| {
        caller.create("orders", json!({ "dead_queue": "dead", "max_attempts": 1 })).await;
        set(&mut caller, "custom_backoff", "exponential base=10s factor=3 cap=1m").await;
        set(&mut caller, "moved_retry_policy", "custom").await;
        caller.produce("orders", &["a"]).await;
        caller.lease_one("orders").await;
        server.clock.advance(Span::from_mins(2));
        let listed = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
        let letter = &listed["letters"][0];
        assert_eq!((&letter["retry_policy"], &letter["policy_source"]), (&json!("custom"), &json!("default")));
        assert!(letter["next_retry_at"].is_string(), "{letter}");
    });
}

#[test]
fn policy_custom_is_rejected_without_custom_backoff() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let invalid = || (400, "invalid".to_owned());
        let of = json!({ "queue_name": "dead", "letters": [custom("a")] });
        let response = caller.json("/v1/letters.capture", of.clone()).await;
        let message = response.value()["message"].as_str().unwrap().to_owned();
        assert!(message.contains("set its custom_backoff first"), "{message}");
        let id = captured(&mut caller, failure("b")).await;
        let edit = json!({ "queue_name": "dead", "id": id, "retry_policy": "custom" });
        assert_eq!(rejection(&mut caller, "/v1/letters.edit", edit).await, invalid());
        let request = json!({ "queue_name": "dead", "fault": { "error": "boom" }, "retry_policy": "custom" });
        assert_eq!(rejection(&mut caller, EXPLAIN, request).await, invalid());
        for (name, value) in [
            ("moved_retry_policy", "custom"),
            ("default_retry_policy", "custom"),
            ("custom_backoff", "never"),
            ("custom_backoff", "list 31d"),
            ("custom_backoff", "linear base=721h"),
            ("custom_backoff", "cel n - 1"),
        ] {
            let body = json!({ "queue_name": "dead", "set": { name: value } });
            assert_eq!(rejection(&mut caller, CONFIGURE, body).await, invalid(), "{name}={value}");
        }
        // Both settings may be set in one call. Resetting the delays alone would leave the policy without delays.
        let both = json!({ "custom_backoff": "cel 10 * (n + 1)", "default_retry_policy": "custom" });
        caller.ok(CONFIGURE, json!({ "queue_name": "dead", "set": both })).await;
        let reset = json!({ "queue_name": "dead", "reset": ["custom_backoff"] });
        assert_eq!(rejection(&mut caller, CONFIGURE, reset).await, invalid());
        assert_eq!(capture(&mut caller, json!({ "source_id": "c" })).await["retry_policy"], "custom");
    });
}

#[test]
fn explain_uses_the_custom_delays_of_the_queue() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        set(&mut caller, "custom_backoff", "linear base=10s step=5s cap=12s").await;
        let request = json!({ "queue_name": "dead", "fault": { "error": "no such customer" }, "retry_policy": "custom",
            "max_retries": 3 });
        let explained = caller.ok(EXPLAIN, request).await;
        assert_eq!((&explained["policy"], &explained["ends"]), (&json!("custom"), &json!("exhausted")));
        let delays: Vec<_> = explained["schedule"].as_array().unwrap().iter().map(|retry| &retry["delay"]).collect();
        assert_eq!(delays, ["10s", "12s", "12s"]);
    });
}
