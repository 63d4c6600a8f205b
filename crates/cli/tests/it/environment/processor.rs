//! Variables about automatic retries.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Target, capture, failure, get, letter, process, serve_with, stats, targets};
use crate::retries::until;
use crate::test_server::{TestServer, command, folder_with};

#[test]
fn dlq_retry_processor_enabled_starts_the_retries_with_the_server() {
    let target = Target::new();
    let server = serve_with("environment-off", &target.url, &[("REDRIVE_DLQ_RETRY_PROCESSOR_ENABLED", "false")]);
    let stats = stats(&server);
    assert_eq!((&stats["is_processor_running"], &stats["retry_interval_seconds"]), (&json!(false), &json!(null)));
    assert_eq!(process(&server)["state"], "stopped");
}

#[test]
fn dlq_retry_interval_seconds_is_the_poll_interval_of_the_processor() {
    let target = Target::new();
    for (variables, seconds) in [(&[("REDRIVE_DLQ_RETRY_INTERVAL_SECONDS", "10")][..], 10), (&[], 60)] {
        let server = serve_with("environment-interval", &target.url, variables);
        let stats = stats(&server);
        assert_eq!((&stats["is_processor_running"], &stats["retry_interval_seconds"]), (&json!(true), &json!(seconds)));
    }
}

#[test]
fn dlq_max_parallel_limits_concurrent_retries() {
    let target = Target::new();
    let server = serve_with("environment-parallel", &target.url, &[("REDRIVE_DLQ_MAX_PARALLEL", "1")]);
    capture(&server, &[failure("s-1"), failure("s-2")]);
    let first = target.next();
    let counts = stats(&server)["status_breakdown"].clone();
    assert_eq!((&counts["retrying"], &counts["pending"]), (&json!(1), &json!(1)));
    first.answer(200);
    target.next().answer(200);
    until("two completed letters", || stats(&server)["status_breakdown"]["completed"] == 2);
}

#[test]
fn dlq_attempt_timeout_seconds_is_the_timeout_of_a_retry() {
    let target = Target::new();
    let server = serve_with("environment-timeout", &target.url, &[("REDRIVE_DLQ_ATTEMPT_TIMEOUT_SECONDS", "2")]);
    let id = capture(&server, &[failure("s-1")]).remove(0);
    let _unanswered = target.next();
    server.advance("3s");
    until("an attempt that timed out", || {
        let attempts = get(&server, &id)["attempts"].clone();
        attempts.as_array().unwrap().iter().any(|attempt| attempt["attempt"]["cause"] == "timed_out")
    });
}

#[test]
fn dlq_lease_seconds_is_the_duration_of_a_claim() {
    let target = Target::new();
    let server = serve_with("environment-lease", &target.url, &[("REDRIVE_DLQ_LEASE_SECONDS", "5")]);
    let id = capture(&server, &[failure("s-1")]).remove(0);
    let _unanswered = target.next();
    assert_eq!(letter(&server, &id)["lease_deadline"], "2026-11-15T12:00:05Z");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "another process has its own clock")]
fn dlq_drain_deadline_seconds_is_the_time_for_retries_to_finish() {
    let target = Target::new();
    let folder = folder_with("environment-drain", &targets(&target.url));
    let serve = |variable: &str, value: &str| {
        let mut serve = command(&["serve", "--listen", "127.0.0.1:0"]);
        serve.current_dir(folder.path()).env(variable, value);
        TestServer::start(serve)
    };
    let mut server = serve("REDRIVE_DLQ_DRAIN_DEADLINE_SECONDS", "0");
    let id = capture(&server, &[failure("s-1")]).remove(0);
    let _unanswered = target.next();
    let begin = Instant::now();
    assert_eq!(server.stop(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(20), "the default is 30 seconds");
    let server = serve("REDRIVE_DLQ_RETRY_PROCESSOR_ENABLED", "false");
    let attempts = get(&server, &id)["attempts"].clone();
    assert_eq!(attempts.as_array().unwrap().last().unwrap()["attempt"]["cause"], "aborted");
}
