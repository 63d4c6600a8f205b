//! A runner that has nothing to do does nothing.

use std::sync::Arc;

use redrive_core::{Span, Time};
use redrive_run::Runner;
use redrive_store::{Request, StoreError};

use crate::rig::{Act, Counting, Desk, World, item, policy, run, settings, transient, unbroken, until};

/// Lets everybody run who wants to, for a while in which nothing happens.
async fn while_nothing_happens() {
    for _ in 0..2_000 {
        tokio::task::yield_now().await;
    }
}

/// How often a runner looked at its clock while nothing happened: once a turn of its loop, at least.
async fn turns(world: &World, clock: &Counting) -> u64 {
    world.calm().await;
    let before = clock.looks();
    while_nothing_happens().await;
    clock.looks() - before
}

#[test]
fn an_idle_runner_asks_once_and_waits() {
    run(async {
        let world = World::new().await;
        let clock = Counting::new(&world.clock);
        let (handler, mut desk) = Desk::new(&world.clock);
        let runner = Runner::new(world.orders(), handler, policy(), unbroken(4)).unwrap();
        let running = runner.with_clock(Arc::new(clock.clone())).start().await.unwrap();
        assert_eq!(turns(&world, &clock).await, 0, "turns of the loop without a reason");
        assert_eq!(world.store.count("claim"), 1);
        // Time alone is no reason to ask again, as long as the claim waits.
        for _ in 0..50 {
            world.advance(Span::from_secs(30));
            world.calm().await;
        }
        assert_eq!(world.store.count("claim"), 1);
        assert_eq!(world.store.count("extend") + world.store.count("settle"), 0);
        world.produce([item("a")]).await;
        let seen = desk.next().await;
        assert_eq!(turns(&world, &clock).await, 0, "nor while a handler works");
        seen.done();
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_runner_whose_places_are_all_taken_asks_for_nothing() {
    run(async {
        let world = World::new().await;
        world.produce((0..10).map(|number| item(&number.to_string()))).await;
        let (running, mut desk) = world.start(policy(), unbroken(3)).await;
        let calls = desk.some(3).await;
        world.calm().await;
        let claims = world.store.count("claim");
        while_nothing_happens().await;
        assert_eq!((world.store.count("claim"), world.leased("orders").await), (claims, 3));
        calls.into_iter().for_each(crate::rig::Seen::done);
        for _ in 0..7 {
            desk.next().await.done();
        }
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

/// The refusal is over, the queue is empty, the next claim waits: there is nothing to do until something comes.
#[test]
fn a_claim_that_failed_once_leaves_no_runner_that_spins() {
    run(async {
        let world = World::new().await;
        let clock = Counting::new(&world.clock);
        let mut is_first = true;
        world.store.rule(move |request| match request {
            Request::Lease(_) if std::mem::take(&mut is_first) => Act::Refuse(StoreError::Overloaded),
            _ => Act::Pass,
        });
        let (handler, _desk) = Desk::new(&world.clock);
        let runner = Runner::new(world.orders(), handler, policy(), unbroken(4)).unwrap();
        let running = runner.with_clock(Arc::new(clock.clone())).start().await.unwrap();
        until("a refused claim", || async { world.store.count("claim") == 1 }).await;
        world.calm().await;
        world.advance(Span::from_secs(10));
        until("another claim", || async { world.store.count("claim") == 2 }).await;
        assert_eq!(turns(&world, &clock).await, 0, "turns of the loop without a reason");
        running.stop(Span::ZERO).await;
    });
}

/// A call to the source is on its way, and more results wait behind it.
#[test]
fn results_that_wait_for_a_slow_source_leave_no_runner_that_spins() {
    run(async {
        let world = World::new().await;
        world.produce([item("a"), item("b")]).await;
        let clock = Counting::new(&world.clock);
        let (handler, mut desk) = Desk::new(&world.clock);
        let runner = Runner::new(world.orders(), handler, policy(), unbroken(4)).unwrap();
        let running = runner.with_clock(Arc::new(clock.clone())).start().await.unwrap();
        let mut calls = desk.some(2).await;
        let mut is_first = true;
        world.store.rule(move |request| match request {
            Request::Settle(_) if std::mem::take(&mut is_first) => Act::Refuse(StoreError::Overloaded),
            Request::Settle(_) => Act::Hang,
            _ => Act::Pass,
        });
        calls.pop().unwrap().done();
        until("a refused result", || async { running.health().await.settle_trouble.is_some() }).await;
        world.advance(Span::from_secs(1));
        until("a second call", || async { world.store.count("settle") == 2 }).await;
        calls.pop().unwrap().done();
        assert_eq!(turns(&world, &clock).await, 0, "turns of the loop without a reason");
        let stopping = tokio::spawn(running.stop(Span::ZERO));
        world.calm().await;
        world.advance(Span::from_secs(10));
        stopping.await.unwrap();
    });
}

#[test]
fn an_open_breaker_leaves_no_runner_that_spins() {
    run(async {
        let world = World::new().await;
        world.produce((0..10).map(|number| item(&number.to_string()))).await;
        let clock = Counting::new(&world.clock);
        let (handler, mut desk) = Desk::new(&world.clock);
        let runner = Runner::new(world.orders(), handler, policy(), settings(5)).unwrap();
        let running = runner.with_clock(Arc::new(clock.clone())).start().await.unwrap();
        for seen in desk.some(5).await {
            seen.fail(transient());
        }
        until("an open breaker", || async { running.health().await.held.len() == 1 }).await;
        assert_eq!(turns(&world, &clock).await, 0, "while it is open");
        world.advance(Span::from_secs(10));
        let probe = desk.next().await;
        assert_eq!(turns(&world, &clock).await, 0, "while it is probed");
        assert!(desk.at_once().is_none());
        probe.done();
        running.stop(Span::ZERO).await;
    });
}

/// A claim that is answered with little time left is extended soon, and then as often as any other.
#[test]
fn a_claim_that_came_late_is_not_extended_over_and_over() {
    run(async {
        let world = World::new().await;
        world.capture([world.letter("a", "there")]).await;
        // Its story is read slowly: the clock moves on meanwhile, almost to the end of the claim.
        let clock = world.clock.clone();
        world.store.rule(move |request| {
            if let Request::GetLetter(_) = request {
                clock.advance(Span::from_secs(60).saturating_sub(Span::from_millis(3)));
            }
            Act::Pass
        });
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        let seen = desk.next().await;
        world.store.open();
        world.advance(Span::from_millis(1));
        world.calm().await;
        world.stroll(Span::from_millis(200), Span::from_millis(1)).await;
        let extensions = world.store.count("extend");
        assert!(extensions <= 5, "{extensions} extensions in a fifth of a second, of a claim that lasts a minute");
        seen.done();
        world.calm().await;
        running.stop(Span::ZERO).await;
    });
}

/// Nothing waits for a time that has passed already.
#[test]
fn a_clock_that_goes_back_does_no_harm() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        let seen = desk.next().await;
        let now: Time = redrive_store::Clock::now(&world.clock);
        world.clock.set(now.saturating_sub(Span::from_hours(1)));
        world.calm().await;
        seen.fail(transient());
        world.calm().await;
        world.clock.set(now.saturating_add(Span::from_hours(2)));
        desk.next().await.done();
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}
