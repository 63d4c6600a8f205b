//! When a destination is left alone.

use super::{Target, advance, capture, failure, letter, process, serve_with};
use crate::bed::Bed;
use crate::retries::until;

const ONE: (&str, &str) = ("REDRIVE_DLQ_BREAKER_THRESHOLD", "1");
const A_SECOND: (&str, &str) = ("REDRIVE_DLQ_BREAKER_OPEN_SECONDS", "1");

/// A first letter fails, and its destination is left alone.
fn opened(bed: &Bed, target: &Target) -> serde_json::Value {
    let id = capture(bed, &[failure("s-1")]).remove(0);
    target.next().answer(503);
    until("a destination that is left alone", || process(bed)["held"].as_array().is_some_and(|held| !held.is_empty()));
    id
}

#[test]
fn dlq_breaker_threshold_is_how_many_failures_open_it() {
    let target = Target::new();
    let bed = serve_with("environment-threshold", &target.url, &[ONE]);
    let id = opened(&bed, &target);
    assert_eq!(letter(&bed, &id)["retry_count"], 1, "after one failure, and no second try");
}

#[test]
fn dlq_breaker_open_seconds_is_how_long_it_stays_open() {
    let target = Target::new();
    let bed = serve_with("environment-open", &target.url, &[ONE, A_SECOND]);
    opened(&bed, &target);
    let id = capture(&bed, &[failure("s-2")]).remove(0);
    advance(&bed, "1s");
    target.next().answer(200);
    until("a completed letter", || letter(&bed, &id)["status"] == "completed");
}

#[test]
fn dlq_breaker_probes_is_how_many_try_whether_it_answers() {
    let target = Target::new();
    let bed = serve_with("environment-probes", &target.url, &[ONE, A_SECOND, ("REDRIVE_DLQ_BREAKER_PROBES", "2")]);
    opened(&bed, &target);
    capture(&bed, &[failure("s-2"), failure("s-3")]);
    advance(&bed, "1s");
    let probes = [target.next(), target.next()];
    probes.into_iter().for_each(|probe| probe.answer(200));
}
