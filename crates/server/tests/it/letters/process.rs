//! `letters.process`: starting, pausing and stopping the processor that retries letters automatically.

use redrive_core::Span;
use serde_json::{Value, json};

use super::{capture, captured, failure, rejection};
use crate::audit::records;
use crate::harness::{Caller, TestServer, on_each_store_with_target};

const PATH: &str = "/v1/letters.process";

fn request(action: &str, interval: i32) -> Value {
    json!({ "queue_name": "dead", "action": action, "retry_interval_seconds": interval })
}

async fn interval(caller: &mut Caller) -> Value {
    let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
    assert_eq!(stats["is_processor_running"] == true, stats["retry_interval_seconds"].is_number(), "{stats}");
    stats["retry_interval_seconds"].clone()
}

/// The result code and the targets of all audit records of `letters.process`.
async fn recorded_actions(server: &TestServer) -> Vec<(u16, String)> {
    let records = records(server).await.into_iter().filter(|record| record.action == "letters.process");
    let text = |target: &redrive_server::AuditTarget| format!("{}={}", target.kind, target.name);
    records.map(|record| (record.result.code, record.targets.iter().map(text).collect::<Vec<_>>().join(" "))).collect()
}

#[test]
fn a_start_can_set_the_retry_interval() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        assert_eq!(interval(&mut caller).await, Value::Null);
        assert_eq!(caller.ok(PATH, request("start", 10)).await["retry_interval_seconds"], "10");
        assert_eq!(interval(&mut caller).await, 10);
        assert_eq!(caller.json(PATH, request("start", 20)).await.status, 409, "the processor is already running");
        assert_eq!(interval(&mut caller).await, 10);
        assert!(caller.ok(PATH, request("stop", 0)).await.get("retry_interval_seconds").is_none());
        assert_eq!(interval(&mut caller).await, Value::Null);
        caller.ok(PATH, request("start", 0)).await;
        assert_eq!(interval(&mut caller).await, 60, "0 means the configured interval");
    });
}

#[test]
fn an_interval_out_of_range_or_without_a_start_is_rejected() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        for seconds in [-1, 9, 3601, i32::MAX] {
            assert_eq!(rejection(&mut caller, PATH, request("start", seconds)).await, (400, "invalid".into()));
        }
        for action in ["", "stop", "pause", "resume", "dance"] {
            assert_eq!(rejection(&mut caller, PATH, request(action, 60)).await, (400, "invalid".into()), "{action}");
        }
        assert_eq!(interval(&mut caller).await, Value::Null);
    });
}

#[test]
fn every_action_on_the_processor_is_recorded_and_a_read_is_not() {
    on_each_store_with_target(async |server, mut caller, _target| {
        caller.ok(PATH, request("start", 30)).await;
        for action in ["pause", "resume", "", "stop", "start"] {
            caller.ok(PATH, request(action, 0)).await;
        }
        assert_eq!(caller.json(PATH, request("start", 0)).await.status, 409);
        let targets = |action: &str| format!("queue=dead action={action}");
        let expected = [
            (200, targets("start retry_interval_seconds=30")),
            (200, targets("pause")),
            (200, targets("resume")),
            (200, targets("stop")),
            (200, targets("start")),
            (409, targets("start")),
        ];
        assert_eq!(recorded_actions(&server).await, expected);
    });
}

#[test]
fn a_stopped_processor_cannot_be_paused_or_resumed() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        for action in ["pause", "resume"] {
            assert_eq!(rejection(&mut caller, PATH, request(action, 0)).await, (409, "conflict".into()), "{action}");
        }
        caller.ok(PATH, request("start", 0)).await;
        for (action, state) in [("pause", "paused"), ("resume", "running"), ("stop", "stopped")] {
            assert_eq!(caller.ok(PATH, request(action, 0)).await["state"], state);
            let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
            assert_eq!(stats["processor_state"], state);
        }
        assert_eq!(rejection(&mut caller, PATH, request("pause", 0)).await, (409, "conflict".into()));
    });
}

#[test]
fn metrics_report_the_outcome_duration_and_lateness_of_retries() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        capture(&mut caller, failure("order-17")).await;
        server.advance(Span::from_secs(60 + 7));
        caller.ok(PATH, request("start", 0)).await;
        target.next().await.fail();
        let by_hand = captured(&mut caller, failure("order-18")).await;
        let retry = json!({ "queue_name": "dead", "id": by_hand });
        tokio::join!(caller.ok("/v1/letters.retry", retry), async { target.next().await.done() });
        caller.ok(PATH, request("stop", 0)).await;
        let page = caller.page("/metrics").await.text();
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
            assert!(page.lines().any(|found| found == line), "{line} is not in\n{page}");
        }
    });
}
