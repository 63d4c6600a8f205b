//! Letters that somebody takes to retry them.

use std::sync::Arc;

use redrive_core::Span;
use redrive_journal::{Crash, SimDisk};
use serde_json::{Value, json};

use super::{
    answered, by_hand, captured, dead_queue, fence, letter, lifetime, newest, one, one_of_each, start, until, with,
};
use crate::bed::{Bed, CLAIM, bounded, each_retrying};
use crate::letters::{failure, refused};

const RETRY: &str = "/v1/letters.retry";

#[tokio::test]
async fn r02_a_due_letter_is_claimed_under_a_new_id_and_never_early() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let id = captured(&mut caller, failure("a")).await;
        let before = fence(&bed, &id).await;
        start(&mut caller).await;
        bed.advance(Span::from_secs(59));
        assert_eq!(letter(&mut caller, &id).await["status"], "pending");
        assert!(target.at_once().is_none(), "it is not due");
        bed.advance(Span::from_secs(1));
        let tried = target.next().await;
        assert_eq!(tried.call.trigger, redrive_core::Trigger::Automatic);
        let held = letter(&mut caller, &id).await;
        assert_eq!((&held["status"], &held["before"]), (&json!("retrying"), &json!("pending")));
        assert_eq!(held["lease_deadline"], "2026-11-15T12:02:00Z");
        assert!(fence(&bed, &id).await > before);
        tried.done();
        until(&mut caller, &id, "completed").await;
    })
    .await;
}

#[tokio::test]
async fn r02_a_letter_is_claimed_when_those_it_depends_on_are_completed() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let first = captured(&mut caller, with("first", json!({ "retry_policy": "never" }))).await;
        let second = with("second", json!({ "retry_policy": "immediate", "depends_on": [first] }));
        let second = captured(&mut caller, second).await;
        start(&mut caller).await;
        let (asked, tried) = by_hand(&bed, &mut target, &first).await;
        assert_eq!(letter(&mut caller, &second).await["blocked"], true);
        tried.done();
        assert_eq!(answered(asked).await["success"], true);
        let tried = target.next().await;
        assert_eq!(letter(&mut caller, &second).await["status"], "retrying");
        tried.done();
        until(&mut caller, &second, "completed").await;
    })
    .await;
}

/// What runs when the machine stops must not look as if it had never begun.
#[tokio::test]
async fn r02_the_start_of_an_attempt_is_durable_before_it_runs() {
    bounded(async {
        let disk = SimDisk::new();
        let (mut bed, mut target) = Bed::retrying_on_disk(Arc::new(disk.clone())).await;
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let id = captured(&mut caller, with("a", json!({ "retry_policy": "immediate" }))).await;
        start(&mut caller).await;
        let _tried = target.next().await;
        bed.crash(|| disk.crash(Crash::LoseAll, 1)).await;
        assert_eq!(letter(&mut bed.caller().await, &id).await["status"], "retrying");
    })
    .await;
}

#[tokio::test]
async fn r03_a_person_takes_pending_and_exhausted_letters_whatever_their_schedule() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let cases = [
            ("scheduled", json!({})),
            ("never", json!({ "retry_policy": "never" })),
            ("spent", json!({ "max_retries": 0 })),
        ];
        for (source, more) in cases {
            let id = captured(&mut caller, with(source, more)).await;
            let status = letter(&mut caller, &id).await["status"].clone();
            let before = fence(&bed, &id).await;
            let (asked, tried) = by_hand(&bed, &mut target, &id).await;
            assert_eq!(tried.call.trigger, redrive_core::Trigger::Manual);
            let held = letter(&mut caller, &id).await;
            assert_eq!((&held["status"], &held["before"]), (&json!("retrying"), &status), "{source}");
            assert!(fence(&bed, &id).await > before, "{source}");
            tried.done();
            let told = answered(asked).await;
            assert_eq!((&told["success"], &told["message"]), (&json!(true), &json!("Task successfully retried")));
        }
        assert_eq!(lifetime(&mut caller, "manually_retried").await, 3);
    })
    .await;
}

#[tokio::test]
async fn r03_a_letter_in_another_state_is_a_conflict_that_names_it() {
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let (all, _tried) = one_of_each(&bed, &mut caller, &mut target).await;
        for (status, id) in all.iter().filter(|(status, _)| !matches!(*status, "pending" | "exhausted")) {
            let before = letter(&mut caller, id).await;
            let told = caller.json(RETRY, one(id)).await.value();
            let message = told["message"].as_str().unwrap();
            assert_eq!((&told["code"], &told["details"]["reason"]), (&json!(409), &json!("conflict")), "{status}");
            assert!(message.contains(&format!("is {status}")), "{message}");
            assert_eq!(letter(&mut caller, id).await, before, "nothing was changed");
        }
        let nobody = json!({ "queue_name": "dead", "id": "0ujtsYcgvSTl8PAuAdqWYSMnLOv" });
        assert_eq!(refused(&mut caller, RETRY, nobody).await, (404, "not_found".to_owned()));
        assert_eq!(lifetime(&mut caller, "manually_retried").await, 2, "only what was begun is counted");
    })
    .await;
}

#[tokio::test]
async fn r08_a_claim_that_runs_out_counts_and_says_that_nobody_knows() {
    each_retrying(async |bed, _target| {
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let new = with("a", json!({ "retry_policy": "never", "max_retries": 2 }));
        let id = captured(&mut caller, new).await;
        for (count, status) in [(1, "pending"), (2, "exhausted"), (3, "exhausted")] {
            caller.lease_one("dead").await;
            bed.advance(CLAIM.saturating_add(Span::from_secs(1)));
            let told = until(&mut caller, &id, status).await;
            assert_eq!((&told["retry_count"], &told["outcome_unknown"]), (&json!(count), &json!(true)));
            assert_eq!(told["total_attempts"], count + 1);
            assert_eq!(newest(&mut caller, &id).await["cause"], "lost");
        }
        assert_eq!((lifetime(&mut caller, "lost_attempts").await, lifetime(&mut caller, "exhausted").await), (3, 1));
    })
    .await;
}

#[tokio::test]
async fn r08_an_attempt_that_was_under_way_when_the_machine_stopped_counts() {
    bounded(async {
        let disk = SimDisk::new();
        let (mut bed, mut target) = Bed::retrying_on_disk(Arc::new(disk.clone())).await;
        let mut caller = bed.caller().await;
        dead_queue(&mut caller).await;
        let id = captured(&mut caller, with("a", json!({ "retry_policy": "immediate" }))).await;
        start(&mut caller).await;
        let late = target.next().await;
        bed.crash(|| disk.crash(Crash::LoseAll, 1)).await;
        bed.advance(CLAIM.saturating_add(Span::from_secs(1)));
        let mut caller = bed.caller().await;
        let told = until(&mut caller, &id, "pending").await;
        assert_eq!((&told["retry_count"], &told["outcome_unknown"]), (&json!(1), &json!(true)));
        let record = newest(&mut caller, &id).await;
        assert_eq!((&record["cause"], &record["outcome"]), (&json!("lost"), &json!("failure")));
        late.done();
        bed.advance(Span::from_mins(1));
        start(&mut caller).await;
        let tried = target.next().await;
        assert_eq!(tried.call.attempt, 3, "the first failure, what was lost, and this one");
        tried.done();
        assert_eq!(until(&mut caller, &id, "completed").await.get("lease_deadline"), None::<&Value>);
    })
    .await;
}
