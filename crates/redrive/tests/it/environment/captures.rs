//! What becomes a letter, and what kind of one.

use serde_json::{Value, json};

use super::{capture, failure, letter, parked, refused, serve, stats};
use crate::bed::{Bed, command};
use crate::retries::{ok, until};
use crate::search::nobody;
use crate::serve::get as page;

/// So many failures that only a person retries.
fn many(count: usize) -> Vec<Value> {
    (0..count).map(|number| parked(&format!("s-{number}"))).collect()
}

#[test]
fn dlq_enabled_decides_whether_anything_is_captured() {
    let bed = serve(&[("REDRIVE_DLQ_ENABLED", "false")]);
    assert_eq!(refused(&bed, &[failure("s-1")]), (409, "disabled".to_owned()));
}

#[test]
fn dlq_integration_strategy_decides_what_is_captured_by_itself() {
    let bed = serve(&[("REDRIVE_DLQ_INTEGRATION_STRATEGY", "selective")]);
    let caught = |error: &str| json!({ "source_id": error, "fault": { "error": error }, "metadata": { "enqueued_by": "automatic" } });
    assert_eq!(refused(&bed, &[caught("invalid input")]), (409, "skipped_by_strategy".to_owned()));
    capture(&bed, &[caught("timed out")]);
}

#[test]
fn dlq_default_retry_policy_is_that_of_failures_without_one() {
    let bed = serve(&[("REDRIVE_DLQ_DEFAULT_RETRY_POLICY", "linear")]);
    let ids = capture(&bed, &[json!({ "source_id": "s-1", "fault": { "error": "boom" } })]);
    let letter = letter(&bed, &ids[0]);
    assert_eq!((&letter["retry_policy"], &letter["policy_source"]), (&json!("linear"), &json!("default")));
}

#[test]
fn a_failure_that_is_handed_over_without_a_policy_is_retried_exponentially() {
    let bed = serve(&[]);
    let permanent = json!({ "source_id": "s-1", "fault": { "error": "boom" } });
    let named = json!({ "source_id": "s-2", "fault": { "error": "boom", "category": "permanent" } });
    let ids = capture(&bed, &[permanent, named]);
    let terms = |id: &Value| {
        let letter = letter(&bed, id);
        (letter["retry_policy"].clone(), letter["policy_source"].clone())
    };
    assert_eq!(terms(&ids[0]), (json!("exponential"), json!("default")));
    assert_eq!(terms(&ids[1]), (json!("never"), json!("derived")));
}

#[test]
fn dlq_default_max_retries_is_that_of_failures_without_one() {
    let bed = serve(&[("REDRIVE_DLQ_DEFAULT_MAX_RETRIES", "7")]);
    let ids = capture(&bed, &[failure("s-1")]);
    assert_eq!(letter(&bed, &ids[0])["max_retries"], 7);
}

#[test]
fn dlq_max_size_bounds_captures_in_either_spelling() {
    for variable in ["REDRIVE_DLQ_MAX_SIZE", "REDRIVE_DLQ__MAX_SIZE"] {
        let bed = serve(&[(variable, "100")]);
        assert_eq!(refused(&bed, &many(101)), (429, "queue_full".to_owned()), "{variable}");
        capture(&bed, &many(100));
        assert_eq!(stats(&bed)["utilization_percent"], 100.0);
    }
}

#[test]
fn dlq_allow_large_lets_queues_be_larger() {
    let bed = serve(&[("REDRIVE_DLQ_ALLOW_LARGE", "true"), ("REDRIVE_DLQ_MAX_SIZE", "100001")]);
    assert_eq!(stats(&bed)["max_size"], 100_001);
    let larger = json!({ "queue_name": "dead", "set": { "max_size": "200000" } });
    ok(&bed, "letters.configure", &larger);
    assert_eq!(stats(&bed)["max_size"], 200_000);
}

#[test]
fn dlq_on_full_keeps_what_does_not_fit() {
    let bed = serve(&[("REDRIVE_DLQ_MAX_SIZE", "100"), ("REDRIVE_DLQ_ON_FULL", "overflow")]);
    capture(&bed, &many(100));
    let ids = capture(&bed, &[failure("one more")]);
    let letter = letter(&bed, &ids[0]);
    assert_eq!((&letter["overflow"], &letter["next_retry_at"]), (&json!(true), &Value::Null));
}

#[test]
fn dlq_on_duplicate_decides_about_a_second_failure() {
    let bed = serve(&[("REDRIVE_DLQ_ON_DUPLICATE", "reject")]);
    capture(&bed, &[parked("s-1")]);
    assert_eq!(refused(&bed, &[parked("s-1")]), (409, "duplicate".to_owned()));
}

#[test]
fn dlq_max_letter_bytes_bounds_the_content_of_a_letter() {
    let bed = serve(&[("REDRIVE_DLQ_MAX_LETTER_BYTES", "1024")]);
    let of_size = |bytes: usize| json!({ "source_id": "s-1", "utf8": "x".repeat(bytes), "fault": { "error": "boom" } });
    assert_eq!(refused(&bed, &[of_size(1025)]).0, 400);
    capture(&bed, &[of_size(1000)]);
}

#[test]
fn dlq_jitter_percent_spreads_the_times_of_retries_and_makes_none_earlier() {
    let bed = serve(&[("REDRIVE_DLQ_JITTER_PERCENT", "100")]);
    let in_a_minute = |number: u32| json!({ "source_id": number.to_string(), "retry_policy": "exponential", "fault": { "error": "timed out" } });
    let ids = capture(&bed, &(0..50).map(in_a_minute).collect::<Vec<_>>());
    let mut times: Vec<String> =
        ids.iter().map(|id| letter(&bed, id)["next_retry_at"].as_str().unwrap().to_owned()).collect();
    times.sort();
    times.dedup();
    assert!(times.len() > 40, "{times:?}");
    let within = "2026-11-15T12:01:00"..="2026-11-15T12:02:00.000Z";
    assert!(times.iter().all(|time| within.contains(&time.as_str())), "{times:?}");
}

#[test]
fn dlq_fail_on_opensearch_unavailable_refuses_what_the_index_does_not_take() {
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.env("REDRIVE_DLQ_OPENSEARCH_URL", nobody()).env("REDRIVE_DLQ_OPENSEARCH_TIMEOUT_SECONDS", "1");
    serve.env("REDRIVE_DLQ_FAIL_ON_OPENSEARCH_UNAVAILABLE", "true");
    let bed = Bed::start(serve);
    until("the index is known to be down", || page(&bed.address, "/health").contains(r#""status":"warn""#));
    bed.done(&["queue", "create", "dead"]);
    assert_eq!(refused(&bed, &[failure("s-1")]), (454, "persist_failed".to_owned()));
}
