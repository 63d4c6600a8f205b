//! Claims while handlers run: extended, expired, revoked, released.

use redrive_core::{Outcome, Span, Status};
use redrive_model::{Archive, Cause, GetItem, Lease, LeaseSpec, Leased, Purge, Restore};
use redrive_run::{Liveness, RunnerSettings};
use redrive_store::{Store, StoreError};

use crate::fixture::{
    Fault, Fixture, dead, item, policy, queue_name, transient, wait_until, with_attempts, with_fixture, without_breaker,
};

fn long_timeout(liveness: Liveness) -> RunnerSettings {
    RunnerSettings { timeout: Span::from_hours(10), liveness, ..without_breaker(1) }
}

/// A lease request of another consumer, without waiting.
async fn other_lease(fixture: &Fixture) -> Result<Leased, StoreError> {
    let spec = LeaseSpec { batch: 10, lease: None, notes_receipt: false };
    fixture.store.local.lease(Lease { queue: queue_name("orders"), client_id: None, spec, wait: Span::ZERO }).await
}

#[test]
fn a_claim_is_extended_as_long_as_its_handler_runs() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), long_timeout(Liveness::Running)).await;
        fixture.advance_in_steps(Span::from_mins(30), Span::from_secs(10)).await;
        assert_eq!(other_lease(&fixture).await, Err(StoreError::TimedOut), "no other consumer gets the item");
        let extensions = fixture.store.count("extend");
        assert!(
            (60..=100).contains(&extensions),
            "expected an extension about every twenty seconds, got {extensions} in half an hour"
        );
        assert_eq!(running.health().await.oldest, Some(Span::from_mins(30)));
        pending.done();
        let report = fixture.stop_when_empty(running).await;
        assert_eq!((report.done, report.lost), (1, 0));
    });
}

#[test]
fn a_handler_that_sends_beats_keeps_its_claim() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), long_timeout(Liveness::Beats)).await;
        for _ in 0..30 {
            pending.call.beat();
            fixture.advance_in_steps(Span::from_secs(20), Span::from_secs(10)).await;
        }
        assert_eq!(other_lease(&fixture).await, Err(StoreError::TimedOut), "no other consumer gets the item");
        pending.done();
        assert_eq!(fixture.stop_when_empty(running).await.done, 1);
    });
}

/// With `extend_every`, the claim is extended when the handler starts, and then only after beats: here by a
/// minute each time.
#[test]
fn a_claim_with_an_interval_is_extended_at_the_start_and_then_after_beats() {
    with_fixture(async |fixture| {
        let settings = RunnerSettings { extend_every: Some(Span::from_secs(5)), ..long_timeout(Liveness::Beats) };
        let (running, _inbox, mut pending) = fixture.start_one(policy(), settings).await;
        wait_until("the first extension", || async { fixture.store.count("extend") == 1 }).await;
        fixture.advance_in_steps(Span::from_secs(50), Span::from_secs(5)).await;
        assert_eq!(fixture.store.count("extend"), 1, "no sign of life since the start");
        pending.call.beat();
        fixture.advance_in_steps(Span::from_secs(50), Span::from_secs(5)).await;
        assert_eq!(fixture.store.count("extend"), 2, "one extension for one beat");
        assert!(!pending.is_dropped());
        running.pause().await;
        fixture.advance_in_steps(Span::from_secs(20), Span::from_secs(5)).await;
        pending.dropped().await;
        assert_eq!(running.stop(Span::ZERO).await.lost, 1);
    });
}

/// Behind a handler that hangs, claimed work would wait without an end.
#[test]
fn a_runner_that_requires_beats_claims_nothing_ahead() {
    with_fixture(async |fixture| {
        fixture.produce((0..40).map(|number| item(&number.to_string()))).await;
        let (running, mut inbox) = fixture.start(policy(), long_timeout(Liveness::Beats)).await;
        inbox.complete_next(30).await;
        let _hanging = inbox.next().await;
        fixture.until_idle().await;
        assert_eq!(fixture.leased("orders").await, 1);
        drop(running);
    });
}

/// Otherwise two handlers would do the same work.
#[test]
fn a_handler_without_beats_loses_its_claim_and_is_stopped() {
    with_fixture(async |fixture| {
        let (running, _inbox, mut pending) = fixture.start_one(policy(), long_timeout(Liveness::Beats)).await;
        fixture.advance_in_steps(Span::from_secs(59), Span::from_secs(10)).await;
        assert!(!pending.is_dropped(), "the claim lasts another second");
        // Paused, so that the runner does not claim the item again itself.
        running.pause().await;
        fixture.advance_in_steps(Span::from_secs(2), Span::from_secs(1)).await;
        let other = other_lease(&fixture).await.unwrap();
        assert_eq!((other.items.len(), other.items[0].info.attempts), (1, 2));
        pending.dropped().await;
        fixture.until_idle().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.lost, report.retried, report.done, report.aborted), (1, 0, 0, 0));
        assert_eq!(fixture.leased("orders").await, 1, "the other consumer still holds it");
    });
}

/// No extension succeeded before the lease expired, so another consumer may hold the item.
#[test]
fn a_handler_whose_claim_expired_is_dropped_with_its_result() {
    with_fixture(async |fixture| {
        let (running, _inbox, mut pending) = fixture.start_one(policy(), long_timeout(Liveness::Running)).await;
        running.pause().await;
        fixture.until_idle().await;
        fixture.store.inject_into("extend", Fault::Fail(StoreError::Overloaded));
        fixture.advance_in_steps(Span::from_secs(50), Span::from_secs(10)).await;
        assert!(!pending.is_dropped(), "failed extensions do not stop the handler while its lease lasts");
        fixture.advance_in_steps(Span::from_secs(20), Span::from_secs(10)).await;
        pending.dropped().await;
        let other = other_lease(&fixture).await.unwrap();
        fixture.store.clear_faults();
        fixture.until_idle().await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.lost, report.retried, report.done), (1, 0, 0));
        let ids = other.items.iter().map(|item| item.info.id).collect();
        fixture.store.local.complete(queue_name("orders"), 0, ids).await.unwrap();
        assert!(fixture.items("orders").await.is_empty() && fixture.dead_letters().await.is_empty());
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_result_after_the_end_of_its_claim_changes_nothing() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), long_timeout(Liveness::Running)).await;
        running.pause().await;
        fixture.until_idle().await;
        fixture.store.inject_into("extend", Fault::Fail(StoreError::Overloaded));
        fixture.advance_in_steps(Span::from_secs(70), Span::from_secs(10)).await;
        let other = other_lease(&fixture).await.unwrap();
        pending.fail(transient());
        fixture.until_idle().await;
        let info = &other.items[0].info;
        let current =
            fixture.store.local.item(GetItem { queue: queue_name("orders"), id: info.id }).await.unwrap().info;
        assert_eq!((current.attempts, current.state), (2, info.state), "unchanged, and held by the other consumer");
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.lost, report.retried), (1, 0));
    });
}

#[test]
fn archiving_a_letter_cancels_its_attempt_and_the_result_changes_nothing() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), long_timeout(Liveness::Running)).await;
        let mut pending = inbox.next().await;
        fixture.store.local.archive(Archive { queue: dead(), letters: vec![id] }).await.unwrap();
        fixture.advance_when_idle(Span::from_secs(20)).await;
        pending.dropped().await;
        pending.done();
        fixture.until_idle().await;
        let info = fixture.info(id).await.letter.unwrap();
        assert_eq!((info.status, info.total_attempts, info.retries), (Status::Archived, 1, 0));
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.lost, report.done, report.retried), (1, 0, 0));
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_letter_archived_during_its_attempt_has_spent_that_attempt_when_restored() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), long_timeout(Liveness::Running)).await;
        let mut first = inbox.next().await;
        fixture.store.local.archive(Archive { queue: dead(), letters: vec![id] }).await.unwrap();
        fixture.advance(Span::from_secs(20));
        first.dropped().await;
        fixture.store.local.restore(Restore { queue: dead(), letters: vec![id] }).await.unwrap();
        let second = inbox.next().await;
        assert_eq!(second.call.attempt, 3);
        first.done();
        second.done();
        fixture.until_status(id, Status::Completed).await;
        assert_eq!(running.stop(Span::ZERO).await.done, 1);
    });
}

#[test]
fn purging_a_letter_cancels_its_attempt_and_the_letter_stays_deleted() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), long_timeout(Liveness::Running)).await;
        let mut pending = inbox.next().await;
        fixture.store.local.purge(Purge { queue: dead(), letters: vec![id] }).await.unwrap();
        fixture.advance(Span::from_secs(20));
        pending.dropped().await;
        fixture.until_idle().await;
        assert!(fixture.dead_letters().await.is_empty());
        assert_eq!(running.stop(Span::ZERO).await.lost, 1);
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_stale_claim_does_not_affect_other_claims_of_the_same_extension() {
    with_fixture(async |fixture| {
        let ids = fixture.capture((0..5).map(|number| fixture.letter(&format!("l{number}"), "there"))).await;
        let settings = RunnerSettings { concurrency: 5, ..long_timeout(Liveness::Running) };
        let (running, mut inbox) = fixture.start_letters(policy(), settings).await;
        let mut calls = inbox.take(5).await;
        fixture.store.local.archive(Archive { queue: dead(), letters: vec![ids[2]] }).await.unwrap();
        fixture.advance_in_steps(Span::from_mins(5), Span::from_secs(10)).await;
        for pending in &mut calls {
            assert_eq!(pending.is_dropped(), pending.call.id.to_string() == *ids[2].to_string());
        }
        for pending in calls {
            pending.done();
        }
        wait_until("the completion of four letters", || async {
            fixture
                .dead_letters()
                .await
                .iter()
                .filter(|it| it.info.letter.as_ref().unwrap().status == Status::Completed)
                .count()
                == 4
        })
        .await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.lost), (4, 1));
    });
}

#[test]
fn an_expired_claim_is_recorded_as_a_lost_attempt_of_its_letter() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), long_timeout(Liveness::Beats)).await;
        let _first = inbox.next().await;
        fixture.advance_in_steps(Span::from_secs(61), Span::from_secs(10)).await;
        let record = fixture.record(id).await;
        assert_eq!(record.attempts.last().unwrap().cause, Some(Cause::Lost));
        assert_eq!(record.attempts.last().unwrap().outcome, Outcome::Failure);
        assert!(record.info.letter.unwrap().is_outcome_unknown);
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn items_of_a_dropped_claim_are_released_and_have_spent_no_attempt() {
    with_attempts(3, async |fixture| {
        let (running, mut inbox) = fixture.start(policy(), without_breaker(1)).await;
        for round in 0..60 {
            running.resume().await;
            // The store answers the claim at some moment between the produce and the pause.
            for _ in 0..round % 7 {
                tokio::task::yield_now().await;
            }
            fixture.produce([item("a")]).await;
            for _ in 0..round % 5 {
                tokio::task::yield_now().await;
            }
            running.pause().await;
            fixture.until_idle().await;
            let items = fixture.items("orders").await;
            match inbox.try_next() {
                Some(pending) => {
                    assert_eq!(pending.call.attempt, 1, "round {round}");
                    pending.done();
                    fixture.until_empty().await;
                }
                None => {
                    assert_eq!(items.len(), 1);
                    assert_eq!((items[0].info.attempts, fixture.leased("orders").await), (0, 0), "round {round}");
                    running.resume().await;
                    let pending = inbox.next().await;
                    assert_eq!(pending.call.attempt, 1, "round {round}");
                    pending.done();
                    fixture.until_empty().await;
                    running.pause().await;
                }
            }
        }
        running.stop(Span::ZERO).await;
    });
}

/// If the runner read the context after the claim, a stop in between would leave claimed letters without a handler.
#[test]
fn a_claim_returns_the_context_of_its_letters() {
    with_fixture(async |fixture| {
        let mut letter = fixture.letter("l", "there");
        letter.context.trace_id = Some("trace".to_owned());
        fixture.capture([letter]).await;
        fixture.store.inject_into("letter", Fault::Hang);
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(3)).await;
        let pending = inbox.next().await;
        assert_eq!((pending.call.attempt, pending.call.trace_id.as_deref()), (2, Some("trace")));
        pending.done();
        fixture.until_idle().await;
        assert_eq!((running.stop(Span::ZERO).await.done, fixture.store.count("letter")), (1, 0));
    });
}
