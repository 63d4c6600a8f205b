//! Attempts that do not end as they should: too slow, in a panic, never.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use redrive_core::{Category, Outcome, Span};
use redrive_model::Cause;
use redrive_run::{Call, Handled, RunnerSettings};

use crate::rig::{Desk, World, item, policy, run, run_on_threads, soon, unbroken, until};

fn thirty_seconds(concurrency: usize) -> RunnerSettings {
    RunnerSettings { timeout: Span::from_secs(30), ..unbroken(concurrency) }
}

#[test]
fn an_attempt_that_takes_too_long_is_stopped_and_counts_as_one_failure() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), thirty_seconds(1)).await;
        for attempt in 1..=3 {
            let mut seen = desk.next().await;
            assert_eq!(seen.call.attempt, attempt);
            world.advance(Span::from_secs(30).saturating_sub(Span::from_micros(1)));
            world.calm().await;
            assert!(!seen.is_dropped(), "its time is not over yet");
            world.advance(Span::from_micros(1));
            seen.dropped().await;
            world.calm().await;
            world.advance(Span::from_secs(10));
        }
        world.until_dead(1).await;
        let letter = world.the_letter().await;
        assert_eq!((letter.attempts.len(), letter.context.unwrap().death.unwrap().attempts), (3, 3));
        for attempt in &letter.attempts {
            assert_eq!((attempt.cause, attempt.outcome), (Some(Cause::TimedOut), Outcome::Failure));
            assert_eq!(attempt.category, Some(Category::Network));
            assert_eq!(attempt.ended_at.unwrap().since(attempt.started_at.unwrap()), Span::from_secs(30));
        }
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.retried, report.dead_lettered, report.lost), (2, 1, 0));
    });
}

/// Decided when the runner hears of it, and not by what the clock says when it looks.
#[test]
fn a_result_that_was_there_before_the_timeout_is_the_result() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (running, mut desk) = world.start(policy(), thirty_seconds(1)).await;
        desk.next().await.fail(crate::rig::permanent());
        // The handler runs first and ends; then the clock jumps and somebody asks how it goes; the runner comes last,
        // and finds all of that at once.
        let clock = world.clock.clone();
        let asked = tokio::spawn(async move {
            clock.advance(Span::from_secs(31));
            running.health().await;
            running
        });
        until("an outcome", || async { world.leased("orders").await == 0 }).await;
        let letter = world.the_letter().await;
        assert_eq!((letter.attempts[0].cause, letter.attempts[0].error.as_str()), (None, "no such order"));
        asked.await.unwrap().stop(Span::ZERO).await;
    });
}

#[test]
fn a_panic_is_a_failed_attempt_and_the_runner_goes_on() {
    run(async {
        let world = World::new().await;
        world.produce([item("a"), item("b"), item("c"), item("d")]).await;
        let handler = |call: Call| {
            let payload = call.content.payload.clone();
            // Before there is a future at all.
            assert_ne!(payload, "b", "at once");
            async move {
                match &*payload {
                    b"a" => panic!("with words"),
                    b"c" => std::panic::panic_any(17),
                    _ => {}
                }
            }
        };
        let running = world.runner(world.orders(), handler, policy(), unbroken(2)).start().await.unwrap();
        // A panic says nothing about what time may heal: it is final, like every failure that nobody knows.
        world.until_dead(3).await;
        world.until_empty().await;
        for letter in world.dead_letters().await {
            let record = world.record(letter.info.letter.unwrap().id).await;
            let attempt = &record.attempts[0];
            assert_eq!((record.attempts.len(), attempt.outcome), (1, Outcome::Failure));
            assert_eq!(attempt.error_type.as_deref(), Some("panic"));
            let words = match &*record.content.payload {
                b"a" => "with words",
                b"b" => "at once",
                _ => "without a text",
            };
            assert!(attempt.error.contains(words), "{}", attempt.error);
        }
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.dead_lettered), (1, 3));
    });
}

/// Panics when it is dropped before its time.
struct Touchy;

impl Drop for Touchy {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "do not drop me");
    }
}

#[test]
fn a_handler_that_panics_when_it_is_dropped_counts_once_and_frees_its_place() {
    run(async {
        let world = World::new().await;
        world.produce([item("a")]).await;
        let (told, mut hear) = tokio::sync::mpsc::channel(10);
        let handler = move |call: Call| {
            let told = told.clone();
            async move {
                told.send(call.attempt).await.unwrap();
                let _touchy = Touchy;
                std::future::pending::<()>().await;
            }
        };
        let running = world.runner(world.orders(), handler, policy(), thirty_seconds(1)).start().await.unwrap();
        for attempt in 1..=3 {
            assert_eq!(soon("the next attempt", hear.recv()).await, Some(attempt));
            world.advance(Span::from_secs(30));
            world.calm().await;
            world.advance(Span::from_secs(10));
        }
        world.until_dead(1).await;
        let letter = world.the_letter().await;
        assert!(letter.attempts.iter().all(|attempt| attempt.cause == Some(Cause::TimedOut)));
        let health = running.health().await;
        assert_eq!((health.running, health.stuck), (0, 0));
        running.stop(Span::ZERO).await;
    });
}

/// What does not yield cannot be stopped. It keeps its place, so that no more threads than there are places can hang,
/// and whoever looks at the health sees it.
#[test]
fn a_handler_that_cannot_be_stopped_keeps_its_place_shows_as_stuck_and_holds_nobody_up() {
    run_on_threads(4, async {
        let world = World::new().await;
        world.produce([item("hangs"), item("b"), item("c"), item("d")]).await;
        let (release, released) = mpsc::sync_channel::<()>(1);
        let released = Arc::new(Mutex::new(released));
        let (handler, mut desk) = Desk::new(&world.clock);
        let handler = Arc::new(handler);
        let (told, mut hear) = tokio::sync::mpsc::channel(10);
        let handler = move |call: Call| {
            let (released, handler, told) = (Arc::clone(&released), Arc::clone(&handler), told.clone());
            async move {
                if call.content.payload == "hangs" && call.attempt == 1 {
                    told.send(()).await.unwrap();
                    released.lock().unwrap().recv().unwrap();
                    return Handled::DONE;
                }
                redrive_run::Handler::handle(&*handler, call).await
            }
        };
        let running = world.runner(world.orders(), handler, policy(), thirty_seconds(2)).start().await.unwrap();
        soon("the hanging handler to begin", hear.recv()).await;
        let first = desk.next().await;
        assert_eq!(running.health().await.stuck, 0);
        world.advance(Span::from_secs(29));
        first.done();
        let second = desk.next().await;
        world.advance(Span::from_secs(1));
        until("a stuck handler", || async { running.health().await.stuck == 1 }).await;
        let health = running.health().await;
        assert_eq!((health.running, health.is_progressing()), (2, false));
        second.done();
        desk.next().await.done();
        until("the others to be done", || async { world.items("orders").await.len() == 1 }).await;
        // It was in time after all, as far as the claim goes: one outcome.
        release.send(()).unwrap();
        world.until_empty().await;
        until("nothing to be stuck", || async { running.health().await.stuck == 0 }).await;
        assert!(desk.at_once().is_none());
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.lost, report.retried), (4, 0, 0));
        assert!(world.dead_letters().await.is_empty());
        world.conserved().await;
    });
}

#[test]
fn there_are_never_more_handlers_than_allowed() {
    run_on_threads(4, async {
        const PLACES: usize = 7;
        let world = World::new().await;
        world.produce((0..500).map(|number| item(&number.to_string()))).await;
        let (now, most, all) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0));
        let all = Arc::new(all);
        let handler = {
            let (most, all) = (Arc::clone(&most), Arc::clone(&all));
            move |_: Call| {
                let (now, most, all) = (Arc::clone(&now), Arc::clone(&most), Arc::clone(&all));
                async move {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                    all.fetch_add(1, Ordering::SeqCst);
                    now.fetch_sub(1, Ordering::SeqCst);
                }
            }
        };
        let running = world.runner(world.orders(), handler, policy(), unbroken(PLACES)).start().await.unwrap();
        world.until_empty().await;
        assert!(most.load(Ordering::SeqCst) <= PLACES, "{most:?} at a time");
        assert_eq!((all.load(Ordering::SeqCst), running.stop(Span::ZERO).await.done), (500, 500));
    });
}
