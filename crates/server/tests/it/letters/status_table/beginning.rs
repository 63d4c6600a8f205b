//! How a letter begins.

use std::sync::Arc;

use redrive_journal::{Crash, SimDisk};
use serde_json::{Value, json};

use super::{captured, dead_queue, letter, lifetime, with};
use crate::bed::{Bed, bounded, each};

#[tokio::test]
async fn r01_a_captured_letter_is_settled_by_its_policy_and_its_retries() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
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
            let new = with(&source, json!({ "retry_policy": policy, "max_retries": max_retries }));
            let id = captured(&mut caller, new).await;
            let told = letter(&mut caller, &id).await;
            let next = told.get("next_retry_at").cloned().unwrap_or_default();
            assert_eq!((&told["status"], next), (&json!(status), due), "{source}");
            assert_eq!((&told["retry_count"], &told["total_attempts"]), (&Value::Null, &json!(1)), "{source}");
        }
        assert_eq!((lifetime(&mut caller, "enqueued_total").await, lifetime(&mut caller, "exhausted").await), (6, 2));
    })
    .await;
}

#[tokio::test]
async fn r01_a_letter_is_durable_when_its_capture_is_answered() {
    bounded(async {
        let disk = SimDisk::new();
        let mut bed = Bed::on_disk(Arc::new(disk.clone())).await;
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let id = captured(&mut caller, with("a", json!({}))).await;
        let before = letter(&mut caller, &id).await;
        bed.crash(|| disk.crash(Crash::LoseAll, 1)).await;
        assert_eq!(letter(&mut bed.caller().await, &id).await, before);
    })
    .await;
}
