//! Starting, pausing, stopping, and ends that nobody asked for.

use std::sync::Arc;

use redrive_core::{Category, Policy, Span};
use redrive_model::{Cause, CreateQueue, DeleteQueue, GetQueue, ItemState};
use redrive_run::{RunnerSettings, RunnerStartError};
use redrive_store::{Request, Store, StoreError};

use crate::rig::{Act, Desk, World, item, policy, run, soon, transient, unbroken, until};

#[test]
fn a_policy_that_allows_more_than_its_queue_does_not_start_and_says_what_to_do() {
    run(async {
        let world = World::with(|orders| orders.max_attempts = 3).await;
        let (handler, _desk) = Desk::new(&world.clock);
        let more = Policy::builder().max_attempts(4).build().unwrap();
        let error = world.runner(world.orders(), handler, more, unbroken(1)).start().await.unwrap_err();
        assert!(matches!(error, RunnerStartError::TooManyAttempts { .. }));
        assert_eq!(
            error.to_string(),
            "the policy allows 4 attempts, but 'orders' itself allows 3; raise that to at least 4, or lower the \
             policy's max_attempts"
        );
        let (handler, _desk) = Desk::new(&world.clock);
        let unlimited = Policy::builder().limit(redrive_core::AttemptLimit::Unlimited).build().unwrap();
        let error = world.runner(world.orders(), handler, unlimited, unbroken(1)).start().await.unwrap_err();
        assert!(error.to_string().starts_with("the policy allows unlimited attempts"), "{error}");
        let (running, _desk) = world.start(Policy::builder().max_attempts(3).build().unwrap(), unbroken(1)).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_queue_that_does_not_exist_does_not_start() {
    run(async {
        let world = World::new().await;
        let (handler, _desk) = Desk::new(&world.clock);
        let source = redrive_run::StoreQueue::new(world.store(), crate::rig::named("nowhere"), Span::from_secs(60));
        let error = world.runner(source, handler, policy(), unbroken(1)).start().await.unwrap_err();
        assert!(error.to_string().contains("nowhere"), "{error}");
    });
}

#[test]
fn a_second_start_is_a_conflict_and_one_after_the_end_is_none() {
    run(async {
        let world = World::new().await;
        let (handler, mut desk) = Desk::new(&world.clock);
        let runner = world.runner(world.orders(), handler, policy(), unbroken(1));
        let first = runner.start().await.unwrap();
        assert_eq!(runner.start().await.unwrap_err(), RunnerStartError::AlreadyRunning);
        world.produce([item("a")]).await;
        desk.next().await.done();
        world.until_empty().await;
        assert_eq!(first.stop(Span::ZERO).await.done, 1);
        let second = runner.start().await.unwrap();
        world.produce([item("b")]).await;
        desk.next().await.done();
        world.until_empty().await;
        assert_eq!(second.stop(Span::ZERO).await.done, 1, "a report of its own");
    });
}

#[test]
fn a_paused_runner_takes_nothing_new_and_lets_what_runs_run_on() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let seen = desk.next().await;
        running.pause().await;
        let health = running.health().await;
        assert_eq!((health.is_paused, health.running, health.is_draining), (true, 1, false));
        world.produce([item("b")]).await;
        world.calm().await;
        assert!(desk.at_once().is_none());
        assert_eq!(world.leased("orders").await, 1, "only what runs is claimed");
        // Also for longer than its lease.
        world.stroll(Span::from_mins(4), Span::from_secs(10)).await;
        seen.done();
        until("one item", || async { world.items("orders").await.len() == 1 }).await;
        assert!(desk.at_once().is_none());
        running.resume().await;
        let seen = desk.next().await;
        assert_eq!((seen.payload(), seen.call.attempt), ("b".to_owned(), 1));
        seen.done();
        world.until_empty().await;
        assert_eq!(running.stop(Span::ZERO).await.done, 2);
    });
}

#[test]
fn a_stop_with_nothing_running_ends_at_once() {
    run(async {
        let world = World::new().await;
        let (running, _desk) = world.start(policy(), unbroken(4)).await;
        world.calm().await;
        let report = soon("the end", running.stop(Span::from_hours(1))).await;
        assert_eq!(report, redrive_run::RunReport::default());
        world.produce([item("a")]).await;
        world.calm().await;
        assert_eq!(world.items("orders").await[0].info.deliveries, 0, "nobody claims any more");
    });
}

#[test]
fn a_stop_waits_for_the_handlers_and_takes_nothing_new() {
    run(async {
        let world = World::new().await;
        world.produce([item("a"), item("b")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let calls = desk.some(2).await;
        let stopping = tokio::spawn(running.stop(Span::from_secs(30)));
        world.calm().await;
        world.produce([item("c")]).await;
        world.advance(Span::from_secs(29));
        world.calm().await;
        assert!(!stopping.is_finished() && desk.at_once().is_none());
        for seen in calls {
            if seen.payload() == "a" { seen.done() } else { seen.fail(transient()) }
        }
        let report = soon("the end", stopping).await.unwrap();
        assert_eq!((report.done, report.retried, report.aborted, report.unsettled), (1, 1, 0, 0));
        assert_eq!(world.leased("orders").await, 0);
        assert_eq!(world.items("orders").await.len(), 2, "b to be retried, c untouched");
    });
}

#[test]
fn a_stop_ends_handlers_that_do_not_finish_and_nothing_stays_leased() {
    run(async {
        let world = World::new().await;
        world.produce([item("quick"), item("slow")]).await;
        let id = world.capture([world.letter("letter", "there")]).await[0];
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let (letters, mut letter_desk) = world.start_letters(policy(), unbroken(4)).await;
        let calls = desk.some(2).await;
        let mut letter = letter_desk.next().await;
        let stopping = tokio::spawn(running.stop(Span::from_secs(30)));
        let stopping_letters = tokio::spawn(letters.stop(Span::from_secs(30)));
        world.calm().await;
        let mut slow = None;
        for seen in calls {
            if seen.payload() == "quick" { seen.done() } else { slow = Some(seen) }
        }
        world.advance(Span::from_secs(30).saturating_sub(Span::from_micros(1)));
        world.calm().await;
        assert!(!slow.as_ref().unwrap().is_dropped());
        world.advance(Span::from_micros(1));
        slow.unwrap().dropped().await;
        letter.dropped().await;
        let report = soon("the end", stopping).await.unwrap();
        assert_eq!((report.done, report.aborted, report.retried, report.finished()), (1, 1, 1, 1));
        assert_eq!(soon("the end", stopping_letters).await.unwrap().aborted, 1);
        assert_eq!((world.leased("orders").await, world.leased("dead").await), (0, 0));
        let left = world.items("orders").await;
        assert_eq!((left.len(), left[0].info.attempts), (1, 1), "the attempt counts");
        assert!(matches!(left[0].info.state, ItemState::Scheduled { .. }));
        let record = world.record(id).await;
        assert_eq!(record.info.letter.unwrap().retries, 1);
        let newest = record.attempts.last().unwrap();
        assert_eq!((newest.cause, newest.category), (Some(Cause::Aborted), Some(Category::Transient)));
        assert_eq!(newest.started_at.zip(newest.ended_at).map(|(from, to)| to.since(from)), Some(Span::from_secs(30)));
        world.conserved().await;
    });
}

/// It was done, and the runner was told so before the time was up. To abort it would be to do it twice.
#[test]
fn what_ended_in_time_is_not_aborted_because_the_runner_looks_late() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let seen = desk.next().await;
        world.calm().await;
        seen.done();
        // The handler runs first and ends; the stop comes next; the runner comes last and finds both.
        let stopping = tokio::spawn(running.stop(Span::ZERO));
        let report = soon("the end", stopping).await.unwrap();
        assert_eq!((report.done, report.aborted), (1, 0));
        assert!(world.items("orders").await.is_empty());
    });
}

#[test]
fn a_running_that_is_dropped_drains_by_itself() {
    run(async {
        let world = World::new().await;
        world.produce([item("a"), item("b")]).await;
        let (handler, mut desk) = Desk::new(&world.clock);
        let settings = RunnerSettings { drain: Span::from_secs(30), ..unbroken(4) };
        let runner = world.runner(world.orders(), handler, policy(), settings);
        let running = runner.start().await.unwrap();
        let mut calls = desk.some(2).await;
        drop(running);
        world.produce([item("c")]).await;
        world.calm().await;
        assert!(desk.at_once().is_none(), "it takes nothing new");
        let (mut hangs, finishes) = (calls.pop().unwrap(), calls.pop().unwrap());
        finishes.done();
        world.advance(Span::from_secs(30));
        hangs.dropped().await;
        until("a runner that has ended", || async { runner.start().await.is_ok() }).await;
        world.calm().await;
        assert_eq!(world.items("orders").await.len(), 2);
        assert_eq!(world.leased("orders").await, u64::from(desk.at_once().is_some()));
    });
}

/// Whoever loses patience with a stop has still stopped it.
#[test]
fn a_stop_that_is_dropped_stops_all_the_same() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (handler, mut desk) = Desk::new(&world.clock);
        let runner = world.runner(world.orders(), handler, policy(), unbroken(4));
        let running = runner.start().await.unwrap();
        let mut seen = desk.next().await;
        let stopping = tokio::spawn(running.stop(Span::from_hours(1)));
        world.calm().await;
        stopping.abort();
        world.calm().await;
        assert_eq!(runner.start().await.unwrap_err(), RunnerStartError::AlreadyRunning, "its handler runs on");
        world.advance(Span::from_secs(30));
        seen.dropped().await;
        until("a runner that has ended", || async { runner.start().await.is_ok() }).await;
    });
}

#[test]
fn a_runner_ends_with_its_source() {
    run(async {
        let world = World::new().await;
        let (running, _desk) = world.start(policy(), unbroken(4)).await;
        world.calm().await;
        world.store.local.close().await.unwrap();
        assert_eq!(soon("the end", running.ended()).await, redrive_run::RunReport::default());
    });
}

#[test]
fn a_runner_whose_source_closes_while_it_works_ends_and_says_what_was_not_taken() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let seen = desk.next().await;
        world.store.local.close().await.unwrap();
        until("a runner that drains", || async { running.health().await.is_draining }).await;
        seen.done();
        until("a result that nobody takes", || async { running.health().await.settle_trouble.is_some() }).await;
        world.advance(Span::from_secs(31));
        until("its time to be over", || async { running.health().await.is_draining }).await;
        world.advance(Span::from_secs(6));
        let report = soon("the end", running.ended()).await;
        assert_eq!((report.done, report.unsettled), (0, 1));
    });
}

/// A result in a call that is never answered was not taken, either.
#[test]
fn results_in_a_call_that_is_never_answered_are_told_as_unsettled() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        let seen = desk.next().await;
        world.store.rule(|request| match request {
            Request::Settle(_) => Act::Hang,
            _ => Act::Pass,
        });
        seen.done();
        world.calm().await;
        assert_eq!(running.health().await.finishing, 1, "the source has not taken it yet");
        let stopping = tokio::spawn(running.stop(Span::ZERO));
        world.calm().await;
        world.advance(Span::from_secs(6));
        let report = soon("the end", stopping).await.unwrap();
        assert_eq!((report.done, report.unsettled), (0, 1));
    });
}

#[test]
fn the_health_of_a_runner_that_has_ended_is_no_health() {
    run(async {
        let world = World::new().await;
        let (running, _desk) = world.start(policy(), unbroken(4)).await;
        assert!(running.health().await.is_progressing());
        world.store.local.close().await.unwrap();
        until("the end", || async { running.has_ended() }).await;
        let health = running.health().await;
        assert!(!health.is_responsive && !health.is_progressing());
    });
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    run(async {
        let world = World::new().await;
        let refused = |settings: RunnerSettings| {
            let (handler, _desk) = Desk::new(&world.clock);
            redrive_run::Runner::new(world.orders(), handler, policy(), settings).unwrap_err().to_string()
        };
        for (settings, names) in [
            (unbroken(0), "concurrency"),
            (unbroken(RunnerSettings::CONCURRENCY_MAX + 1), "concurrency"),
            (RunnerSettings { timeout: Span::ZERO, ..unbroken(1) }, "timeout"),
            (RunnerSettings { timeout: Span::from_days(31), ..unbroken(1) }, "timeout"),
            (RunnerSettings { destinations_max: 0, ..unbroken(1) }, "destinations_max"),
        ] {
            let error = refused(settings);
            assert!(error.contains(names), "{error}");
        }
    });
}

/// A queue that is removed is an outage to its runner: it says so, and goes on when the queue is there again.
#[test]
fn a_queue_that_is_removed_and_made_again_is_worked_on_again() {
    run(async {
        let world = World::new().await;
        let (running, mut desk) = world.start(policy(), unbroken(4)).await;
        world.calm().await;
        let settings = world.store.local.queue(GetQueue { name: crate::rig::named("orders") }).await.unwrap();
        world.store.local.delete_queue(DeleteQueue { name: crate::rig::named("orders"), force: true }).await.unwrap();
        until("trouble", || async { running.health().await.claim_trouble.is_some() }).await;
        world.store.local.create_queue(CreateQueue { settings }).await.unwrap();
        world.produce([item("a")]).await;
        world.advance(Span::from_secs(5));
        desk.next().await.done();
        world.until_empty().await;
        until("no trouble", || async { running.health().await.is_progressing() }).await;
        running.stop(Span::ZERO).await;
    });
}

/// And it can be started once the source is up.
#[test]
fn a_start_while_the_source_is_down_is_an_error_and_not_a_hang() {
    run(async {
        let world = World::new().await;
        world.store.rule(|_| Act::Refuse(StoreError::Overloaded));
        let (handler, _desk) = Desk::new(&world.clock);
        let runner = Arc::new(world.runner(world.orders(), handler, policy(), unbroken(1)));
        assert!(matches!(runner.start().await.unwrap_err(), RunnerStartError::Source(_)));
        world.store.open();
        runner.start().await.unwrap().stop(Span::ZERO).await;
    });
}
