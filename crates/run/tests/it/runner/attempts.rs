//! Attempts that exceed their timeout, panic, or never end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use redrive_core::{Category, Outcome, Policy, Span};
use redrive_model::Cause;
use redrive_run::{Call, Handled, Handler, RunnerSettings};
use redrive_store::Clock;

use crate::fixture::{
    CallInbox, Fixture, item, policy, run, run_on_threads, wait_for, wait_until, with_fixture, without_breaker,
};

fn thirty_seconds(concurrency: usize) -> RunnerSettings {
    RunnerSettings { timeout: Span::from_secs(30), ..without_breaker(concurrency) }
}

#[test]
fn an_attempt_over_its_timeout_is_stopped_and_counts_as_one_failure() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), thirty_seconds(1)).await;
        for attempt in 1..=3 {
            let mut pending = inbox.next().await;
            assert_eq!(pending.call.attempt, attempt);
            fixture.advance(Span::from_secs(30).saturating_sub(Span::from_micros(1)));
            fixture.until_idle().await;
            assert!(!pending.is_dropped(), "the timeout has not passed yet");
            fixture.advance(Span::from_micros(1));
            pending.dropped().await;
            fixture.advance_when_idle(Span::from_secs(10)).await;
        }
        let letter = fixture.first_letter().await;
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

/// Work that waits for a worker or for its turn would otherwise have less time than other work, or none.
#[test]
fn the_timeout_counts_from_when_the_work_begins() {
    with_fixture(async |fixture| {
        let once = Policy::builder().max_attempts(1).build().unwrap();
        let (running, _inbox, mut pending) = fixture.start_one(once, thirty_seconds(1)).await;
        pending.call.hold();
        fixture.advance_in_steps(Span::from_mins(5), Span::from_secs(10)).await;
        assert!(!pending.is_dropped(), "work that has not begun does not time out");
        assert!(pending.call.begin());
        let begun_at = fixture.clock.now();
        assert_eq!(pending.call.deadline(), Some(begun_at.saturating_add(Span::from_secs(30))));
        fixture.advance_in_steps(Span::from_micros(29_999_999), Span::from_secs(10)).await;
        assert!(!pending.is_dropped(), "the work has its whole timeout");
        fixture.advance(Span::from_micros(1));
        pending.dropped().await;
        fixture.until_letters(1).await;
        let attempt = &fixture.only_letter().await.attempts[0];
        assert_eq!((attempt.cause, attempt.started_at), (Some(Cause::TimedOut), Some(begun_at)));
        assert_eq!(attempt.error, "the attempt timed out after 30s");
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn attempts_time_out_in_the_order_in_which_their_work_began() {
    with_fixture(async |fixture| {
        fixture.produce([item("a"), item("b"), item("c")]).await;
        let once = Policy::builder().max_attempts(1).build().unwrap();
        let (running, mut inbox) = fixture.start(once, thirty_seconds(3)).await;
        let mut pending = [inbox.next().await, inbox.next().await, inbox.next().await];
        pending[0].call.hold();
        pending[1].call.hold();
        // In the middle of the time of the third one, and after it.
        let step = Span::from_secs(10);
        fixture.advance_in_steps(Span::from_secs(20), step).await;
        assert!(pending[1].call.begin());
        fixture.advance_in_steps(Span::from_secs(20), step).await;
        assert!(pending[0].call.begin());
        fixture.until_letters(1).await;
        for ended in [[false, false, true], [false, true, true], [true, true, true]] {
            assert_eq!(pending.each_mut().map(|pending| pending.is_dropped()), ended);
            fixture.advance_in_steps(Span::from_secs(20), step).await;
        }
        fixture.until_letters(3).await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn work_that_was_returned_untouched_does_not_begin() {
    with_fixture(async |fixture| {
        let (running, _inbox, pending) = fixture.start_one(policy(), thirty_seconds(1)).await;
        pending.call.hold();
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.deferred, report.aborted), (1, 0), "{report:?}");
        assert!(!pending.call.begin());
    });
}

/// A handler that never returns.
struct Endless;

#[async_trait::async_trait]
impl Handler for Endless {
    async fn handle(&self, _call: Call) -> Handled {
        std::future::pending().await
    }

    fn timeout(&self) -> Option<Span> {
        Some(Span::from_secs(5))
    }
}

#[test]
fn a_handler_may_have_a_shorter_timeout_than_its_runner() {
    run(async {
        for (timeout, expected) in [(30, 5), (3, 3)] {
            let fixture = Fixture::new().await;
            fixture.produce([item("a")]).await;
            let settings = RunnerSettings { timeout: Span::from_secs(timeout), ..without_breaker(1) };
            let once = Policy::builder().max_attempts(1).build().unwrap();
            let running = fixture.runner(fixture.orders(), Endless, once, settings).start().await.unwrap();
            wait_until("a running attempt", || async { running.health().await.running == 1 }).await;
            fixture.advance(Span::from_secs(expected));
            let letter = fixture.first_letter().await;
            assert_eq!(letter.attempts[0].error, format!("the attempt timed out after {expected}s"));
            running.stop(Span::ZERO).await;
        }
    });
}

/// A runner that reads the clock late must not turn a finished attempt into a timeout.
#[test]
fn a_result_that_arrived_before_the_timeout_counts_even_if_the_runner_reads_it_later() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = fixture.start_item(policy(), thirty_seconds(1)).await;
        inbox.next().await.fail(crate::fixture::permanent());
        // The handler ends first; then the clock jumps and a health request arrives; the runner wakes last and finds
        // all three.
        let clock = fixture.clock.clone();
        let health_request = tokio::spawn(async move {
            clock.advance(Span::from_secs(31));
            running.health().await;
            running
        });
        wait_until("the outcome", || async { fixture.leased("orders").await == 0 }).await;
        let letter = fixture.only_letter().await;
        assert_eq!((letter.attempts[0].cause, letter.attempts[0].error.as_str()), (None, "no such order"));
        health_request.await.unwrap().stop(Span::ZERO).await;
    });
}

#[test]
fn a_panic_is_a_failed_attempt_and_the_runner_continues() {
    with_fixture(async |fixture| {
        fixture.produce([item("a"), item("b"), item("c"), item("d")]).await;
        let handler = |call: Call| {
            let payload = call.content.payload.clone();
            // Panics before there is a future.
            assert_ne!(payload, "b", "before the future");
            async move {
                match &*payload {
                    b"a" => panic!("with a message"),
                    b"c" => std::panic::panic_any(17),
                    _ => {}
                }
            }
        };
        let running = fixture.runner(fixture.orders(), handler, policy(), without_breaker(2)).start().await.unwrap();
        // A panic is an unknown failure, and so permanent: it is not retried.
        fixture.until_letters(3).await;
        fixture.until_empty().await;
        for letter in fixture.dead_letters().await {
            let record = fixture.record(letter.info.letter.unwrap().id).await;
            let attempt = &record.attempts[0];
            assert_eq!((record.attempts.len(), attempt.outcome), (1, Outcome::Failure));
            assert_eq!(attempt.error_type.as_deref(), Some("panic"));
            let message = match &*record.content.payload {
                b"a" => "with a message",
                b"b" => "before the future",
                _ => "without a text",
            };
            assert!(attempt.error.contains(message), "{}", attempt.error);
        }
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.dead_lettered), (1, 3));
    });
}

/// Panics when it is dropped.
struct PanicOnDrop;

impl Drop for PanicOnDrop {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "panic in drop");
    }
}

#[test]
fn a_handler_that_panics_when_dropped_counts_as_one_failure_and_frees_its_slot() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        let (tx, mut rx) = tokio::sync::mpsc::channel(10);
        let handler = move |call: Call| {
            let tx = tx.clone();
            async move {
                tx.send(call.attempt).await.unwrap();
                let _panic = PanicOnDrop;
                std::future::pending::<()>().await;
            }
        };
        let running = fixture.runner(fixture.orders(), handler, policy(), thirty_seconds(1)).start().await.unwrap();
        for attempt in 1..=3 {
            assert_eq!(wait_for("the next attempt", rx.recv()).await, Some(attempt));
            fixture.advance(Span::from_secs(30));
            fixture.advance_when_idle(Span::from_secs(10)).await;
        }
        let letter = fixture.first_letter().await;
        assert!(letter.attempts.iter().all(|attempt| attempt.cause == Some(Cause::TimedOut)));
        let health = running.health().await;
        assert_eq!((health.running, health.stuck), (0, 0));
        running.stop(Span::ZERO).await;
    });
}

/// A handler that does not yield cannot be stopped. It keeps its slot, so that at most `concurrency` threads can hang,
/// and the health report counts it as stuck.
#[test]
fn a_blocking_handler_keeps_its_slot_is_reported_as_stuck_and_delays_no_other_work() {
    run_on_threads(4, async {
        let fixture = Fixture::new().await;
        fixture.produce([item("hangs"), item("b"), item("c"), item("d")]).await;
        let (release, released) = mpsc::sync_channel::<()>(1);
        let released = Arc::new(Mutex::new(released));
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let handler = Arc::new(handler);
        let (tx, mut rx) = tokio::sync::mpsc::channel(10);
        let handler = move |call: Call| {
            let (released, handler, tx) = (Arc::clone(&released), Arc::clone(&handler), tx.clone());
            async move {
                if call.content.payload == "hangs" && call.attempt == 1 {
                    tx.send(()).await.unwrap();
                    released.lock().unwrap().recv().unwrap();
                    return Handled::DONE;
                }
                redrive_run::Handler::handle(&*handler, call).await
            }
        };
        let running = fixture.runner(fixture.orders(), handler, policy(), thirty_seconds(2)).start().await.unwrap();
        wait_for("the start of the hanging handler", rx.recv()).await;
        let first = inbox.next().await;
        assert_eq!(running.health().await.stuck, 0);
        fixture.advance(Span::from_secs(29));
        first.done();
        let second = inbox.next().await;
        fixture.advance(Span::from_secs(1));
        wait_until("a stuck handler", || async { running.health().await.stuck == 1 }).await;
        let health = running.health().await;
        assert_eq!((health.running, health.is_progressing()), (2, false));
        second.done();
        inbox.next().await.done();
        wait_until("the completion of the others", || async { fixture.items("orders").await.len() == 1 }).await;
        // Its claim is still valid, so that its late result is the one outcome.
        release.send(()).unwrap();
        fixture.until_empty().await;
        wait_until("no stuck handler", || async { running.health().await.stuck == 0 }).await;
        assert!(inbox.try_next().is_none());
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.lost, report.retried), (4, 0, 0));
        assert!(fixture.dead_letters().await.is_empty());
        fixture.assert_conserved().await;
    });
}

#[test]
fn at_most_concurrency_handlers_run_at_a_time() {
    run_on_threads(4, async {
        const CONCURRENCY: usize = 7;
        let fixture = Fixture::new().await;
        fixture.produce((0..500).map(|number| item(&number.to_string()))).await;
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
        let running =
            fixture.runner(fixture.orders(), handler, policy(), without_breaker(CONCURRENCY)).start().await.unwrap();
        fixture.until_empty().await;
        assert!(most.load(Ordering::SeqCst) <= CONCURRENCY, "{most:?} at a time");
        assert_eq!((all.load(Ordering::SeqCst), running.stop(Span::ZERO).await.done), (500, 500));
    });
}
