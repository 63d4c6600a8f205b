//! The wall clock is stepped back or forward while a runner works.

use redrive_core::{BreakerState, Span};
use redrive_run::{RunnerSettings, Running};
use redrive_store::{Clock, StoreError};

use super::breaker::{letters_for, start_and_open};
use crate::fixture::{CallInbox, Fault, Fixture, item, policy, wait_for, wait_until, with_fixture, without_breaker};

const HOUR: Span = Span::from_hours(1);
const INSTANT: Span = Span::from_micros(1);

fn step_back(fixture: &Fixture) {
    fixture.clock.step(fixture.clock.now().saturating_sub(HOUR));
}

fn step_forward(fixture: &Fixture) {
    fixture.clock.step(fixture.clock.now().saturating_add(HOUR));
}

/// A runner over letters of one destination whose breaker is open.
async fn with_open_breaker(fixture: &Fixture) -> (Running, CallInbox) {
    start_and_open(fixture, letters_for(fixture, "a", 20), 1).await
}

#[test]
fn the_health_of_a_destination_tells_its_breaker_its_next_call_and_its_last_error() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = with_open_breaker(&fixture).await;
        let health = running.health().await.destinations;
        let [destination] = &health[..] else { panic!("{health:?}") };
        assert_eq!((&*destination.name, destination.breaker), ("a", BreakerState::Open));
        assert_eq!(destination.next_probe_at, Some(fixture.clock.now().saturating_add(Span::from_secs(10))));
        let trouble = destination.trouble.as_ref().unwrap();
        assert_eq!((trouble.since, trouble.error.as_str()), (fixture.clock.now(), "out of order"));
        fixture.advance(Span::from_secs(10));
        inbox.next().await.done();
        wait_until("a closed breaker", || async {
            let destination = running.health().await.destinations.remove(0);
            destination.breaker == BreakerState::Closed && destination.trouble.is_none()
        })
        .await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_breaker_ends_its_open_time_on_schedule_although_the_clock_was_stepped_back() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = with_open_breaker(&fixture).await;
        // Due times are wall-clock times, so the letters are now due in an hour. The test checks the breaker itself.
        step_back(&fixture);
        fixture.advance_when_idle(Span::from_secs(10).saturating_sub(INSTANT)).await;
        fixture.assert_no_call(&mut inbox, "the breaker is still open").await;
        assert_eq!(running.health().await.held.len(), 1);
        fixture.advance(INSTANT);
        wait_until("the end of the open time", || async { running.health().await.held.is_empty() }).await;
        fixture.advance(HOUR);
        inbox.next().await.done();
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_breaker_stays_open_although_the_clock_was_stepped_forward() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = with_open_breaker(&fixture).await;
        step_forward(&fixture);
        fixture.assert_no_call(&mut inbox, "no further call").await;
        assert_eq!(running.health().await.held.len(), 1);
        fixture.advance(Span::from_secs(10));
        inbox.next().await.done();
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_step_of_the_clock_does_not_change_the_timeout_of_an_attempt() {
    with_fixture(async |fixture| {
        let settings = RunnerSettings { timeout: Span::from_secs(30), ..without_breaker(1) };
        let (running, _inbox, mut pending) = fixture.start_one(policy(), settings).await;
        step_back(&fixture);
        fixture.advance(Span::from_secs(30).saturating_sub(INSTANT));
        fixture.until_idle().await;
        assert!(!pending.is_dropped(), "the timeout has not passed yet");
        fixture.advance(INSTANT);
        wait_for("the end of the attempt", pending.dropped()).await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.lost), (1, 0));
    });
}

#[test]
fn a_failed_claim_is_repeated_on_schedule_although_the_clock_was_stepped_back() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        fixture.store.inject_into("claim", Fault::Fail(StoreError::Overloaded));
        let (running, mut inbox) = fixture.start(policy(), without_breaker(1)).await;
        wait_until("a failed claim", || async { running.health().await.claim_trouble.is_some() }).await;
        step_back(&fixture);
        fixture.store.clear_faults();
        fixture.advance(Span::from_secs(5));
        wait_for("the work", inbox.next()).await.done();
        fixture.stop_when_empty(running).await;
    });
}

#[test]
fn a_step_of_the_clock_does_not_extend_the_drain_time_of_a_stop() {
    with_fixture(async |fixture| {
        let (running, _inbox, mut pending) = fixture.start_one(policy(), without_breaker(1)).await;
        let stopping = tokio::spawn(running.stop(Span::from_secs(20)));
        fixture.until_idle().await;
        step_back(&fixture);
        fixture.advance(Span::from_secs(20).saturating_sub(INSTANT));
        fixture.until_idle().await;
        assert!(!pending.is_dropped());
        fixture.advance(INSTANT);
        wait_for("the end of the attempt", pending.dropped()).await;
        assert_eq!(wait_for("the end", stopping).await.unwrap().aborted, 1);
    });
}
