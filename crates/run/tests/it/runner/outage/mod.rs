//! An outage makes no letters: `OnOutage::Pause`.

mod simulation;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::{BreakerState, OnOutage, Outcome, Span, Status};
use redrive_run::{Runner, RunnerSettings};

use self::simulation::{Answer, BOTH, OPEN, Simulation, SourceKind, TICK, pausing, three_attempts};
use super::breaker::{last_retries, until_open};
use crate::fixture::{CallInbox, run, with_fixture, without_breaker};

/// The destination is down from the fifth second to the twenty-fifth.
fn is_down(at: f64) -> bool {
    (5.0..25.0).contains(&at)
}

fn down_for_twenty_seconds(_payload: &str, at: f64) -> Answer {
    if is_down(at) { Answer::Status500 } else { Answer::Ok }
}

/// Two pieces of work in each tick, until `until`.
async fn produce_under_load(simulation: &mut Simulation, until: f64) {
    while simulation.now() < until {
        let number = simulation.produced.len();
        simulation.produce([number, number + 1].map(|number| format!("{number:04}"))).await;
        simulation.tick().await;
    }
}

/// Runs a test with each kind of source and each of these parameters.
fn for_both<P: Copy>(parameters: impl IntoIterator<Item = P>, test: impl AsyncFn(SourceKind, P)) {
    for parameters in parameters {
        BOTH.into_iter().for_each(|kind| run(test(kind, parameters)));
    }
}

#[test]
fn an_outage_under_load_makes_no_letters_and_spends_no_attempts() {
    for_both([(8, 5), (1, 5), (16, 2), (4, 12), (3, 1)], async |kind, (concurrency, threshold)| {
        let context = format!("{kind:?}, concurrency {concurrency}, threshold {threshold}");
        let mut simulation = Simulation::start(kind, pausing(concurrency, threshold), down_for_twenty_seconds).await;
        produce_under_load(&mut simulation, 20.0).await;
        let health = simulation.health().await;
        assert!(health.is_paused_by_outage && !health.is_paused, "{context}");
        assert!(health.is_progressing(), "{context}");
        let trouble = health.destinations[0].trouble.as_ref().unwrap();
        assert!((4.9..6.5).contains(&(trouble.since.since(crate::fixture::START).as_micros() as f64 / 1e6)));
        assert_eq!(trouble.error, "HTTP 500");
        // The source has counted no attempt that was not refunded, except those of a probe that is running.
        let counted: u32 = simulation.waiting().await.values().sum();
        let refunded = health.refunded;
        assert!(u64::from(counted) <= refunded + 1, "{context}: {counted} attempts, {refunded} refunded");
        assert!(refunded < u64::from(threshold) + concurrency as u64, "{context}: {refunded} refunded");
        produce_under_load(&mut simulation, 30.0).await;
        simulation.until_ended(120.0, |_| false).await;
        let health = simulation.health().await;
        assert!(!health.is_paused_by_outage && health.held.is_empty(), "{context}");
        for call in simulation.calls.iter().filter(|call| call.answer == Answer::Ok) {
            assert_eq!(call.attempt, 1, "{context}: an attempt of {} was spent", call.payload);
        }
        // While the destination is down it gets the calls of the row, of the running handlers, and probes.
        let failed = simulation.calls.iter().filter(|call| is_down(call.began)).count();
        assert!(failed <= threshold as usize + concurrency + 10, "{context}: {failed} calls");
        assert_eq!(simulation.stop().await.refunded, refunded, "{context}");
    });
}

/// When the outage begins, more work waits for its turn than the breaker has admitted in vain.
#[test]
fn work_that_waits_for_its_turn_is_not_sent_in_an_outage() {
    for_both([(32, 2, 5), (16, 1, 3), (64, 4, 4)], async |kind, (concurrency, permits, threshold)| {
        let context = format!("{kind:?}, concurrency {concurrency}, {permits} permits, threshold {threshold}");
        let settings = pausing(concurrency, threshold);
        let mut simulation = Simulation::start_limited(kind, settings, permits, down_for_twenty_seconds).await;
        simulation.run_until(4.5).await;
        simulation.produce((0..100).map(|number| format!("early-{number:03}"))).await;
        simulation.run_until(5.0).await;
        assert_eq!(simulation.health().await.running, concurrency, "{context}: all but {permits} wait");
        simulation.run_until(24.0).await;
        let health = simulation.health().await;
        assert!(health.is_paused_by_outage, "{context}");
        assert!(health.running <= 1, "{context}: {} attempts beside the probe", health.running);
        let counted: u32 = simulation.waiting().await.values().sum();
        assert!(u64::from(counted) <= health.refunded + 1, "{context}: {counted} attempts");
        simulation.until_ended(200.0, |_| false).await;
        let failed = simulation.calls.iter().filter(|call| is_down(call.began)).count();
        assert!(failed <= threshold as usize + permits + 10, "{context}: {failed} calls in the outage");
        for call in simulation.calls.iter().filter(|call| call.answer == Answer::Ok) {
            assert_eq!(call.attempt, 1, "{context}: an attempt of {} was spent", call.payload);
        }
        simulation.stop().await;
    });
}

#[test]
fn without_a_pause_the_same_outage_makes_letters() {
    for_both([()], async |kind, ()| {
        let settings = RunnerSettings { on_outage: OnOutage::DeadLetter, ..pausing(16, 100) };
        let mut simulation = Simulation::start(kind, settings, down_for_twenty_seconds).await;
        produce_under_load(&mut simulation, 30.0).await;
        simulation.run_to_the_end(120.0).await;
        assert!(simulation.letter_names().await.len() > 10);
        assert_eq!(simulation.stop().await.refunded, 0);
    });
}

fn is_invalid(payload: &str) -> bool {
    payload.ends_with("07")
}

#[test]
fn invalid_work_becomes_letters_during_the_outage_and_after_it() {
    for_both([(8, 5), (1, 3)], async |kind, (concurrency, threshold)| {
        let script = |payload: &str, at: f64| match is_invalid(payload) {
            true => Answer::Status422,
            false => down_for_twenty_seconds(payload, at),
        };
        let mut simulation = Simulation::start(kind, pausing(concurrency, threshold), script).await;
        simulation.run_until(4.5).await;
        // Called before the outage and in it, before its breaker opens.
        simulation.produce((0..10).map(|number| format!("early-{number}-07"))).await;
        produce_under_load(&mut simulation, 24.5).await;
        let during = simulation.letter_names().await;
        assert!(during.len() >= 10, "{kind:?}, concurrency {concurrency}: {during:?}");
        assert!(during.iter().all(|payload| is_invalid(payload)), "{during:?}");
        produce_under_load(&mut simulation, 30.0).await;
        simulation.until_ended(120.0, is_invalid).await;
        for (payload, letter) in simulation.letters().await {
            assert_eq!(letter.attempts.len(), 1, "{payload}");
            assert_eq!(letter.info.letter.unwrap().total_attempts, 1, "{payload}");
        }
        simulation.stop().await;
    });
}

/// Its failure of the row is refunded; then it turns out to be invalid.
#[test]
fn the_letter_of_refunded_work_counts_every_attempt_that_it_records() {
    for_both([()], async |kind, ()| {
        let script = |payload: &str, at: f64| match down_for_twenty_seconds(payload, at) {
            Answer::Ok if payload == "bad" => Answer::Status422,
            answer => answer,
        };
        let mut simulation = Simulation::start(kind, pausing(4, 3), script).await.without_latency();
        simulation.run_until(6.0).await;
        simulation.produce(["bad", "b", "c", "d"]).await;
        simulation.run_until(7.0).await;
        let health = simulation.health().await;
        assert_eq!((health.is_paused_by_outage, health.refunded), (true, 2));
        assert_eq!(simulation.waiting().await.values().sum::<u32>(), 2);
        let refunded = simulation.waiting().await["bad"];
        assert_eq!(refunded, 1, "the first failure of the row");
        simulation.until_ended(60.0, |payload| payload == "bad").await;
        let calls = simulation.calls_of("bad");
        assert!(calls.iter().all(|call| call.attempt == 1), "{calls:?}");
        let letter = simulation.letters().await.remove("bad").unwrap();
        let info = letter.info.letter.unwrap();
        assert_eq!(info.status, Status::Pending);
        if kind == SourceKind::Queue {
            // The refunded attempt was made and is recorded; failed probes are recorded without being counted.
            assert_eq!(letter.attempts.len(), calls.len());
            assert_eq!(info.total_attempts, 2);
        }
        assert!(letter.attempts.iter().all(|attempt| attempt.outcome == Outcome::Failure));
        assert_eq!(letter.attempts.last().unwrap().error, "HTTP 422");
        simulation.stop().await;
    });
}

#[test]
fn work_that_always_fails_among_successes_becomes_a_letter_and_pauses_nothing() {
    for_both([(8, 5), (1, 5), (4, 4)], async |kind, (concurrency, threshold)| {
        let script = |payload: &str, _at: f64| match payload {
            "bad-1" | "bad-2" => Answer::Status500,
            _ => Answer::Ok,
        };
        let mut simulation = Simulation::start(kind, pausing(concurrency, threshold), script).await;
        simulation.produce(["bad-1"]).await;
        produce_under_load(&mut simulation, 3.0).await;
        simulation.produce(["bad-2"]).await;
        while simulation.now() < 15.0 {
            let number = simulation.produced.len();
            simulation.produce([number, number + 1].map(|number| format!("{number:04}"))).await;
            simulation.tick().await;
            assert!(!simulation.health().await.is_paused_by_outage, "{kind:?} at {}", simulation.now());
        }
        simulation.until_ended(60.0, |payload| payload.starts_with("bad")).await;
        for bad in ["bad-1", "bad-2"] {
            let attempts: Vec<u32> = simulation.calls_of(bad).iter().map(|call| call.attempt).collect();
            assert_eq!(attempts[..3], [1, 2, 3], "{kind:?}");
            assert!(attempts.len() <= 4 && attempts.ends_with(&[3]), "{kind:?}: {attempts:?}");
        }
        assert_eq!(simulation.stop().await.refunded, 0);
    });
}

/// They fail at the same times, so that each failure of one is followed by that of another before a success.
#[test]
fn several_pieces_of_work_that_always_fail_among_successes_become_letters() {
    for_both([5, 50], async |kind, threshold| {
        let script = |payload: &str, _at: f64| match payload.starts_with("bad") {
            true => Answer::Status500,
            false => Answer::Ok,
        };
        let mut simulation = Simulation::start(kind, pausing(8, threshold), script).await;
        simulation.produce((0..6).map(|number| format!("bad-{number}"))).await;
        produce_under_load(&mut simulation, 90.0).await;
        simulation.until_ended(95.0, |payload| payload.starts_with("bad")).await;
        simulation.stop().await;
    });
}

/// The work that always fails is the first in the order of the source, and so the first probe after the outage.
#[test]
fn work_that_always_fails_does_not_prolong_the_pause() {
    for_both(1..=3_u32, async |kind, bad| {
        let script = |payload: &str, at: f64| match payload.starts_with("bad") {
            true => Answer::Status500,
            false => down_for_twenty_seconds(payload, at),
        };
        let mut simulation = Simulation::start(kind, pausing(4, 5), script).await;
        simulation.run_until(5.0).await;
        simulation.produce((0..bad).map(|number| format!("bad-{number}"))).await;
        simulation.produce((0..20).map(|number| format!("{number:04}"))).await;
        simulation.run_until(25.0).await;
        assert!(simulation.health().await.is_paused_by_outage);
        assert!(simulation.letters().await.is_empty());
        // In the worst case each of them probes once more, before another one: a probe takes up to three ticks.
        let probe = OPEN.saturating_add(TICK.saturating_mul(3)).as_micros() as f64 / 1e6;
        let end = 25.0 + f64::from(bad + 1) * probe;
        while simulation.health().await.is_paused_by_outage {
            assert!(simulation.now() < end, "{kind:?}, {bad}: {:?}", simulation.calls);
            simulation.tick().await;
        }
        let end = simulation.now() + 15.0;
        produce_under_load(&mut simulation, end).await;
        simulation.until_ended(120.0, |payload| payload.starts_with("bad")).await;
        simulation.stop().await;
    });
}

/// Sparse successes: the two open the breaker again after every one of them.
#[test]
fn work_that_always_fails_becomes_a_letter_even_if_it_opens_the_breaker_between_any_two_successes() {
    for_both([1, 2, 3], async |kind, threshold| {
        let script = |payload: &str, _at: f64| match payload.starts_with("bad") {
            true => Answer::Status500,
            false => Answer::Ok,
        };
        let mut simulation = Simulation::start(kind, pausing(4, threshold), script).await.without_latency();
        simulation.produce(["bad-1", "bad-2"]).await;
        let mut number = 0;
        while simulation.letter_names().await.len() < 2 {
            assert!(number < 200, "threshold {threshold}: {:?}", simulation.waiting().await);
            simulation.produce([number.to_string()]).await;
            simulation.run_until(simulation.now() + 5.0).await;
            number += 1;
        }
        simulation.until_ended(2_000.0, |payload| payload.starts_with("bad")).await;
        simulation.stop().await;
    });
}

/// What the caller decides about work holds in an outage, and before it is known: neither a refund nor the pause changes it.
#[test]
fn the_decision_of_a_caller_precedes_the_pause() {
    use redrive_core::Answer as Decided;
    for_both([()], async |kind, ()| {
        let decide = |work: &redrive_run::Work, _: &redrive_core::Failure| match &*work.content.payload {
            payload if payload.starts_with(b"give up") => Some(Decided::DeadLetter),
            payload if payload.starts_with(b"keep") => Some(Decided::Retry),
            _ => None,
        };
        let mut simulation =
            Simulation::deciding_by(kind, pausing(4, 3), down_for_twenty_seconds, decide).await.without_latency();
        simulation.run_until(6.0).await;
        simulation.produce(["give up 1", "keep 1", "plain 1", "plain 2", "give up 2", "keep 2"]).await;
        simulation.run_until(7.0).await;
        assert!(simulation.health().await.is_paused_by_outage, "{kind:?}: the failures count for the breaker");
        simulation.run_to_the_end(120.0).await;
        // The first one before the outage was known, the second one as its probe.
        simulation.assert_ended(|payload| payload.starts_with("give up")).await;
        for payload in ["give up 1", "give up 2"] {
            assert_eq!(simulation.calls_of(payload).len(), 1, "{kind:?}: {payload}");
        }
        for call in simulation.calls.iter().filter(|call| call.answer == Answer::Ok) {
            assert_eq!(call.attempt, 1, "{kind:?}: an attempt of {} was spent", call.payload);
        }
        simulation.stop().await;
    });
}

/// An outage excuses an item ten times. Retries that spend no attempt anyway, because the caller says so, are none of them.
#[test]
fn retries_by_the_decision_of_a_caller_use_up_no_excuse() {
    for_both([()], async |kind, ()| {
        let is_kept = Arc::new(AtomicBool::new(true));
        let decide = {
            let is_kept = Arc::clone(&is_kept);
            move |work: &redrive_run::Work, _: &redrive_core::Failure| {
                let is_kept = &*work.content.payload == b"kept" && is_kept.load(Ordering::SeqCst);
                is_kept.then_some(redrive_core::Answer::Retry)
            }
        };
        // The destination is down for a moment in every fifth second, and in the end for ten seconds.
        let script = |payload: &str, at: f64| match payload {
            "kept" if at < 80.0 => Answer::Status500,
            _ if at < 65.0 && at % 5.0 < 1.5 || (70.0..80.0).contains(&at) => Answer::Status500,
            _ => Answer::Ok,
        };
        let mut simulation = Simulation::deciding_by(kind, pausing(4, 50), script, decide).await.without_latency();
        simulation.produce(["kept"]).await;
        for moment in 0..13 {
            simulation.run_until(f64::from(moment) * 5.0).await;
            simulation.produce([format!("other-{moment}")]).await;
        }
        simulation.run_until(70.0).await;
        assert_eq!(simulation.waiting().await["kept"], 0, "{kind:?}: no attempt is spent");
        is_kept.store(false, Ordering::SeqCst);
        simulation.produce(["late-1", "late-2"]).await;
        simulation.until_ended(120.0, |_| false).await;
        simulation.stop().await;
    });
}

/// With few pieces of work, each one fails more often than it has attempts before the breaker opens.
#[test]
fn a_threshold_above_the_attempts_makes_no_letters() {
    for_both([1, 3], async |kind, concurrency| {
        let mut simulation = Simulation::start(kind, pausing(concurrency, 20), down_for_twenty_seconds).await;
        simulation.run_until(5.0).await;
        simulation.produce(["a", "b", "c"]).await;
        simulation.run_until(24.0).await;
        let health = simulation.health().await;
        assert!(health.is_paused_by_outage, "{kind:?}: {:?}", simulation.calls);
        assert_eq!(health.refunded, 6, "two attempts each");
        simulation.until_ended(120.0, |_| false).await;
        for name in ["a", "b", "c"] {
            assert_eq!(simulation.calls_of(name).last().unwrap().attempt, 1, "{kind:?}");
        }
        simulation.stop().await;
    });
}

/// Refunds are paid one by one, and the count of the source is right afterwards.
#[test]
fn refunded_work_that_fails_again_has_all_its_attempts() {
    for_both([()], async |kind, ()| {
        let script = |payload: &str, at: f64| match payload {
            "bad" => Answer::Status500,
            _ => down_for_twenty_seconds(payload, at),
        };
        let mut simulation = Simulation::start(kind, pausing(2, 6), script).await.without_latency();
        simulation.run_until(5.0).await;
        simulation.produce(["bad", "b"]).await;
        simulation.run_until(24.0).await;
        assert_eq!(simulation.waiting().await["bad"], 2, "{:?}", simulation.calls);
        // From here on there are successes between its failures.
        while simulation.now() < 120.0 && simulation.waiting().await.contains_key("bad") {
            let number = simulation.produced.len();
            simulation.produce([number.to_string()]).await;
            simulation.tick().await;
        }
        simulation.until_ended(120.0, |payload| payload == "bad").await;
        let after: Vec<u32> =
            simulation.calls_of("bad").iter().filter(|call| call.began >= 25.0).map(|call| call.attempt).collect();
        assert!(after.ends_with(&[1, 2, 3]), "{kind:?}: {after:?}");
        let letter = simulation.letters().await.remove("bad").unwrap();
        if kind == SourceKind::Queue {
            assert_eq!(letter.info.letter.unwrap().total_attempts, 3);
            let context = letter.context.unwrap();
            assert_eq!(context.death.unwrap().attempts, 3);
        }
        simulation.stop().await;
    });
}

/// Down for three seconds, up for two, for a minute.
#[test]
fn a_flapping_destination_makes_no_letters() {
    for_both([()], async |kind, ()| {
        let script = |_: &str, at: f64| match at < 60.0 && at % 5.0 < 3.0 {
            true => Answer::Status500,
            false => Answer::Ok,
        };
        let mut simulation = Simulation::start(kind, pausing(8, 5), script).await;
        produce_under_load(&mut simulation, 60.0).await;
        simulation.until_ended(180.0, |_| false).await;
        simulation.stop().await;
    });
}

#[test]
fn an_outage_pauses_no_other_destination() {
    run(async {
        let script = |payload: &str, at: f64| match payload.starts_with("down") {
            true => down_for_twenty_seconds(payload, at),
            false => Answer::Ok,
        };
        let mut simulation = Simulation::start(SourceKind::Log, pausing(4, 5), script).await;
        simulation.run_until(5.0).await;
        for number in 0..60 {
            simulation.append_for("one", &format!("down-{number}"));
            simulation.append_for("two", &format!("up-{number}"));
            simulation.tick().await;
        }
        simulation.run_until(24.0).await;
        let health = simulation.health().await;
        assert!(health.is_paused_by_outage);
        let states: Vec<(&str, bool)> = health
            .destinations
            .iter()
            .map(|destination| (&*destination.name, destination.breaker == BreakerState::Closed))
            .collect();
        assert_eq!(states, [("one", false), ("two", true)]);
        let waiting = simulation.waiting().await;
        assert!(waiting.keys().all(|payload| payload.starts_with("down")), "{waiting:?}");
        simulation.until_ended(120.0, |_| false).await;
        assert!(simulation.calls.iter().filter(|call| call.answer == Answer::Ok).all(|call| call.attempt == 1));
        simulation.stop().await;
    });
}

/// A single piece of work waits: with as many attempts as the breaker's threshold, it is not given up.
#[test]
fn work_that_is_alone_in_an_outage_waits_for_its_end() {
    for_both([()], async |kind, ()| {
        let mut simulation = Simulation::start(kind, pausing(4, 3), down_for_twenty_seconds).await;
        simulation.run_until(5.0).await;
        simulation.produce(["only"]).await;
        simulation.run_until(25.0).await;
        let probes = simulation.calls.len() - 3;
        assert!((3..=6).contains(&probes), "{kind:?}: every second open time, but {probes} probes");
        simulation.until_ended(31.0, |_| false).await;
        simulation.stop().await;
    });
}

/// A letter in retry has its own limit, and its failures in an outage count as before.
#[test]
fn retries_of_letters_are_not_paused() {
    with_fixture(async |fixture| {
        let letters = fixture.capture(last_retries(&fixture)).await;
        let (running, mut inbox) = fixture.start_letters(three_attempts(), pausing(1, 5)).await;
        inbox.fail_next(5).await;
        until_open(&running).await;
        for letter in letters {
            fixture.until_status(letter, Status::Exhausted).await;
        }
        let health = running.health().await;
        assert_eq!((health.is_paused_by_outage, health.refunded), (false, 0));
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn a_pause_needs_a_breaker() {
    with_fixture(async |fixture| {
        let (handler, _inbox) = CallInbox::new(&fixture.clock);
        let settings = RunnerSettings { on_outage: OnOutage::Pause, ..without_breaker(1) };
        let error = Runner::new(fixture.orders(), handler, three_attempts(), settings).unwrap_err();
        assert_eq!(
            error.to_string(),
            "on_outage is invalid: 'pause'; allowed: dead_letter without a circuit breaker, which \
             tells when there is an outage"
        );
    });
}
