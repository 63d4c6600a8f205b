//! What retries letters by themselves, told what to do.

use redrive_core::Span;
use serde_json::{Value, json};

use super::stats::page;
use super::{capture, failure, refused};
use crate::audit::records;
use crate::bed::{Bed, Caller, each_retrying};

const PATH: &str = "/v1/letters.process";

fn asked(action: &str, interval: i32) -> Value {
    json!({ "queue_name": "dead", "action": action, "retry_interval_seconds": interval })
}

async fn interval(caller: &mut Caller) -> Value {
    let told = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
    assert_eq!(told["is_processor_running"] == true, told["retry_interval_seconds"].is_number(), "{told}");
    told["retry_interval_seconds"].clone()
}

/// All acts on record: the result, and upon what.
async fn acts(bed: &Bed) -> Vec<(u16, String)> {
    let records = records(bed).await.into_iter().filter(|record| record.action == "letters.process");
    let told = |target: &redrive_server::AuditTarget| format!("{}={}", target.kind, target.name);
    records.map(|record| (record.result.code, record.targets.iter().map(told).collect::<Vec<_>>().join(" "))).collect()
}

#[tokio::test]
async fn it_is_started_with_an_interval_of_its_own() {
    each_retrying(async |bed, _target| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        assert_eq!(interval(&mut caller).await, Value::Null);
        assert_eq!(caller.ok(PATH, asked("start", 10)).await["retry_interval_seconds"], "10");
        assert_eq!(interval(&mut caller).await, 10);
        assert_eq!(caller.json(PATH, asked("start", 20)).await.status, 409, "it runs already");
        assert_eq!(interval(&mut caller).await, 10);
        assert!(caller.ok(PATH, asked("stop", 0)).await.get("retry_interval_seconds").is_none());
        assert_eq!(interval(&mut caller).await, Value::Null);
        caller.ok(PATH, asked("start", 0)).await;
        assert_eq!(interval(&mut caller).await, 60, "as it is configured");
    })
    .await;
}

#[tokio::test]
async fn an_interval_that_is_out_of_bounds_or_without_a_start_changes_nothing() {
    each_retrying(async |bed, _target| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        for seconds in [-1, 9, 3601, i32::MAX] {
            assert_eq!(refused(&mut caller, PATH, asked("start", seconds)).await, (400, "invalid".into()));
        }
        for action in ["", "stop", "pause", "resume", "dance"] {
            assert_eq!(refused(&mut caller, PATH, asked(action, 60)).await, (400, "invalid".into()), "{action}");
        }
        assert_eq!(interval(&mut caller).await, Value::Null);
    })
    .await;
}

#[tokio::test]
async fn every_act_is_on_record_and_a_look_is_not() {
    each_retrying(async |bed, _target| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        caller.ok(PATH, asked("start", 30)).await;
        for action in ["pause", "resume", "", "stop", "start"] {
            caller.ok(PATH, asked(action, 0)).await;
        }
        assert_eq!(caller.json(PATH, asked("start", 0)).await.status, 409);
        let upon = |what: &str| format!("queue=dead action={what}");
        let expected = [
            (200, upon("start retry_interval_seconds=30")),
            (200, upon("pause")),
            (200, upon("resume")),
            (200, upon("stop")),
            (200, upon("start")),
            (409, upon("start")),
        ];
        assert_eq!(acts(&bed).await, expected);
    })
    .await;
}

#[tokio::test]
async fn what_is_stopped_is_neither_paused_nor_resumed() {
    each_retrying(async |bed, _target| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        for action in ["pause", "resume"] {
            assert_eq!(refused(&mut caller, PATH, asked(action, 0)).await, (409, "conflict".into()), "{action}");
        }
        caller.ok(PATH, asked("start", 0)).await;
        for (action, state) in [("pause", "paused"), ("resume", "running"), ("stop", "stopped")] {
            assert_eq!(caller.ok(PATH, asked(action, 0)).await["state"], state);
            let told = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
            assert_eq!(told["processor_state"], state);
        }
        assert_eq!(refused(&mut caller, PATH, asked("pause", 0)).await, (409, "conflict".into()));
    })
    .await;
}

#[tokio::test]
async fn metrics_tell_of_retries_what_they_came_to_how_long_they_took_and_how_late_they_were() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        capture(&mut caller, failure("order-17")).await;
        bed.advance(Span::from_secs(60 + 7));
        caller.ok(PATH, asked("start", 0)).await;
        target.next().await.fail();
        let by_hand = capture(&mut caller, failure("order-18")).await["id"].clone();
        let retry = json!({ "queue_name": "dead", "id": by_hand });
        tokio::join!(caller.ok("/v1/letters.retry", retry), async { target.next().await.done() });
        caller.ok(PATH, asked("stop", 0)).await;
        let page = page(&mut caller, "/metrics").await.text();
        for line in [
            "redrive_run_attempts_total{runner=\"dead\",outcome=\"done\"} 1",
            "redrive_run_attempts_total{runner=\"dead\",outcome=\"retried\"} 1",
            "redrive_run_failures_total{runner=\"dead\",category=\"transient\"} 1",
            "redrive_run_failures_total{runner=\"dead\",category=\"network\"} 0",
            "redrive_run_breaker_transitions_total{runner=\"dead\",to=\"open\"} 0",
            "redrive_run_open_breakers{runner=\"dead\"} 0",
            "redrive_run_running{runner=\"dead\"} 0",
            "redrive_run_attempt_seconds_count{runner=\"dead\"} 2",
            "redrive_run_lateness_seconds_bucket{runner=\"dead\",le=\"5\"} 0",
            "redrive_run_lateness_seconds_bucket{runner=\"dead\",le=\"10\"} 1",
            "redrive_run_lateness_seconds_sum{runner=\"dead\"} 7",
            "redrive_run_lateness_seconds_count{runner=\"dead\"} 1",
        ] {
            assert!(page.lines().any(|told| told == line), "{line}:\n{page}");
        }
    })
    .await;
}
