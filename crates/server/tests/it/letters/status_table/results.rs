//! The results of an attempt: success, failure, partial failure, deferral.

use redrive_core::Span;
use redrive_run::Handled;
use redrive_store::Clock;
use serde_json::{Value, json};

use super::{
    captured, failure_with, letter, lifetime_counter, manual_retry, newest_attempt, response_of, start_processor,
    until_status, with_id,
};
use crate::harness::{ATTEMPT_TIMEOUT, PendingAttempt, TestServer, on_each_store_with_target};
use crate::letters::{failure, rejection};

#[test]
fn r04_success_completes_a_letter_which_is_kept_for_a_week_and_not_counted_in_the_size() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let id = captured(&mut caller, failure_with("a", json!({ "retry_policy": "immediate" }))).await;
        start_processor(&mut caller).await;
        target.next().await.done();
        let current = until_status(&mut caller, &id, "completed").await;
        assert_eq!((&current["total_attempts"], current.get("retry_count")), (&json!(2), None));
        assert_eq!(newest_attempt(&mut caller, &id).await["outcome"], "success");
        let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!((&stats["queue_size"], &stats["status_breakdown"]["completed"]), (&json!(0), &json!(1)));
        server.advance(Span::from_days(7).saturating_sub(Span::from_secs(1)));
        assert_eq!(letter(&mut caller, &id).await["status"], "completed");
        server.advance(Span::from_secs(2));
        assert_eq!(rejection(&mut caller, "/v1/letters.get", with_id(&id)).await, (404, "not_found".to_owned()));
        assert_eq!(
            (lifetime_counter(&mut caller, "retry_success").await, lifetime_counter(&mut caller, "purged").await),
            (1, 1)
        );
    });
}

/// A way for an attempt to fail: its name, how the test makes the attempt fail, and the cause in the attempt record.
type FailureCase = (&'static str, fn(PendingAttempt, &TestServer), Option<&'static str>);

const FAILURES: [FailureCase; 3] = [
    ("a failure", |attempt, _| attempt.fail(), None),
    ("a panic", |attempt, _| attempt.panic(), None),
    (
        "a timeout",
        |attempt, server| {
            server.advance(ATTEMPT_TIMEOUT.saturating_add(Span::from_secs(1)));
            drop(attempt);
        },
        Some("timed_out"),
    ),
];

#[test]
fn r05_a_failure_a_timeout_and_a_panic_each_count_as_a_retry() {
    for (case, fails, cause) in FAILURES {
        on_each_store_with_target(async |server, mut caller, mut target| {
            let new = failure_with("a", json!({ "retry_policy": "exponential", "max_retries": 2 }));
            let id = captured(&mut caller, new).await;
            start_processor(&mut caller).await;
            server.advance(Span::from_mins(1));
            fails(target.next().await, &server);
            let current = until_status(&mut caller, &id, "pending").await;
            assert_eq!((&current["retry_count"], &current["total_attempts"]), (&json!(1), &json!(2)), "{case}");
            let due = server.clock.now().saturating_add(Span::from_mins(2));
            assert_eq!(current["next_retry_at"], due.to_string().replace(".000Z", "Z"), "{case}");
            assert_eq!(newest_attempt(&mut caller, &id).await["cause"].as_str(), cause, "{case}");
            assert_eq!(
                (lifetime_counter(&mut caller, "retry_failed").await, lifetime_counter(&mut caller, "exhausted").await),
                (1, 0)
            );

            server.advance(Span::from_mins(2));
            fails(target.next().await, &server);
            let current = until_status(&mut caller, &id, "exhausted").await;
            assert_eq!((&current["retry_count"], current.get("next_retry_at")), (&json!(2), None), "{case}");
            assert_eq!(
                (lifetime_counter(&mut caller, "retry_failed").await, lifetime_counter(&mut caller, "exhausted").await),
                (2, 1)
            );
            server.advance(Span::from_hours(2));
            assert!(target.try_next().is_none(), "an exhausted letter is not retried automatically");
        });
    }
}

#[test]
fn r05_exhausted_is_counted_only_when_a_letter_becomes_exhausted() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let new = failure_with("a", json!({ "retry_policy": "never", "max_retries": 1 }));
        let id = captured(&mut caller, new).await;
        for (failures, max_retries, entered) in
            [(1, None, 1), (2, None, 1), (3, Some(4), 1), (4, None, 2), (5, None, 2)]
        {
            if let Some(max_retries) = max_retries {
                let edit = json!({ "queue_name": "dead", "id": id, "max_retries": max_retries });
                assert_eq!(caller.ok("/v1/letters.edit", edit).await["letter"]["status"], "pending");
            }
            let (call, attempt) = manual_retry(&server, &mut target, &id).await;
            attempt.fail();
            let answer = response_of(call).await;
            assert_eq!((&answer["success"], &answer["letter"]["retry_count"]), (&json!(false), &json!(failures)));
            assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{answer}");
            let status = if failures == 3 { "pending" } else { "exhausted" };
            assert_eq!(answer["letter"]["status"], status, "after {failures}");
            assert_eq!(lifetime_counter(&mut caller, "exhausted").await, entered, "after {failures}");
        }
        assert_eq!(lifetime_counter(&mut caller, "retry_failed").await, 5);
    });
}

#[test]
fn r06_after_a_partial_failure_only_the_failed_parts_are_retried() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let parts = json!({ "parts": ["x", "y", "z"], "retry_policy": "exponential", "max_retries": 5 });
        let id = captured(&mut caller, failure_with("a", parts)).await;
        start_processor(&mut caller).await;
        server.advance(Span::from_mins(1));
        let first = target.next().await;
        assert_eq!(first.call.parts, ["x", "y", "z"]);
        first.fail_in(&["z", "x"]);
        let current = until_status(&mut caller, &id, "pending").await;
        assert_eq!((&current["retry_count"], &get_parts(&mut caller, &id).await), (&json!(1), &json!(["z", "x"])));
        assert_eq!(newest_attempt(&mut caller, &id).await["outcome"], "partial");

        server.advance(Span::from_mins(2));
        let second = target.next().await;
        assert_eq!(second.call.parts, ["z", "x"]);
        second.fail_in(&["x", "z"]);
        until_status(&mut caller, &id, "pending").await;
        let record = newest_attempt(&mut caller, &id).await;
        assert_eq!(record["outcome"], "failure", "all remaining parts failed");
        assert_eq!(letter(&mut caller, &id).await["retry_count"], 2);

        server.advance(Span::from_mins(4));
        let third = target.next().await;
        assert_eq!(third.call.parts, ["x", "z"]);
        third.done();
        until_status(&mut caller, &id, "completed").await;
        assert_eq!(newest_attempt(&mut caller, &id).await["outcome"], "success", "no part failed");
    });
}

async fn get_parts(caller: &mut crate::harness::Caller, id: &Value) -> Value {
    crate::letters::get(caller, id).await["parts"].clone()
}

#[test]
fn r06_a_partial_failure_of_the_last_retry_exhausts_a_letter() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let parts = json!({ "parts": ["x", "y"], "retry_policy": "immediate", "max_retries": 1 });
        let id = captured(&mut caller, failure_with("a", parts)).await;
        start_processor(&mut caller).await;
        target.next().await.fail_in(&["y"]);
        until_status(&mut caller, &id, "exhausted").await;
        let (call, attempt) = manual_retry(&server, &mut target, &id).await;
        assert_eq!(attempt.call.parts, ["y"], "a manual retry gets only the failed parts, too");
        attempt.done();
        assert_eq!(response_of(call).await["success"], true);
    });
}

#[test]
fn r07_a_deferred_attempt_is_not_counted_and_is_due_at_the_given_time() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let id = captured(&mut caller, failure_with("a", json!({ "retry_policy": "immediate" }))).await;
        start_processor(&mut caller).await;
        let until_then = server.clock.now().saturating_add(Span::from_hours(1));
        target.next().await.answer(Handled::Deferred { until: until_then });
        let current = until_status(&mut caller, &id, "pending").await;
        assert_eq!((current.get("retry_count"), &current["total_attempts"]), (None, &json!(1)));
        assert_eq!(current["next_retry_at"], "2026-11-15T13:00:00Z");
        server.advance(Span::from_mins(59));
        assert_eq!(letter(&mut caller, &id).await["status"], "pending");
        assert!(target.try_next().is_none(), "the letter is not due yet");
        server.advance(Span::from_mins(1));
        let attempt = target.next().await;
        assert_eq!(attempt.call.attempt, 2);
        attempt.done();
        until_status(&mut caller, &id, "completed").await;
        assert_eq!(
            (lifetime_counter(&mut caller, "deferred").await, lifetime_counter(&mut caller, "retry_failed").await),
            (1, 0)
        );
    });
}

#[test]
fn r07_a_deferred_manual_retry_does_not_change_the_letter() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let scheduled = captured(&mut caller, failure("scheduled")).await;
        let spent = captured(&mut caller, failure_with("spent", json!({ "max_retries": 0 }))).await;
        for id in [scheduled, spent] {
            let before = letter(&mut caller, &id).await;
            let (call, attempt) = manual_retry(&server, &mut target, &id).await;
            attempt.answer(Handled::Deferred { until: server.clock.now().saturating_add(Span::from_hours(1)) });
            let answer = response_of(call).await;
            assert_eq!(
                (&answer["success"], &answer["error"], answer.get("attempt")),
                (&json!(false), &Value::Null, None)
            );
            let after = letter(&mut caller, &id).await;
            for field in ["status", "next_retry_at", "retry_count", "total_attempts", "ended_at"] {
                assert_eq!(after[field], before[field], "{field}");
            }
        }
    });
}
