//! The machine's clock is stepped back or forward while a runner works.

use redrive_core::Span;
use redrive_model::NewLetter;
use redrive_run::RunnerSettings;
use redrive_store::{Clock, StoreError};

use super::trouble::refuse;
use crate::rig::{World, item, policy, run, settings, soon, transient, unbroken, until};

const HOUR: Span = Span::from_hours(1);
const INSTANT: Span = Span::from_micros(1);

fn step_back(world: &World) {
    world.clock.step(world.clock.now().saturating_sub(HOUR));
}

fn step_forward(world: &World) {
    world.clock.step(world.clock.now().saturating_add(HOUR));
}

/// Letters of one destination, of which five have failed.
async fn with_open_breaker(world: &World) -> (redrive_run::Running, crate::rig::Desk) {
    let letter = |number: u32| NewLetter { max_retries: 100, ..world.letter(&format!("a-{number}"), "a") };
    world.capture((0..20).map(letter)).await;
    let (running, mut desk) = world.start_letters(policy(), settings(1)).await;
    for _ in 0..5 {
        desk.next().await.fail(transient());
    }
    until("a held destination", || async { running.health().await.held.len() == 1 }).await;
    (running, desk)
}

#[test]
fn a_breaker_is_tried_in_time_though_the_clock_was_stepped_back() {
    run(async {
        let world = World::new().await;
        let (running, mut desk) = with_open_breaker(&world).await;
        // The letters are due in an hour then: that is a time of day. So the breaker itself is looked at.
        step_back(&world);
        world.calm().await;
        world.advance(Span::from_secs(10).saturating_sub(INSTANT));
        world.calm().await;
        assert!(desk.at_once().is_none(), "it is open still");
        assert_eq!(running.health().await.held.len(), 1);
        world.advance(INSTANT);
        until("a destination that may be tried", || async { running.health().await.held.is_empty() }).await;
        world.advance(HOUR);
        desk.next().await.done();
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_breaker_stays_open_though_the_clock_was_stepped_forward() {
    run(async {
        let world = World::new().await;
        let (running, mut desk) = with_open_breaker(&world).await;
        step_forward(&world);
        world.calm().await;
        assert!(desk.at_once().is_none());
        assert_eq!(running.health().await.held.len(), 1);
        world.advance(Span::from_secs(10));
        desk.next().await.done();
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn an_attempt_has_its_own_time_however_the_clock_is_stepped() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let settings = RunnerSettings { timeout: Span::from_secs(30), ..unbroken(1) };
        let (running, mut desk) = world.start(policy(), settings).await;
        let mut seen = desk.next().await;
        step_back(&world);
        world.advance(Span::from_secs(30).saturating_sub(INSTANT));
        world.calm().await;
        assert!(!seen.is_dropped(), "its time is not over yet");
        world.advance(INSTANT);
        soon("its end", seen.dropped()).await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.lost), (1, 0));
    });
}

#[test]
fn a_source_is_asked_again_in_time_though_the_clock_was_stepped_back() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        refuse(&world, "claim", &StoreError::Overloaded);
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        until("trouble", || async { running.health().await.claim_trouble.is_some() }).await;
        step_back(&world);
        world.store.open();
        world.advance(Span::from_secs(5));
        soon("the work", desk.next()).await.done();
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_stop_waits_no_longer_though_the_clock_was_stepped_back() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        let mut seen = desk.next().await;
        let stopping = tokio::spawn(running.stop(Span::from_secs(20)));
        world.calm().await;
        step_back(&world);
        world.advance(Span::from_secs(20).saturating_sub(INSTANT));
        world.calm().await;
        assert!(!seen.is_dropped());
        world.advance(INSTANT);
        soon("its end", seen.dropped()).await;
        assert_eq!(soon("the end", stopping).await.unwrap().aborted, 1);
    });
}
