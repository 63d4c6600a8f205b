//! Claimed work that waits for its destination: a runner that waits uses no processor time, and one that stops returns the
//! work.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use redrive_core::{MonotonicTime, OnOutage, Span, Status, Time};
use redrive_model::Archive;
use redrive_run::{Runner, RunnerSettings};
use redrive_store::{Clock, ManualClock, Wake};

use super::breaker::{letters_for, next_probe, start_and_fail_a_probe, until_open, until_resumed};
use crate::fixture::{CallInbox, CountingClock, dead, item, policy, settings, transient, wait_for, with_fixture};

fn pausing(concurrency: usize) -> RunnerSettings {
    RunnerSettings { on_outage: OnOutage::Pause, ..settings(concurrency) }
}

/// A loop without a pause would turn very often meanwhile, also if each turn waits for the store or for a timer.
async fn until_real_time_passes() {
    tokio::time::sleep(Duration::from_millis(200)).await;
}

/// Letters wait at their queue, also where other work would be paused.
#[test]
fn due_letters_of_a_paused_destination_are_not_claimed_before_the_next_probe() {
    with_fixture(async |fixture| {
        fixture.capture(letters_for(&fixture, "a", 20)).await;
        let (running, mut inbox) = fixture.start_letters(policy(), pausing(1)).await;
        inbox.fail_next(5 + 1).await;
        until_open(&running).await;
        // The claims and the releases that were under way.
        until_real_time_passes().await;
        let claims = fixture.store.count("claim");
        until_real_time_passes().await;
        let claims = fixture.store.count("claim") - claims;
        assert!(claims <= 2, "{claims} claims while the destination may not be probed");
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_call_that_fails_while_the_runner_stops_is_returned_at_once() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        let (running, mut inbox) = fixture.start(policy(), pausing(2)).await;
        let pending = inbox.next().await;
        running.drain(Span::from_secs(30)).await;
        pending.fail(transient());
        let report = wait_for("the end of the runner", running.ended()).await;
        assert_eq!((report.retried, report.unsettled), (1, 0), "{report:?}");
        assert_eq!(fixture.leased("orders").await, 0);
    });
}

/// It failed before, and its next call waits for a resource when the runner stops.
#[test]
fn undecided_work_whose_next_call_has_not_begun_is_returned_when_the_runner_stops() {
    with_fixture(async |fixture| {
        fixture.produce([item("a")]).await;
        let (running, mut inbox) = fixture.start(policy(), pausing(2)).await;
        inbox.next().await.fail(transient());
        fixture.advance_when_idle(Span::from_secs(10)).await;
        let pending = inbox.next().await;
        pending.call.hold();
        let report = wait_for("the end of the runner", running.stop(Span::ZERO)).await;
        assert!(inbox.try_next().is_none(), "no call after the stop");
        assert_eq!(report.unsettled, 0, "{report:?}");
        assert_eq!(fixture.leased("orders").await, 0);
    });
}

/// While the second probe runs, other work waits to probe.
#[test]
fn a_runner_that_waits_for_the_second_probe_is_idle() {
    with_fixture(async |fixture| {
        let clock = Arc::new(CountingClock::new(&fixture.clock));
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = Runner::new(fixture.orders(), handler, policy(), pausing(1)).unwrap();
        let running = runner.with_clock(Arc::clone(&clock) as Arc<_>).start().await.unwrap();
        fixture.produce((0..20).map(|number| item(&number.to_string()))).await;
        inbox.fail_next(5 + 1).await;
        next_probe(&fixture, &running, &mut inbox, 1).await.done();
        let _second = inbox.next().await;
        fixture.advance_when_idle(Span::from_secs(1)).await;
        fixture.until_idle().await;
        let reads = clock.reads();
        until_real_time_passes().await;
        let reads = clock.reads() - reads;
        assert!(reads < 20, "{reads} readings of the clock while nothing happens");
        running.stop(Span::ZERO).await;
    });
}

/// There is other work: its call has not ended.
#[test]
fn a_pause_waits_for_the_result_of_the_second_probe() {
    with_fixture(async |fixture| {
        fixture.produce((0..5).map(|number| item(&number.to_string()))).await;
        let (running, mut inbox) = fixture.start(policy(), pausing(2)).await;
        inbox.fail_next(5).await;
        until_open(&running).await;
        fixture.produce((5..7).map(|number| item(&number.to_string()))).await;
        inbox.next().await.done();
        let second = inbox.next().await;
        fixture.advance_when_idle(Span::from_secs(1)).await;
        fixture.until_idle().await;
        assert_eq!(running.health().await.held.len(), 1, "one served call, and one whose result is unknown");
        second.fail(transient());
        fixture.until_idle().await;
        assert_eq!(running.health().await.held.len(), 1);
        running.stop(Span::ZERO).await;
    });
}

/// A probe that hangs is a failed one: the next one waits.
#[test]
fn after_a_probe_that_times_out_the_next_one_waits() {
    with_fixture(async |fixture| {
        fixture.produce((0..5).map(|number| item(&number.to_string()))).await;
        let settings = RunnerSettings { timeout: Span::from_secs(30), ..pausing(2) };
        let (running, mut inbox) = fixture.start(policy(), settings).await;
        inbox.fail_next(5).await;
        until_open(&running).await;
        fixture.produce((5..25).map(|number| item(&number.to_string()))).await;
        let mut probe = inbox.next().await;
        for failed in 1..=3 {
            fixture.advance_in_steps(Span::from_secs(30), Span::from_secs(10)).await;
            probe.dropped().await;
            probe = next_probe(&fixture, &running, &mut inbox, failed).await;
        }
        running.stop(Span::ZERO).await;
    });
}

/// An operator pauses the runner: it holds no work until it is resumed.
#[test]
fn a_runner_that_is_paused_in_an_outage_returns_what_waits() {
    with_fixture(async |fixture| {
        fixture.produce((0..20).map(|number| item(&number.to_string()))).await;
        let (running, mut inbox) = fixture.start(policy(), pausing(1)).await;
        inbox.fail_next(5 + 1).await;
        fixture.until_idle().await;
        assert!(running.health().await.waiting > 10);
        running.pause().await;
        fixture.until_idle().await;
        let waiting = running.health().await.waiting;
        assert_eq!((waiting, fixture.leased("orders").await), (0, 0));
        running.stop(Span::ZERO).await;
    });
}

/// Each of the letters has failed: that is an outage and no poison, although no further letter can join the row.
#[test]
fn an_outage_that_has_hit_all_letters_spends_one_retry_of_each_at_most() {
    with_fixture(async |fixture| {
        let letters = fixture.capture(letters_for(&fixture, "a", 20)).await;
        let (running, mut inbox) = fixture.start_letters(policy(), settings(1)).await;
        inbox.fail_next(5).await;
        for _ in 0..120 {
            fixture.advance_when_idle(Span::from_secs(10)).await;
            inbox.next().await.fail(transient());
        }
        fixture.until_idle().await;
        for letter in letters {
            let info = fixture.info(letter).await.letter.unwrap();
            assert_eq!(info.status, Status::Pending);
            assert!(info.retries <= 1, "{} retries", info.retries);
        }
        running.stop(Span::ZERO).await;
    });
}

/// A clock that notes for which times the runner sets its timer.
#[derive(Debug, Clone)]
struct NotingClock {
    clock: ManualClock,
    timers: Arc<Mutex<Vec<MonotonicTime>>>,
}

impl Clock for NotingClock {
    fn now(&self) -> Time {
        self.clock.now()
    }

    fn monotonic(&self) -> MonotonicTime {
        self.clock.monotonic()
    }

    fn until(&self, at: Time) -> Option<Duration> {
        self.clock.until(at)
    }

    fn until_monotonic(&self, at: MonotonicTime) -> Option<Duration> {
        self.timers.lock().unwrap().push(at);
        self.clock.until_monotonic(at)
    }

    fn on_move(&self, wake: Wake) {
        self.clock.on_move(wake);
    }
}

/// In the first second, half of the concurrency is one call, and that one hangs.
#[test]
fn a_slow_start_goes_on_after_its_first_second_without_another_event() {
    with_fixture(async |fixture| {
        let clock = NotingClock { clock: fixture.clock.clone(), timers: Arc::default() };
        let (handler, mut inbox) = CallInbox::new(&fixture.clock);
        let runner = Runner::new(fixture.orders(), handler, policy(), pausing(2)).unwrap();
        let running = runner.with_clock(Arc::new(clock.clone())).start().await.unwrap();
        fixture.produce((0..5).map(|number| item(&number.to_string()))).await;
        inbox.fail_next(5).await;
        until_open(&running).await;
        fixture.produce((5..25).map(|number| item(&number.to_string()))).await;
        inbox.next().await.fail(transient());
        for failed in 1..=5 {
            next_probe(&fixture, &running, &mut inbox, failed).await.fail(transient());
        }
        next_probe(&fixture, &running, &mut inbox, 6).await.done();
        inbox.next().await.done();
        until_resumed(&running).await;
        let second_half = clock.monotonic().saturating_add(Span::from_secs(1));
        inbox.next().await.done();
        let _hangs = inbox.next().await;
        fixture.assert_no_call(&mut inbox, "half of the concurrency in the first second").await;
        let timer = clock.timers.lock().unwrap().last().copied();
        assert!(timer.is_some_and(|at| at <= second_half), "the runner sleeps until {timer:?}, not {second_half:?}");
        fixture.advance(Span::from_secs(1));
        inbox.next().await.done();
        running.stop(Span::ZERO).await;
    });
}
/// Letters that wait for a slow start are claimed, so an operator may archive them like those in retry.
#[test]
fn a_letter_that_was_archived_while_it_waited_is_not_tried() {
    with_fixture(async |fixture| {
        let (running, mut inbox) = start_and_fail_a_probe(&fixture, 4).await;
        for pending in inbox.take(3).await {
            pending.fail(transient());
        }
        for failed in 1..=5 {
            next_probe(&fixture, &running, &mut inbox, failed).await.fail(transient());
        }
        next_probe(&fixture, &running, &mut inbox, 6).await.done();
        inbox.next().await.done();
        until_resumed(&running).await;
        let first = inbox.next().await;
        fixture.until_idle().await;
        let running_id = first.call.id.to_string();
        let letters = fixture.dead_letters().await;
        let waiting = letters.iter().filter_map(|letter| letter.info.letter.as_ref());
        let waiting =
            waiting.filter(|letter| letter.status != Status::Completed && letter.id.to_string() != running_id);
        let archived: Vec<_> = waiting.map(|letter| letter.id).collect();
        fixture.store().archive(Archive { queue: dead(), letters: archived.clone() }).await.unwrap();
        first.done();
        fixture.assert_no_call(&mut inbox, "all other letters are archived").await;
        for letter in archived {
            assert_eq!(fixture.status(letter).await, Status::Archived);
        }
        running.stop(Span::ZERO).await;
    });
}
