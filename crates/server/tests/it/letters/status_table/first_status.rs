//! The first status of a captured letter.

use redrive_journal::Crash;
use serde_json::{Value, json};

use super::{captured, failure_with, letter, lifetime_counter};
use crate::harness::{on_each_store_with_target, on_simulated_disk};

#[test]
fn r01_policy_and_max_retries_decide_the_first_status_and_due_time() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        let cases = [
            ("exponential", 3, "pending", json!("2026-11-15T12:01:00Z")),
            ("linear", 3, "pending", json!("2026-11-15T12:05:00Z")),
            ("immediate", 3, "pending", json!("2026-11-15T12:00:00Z")),
            ("never", 3, "pending", Value::Null),
            ("exponential", 0, "exhausted", Value::Null),
            ("never", 0, "exhausted", Value::Null),
        ];
        for (policy, max_retries, status, due) in cases {
            let source = format!("{policy}-{max_retries}");
            let new = failure_with(&source, json!({ "retry_policy": policy, "max_retries": max_retries }));
            let id = captured(&mut caller, new).await;
            let current = letter(&mut caller, &id).await;
            let next = current.get("next_retry_at").cloned().unwrap_or_default();
            assert_eq!((&current["status"], next), (&json!(status), due), "{source}");
            assert_eq!((&current["retry_count"], &current["total_attempts"]), (&Value::Null, &json!(1)), "{source}");
        }
        assert_eq!(
            (lifetime_counter(&mut caller, "enqueued_total").await, lifetime_counter(&mut caller, "exhausted").await),
            (6, 2)
        );
    });
}

#[test]
fn r01_a_letter_is_durable_when_its_capture_is_acknowledged() {
    on_simulated_disk(async |disk, mut server, mut caller| {
        caller.create("dead", json!({})).await;
        let id = captured(&mut caller, failure_with("a", json!({}))).await;
        let before = letter(&mut caller, &id).await;
        server.crash(|| disk.crash(Crash::LoseAll, 1)).await;
        assert_eq!(letter(&mut server.caller().await, &id).await, before);
    });
}
