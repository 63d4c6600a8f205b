//! An outage makes no letters, and poison makes no outage: `OnOutage::Pause`.

mod poison;
mod simulation;

use std::collections::BTreeSet;

use redrive_core::{BreakerState, OnOutage, Span, Status};
use redrive_run::{Runner, RunnerSettings};

use self::simulation::{Answer, BOTH, OPEN, Simulation, SourceKind, pausing, three_attempts};
use super::breaker::{last_retries, until_open};
use crate::fixture::{CallInbox, run, with_fixture, without_breaker};

/// Longer than the 30 s of an outage that charges nothing.
const LONG: f64 = 45.0;
const LONG_SECONDS: usize = 45;

/// The destination is down from the fifth second on.
fn down_for(seconds: f64) -> impl Fn(&str, f64) -> Answer + Copy {
    move |_payload, at| if (5.0..5.0 + seconds).contains(&at) { Answer::Status500 } else { Answer::Ok }
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

/// The attempt numbers of the calls that succeeded.
fn attempts_of_successes(simulation: &Simulation) -> BTreeSet<u32> {
    simulation.calls.iter().filter(|call| call.answer == Answer::Ok).map(|call| call.attempt).collect()
}

#[test]
fn a_long_outage_makes_no_letters_and_spends_no_attempts() {
    for_both([(8, 5), (16, 2), (8, 8)], async |kind, (concurrency, threshold)| {
        let context = format!("{kind:?}, concurrency {concurrency}, threshold {threshold}");
        let mut simulation = Simulation::start(kind, pausing(concurrency, threshold), down_for(LONG)).await;
        produce_under_load(&mut simulation, 20.0).await;
        let health = simulation.health().await;
        assert!(health.is_paused_by_outage && !health.is_paused && health.is_progressing(), "{context}");
        let trouble = health.destinations[0].trouble.as_ref().unwrap();
        assert!((4.9..6.5).contains(&(trouble.since.since(crate::fixture::START).as_micros() as f64 / 1e6)));
        assert_eq!(trouble.error, "HTTP 500");
        produce_under_load(&mut simulation, 5.0 + LONG).await;
        let calls_before = simulation.calls.len();
        let mut most_at_once = 0;
        // The destination is found up by the next probe; from then on it starts slowly.
        while simulation.calls.len() < calls_before + 2 {
            most_at_once = most_at_once.max(simulation.running());
            simulation.tick().await;
        }
        for _ in 0..3 {
            most_at_once = most_at_once.max(simulation.running());
            simulation.tick().await;
        }
        assert!(most_at_once <= concurrency / 2, "{context}: {most_at_once} calls at once in the first second");
        simulation.until_ended(200.0, |_| false).await;
        let health = simulation.health().await;
        assert!(!health.is_paused_by_outage && health.held.is_empty() && health.waiting == 0, "{context}");
        assert_eq!(attempts_of_successes(&simulation), BTreeSet::from([1]), "{context}: an attempt was spent");
        // While the destination is down it gets the calls of the row, of the running handlers, and probes.
        let failed = simulation.calls.iter().filter(|call| call.answer == Answer::Status500).count();
        // Work arrives all the time, and may probe once a second.
        let longest_wait = usize::try_from(OPEN.as_micros()).unwrap() / 1_000;
        let probes = 8 + LONG_SECONDS * 1_000 / (longest_wait * 3 / 4) + LONG_SECONDS;
        assert!(failed <= threshold as usize + concurrency + probes, "{context}: {failed} calls");
        assert!(simulation.stop().await.refunded >= u64::from(threshold), "{context}");
    });
}

#[test]
fn a_short_outage_makes_no_letters_and_spends_one_attempt_of_what_it_has_hit() {
    for_both([(8, 5), (1, 5), (16, 2)], async |kind, (concurrency, threshold)| {
        let context = format!("{kind:?}, concurrency {concurrency}, threshold {threshold}");
        let mut simulation = Simulation::start(kind, pausing(concurrency, threshold), down_for(20.0)).await;
        produce_under_load(&mut simulation, 30.0).await;
        simulation.until_ended(120.0, |_| false).await;
        let hit: BTreeSet<&str> = simulation
            .calls
            .iter()
            .filter(|call| call.answer == Answer::Status500)
            .map(|call| call.payload.as_str())
            .collect();
        for call in simulation.calls.iter().filter(|call| call.answer == Answer::Ok) {
            assert!(call.attempt <= 2, "{context}: {call:?}");
            assert!(call.attempt == 1 || hit.contains(call.payload.as_str()), "{context}: {call:?}");
        }
        simulation.stop().await;
    });
}

/// When the outage begins, more work waits for its turn than is called at once.
#[test]
fn work_that_waits_for_its_turn_is_not_sent_in_an_outage() {
    for_both([(32, 2, 5), (16, 1, 3), (64, 4, 4)], async |kind, (concurrency, permits, threshold)| {
        let context = format!("{kind:?}, concurrency {concurrency}, {permits} permits, threshold {threshold}");
        let settings = pausing(concurrency, threshold);
        let mut simulation = Simulation::start_limited(kind, settings, permits, down_for(LONG)).await;
        simulation.run_until(4.5).await;
        simulation.produce((0..100).map(|number| format!("early-{number:03}"))).await;
        simulation.run_until(5.0).await;
        assert_eq!(simulation.health().await.running, concurrency, "{context}: all but {permits} wait");
        simulation.run_until(44.0).await;
        let health = simulation.health().await;
        assert!(health.is_paused_by_outage, "{context}");
        assert!(health.running <= 1, "{context}: {} attempts beside the probe", health.running);
        simulation.until_ended(200.0, |_| false).await;
        let failed = simulation.calls.iter().filter(|call| call.answer == Answer::Status500).count();
        assert!(failed <= threshold as usize + permits + 40, "{context}: {failed} calls in the outage");
        assert_eq!(attempts_of_successes(&simulation), BTreeSet::from([1]), "{context}: an attempt was spent");
        simulation.stop().await;
    });
}

#[test]
fn without_a_pause_the_same_outage_makes_letters() {
    for_both([()], async |kind, ()| {
        let settings = RunnerSettings { on_outage: OnOutage::DeadLetter, breaker: None, ..pausing(16, 100) };
        let mut simulation = Simulation::start(kind, settings, down_for(20.0)).await;
        produce_under_load(&mut simulation, 30.0).await;
        simulation.run_to_the_end(120.0).await;
        assert!(simulation.letter_names().await.len() > 10);
        assert_eq!(simulation.stop().await.refunded, 0);
    });
}

fn is_invalid(payload: &str) -> bool {
    payload.ends_with("07")
}

/// A rejection is an answer: it shows that the destination is there, and the work is to blame.
#[test]
fn invalid_work_becomes_letters_after_one_attempt_before_and_after_an_outage() {
    for_both([(8, 5), (2, 3)], async |kind, (concurrency, threshold)| {
        let script = |payload: &str, at: f64| match down_for(20.0)(payload, at) {
            Answer::Ok if is_invalid(payload) => Answer::Status422,
            answer => answer,
        };
        let mut simulation = Simulation::start(kind, pausing(concurrency, threshold), script).await;
        produce_under_load(&mut simulation, 35.0).await;
        simulation.until_ended(120.0, is_invalid).await;
        for (payload, letter) in simulation.letters().await {
            assert!(letter.attempts.len() <= 2, "{payload}: one for the outage at most");
            assert_eq!(letter.attempts.last().unwrap().error, "HTTP 422", "{payload}");
            assert_eq!(letter.info.letter.unwrap().status, Status::Pending, "{payload}");
        }
        simulation.stop().await;
    });
}

/// A third of the calls fails at random.
#[test]
fn a_brown_out_makes_letters_only_of_work_whose_own_attempts_have_failed() {
    for_both([100, 8], async |kind, concurrency| {
        let time_of = async |is_brown: bool| {
            let script = move |payload: &str, at: f64| {
                let hash = payload
                    .bytes()
                    .fold(at.to_bits() >> 20, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
                if is_brown && (hash >> 13) % 3 == 0 { Answer::Status500 } else { Answer::Ok }
            };
            let mut simulation = Simulation::start(kind, pausing(concurrency, 5), script).await;
            simulation.produce((0..400).map(|number| format!("{number:04}"))).await;
            let calls_in = |simulation: &Simulation| simulation.calls.len();
            while calls_in(&simulation) < 380 {
                assert!(simulation.now() < 400.0, "{kind:?}, {concurrency}: {} calls", simulation.calls.len());
                simulation.tick().await;
            }
            let took = simulation.now();
            simulation.run_to_the_end(600.0).await;
            for name in simulation.letter_names().await {
                let attempts: BTreeSet<u32> = simulation.calls_of(&name).iter().map(|call| call.attempt).collect();
                assert_eq!(attempts, BTreeSet::from([1, 2, 3]), "{kind:?}: {name}");
            }
            let letters = simulation.letter_names().await;
            simulation.assert_ended(|payload| letters.contains(payload)).await;
            simulation.stop().await;
            took
        };
        let (usual, brown) = (time_of(false).await, time_of(true).await);
        assert!(brown <= 2.0 * usual, "{kind:?}, {concurrency}: {brown} s for as many calls as usual in {usual} s");
    });
}

/// Down for three seconds, up for two, for a minute: each time costs one attempt of what it has hit.
#[test]
fn a_flapping_destination_gets_all_work_that_it_does_not_fail_three_times() {
    for_both([()], async |kind, ()| {
        let script = |_: &str, at: f64| match at < 60.0 && at % 5.0 < 3.0 {
            true => Answer::Status500,
            false => Answer::Ok,
        };
        let mut simulation = Simulation::start(kind, pausing(8, 5), script).await;
        produce_under_load(&mut simulation, 60.0).await;
        simulation.run_to_the_end(180.0).await;
        let letters = simulation.letter_names().await;
        assert!(letters.len() <= simulation.produced.len() / 20, "{kind:?}: {letters:?}");
        for name in &letters {
            let times: Vec<f64> = simulation.calls_of(name).iter().map(|call| (call.began / 5.0).floor()).collect();
            let different: BTreeSet<String> = times.iter().map(ToString::to_string).collect();
            assert!(different.len() >= 3, "{kind:?}: {name} was called in {different:?}");
        }
        simulation.assert_ended(|payload| letters.contains(payload)).await;
        simulation.stop().await;
    });
}

#[test]
fn a_destination_that_serves_one_call_in_twenty_stays_paused() {
    for_both([()], async |kind, ()| {
        let count = std::cell::Cell::new(0);
        let script = move |_: &str, at: f64| {
            count.set(count.get() + 1);
            if at < 60.0 && count.get() % 20 != 0 { Answer::Status500 } else { Answer::Ok }
        };
        let mut simulation = Simulation::start(kind, pausing(16, 5), script).await;
        produce_under_load(&mut simulation, 60.0).await;
        assert!(simulation.calls.len() < 120, "{kind:?}: {} calls", simulation.calls.len());
        simulation.until_ended(300.0, |_| false).await;
        simulation.stop().await;
    });
}

#[test]
fn an_outage_pauses_no_other_destination() {
    run(async {
        let script = |payload: &str, at: f64| match payload.starts_with("down") {
            true => down_for(LONG)(payload, at),
            false => Answer::Ok,
        };
        let mut simulation = Simulation::start(SourceKind::Log, pausing(4, 4), script).await;
        simulation.run_until(5.0).await;
        for number in 0..60 {
            simulation.append_for("one", &format!("down-{number}"));
            simulation.append_for("two", &format!("up-{number}"));
            simulation.tick().await;
        }
        simulation.run_until(44.0).await;
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
        assert_eq!(attempts_of_successes(&simulation), BTreeSet::from([1]));
        simulation.stop().await;
    });
}

/// One customer has used up its quota.
#[test]
fn a_retry_after_delays_its_own_work_and_no_other() {
    for_both([()], async |kind, ()| {
        let script = |payload: &str, at: f64| match payload.ends_with('3') && at < 8.0 {
            true => Answer::Status429(7),
            false => Answer::Ok,
        };
        let mut simulation = Simulation::start(kind, pausing(8, 5), script).await.without_latency();
        while simulation.now() < 15.0 {
            let number = simulation.produced.len();
            simulation.produce([number, number + 1].map(|number| format!("{number:04}"))).await;
            simulation.tick().await;
            assert!(!simulation.health().await.is_paused_by_outage, "{kind:?} at {}", simulation.now());
        }
        simulation.until_ended(60.0, |_| false).await;
        for name in simulation.produced.clone() {
            let calls = simulation.calls_of(&name);
            if let [first, second, ..] = &calls[..] {
                assert!(second.began >= first.began + 7.0, "{kind:?}: {calls:?}");
            } else {
                assert_eq!(calls[0].attempt, 1);
            }
        }
        simulation.stop().await;
    });
}

/// A destination that tells when it is back is not probed before.
#[test]
fn an_outage_with_a_retry_after_is_probed_when_it_says_so() {
    for_both([()], async |kind, ()| {
        let script = |_: &str, at: f64| if (5.0..65.0).contains(&at) { Answer::Status429(60) } else { Answer::Ok };
        let mut simulation = Simulation::start(kind, pausing(4, 4), script).await.without_latency();
        produce_under_load(&mut simulation, 70.0).await;
        let failed = simulation.calls.iter().filter(|call| call.answer != Answer::Ok).count();
        assert!(failed <= 8, "{kind:?}: {failed} calls");
        simulation.until_ended(120.0, |_| false).await;
        simulation.stop().await;
    });
}

#[test]
fn a_destination_that_cannot_be_reached_for_an_hour_costs_a_single_piece_of_work_nothing() {
    for_both([()], async |kind, ()| {
        let script = |_: &str, at: f64| if at < 3_600.0 { Answer::NotSent } else { Answer::Ok };
        let mut simulation = Simulation::start(kind, pausing(4, 5), script).await.without_latency();
        simulation.produce(["only"]).await;
        while simulation.now() < 3_600.0 {
            simulation.fixture.advance(Span::from_secs(5));
            simulation.tick().await;
        }
        assert!(simulation.letters().await.is_empty());
        simulation.until_ended(3_700.0, |_| false).await;
        assert_eq!(attempts_of_successes(&simulation), BTreeSet::from([1]), "{kind:?}");
        simulation.stop().await;
    });
}

/// What the caller decides about work holds in an outage, too.
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
            Simulation::deciding_by(kind, pausing(8, 3), down_for(LONG), decide).await.without_latency();
        simulation.run_until(6.0).await;
        simulation.produce(["give up 1", "keep 1", "plain 1", "plain 2", "give up 2", "keep 2"]).await;
        simulation.run_until(7.0).await;
        assert!(simulation.health().await.is_paused_by_outage, "{kind:?}: the failures count for the row");
        simulation.until_ended(120.0, |payload| payload.starts_with("give up")).await;
        for payload in ["give up 1", "give up 2"] {
            assert_eq!(simulation.calls_of(payload).len(), 1, "{kind:?}: {payload}");
        }
        assert_eq!(attempts_of_successes(&simulation), BTreeSet::from([1]), "{kind:?}: an attempt was spent");
        simulation.stop().await;
    });
}

/// What is claimed in an outage is given back uncharged when the runner stops.
#[test]
fn a_runner_that_stops_in_an_outage_gives_back_what_it_holds() {
    for_both([()], async |kind, ()| {
        let mut simulation = Simulation::start(kind, pausing(4, 4), down_for(1e6)).await.without_latency();
        simulation.run_until(5.0).await;
        simulation.produce((0..40).map(|number| format!("{number:04}"))).await;
        simulation.run_until(20.0).await;
        let health = simulation.health().await;
        assert!(health.is_paused_by_outage && health.waiting > 10, "{kind:?}: {health:?}");
        let report = simulation.stop().await;
        assert_eq!((report.lost, report.unsettled, report.dead_lettered), (0, 0, 0), "{kind:?}");
        let waiting = simulation.waiting().await;
        assert_eq!(waiting.len(), 40);
        assert!(waiting.values().all(|attempts| *attempts == 0), "{kind:?}: {waiting:?}");
    });
}

/// Its claims end while the runner keeps their work.
#[test]
fn a_source_takes_its_work_back_in_an_outage() {
    run(async {
        let mut simulation = Simulation::start(SourceKind::Log, pausing(4, 4), down_for(25.0)).await.without_latency();
        simulation.run_until(5.0).await;
        simulation.produce((0..40).map(|number| format!("{number:04}"))).await;
        simulation.run_until(10.0).await;
        assert!(simulation.health().await.waiting > 10);
        simulation.reassign();
        simulation.tick().await;
        simulation.until_ended(120.0, |_| false).await;
        assert!(simulation.stop().await.lost > 10);
    });
}

/// A letter in retry has its own limit, and its failures in an outage count as before.
#[test]
fn retries_of_letters_are_not_paused() {
    with_fixture(async |fixture| {
        let letters = fixture.capture(last_retries(&fixture)).await;
        let (running, mut inbox) = fixture.start_letters(three_attempts(), pausing(5, 5)).await;
        inbox.fail_next(5).await;
        until_open(&running).await;
        for letter in letters {
            fixture.until_status(letter, Status::Exhausted).await;
        }
        assert_eq!(running.health().await.refunded, 0);
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
