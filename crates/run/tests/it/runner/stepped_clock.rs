//! The wall clock is stepped back or forward while a runner works.

use redrive_core::{BreakerState, Span};
use redrive_run::{RunnerSettings, Running};
use redrive_store::{Clock, StoreError};

use super::breaker::{next_probe, next_probe_at, start_and_fail_a_probe, until_resumed};
use crate::fixture::{Fault, Fixture, item, policy, wait_for, wait_until, with_fixture, without_breaker};

const HOUR: Span = Span::from_hours(1);
const INSTANT: Span = Span::from_micros(1);

fn step_back(fixture: &Fixture) {
    fixture.clock.step(fixture.clock.now().saturating_sub(HOUR));
}

fn step_forward(fixture: &Fixture) {
    fixture.clock.step(fixture.clock.now().saturating_add(HOUR));
}

/// The state of the only destination.
async fn state(running: &Running) -> BreakerState {
    running.health().await.destinations[0].breaker
}

#[test]
fn the_health_of_a_destination_tells_its_breaker_its_next_call_and_its_last_error() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_fail_a_probe(&fixture, 1).await;
        let at = next_probe_at(&fixture, &running, 1).await;
        let health = running.health().await.destinations;
        let [destination] = &health[..] else { panic!("{health:?}") };
        assert_eq!((&*destination.name, destination.breaker), ("a", BreakerState::Open));
        assert_eq!((destination.open_since, destination.next_probe_at), (Some(fixture.clock.now()), Some(at)));
        let trouble = destination.trouble.as_ref().unwrap();
        assert_eq!((trouble.since, trouble.error.as_str()), (fixture.clock.now(), "out of order"));
        let probe = next_probe(&fixture, &running, &mut inbox, 1).await;
        let health = running.health().await.destinations;
        assert_eq!((health[0].breaker, health[0].next_probe_at), (BreakerState::HalfOpen, None));
        probe.done();
        let second = inbox.next().await;
        let health = running.health().await.destinations;
        assert!(
            health[0].breaker == BreakerState::HalfOpen && health[0].trouble.is_some(),
            "one may be luck: {health:?}"
        );
        second.done();
        wait_until("a closed breaker", || async {
            let destination = running.health().await.destinations.remove(0);
            (destination.breaker, destination.open_since, destination.next_probe_at)
                == (BreakerState::Closed, None, None)
                && destination.trouble.is_none()
        })
        .await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_pause_waits_for_its_next_probe_on_schedule_although_the_clock_was_stepped_back() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_fail_a_probe(&fixture, 1).await;
        let wait = next_probe_at(&fixture, &running, 1).await.since(fixture.clock.now());
        // Due times are wall-clock times, so the letters are now due in an hour. The test checks the breaker itself.
        step_back(&fixture);
        fixture.advance_when_idle(wait.saturating_sub(INSTANT)).await;
        fixture.assert_no_call(&mut inbox, "the next probe waits").await;
        assert_eq!(state(&running).await, BreakerState::Open);
        fixture.advance(INSTANT);
        wait_until("the time of the next probe", || async { state(&running).await == BreakerState::HalfOpen }).await;
        assert_eq!(running.health().await.held.len(), 1, "the pause ends with a served call only");
        fixture.advance(HOUR);
        inbox.complete_next(2).await;
        until_resumed(&running).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_pause_waits_for_its_next_probe_although_the_clock_was_stepped_forward() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_fail_a_probe(&fixture, 1).await;
        fixture.until_idle().await;
        step_forward(&fixture);
        fixture.assert_no_call(&mut inbox, "no further call").await;
        assert_eq!((running.health().await.held.len(), state(&running).await), (1, BreakerState::Open));
        next_probe(&fixture, &running, &mut inbox, 1).await.done();
        inbox.next().await.done();
        until_resumed(&running).await;
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
