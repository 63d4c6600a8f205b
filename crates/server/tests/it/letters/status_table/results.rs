//! What an attempt comes to.

use redrive_core::Span;
use redrive_run::Handled;
use redrive_store::Clock;
use serde_json::{Value, json};

use super::{answered, by_hand, captured, dead_queue, letter, lifetime, newest, one, start, until, with};
use crate::bed::{ATTEMPT_TIMEOUT, Bed, Tried, each_retrying};
use crate::letters::{failure, refused};

#[tokio::test]
async fn r04_success_completes_a_letter_which_is_kept_for_a_week_outside_the_size() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let id = captured(&mut caller, with("a", json!({ "retry_policy": "immediate" }))).await;
        start(&mut caller).await;
        target.next().await.done();
        let told = until(&mut caller, &id, "completed").await;
        assert_eq!((&told["total_attempts"], told.get("retry_count")), (&json!(2), None));
        assert_eq!(newest(&mut caller, &id).await["outcome"], "success");
        let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!((&stats["queue_size"], &stats["status_breakdown"]["completed"]), (&json!(0), &json!(1)));
        bed.advance(Span::from_days(7).saturating_sub(Span::from_secs(1)));
        assert_eq!(letter(&mut caller, &id).await["status"], "completed");
        bed.advance(Span::from_secs(2));
        assert_eq!(refused(&mut caller, "/v1/letters.get", one(&id)).await, (404, "not_found".to_owned()));
        assert_eq!((lifetime(&mut caller, "retry_success").await, lifetime(&mut caller, "purged").await), (1, 1));
    })
    .await;
}

/// Each way to fail, and what the ledger says of it.
type Misdeed = (&'static str, fn(Tried, &Bed), Option<&'static str>);

const MISDEEDS: [Misdeed; 3] = [
    ("a failure", |tried, _| tried.fail(), None),
    ("a panic", |tried, _| tried.panic(), None),
    (
        "a timeout",
        |tried, bed| {
            bed.advance(ATTEMPT_TIMEOUT.saturating_add(Span::from_secs(1)));
            drop(tried);
        },
        Some("timed_out"),
    ),
];

#[tokio::test]
async fn r05_a_failure_a_timeout_and_a_panic_each_cost_a_retry() {
    for (misdeed, fails, cause) in MISDEEDS {
        each_retrying(async |bed, mut target| {
            let mut caller = bed.caller().await;
            dead_queue(&mut caller).await;
            let new = with("a", json!({ "retry_policy": "exponential", "max_retries": 2 }));
            let id = captured(&mut caller, new).await;
            start(&mut caller).await;
            bed.advance(Span::from_mins(1));
            fails(target.next().await, &bed);
            let told = until(&mut caller, &id, "pending").await;
            assert_eq!((&told["retry_count"], &told["total_attempts"]), (&json!(1), &json!(2)), "{misdeed}");
            let due = bed.clock.now().saturating_add(Span::from_mins(2));
            assert_eq!(told["next_retry_at"], due.to_string().replace(".000Z", "Z"), "{misdeed}");
            assert_eq!(newest(&mut caller, &id).await["cause"].as_str(), cause, "{misdeed}");
            assert_eq!((lifetime(&mut caller, "retry_failed").await, lifetime(&mut caller, "exhausted").await), (1, 0));

            bed.advance(Span::from_mins(2));
            fails(target.next().await, &bed);
            let told = until(&mut caller, &id, "exhausted").await;
            assert_eq!((&told["retry_count"], told.get("next_retry_at")), (&json!(2), None), "{misdeed}");
            assert_eq!((lifetime(&mut caller, "retry_failed").await, lifetime(&mut caller, "exhausted").await), (2, 1));
            bed.advance(Span::from_hours(2));
            assert!(target.at_once().is_none(), "nothing retries it by itself");
        })
        .await;
    }
}

#[tokio::test]
async fn r05_exhausted_is_counted_when_a_letter_enters_it_and_not_while_it_stays() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let new = with("a", json!({ "retry_policy": "never", "max_retries": 1 }));
        let id = captured(&mut caller, new).await;
        for (failures, max_retries, entered) in
            [(1, None, 1), (2, None, 1), (3, Some(4), 1), (4, None, 2), (5, None, 2)]
        {
            if let Some(max_retries) = max_retries {
                let edit = json!({ "queue_name": "dead", "id": id, "max_retries": max_retries });
                assert_eq!(caller.ok("/v1/letters.edit", edit).await["letter"]["status"], "pending");
            }
            let (asked, tried) = by_hand(&bed, &mut target, &id).await;
            tried.fail();
            let told = answered(asked).await;
            assert_eq!((&told["success"], &told["letter"]["retry_count"]), (&Value::Null, &json!(failures)));
            let status = if failures == 3 { "pending" } else { "exhausted" };
            assert_eq!(told["letter"]["status"], status, "after {failures}");
            assert_eq!(lifetime(&mut caller, "exhausted").await, entered, "after {failures}");
        }
        assert_eq!(lifetime(&mut caller, "retry_failed").await, 5);
    })
    .await;
}

#[tokio::test]
async fn r06_after_a_partial_failure_only_the_failed_parts_are_tried() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let parts = json!({ "parts": ["x", "y", "z"], "retry_policy": "exponential", "max_retries": 5 });
        let id = captured(&mut caller, with("a", parts)).await;
        start(&mut caller).await;
        bed.advance(Span::from_mins(1));
        let first = target.next().await;
        assert_eq!(first.call.parts, ["x", "y", "z"]);
        first.fail_in(&["z", "x"]);
        let told = until(&mut caller, &id, "pending").await;
        assert_eq!((&told["retry_count"], &get_parts(&mut caller, &id).await), (&json!(1), &json!(["z", "x"])));
        assert_eq!(newest(&mut caller, &id).await["outcome"], "partial");

        bed.advance(Span::from_mins(2));
        let second = target.next().await;
        assert_eq!(second.call.parts, ["z", "x"]);
        second.fail_in(&["x", "z"]);
        until(&mut caller, &id, "pending").await;
        let record = newest(&mut caller, &id).await;
        assert_eq!(record["outcome"], "failure", "all of what was left failed");
        assert_eq!(letter(&mut caller, &id).await["retry_count"], 2);

        bed.advance(Span::from_mins(4));
        let third = target.next().await;
        assert_eq!(third.call.parts, ["x", "z"]);
        third.done();
        until(&mut caller, &id, "completed").await;
        assert_eq!(newest(&mut caller, &id).await["outcome"], "success", "none failed");
    })
    .await;
}

async fn get_parts(caller: &mut crate::bed::Caller, id: &Value) -> Value {
    crate::letters::get(caller, id).await["parts"].clone()
}

#[tokio::test]
async fn r06_a_partial_failure_of_the_last_retry_exhausts_a_letter() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let parts = json!({ "parts": ["x", "y"], "retry_policy": "immediate", "max_retries": 1 });
        let id = captured(&mut caller, with("a", parts)).await;
        start(&mut caller).await;
        target.next().await.fail_in(&["y"]);
        until(&mut caller, &id, "exhausted").await;
        let (asked, tried) = by_hand(&bed, &mut target, &id).await;
        assert_eq!(tried.call.parts, ["y"], "by hand, too");
        tried.done();
        assert_eq!(answered(asked).await["success"], true);
    })
    .await;
}

#[tokio::test]
async fn r07_a_deferred_attempt_costs_nothing_and_waits_until_the_time_it_named() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let id = captured(&mut caller, with("a", json!({ "retry_policy": "immediate" }))).await;
        start(&mut caller).await;
        let until_then = bed.clock.now().saturating_add(Span::from_hours(1));
        target.next().await.answer(Handled::Deferred { until: until_then });
        let told = until(&mut caller, &id, "pending").await;
        assert_eq!((told.get("retry_count"), &told["total_attempts"]), (None, &json!(1)));
        assert_eq!(told["next_retry_at"], "2026-11-15T13:00:00Z");
        bed.advance(Span::from_mins(59));
        assert_eq!(letter(&mut caller, &id).await["status"], "pending");
        assert!(target.at_once().is_none(), "it is not due");
        bed.advance(Span::from_mins(1));
        let tried = target.next().await;
        assert_eq!(tried.call.attempt, 2);
        tried.done();
        until(&mut caller, &id, "completed").await;
        assert_eq!((lifetime(&mut caller, "deferred").await, lifetime(&mut caller, "retry_failed").await), (1, 0));
    })
    .await;
}

#[tokio::test]
async fn r07_a_deferred_retry_by_hand_leaves_a_letter_as_it_was() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let scheduled = captured(&mut caller, failure("scheduled")).await;
        let spent = captured(&mut caller, with("spent", json!({ "max_retries": 0 }))).await;
        for id in [scheduled, spent] {
            let before = letter(&mut caller, &id).await;
            let (asked, tried) = by_hand(&bed, &mut target, &id).await;
            tried.answer(Handled::Deferred { until: bed.clock.now().saturating_add(Span::from_hours(1)) });
            let told = answered(asked).await;
            assert_eq!((told.get("success"), told.get("attempt")), (None, None));
            let after = letter(&mut caller, &id).await;
            for field in ["status", "next_retry_at", "retry_count", "total_attempts", "ended_at"] {
                assert_eq!(after[field], before[field], "{field}");
            }
        }
    })
    .await;
}
