//! Claims: letters that are claimed for a retry, and claims that expire.

use redrive_core::Span;
use redrive_journal::Crash;
use serde_json::{Value, json};

use super::{
    captured, failure_with, fence, letter, lifetime_counter, manual_retry, newest_attempt, one_letter_per_status,
    response_of, start_processor, until_status, with_id,
};
use crate::harness::{CLAIM, on_each_store_with_target, on_simulated_disk_with_target};
use crate::letters::{failure, rejection};

const RETRY: &str = "/v1/letters.retry";

#[test]
fn r02_a_due_letter_is_claimed_under_a_new_id_and_never_early() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let id = captured(&mut caller, failure("a")).await;
        let before = fence(&server, &id).await;
        start_processor(&mut caller).await;
        server.advance(Span::from_secs(59));
        assert_eq!(letter(&mut caller, &id).await["status"], "pending");
        assert!(target.try_next().is_none(), "the letter is not due yet");
        server.advance(Span::from_secs(1));
        let attempt = target.next().await;
        assert_eq!(attempt.call.trigger, redrive_core::Trigger::Automatic);
        let held = letter(&mut caller, &id).await;
        assert_eq!((&held["status"], &held["before"]), (&json!("retrying"), &json!("pending")));
        assert_eq!(held["lease_deadline"], "2026-11-15T12:02:00Z");
        assert!(fence(&server, &id).await > before);
        attempt.done();
        until_status(&mut caller, &id, "completed").await;
    });
}

#[test]
fn r02_a_letter_is_claimed_when_its_dependencies_are_completed() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let first = captured(&mut caller, failure_with("first", json!({ "retry_policy": "never" }))).await;
        let second = failure_with("second", json!({ "retry_policy": "immediate", "depends_on": [first] }));
        let second = captured(&mut caller, second).await;
        start_processor(&mut caller).await;
        let (call, attempt) = manual_retry(&server, &mut target, &first).await;
        assert_eq!(letter(&mut caller, &second).await["blocked"], true);
        attempt.done();
        assert_eq!(response_of(call).await["success"], true);
        let attempt = target.next().await;
        assert_eq!(letter(&mut caller, &second).await["status"], "retrying");
        attempt.done();
        until_status(&mut caller, &second, "completed").await;
    });
}

/// After a crash, an attempt that was running must not look as if it had never started.
#[test]
fn r02_the_start_of_an_attempt_is_durable_before_it_runs() {
    on_simulated_disk_with_target(async |disk, mut server, mut caller, mut target| {
        let id = captured(&mut caller, failure_with("a", json!({ "retry_policy": "immediate" }))).await;
        start_processor(&mut caller).await;
        let _attempt = target.next().await;
        server.crash(|| disk.crash(Crash::LoseAll, 1)).await;
        assert_eq!(letter(&mut server.caller().await, &id).await["status"], "retrying");
    });
}

#[test]
fn r03_a_manual_retry_claims_pending_and_exhausted_letters_regardless_of_their_schedule() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let cases = [
            ("scheduled", json!({})),
            ("never", json!({ "retry_policy": "never" })),
            ("spent", json!({ "max_retries": 0 })),
        ];
        for (source, more) in cases {
            let id = captured(&mut caller, failure_with(source, more)).await;
            let status = letter(&mut caller, &id).await["status"].clone();
            let before = fence(&server, &id).await;
            let (call, attempt) = manual_retry(&server, &mut target, &id).await;
            assert_eq!(attempt.call.trigger, redrive_core::Trigger::Manual);
            let held = letter(&mut caller, &id).await;
            assert_eq!((&held["status"], &held["before"]), (&json!("retrying"), &status), "{source}");
            assert!(fence(&server, &id).await > before, "{source}");
            attempt.done();
            let answer = response_of(call).await;
            assert_eq!((&answer["success"], &answer["message"]), (&json!(true), &json!("Task successfully retried")));
        }
        assert_eq!(lifetime_counter(&mut caller, "manually_retried").await, 3);
    });
}

#[test]
fn r03_a_manual_retry_in_another_status_is_a_conflict_that_names_the_status() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let (all, _attempt) = one_letter_per_status(&server, &mut caller, &mut target).await;
        for (status, id) in all.iter().filter(|(status, _)| !matches!(*status, "pending" | "exhausted")) {
            let before = letter(&mut caller, id).await;
            let error = caller.json(RETRY, with_id(id)).await.value();
            let message = error["message"].as_str().unwrap();
            assert_eq!((&error["code"], &error["details"]["reason"]), (&json!(409), &json!("conflict")), "{status}");
            assert!(message.contains(&format!("is {status}")), "{message}");
            assert_eq!(letter(&mut caller, id).await, before, "the letter has not changed");
        }
        let unknown = json!({ "queue_name": "dead", "id": "0ujtsYcgvSTl8PAuAdqWYSMnLOv" });
        assert_eq!(rejection(&mut caller, RETRY, unknown).await, (404, "not_found".to_owned()));
        assert_eq!(lifetime_counter(&mut caller, "manually_retried").await, 2, "only retries that started are counted");
    });
}

#[test]
fn r08_an_expired_claim_counts_as_an_attempt_with_unknown_outcome() {
    on_each_store_with_target(async |server, mut caller, _target| {
        let new = failure_with("a", json!({ "retry_policy": "never", "max_retries": 2 }));
        let id = captured(&mut caller, new).await;
        for (count, status) in [(1, "pending"), (2, "exhausted"), (3, "exhausted")] {
            caller.lease_one("dead").await;
            server.advance(CLAIM.saturating_add(Span::from_secs(1)));
            let current = until_status(&mut caller, &id, status).await;
            assert_eq!((&current["retry_count"], &current["outcome_unknown"]), (&json!(count), &json!(true)));
            assert_eq!(current["total_attempts"], count + 1);
            assert_eq!(newest_attempt(&mut caller, &id).await["cause"], "lost");
        }
        assert_eq!(
            (lifetime_counter(&mut caller, "lost_attempts").await, lifetime_counter(&mut caller, "exhausted").await),
            (3, 1)
        );
    });
}

#[test]
fn r08_an_attempt_that_was_running_at_a_crash_counts() {
    on_simulated_disk_with_target(async |disk, mut server, mut caller, mut target| {
        let id = captured(&mut caller, failure_with("a", json!({ "retry_policy": "immediate" }))).await;
        start_processor(&mut caller).await;
        let late = target.next().await;
        server.crash(|| disk.crash(Crash::LoseAll, 1)).await;
        server.advance(CLAIM.saturating_add(Span::from_secs(1)));
        let mut caller = server.caller().await;
        let current = until_status(&mut caller, &id, "pending").await;
        assert_eq!((&current["retry_count"], &current["outcome_unknown"]), (&json!(1), &json!(true)));
        let record = newest_attempt(&mut caller, &id).await;
        assert_eq!((&record["cause"], &record["outcome"]), (&json!("lost"), &json!("failure")));
        late.done();
        server.advance(Span::from_mins(1));
        start_processor(&mut caller).await;
        let attempt = target.next().await;
        assert_eq!(attempt.call.attempt, 3, "the first failure, the lost attempt, and this one");
        attempt.done();
        assert_eq!(until_status(&mut caller, &id, "completed").await.get("lease_deadline"), None::<&Value>);
    });
}
