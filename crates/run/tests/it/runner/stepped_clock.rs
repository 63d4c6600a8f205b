//! The wall clock is stepped back or forward while a runner works.

use redrive_core::{BreakerState, Span};
use redrive_model::NewLetter;
use redrive_run::RunnerSettings;
use redrive_store::{Clock, StoreError};

use super::source_faults::fail_requests;
use crate::fixture::{Fixture, item, policy, run, settings, transient, wait_for, wait_until, without_breaker};

const HOUR: Span = Span::from_hours(1);
const INSTANT: Span = Span::from_micros(1);

fn step_back(fixture: &Fixture) {
    fixture.clock.step(fixture.clock.now().saturating_sub(HOUR));
}

fn step_forward(fixture: &Fixture) {
    fixture.clock.step(fixture.clock.now().saturating_add(HOUR));
}

/// A runner over letters of one destination whose breaker is open.
async fn with_open_breaker(fixture: &Fixture) -> (redrive_run::Running, crate::fixture::CallInbox) {
    let letter = |number: u32| NewLetter { max_retries: 100, ..fixture.letter(&format!("a-{number}"), "a") };
    fixture.capture((0..20).map(letter)).await;
    let (running, mut inbox) = fixture.start_letters(policy(), settings(1)).await;
    for _ in 0..5 {
        inbox.next().await.fail(transient());
    }
    wait_until("an open breaker", || async { running.health().await.held.len() == 1 }).await;
    (running, inbox)
}

#[test]
fn the_health_of_a_destination_tells_its_breaker_its_next_call_and_its_last_error() {
    run(async {
        let fixture = Fixture::new().await;
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
    run(async {
        let fixture = Fixture::new().await;
        let (running, mut inbox) = with_open_breaker(&fixture).await;
        // Due times are wall-clock times, so the letters are now due in an hour. The test checks the breaker itself.
        step_back(&fixture);
        fixture.until_idle().await;
        fixture.advance(Span::from_secs(10).saturating_sub(INSTANT));
        fixture.until_idle().await;
        assert!(inbox.try_next().is_none(), "the breaker is still open");
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
    run(async {
        let fixture = Fixture::new().await;
        let (running, mut inbox) = with_open_breaker(&fixture).await;
        step_forward(&fixture);
        fixture.until_idle().await;
        assert!(inbox.try_next().is_none());
        assert_eq!(running.health().await.held.len(), 1);
        fixture.advance(Span::from_secs(10));
        inbox.next().await.done();
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_step_of_the_clock_does_not_change_the_timeout_of_an_attempt() {
    run(async {
        let fixture = Fixture::new().await;
        fixture.produce([item("a")]).await;
        let settings = RunnerSettings { timeout: Span::from_secs(30), ..without_breaker(1) };
        let (running, mut inbox) = fixture.start(policy(), settings).await;
        let mut pending = inbox.next().await;
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
    run(async {
        let fixture = Fixture::new().await;
        fixture.produce([item("a")]).await;
        fail_requests(&fixture, "claim", &StoreError::Overloaded);
        let (running, mut inbox) = fixture.start(policy(), without_breaker(1)).await;
        wait_until("a failed claim", || async { running.health().await.claim_trouble.is_some() }).await;
        step_back(&fixture);
        fixture.store.clear_faults();
        fixture.advance(Span::from_secs(5));
        wait_for("the work", inbox.next()).await.done();
        fixture.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_step_of_the_clock_does_not_extend_the_drain_time_of_a_stop() {
    run(async {
        let fixture = Fixture::new().await;
        fixture.produce([item("a")]).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(1)).await;
        let mut pending = inbox.next().await;
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
