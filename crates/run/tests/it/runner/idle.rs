//! An idle runner does not wake up.

use std::sync::Arc;

use redrive_core::{Span, Time};
use redrive_run::Runner;
use redrive_store::{Request, StoreError};

use crate::fixture::{
    CallInbox, CountingClock, Fault, Fixture, item, policy, settings, transient, wait_until, with_fixture,
    without_breaker,
};

/// Lets every ready task run, many times, without any event.
async fn yield_many_times() {
    for _ in 0..2_000 {
        tokio::task::yield_now().await;
    }
}

/// How often the runner read its clock without any event; it does so at least once a turn of its loop.
async fn idle_iterations(fixture: &Fixture, clock: &CountingClock) -> u64 {
    fixture.until_idle().await;
    let before = clock.reads();
    yield_many_times().await;
    clock.reads() - before
}

#[test]
fn an_idle_runner_claims_once_and_waits() {
    with_fixture(async |fixture| {
        let clock = CountingClock::new(&fixture.clock);
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = Runner::new(fixture.orders(), handler, policy(), without_breaker(4)).unwrap();
        let running = runner.with_clock(Arc::new(clock.clone())).start().await.unwrap();
        assert_eq!(idle_iterations(&fixture, &clock).await, 0, "iterations of the loop without an event");
        assert_eq!(fixture.store.count("claim"), 1);
        // While the claim waits, the passing of time causes no other claim.
        for _ in 0..50 {
            fixture.advance(Span::from_secs(30));
            fixture.until_idle().await;
        }
        assert_eq!(fixture.store.count("claim"), 1);
        assert_eq!(fixture.store.count("extend") + fixture.store.count("settle"), 0);
        fixture.produce([item("a")]).await;
        let pending = inbox.next().await;
        assert_eq!(idle_iterations(&fixture, &clock).await, 0, "iterations of the loop while a handler runs");
        pending.done();
        fixture.stop_when_empty(running).await;
    });
}

#[test]
fn a_runner_without_a_free_slot_claims_nothing() {
    with_fixture(async |fixture| {
        fixture.produce((0..10).map(|number| item(&number.to_string()))).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(3)).await;
        let calls = inbox.take(3).await;
        fixture.until_idle().await;
        let claims = fixture.store.count("claim");
        yield_many_times().await;
        assert_eq!((fixture.store.count("claim"), fixture.leased("orders").await), (claims, 3));
        calls.into_iter().for_each(crate::fixture::PendingCall::done);
        inbox.complete_next(7).await;
        fixture.stop_when_empty(running).await;
    });
}

#[test]
fn a_runner_does_not_spin_after_a_failed_claim() {
    with_fixture(async |fixture| {
        let clock = CountingClock::new(&fixture.clock);
        let mut is_first = true;
        fixture.store.inject(move |request| match request {
            Request::Lease(_) if std::mem::take(&mut is_first) => Fault::Fail(StoreError::Overloaded),
            _ => Fault::None,
        });
        let (handler, _inbox) = CallInbox::new(&fixture.clock);
        let runner = Runner::new(fixture.orders(), handler, policy(), without_breaker(4)).unwrap();
        let running = runner.with_clock(Arc::new(clock.clone())).start().await.unwrap();
        wait_until("a failed claim", || async { fixture.store.count("claim") == 1 }).await;
        fixture.advance_when_idle(Span::from_secs(10)).await;
        wait_until("another claim", || async { fixture.store.count("claim") == 2 }).await;
        assert_eq!(idle_iterations(&fixture, &clock).await, 0, "iterations of the loop without an event");
        running.stop(Span::ZERO).await;
    });
}

/// One settle request is in flight, and more results wait behind it.
#[test]
fn a_runner_does_not_spin_while_results_wait_for_a_slow_source() {
    with_fixture(async |fixture| {
        fixture.produce([item("a"), item("b")]).await;
        let clock = CountingClock::new(&fixture.clock);
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = Runner::new(fixture.orders(), handler, policy(), without_breaker(4)).unwrap();
        let running = runner.with_clock(Arc::new(clock.clone())).start().await.unwrap();
        let mut calls = inbox.take(2).await;
        let mut is_first = true;
        fixture.store.inject(move |request| match request {
            Request::Settle(_) if std::mem::take(&mut is_first) => Fault::Fail(StoreError::Overloaded),
            Request::Settle(_) => Fault::Hang,
            _ => Fault::None,
        });
        calls.pop().unwrap().done();
        wait_until("a failed settle request", || async { running.health().await.settle_trouble.is_some() }).await;
        fixture.advance(Span::from_secs(1));
        wait_until("a second settle request", || async { fixture.store.count("settle") == 2 }).await;
        calls.pop().unwrap().done();
        assert_eq!(idle_iterations(&fixture, &clock).await, 0, "iterations of the loop without an event");
        let stopping = tokio::spawn(running.stop(Span::ZERO));
        fixture.advance_when_idle(Span::from_secs(10)).await;
        stopping.await.unwrap();
    });
}

#[test]
fn a_runner_does_not_spin_while_a_breaker_is_open() {
    with_fixture(async |fixture| {
        fixture.produce((0..10).map(|number| item(&number.to_string()))).await;
        let clock = CountingClock::new(&fixture.clock);
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = Runner::new(fixture.orders(), handler, policy(), settings(5)).unwrap();
        let running = runner.with_clock(Arc::new(clock.clone())).start().await.unwrap();
        for pending in inbox.take(5).await {
            pending.fail(transient());
        }
        wait_until("an open breaker", || async { running.health().await.held.len() == 1 }).await;
        assert_eq!(idle_iterations(&fixture, &clock).await, 0, "iterations of the loop while the breaker is open");
        fixture.advance(Span::from_secs(10));
        let probe = inbox.next().await;
        assert_eq!(idle_iterations(&fixture, &clock).await, 0, "iterations of the loop during the probe");
        assert!(inbox.try_next().is_none());
        probe.done();
        running.stop(Span::ZERO).await;
    });
}

/// A claim that is answered shortly before its deadline is extended soon, and then at the usual interval.
#[test]
fn a_claim_that_was_answered_late_is_not_extended_more_often_than_others() {
    with_fixture(async |fixture| {
        fixture.capture([fixture.letter("a", "there")]).await;
        // The claim is answered almost at its deadline.
        let clock = fixture.clock.clone();
        fixture.store.inject(move |request| match request {
            Request::ClaimDue(_) => Fault::DelayReply(clock.clone(), Span::from_millis(59_997)),
            _ => Fault::None,
        });
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        let pending = inbox.next().await;
        fixture.store.clear_faults();
        fixture.advance(Span::from_millis(1));
        fixture.until_idle().await;
        fixture.advance_in_steps(Span::from_millis(200), Span::from_millis(1)).await;
        let extensions = fixture.store.count("extend");
        assert!(extensions <= 5, "{extensions} extensions in 200 ms of a claim that lasts a minute");
        pending.done();
        fixture.until_idle().await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_retry_still_runs_after_the_clock_was_set_back() {
    with_fixture(async |fixture| {
        let (running, mut inbox, pending) = fixture.start_one(policy(), without_breaker(1)).await;
        let now: Time = redrive_store::Clock::now(&fixture.clock);
        fixture.clock.set(now.saturating_sub(Span::from_hours(1)));
        fixture.until_idle().await;
        pending.fail(transient());
        fixture.until_idle().await;
        fixture.clock.set(now.saturating_add(Span::from_hours(2)));
        inbox.next().await.done();
        fixture.stop_when_empty(running).await;
    });
}
