//! Variables about captures.

use serde_json::{Value, json};

use super::{capture, failure, letter, parked, rejected, serve, serve_unstarted, stats};
use crate::retries::{ok, until};
use crate::search::unreachable_url;
use crate::serve::get as page;
use crate::test_server::{TestServer, command};

/// Failures without automatic retries.
fn many(count: usize) -> Vec<Value> {
    (0..count).map(|number| parked(&format!("s-{number}"))).collect()
}

#[test]
fn dlq_enabled_allows_captures() {
    let server = serve(&[("REDRIVE_DLQ_ENABLED", "false")]);
    assert_eq!(rejected(&server, &[failure("s-1")]), (409, "disabled".to_owned()));
}

#[test]
fn dlq_integration_strategy_selects_automatic_captures() {
    let server = serve(&[("REDRIVE_DLQ_INTEGRATION_STRATEGY", "selective")]);
    let automatic = |error: &str| json!({ "source_id": error, "fault": { "error": error }, "metadata": { "enqueued_by": "automatic" } });
    assert_eq!(rejected(&server, &[automatic("invalid input")]), (409, "skipped_by_strategy".to_owned()));
    capture(&server, &[automatic("timed out")]);
}

#[test]
fn dlq_default_retry_policy_applies_to_captures_without_a_policy() {
    let server = serve(&[("REDRIVE_DLQ_DEFAULT_RETRY_POLICY", "linear")]);
    let ids = capture(&server, &[json!({ "source_id": "s-1", "fault": { "error": "boom" } })]);
    let letter = letter(&server, &ids[0]);
    assert_eq!((&letter["retry_policy"], &letter["policy_source"]), (&json!("linear"), &json!("default")));
}

#[test]
fn a_manual_capture_without_a_policy_and_a_category_is_retried_exponentially() {
    let server = serve(&[]);
    let permanent = json!({ "source_id": "s-1", "fault": { "error": "boom" } });
    let named = json!({ "source_id": "s-2", "fault": { "error": "boom", "category": "permanent" } });
    let ids = capture(&server, &[permanent, named]);
    let terms = |id: &Value| {
        let letter = letter(&server, id);
        (letter["retry_policy"].clone(), letter["policy_source"].clone())
    };
    assert_eq!(terms(&ids[0]), (json!("exponential"), json!("default")));
    assert_eq!(terms(&ids[1]), (json!("never"), json!("derived")));
}

#[test]
fn dlq_default_max_retries_applies_to_captures_without_a_maximum() {
    let server = serve(&[("REDRIVE_DLQ_DEFAULT_MAX_RETRIES", "7")]);
    let ids = capture(&server, &[failure("s-1")]);
    assert_eq!(letter(&server, &ids[0])["max_retries"], 7);
}

#[test]
fn dlq_max_size_limits_captures_in_both_spellings() {
    for variable in ["REDRIVE_DLQ_MAX_SIZE", "REDRIVE_DLQ__MAX_SIZE"] {
        let server = serve(&[(variable, "100")]);
        assert_eq!(rejected(&server, &many(101)), (429, "queue_full".to_owned()), "{variable}");
        capture(&server, &many(100));
        assert_eq!(stats(&server)["utilization_percent"], 100.0);
    }
}

#[test]
fn dlq_allow_large_allows_a_larger_max_size() {
    let server = serve(&[("REDRIVE_DLQ_ALLOW_LARGE", "true"), ("REDRIVE_DLQ_MAX_SIZE", "100001")]);
    assert_eq!(stats(&server)["max_size"], 100_001);
    let larger = json!({ "queue_name": "dead", "set": { "max_size": "200000" } });
    ok(&server, "letters.configure", &larger);
    assert_eq!(stats(&server)["max_size"], 200_000);
}

#[test]
fn dlq_on_full_stores_letters_above_max_size() {
    let server = serve(&[("REDRIVE_DLQ_MAX_SIZE", "100"), ("REDRIVE_DLQ_ON_FULL", "overflow")]);
    capture(&server, &many(100));
    let ids = capture(&server, &[failure("one more")]);
    let letter = letter(&server, &ids[0]);
    assert_eq!((&letter["overflow"], &letter["next_retry_at"]), (&json!(true), &Value::Null));
}

#[test]
fn dlq_on_duplicate_rejects_a_second_failure() {
    let server = serve(&[("REDRIVE_DLQ_ON_DUPLICATE", "reject")]);
    capture(&server, &[parked("s-1")]);
    assert_eq!(rejected(&server, &[parked("s-1")]), (409, "duplicate".to_owned()));
}

#[test]
fn dlq_max_letter_bytes_limits_the_content_of_a_letter() {
    let server = serve(&[("REDRIVE_DLQ_MAX_LETTER_BYTES", "1024")]);
    let of_size = |bytes: usize| json!({ "source_id": "s-1", "utf8": "x".repeat(bytes), "fault": { "error": "boom" } });
    assert_eq!(rejected(&server, &[of_size(1025)]).0, 400);
    capture(&server, &[of_size(1000)]);
}

#[test]
fn dlq_jitter_percent_delays_retries_by_random_times() {
    let server = serve_unstarted("environment-jitter", &[("REDRIVE_DLQ_JITTER_PERCENT", "100")]);
    let in_a_minute = |number: u32| json!({ "source_id": number.to_string(), "retry_policy": "exponential", "fault": { "error": "timed out" } });
    let ids = capture(&server, &(0..50).map(in_a_minute).collect::<Vec<_>>());
    let mut times: Vec<String> =
        ids.iter().map(|id| letter(&server, id)["next_retry_at"].as_str().unwrap().to_owned()).collect();
    times.sort();
    times.dedup();
    assert!(times.len() > 40, "{times:?}");
    let within = "2026-11-15T12:01:00"..="2026-11-15T12:02:00.000Z";
    assert!(times.iter().all(|time| within.contains(&time.as_str())), "{times:?}");
}

#[test]
fn dlq_fail_on_opensearch_unavailable_rejects_letters_that_cannot_be_indexed() {
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.env("REDRIVE_DLQ_OPENSEARCH_URL", unreachable_url()).env("REDRIVE_DLQ_OPENSEARCH_TIMEOUT_SECONDS", "1");
    serve.env("REDRIVE_DLQ_FAIL_ON_OPENSEARCH_UNAVAILABLE", "true");
    let server = TestServer::start(serve);
    until("the index is reported as down", || page(&server.address, "/health").contains(r#""status":"warn""#));
    server.run_ok(&["queue", "create", "dead"]);
    assert_eq!(rejected(&server, &[failure("s-1")]), (454, "persist_failed".to_owned()));
}

#[test]
fn dlq_moved_retry_policy_and_max_retries_apply_to_items_that_died() {
    let variables = [("REDRIVE_DLQ_MOVED_RETRY_POLICY", "linear"), ("REDRIVE_DLQ_MOVED_MAX_RETRIES", "9")];
    let server = serve_unstarted("environment-moved", &variables);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead"]);
    server.run_ok(&["produce", "orders", "order 17"]);
    let leased = server.objects(&["lease", "orders"]);
    server.run_ok(&["retry", "orders", leased[0]["id"].as_str().unwrap(), "--dead"]);
    let letter = server.objects(&["letters", "list", "dead"]).remove(0);
    assert_eq!((&letter["retry_policy"], &letter["max_retries"]), (&json!("linear"), &json!(9)));
    assert_eq!(letter["next_retry_at"], "2026-11-15T12:05:00Z");
}
