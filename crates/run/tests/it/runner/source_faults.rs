//! A source whose requests fail, or take effect and lose their replies.

use std::sync::Arc;

use redrive_core::{Failure, Span, Status};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_store::{ManualClock, Request, StoreError};

use crate::fixture::{
    Fault, Fixture, START, item, kind_of, permanent, policy, run, transient, wait_until, with_fixture, without_breaker,
};

/// Loses the replies of the next `count` requests of a kind.
fn lose_replies(fixture: &Fixture, kind: &'static str, mut count: usize) {
    fixture.store.inject(move |request| {
        if kind_of(request) == kind && count > 0 {
            count -= 1;
            return Fault::LoseReply(StoreError::Overloaded);
        }
        Fault::None
    });
}

/// A store that accepts requests of the smallest configurable size.
async fn with_small_requests() -> Fixture {
    let clock = ManualClock::new(START);
    let options = EmbeddedOptions {
        clock: Arc::new(clock.clone()),
        segment_bytes: EmbeddedOptions::SEGMENT_BYTES_MIN,
        seed: Some(7),
        ..EmbeddedOptions::default()
    };
    Fixture::with_store(EmbeddedStore::in_memory(&options).unwrap(), clock, |_| {}).await
}

#[test]
fn failed_claims_are_repeated_with_backoff_and_shown_in_the_health_report() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        fixture.store.inject_into("claim", Fault::Fail(StoreError::Full));
        let (running, mut inbox) = fixture.start(policy(), without_breaker(4)).await;
        wait_until("a failed request", || async { running.health().await.claim_trouble.is_some() }).await;
        let trouble = running.health().await.claim_trouble.unwrap();
        assert_eq!(trouble.since, START);
        assert!(trouble.error.contains("the disk is full"), "{}", trouble.error);
        fixture.advance_in_steps(Span::from_secs(20), Span::from_millis(500)).await;
        let trouble = running.health().await.claim_trouble.unwrap();
        assert_eq!(trouble.since, START, "the time of the first failure, not of the newest");
        let claims = fixture.store.count("claim");
        assert!((5..=15).contains(&claims), "the backoff should grow: {claims} claims");
        assert!(!running.health().await.is_progressing());
        fixture.store.clear_faults();
        fixture.advance(Span::from_secs(5));
        let pending = inbox.next().await;
        assert_eq!(pending.call.attempt, 1);
        pending.done();
        fixture.until_empty().await;
        assert!(running.health().await.is_progressing(), "claims succeed again");
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn results_are_kept_while_settle_requests_fail_and_then_settled_once() {
    with_fixture(async |fixture| {
        fixture.produce([item("done"), item("again"), item("dead")]).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(4)).await;
        let calls = inbox.take(3).await;
        fixture.store.inject_into("settle", Fault::Fail(StoreError::Overloaded));
        for pending in calls {
            match pending.payload().as_str() {
                "done" => pending.done(),
                "again" => pending.fail(transient()),
                _ => pending.fail(permanent()),
            }
        }
        wait_until("a failed request", || async { running.health().await.settle_trouble.is_some() }).await;
        // Far longer than a lease.
        fixture.advance_in_steps(Span::from_mins(10), Span::from_secs(5)).await;
        assert!(inbox.try_next().is_none(), "no work is done twice");
        let health = running.health().await;
        assert_eq!(health.settle_trouble.unwrap().since, START);
        assert_eq!((health.running, health.finishing), (0, 3));
        fixture.store.clear_faults();
        fixture.advance(Span::from_secs(5));
        wait_until("a successful settle request", || async { running.health().await.settle_trouble.is_none() }).await;
        assert_eq!(running.health().await.finishing, 0);
        let pending = inbox.next().await;
        assert_eq!((pending.payload(), pending.call.attempt), ("again".to_owned(), 2));
        pending.done();
        let report = fixture.stop_when_empty(running).await;
        assert_eq!((report.done, report.retried, report.dead_lettered), (2, 1, 1));
        assert_eq!((report.lost, report.uncertain), (0, 0));
        assert_eq!(fixture.only_letter().await.content.payload, "dead");
        fixture.assert_conserved().await;
    });
}

/// The claim of a timed-out attempt is extended until its failure is recorded.
#[test]
fn the_failure_of_a_timed_out_attempt_survives_an_outage_of_the_source() {
    with_fixture(async |fixture| {
        let settings = redrive_run::RunnerSettings { timeout: Span::from_secs(30), ..without_breaker(1) };
        let (running, _inbox, mut pending) = fixture.start_one(policy(), settings).await;
        fixture.store.inject_into("settle", Fault::Fail(StoreError::Overloaded));
        fixture.advance_in_steps(Span::from_secs(30), Span::from_secs(10)).await;
        pending.dropped().await;
        running.pause().await;
        fixture.advance_in_steps(Span::from_mins(5), Span::from_secs(5)).await;
        assert_eq!(fixture.leased("orders").await, 1, "the claim is still held");
        fixture.store.clear_faults();
        fixture.advance(Span::from_secs(5));
        wait_until("the settled result", || async { fixture.leased("orders").await == 0 }).await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.lost), (1, 0));
    });
}

#[test]
fn a_success_whose_reply_was_lost_is_not_repeated() {
    with_fixture(async |fixture| {
        let (running, mut inbox, pending) = fixture.start_one(policy(), without_breaker(4)).await;
        lose_replies(&fixture, "settle", 1);
        pending.done();
        wait_until("a failed request", || async { running.health().await.settle_trouble.is_some() }).await;
        fixture.advance(Span::from_secs(1));
        wait_until("a successful settle request", || async { running.health().await.is_progressing() }).await;
        fixture.until_idle().await;
        assert!(inbox.try_next().is_none() && fixture.items("orders").await.is_empty());
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.uncertain, report.done, report.lost), (1, 0, 0));
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_retry_whose_reply_was_lost_counts_once() {
    with_fixture(async |fixture| {
        let (running, mut inbox, pending) = fixture.start_one(policy(), without_breaker(4)).await;
        lose_replies(&fixture, "settle", 2);
        pending.fail(transient());
        wait_until("a failed request", || async { running.health().await.settle_trouble.is_some() }).await;
        fixture.advance_in_steps(Span::from_secs(9), Span::from_millis(500)).await;
        assert!(inbox.try_next().is_none(), "the retry is not due yet");
        fixture.advance(Span::from_secs(1));
        let pending = inbox.next().await;
        assert_eq!(pending.call.attempt, 2);
        pending.done();
        let report = fixture.stop_when_empty(running).await;
        assert_eq!((report.uncertain, report.done), (1, 1));
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_dead_letter_whose_reply_was_lost_is_captured_once() {
    with_fixture(async |fixture| {
        let (running, mut inbox, pending) = fixture.start_one(policy(), without_breaker(4)).await;
        lose_replies(&fixture, "settle", 3);
        pending.fail(permanent());
        fixture.advance_in_steps(Span::from_secs(5), Span::from_millis(500)).await;
        assert_eq!(fixture.only_letter().await.attempts.len(), 1);
        assert!(inbox.try_next().is_none() && fixture.items("orders").await.is_empty());
        assert_eq!(running.stop(Span::ZERO).await.uncertain, 1);
        fixture.assert_conserved().await;
    });
}

/// All results of the request are sent again, and each has its effect once.
#[test]
fn a_lost_reply_to_a_request_with_many_results_loses_none_of_them() {
    with_fixture(async |fixture| {
        fixture.produce((0..50).map(|number| item(&format!("{number}")))).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(50)).await;
        let calls = inbox.take(50).await;
        lose_replies(&fixture, "settle", 2);
        for pending in calls {
            match pending.payload().parse::<u32>().unwrap() % 3 {
                0 => pending.done(),
                1 => pending.fail(transient()),
                _ => pending.fail(permanent()),
            }
        }
        fixture.advance_in_steps(Span::from_secs(9), Span::from_millis(500)).await;
        fixture.advance(Span::from_secs(1));
        for _ in 0..17 {
            let pending = inbox.next().await;
            assert_eq!((pending.payload().parse::<u32>().unwrap() % 3, pending.call.attempt), (1, 2));
            pending.done();
        }
        fixture.until_empty().await;
        assert_eq!(fixture.dead_letters().await.len(), 16);
        assert!(inbox.try_next().is_none());
        running.stop(Span::ZERO).await;
        fixture.assert_conserved().await;
    });
}

/// The item is delivered again when its lease has expired; the lost claim counts as an attempt.
#[test]
fn a_claim_whose_reply_was_lost_loses_no_work() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        lose_replies(&fixture, "claim", 1);
        let (running, mut inbox) = fixture.start(policy(), without_breaker(4)).await;
        wait_until("a failed request", || async { running.health().await.claim_trouble.is_some() }).await;
        fixture.advance_in_steps(Span::from_secs(61), Span::from_secs(10)).await;
        let pending = inbox.next().await;
        assert_eq!(pending.call.attempt, 2);
        pending.done();
        fixture.stop_when_empty(running).await;
    });
}

#[test]
fn extensions_that_fail_for_less_than_the_lease_lose_no_claim() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), without_breaker(1)).await;
        for _ in 0..3 {
            fixture.store.inject_into("extend", Fault::Fail(StoreError::Overloaded));
            fixture.advance_in_steps(Span::from_secs(25), Span::from_secs(5)).await;
            fixture.store.clear_faults();
            fixture.advance_in_steps(Span::from_secs(25), Span::from_secs(5)).await;
        }
        assert!(!pending.is_dropped());
        pending.done();
        let report = fixture.stop_when_empty(running).await;
        assert_eq!((report.done, report.lost), (1, 0));
    });
}

#[test]
fn a_letters_outcome_whose_reply_was_lost_counts_once() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        for attempt in 2..=4 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.attempt, attempt);
            lose_replies(&fixture, "settle", 1);
            pending.fail(transient());
            fixture.advance_when_idle(Span::from_secs(5)).await;
        }
        fixture.until_status(id, Status::Exhausted).await;
        let info = fixture.info(id).await.letter.unwrap();
        assert_eq!((info.retries, info.total_attempts), (3, 4));
        assert!(inbox.try_next().is_none());
        running.stop(Span::ZERO).await;
    });
}

/// A result that the source can never accept must not block the others, nor be sent again without end.
#[test]
fn an_error_text_of_any_size_blocks_neither_its_own_work_nor_other_work() {
    run(async {
        let fixture = with_small_requests().await;
        fixture.produce([item("with a cause"), item("done")]).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(2)).await;
        for pending in inbox.take(2).await {
            match pending.payload().as_str() {
                "with a cause" => pending.fail(permanent().caused_by(permanent())),
                _ => pending.done(),
            }
        }
        wait_until("the outcome of the first two items", || async { fixture.items("orders").await.is_empty() }).await;
        fixture.produce([item("with a huge error"), item("done too")]).await;
        for pending in inbox.take(2).await {
            match pending.payload().as_str() {
                "with a huge error" => pending.fail(Failure::new("x".repeat(1 << 20))),
                _ => pending.done(),
            }
        }
        fixture.advance_in_steps(Span::from_secs(30), Span::from_secs(5)).await;
        assert!(fixture.items("orders").await.is_empty(), "both items have an outcome");
        assert_eq!(fixture.dead_letters().await.len(), 2);
        running.stop(Span::ZERO).await;
    });
}

/// Each result fits into a request, and all together do not.
#[test]
fn results_that_exceed_one_request_are_settled_by_several() {
    run(async {
        let fixture = with_small_requests().await;
        fixture.produce((0..64).map(|number| item(&number.to_string()))).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(64)).await;
        for pending in inbox.take(64).await {
            pending.fail(permanent());
        }
        fixture.advance_in_steps(Span::from_secs(30), Span::from_secs(5)).await;
        assert_eq!((fixture.items("orders").await.len(), fixture.dead_letters().await.len()), (0, 64));
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn no_work_is_lost_while_every_request_fails() {
    with_fixture(async |fixture| {
        fixture.produce((0..20).map(|number| item(&number.to_string()))).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(5)).await;
        let calls = inbox.take(5).await;
        fixture.store.inject(|request| match request {
            Request::Lease(_) | Request::Settle(_) | Request::Extend(_) => Fault::Fail(StoreError::Poisoned),
            _ => Fault::None,
        });
        for pending in calls {
            pending.done();
        }
        fixture.advance_in_steps(Span::from_secs(40), Span::from_secs(5)).await;
        assert!(inbox.try_next().is_none());
        fixture.store.clear_faults();
        fixture.advance(Span::from_secs(5));
        for _ in 0..15 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.attempt, 1);
            pending.done();
        }
        assert_eq!(fixture.stop_when_empty(running).await.done, 20);
        fixture.assert_conserved().await;
    });
}
