//! How letters are retried by themselves.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Target, advance, capture, failure, get, letter, process, serve_with, stats, targets};
use crate::bed::{Bed, command, folder};
use crate::retries::until;

#[test]
fn dlq_retry_processor_enabled_decides_whether_letters_are_retried_from_the_start() {
    let target = Target::new();
    let bed = serve_with("environment-off", &target.url, &[("REDRIVE_DLQ_RETRY_PROCESSOR_ENABLED", "false")]);
    let told = stats(&bed);
    assert_eq!((&told["is_processor_running"], &told["retry_interval_seconds"]), (&json!(false), &json!(null)));
    assert_eq!(process(&bed)["state"], "stopped");
}

#[test]
fn dlq_retry_interval_seconds_is_how_long_the_processor_sleeps_at_most() {
    let target = Target::new();
    for (variables, seconds) in [(&[("REDRIVE_DLQ_RETRY_INTERVAL_SECONDS", "10")][..], 10), (&[], 60)] {
        let bed = serve_with("environment-interval", &target.url, variables);
        let told = stats(&bed);
        assert_eq!((&told["is_processor_running"], &told["retry_interval_seconds"]), (&json!(true), &json!(seconds)));
    }
}

#[test]
fn dlq_max_parallel_bounds_the_retries_that_run() {
    let target = Target::new();
    let bed = serve_with("environment-parallel", &target.url, &[("REDRIVE_DLQ_MAX_PARALLEL", "1")]);
    capture(&bed, &[failure("s-1"), failure("s-2")]);
    let first = target.next();
    let told = stats(&bed)["status_breakdown"].clone();
    assert_eq!((&told["retrying"], &told["pending"]), (&json!(1), &json!(1)));
    first.answer(200);
    target.next().answer(200);
    until("two completed letters", || stats(&bed)["status_breakdown"]["completed"] == 2);
}

#[test]
fn dlq_attempt_timeout_seconds_ends_a_retry() {
    let target = Target::new();
    let bed = serve_with("environment-timeout", &target.url, &[("REDRIVE_DLQ_ATTEMPT_TIMEOUT_SECONDS", "2")]);
    let id = capture(&bed, &[failure("s-1")]).remove(0);
    let _unanswered = target.next();
    advance(&bed, "3s");
    until("an attempt that timed out", || {
        let attempts = get(&bed, &id)["attempts"].clone();
        attempts.as_array().unwrap().iter().any(|attempt| attempt["attempt"]["cause"] == "timed_out")
    });
}

#[test]
fn dlq_lease_seconds_is_how_long_a_letter_is_claimed() {
    let target = Target::new();
    let bed = serve_with("environment-lease", &target.url, &[("REDRIVE_DLQ_LEASE_SECONDS", "5")]);
    let id = capture(&bed, &[failure("s-1")]).remove(0);
    let _unanswered = target.next();
    assert_eq!(letter(&bed, &id)["lease_deadline"], "2026-11-15T12:00:05Z");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a process of its own has its own time")]
fn dlq_drain_deadline_seconds_is_how_long_retries_may_take_to_end() {
    let target = Target::new();
    let folder = folder("environment-drain");
    std::fs::write(folder.join("redrive.toml"), targets(&target.url)).unwrap();
    let serve = |variable: &str, value: &str| {
        let mut serve = command(&["serve", "--listen", "127.0.0.1:0"]);
        serve.current_dir(&folder).env(variable, value);
        Bed::start(serve)
    };
    let mut bed = serve("REDRIVE_DLQ_DRAIN_DEADLINE_SECONDS", "0");
    let id = capture(&bed, &[failure("s-1")]).remove(0);
    let _unanswered = target.next();
    let begin = Instant::now();
    assert_eq!(bed.stop(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(20), "the usual time is 30 seconds");
    let bed = serve("REDRIVE_DLQ_RETRY_PROCESSOR_ENABLED", "false");
    let attempts = get(&bed, &id)["attempts"].clone();
    assert_eq!(attempts.as_array().unwrap().last().unwrap()["attempt"]["cause"], "aborted");
}
