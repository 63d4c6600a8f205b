//! The circuit breaker of a destination.

use super::{Target, capture, failure, letter, process, serve_with};
use crate::retries::until;
use crate::test_server::TestServer;

const ONE: (&str, &str) = ("REDRIVE_DLQ_BREAKER_THRESHOLD", "1");
const A_SECOND: (&str, &str) = ("REDRIVE_DLQ_BREAKER_OPEN_SECONDS", "1");

/// Opens the breaker: a first letter fails.
fn open_breaker(server: &TestServer, target: &Target) -> serde_json::Value {
    let id = capture(server, &[failure("s-1")]).remove(0);
    target.next().answer(503);
    until("an open breaker", || process(server)["held"].as_array().is_some_and(|held| !held.is_empty()));
    id
}

#[test]
fn dlq_breaker_threshold_is_the_number_of_failures_that_open_the_breaker() {
    let target = Target::new();
    let server = serve_with("environment-threshold", &target.url, &[ONE]);
    let id = open_breaker(&server, &target);
    assert_eq!(letter(&server, &id)["retry_count"], 1, "one failure opens the breaker, and there is no second retry");
}

#[test]
fn dlq_breaker_open_seconds_is_the_time_that_the_breaker_stays_open() {
    let target = Target::new();
    let server = serve_with("environment-open", &target.url, &[ONE, A_SECOND]);
    open_breaker(&server, &target);
    let id = capture(&server, &[failure("s-2")]).remove(0);
    server.advance("1s");
    target.next().answer(200);
    until("a completed letter", || letter(&server, &id)["status"] == "completed");
}

#[test]
fn dlq_breaker_probes_is_the_number_of_probes_after_that_time() {
    let target = Target::new();
    let server = serve_with("environment-probes", &target.url, &[ONE, A_SECOND, ("REDRIVE_DLQ_BREAKER_PROBES", "2")]);
    open_breaker(&server, &target);
    capture(&server, &[failure("s-2"), failure("s-3")]);
    server.advance("1s");
    let probes = [target.next(), target.next()];
    probes.into_iter().for_each(|probe| probe.answer(200));
}
