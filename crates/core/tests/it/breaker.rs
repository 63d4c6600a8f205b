//! The breaker compared with a model that derives its state from the history of calls.

use std::num::NonZeroUsize;

use crate::cases;
use proptest::prelude::*;
use redrive_core::{
    Admission, Breaker, BreakerChange, BreakerConfig, BreakerState, Breakers, Category, KeyedPermit, MonotonicTime,
    Permit, Span,
};

const THRESHOLD: u32 = 3;
const OPEN_SECS: u64 = 10;
const PROBE_SECS: u64 = 15;

fn config(probes: u32) -> BreakerConfig {
    let config = BreakerConfig::new(THRESHOLD, Span::from_secs(OPEN_SECS), probes).unwrap();
    config.with_probes_given_up_after(Span::from_secs(PROBE_SECS))
}

fn at(secs: u64) -> MonotonicTime {
    MonotonicTime::from_micros(secs * 1_000_000)
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Advance(u64),
    Call,
    /// The result of one of the pending calls, by its index among them.
    Report(prop::sample::Index, Report),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Report {
    Success,
    Counted,
    /// A failure that the work caused.
    Uncounted,
    Abandoned,
}

/// An event in the history, which is all the model stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Admitted { call: usize, at: u64 },
    Reported { call: usize, report: Report, at: u64 },
}

#[derive(Debug, PartialEq, Eq)]
enum ModelState {
    Admits,
    Refuses { until: u64 },
}

/// Replays the whole history and returns what the next call gets.
fn model_state(history: &[Event], probes_max: usize, now: u64) -> ModelState {
    // The period in which each call was admitted; a result from another period is ignored.
    let mut period_of_call: Vec<usize> = Vec::new();
    let mut period = 0;
    let mut failures = 0;
    let mut opened: Option<u64> = None;
    let mut probes: Vec<(usize, u64)> = Vec::new();
    for event in history {
        match *event {
            Event::Admitted { call, at } => {
                if opened.is_some() {
                    // Admitted after the open time: a probe.
                    probes.push((call, at + PROBE_SECS));
                }
                period_of_call.push(period);
            }
            Event::Reported { call, report, at } => {
                if period_of_call[call] != period {
                    continue;
                }
                match opened {
                    None => match report {
                        Report::Counted => {
                            failures += 1;
                            if failures == THRESHOLD {
                                opened = Some(at + OPEN_SECS);
                                period += 1;
                            }
                        }
                        Report::Success | Report::Uncounted => failures = 0,
                        Report::Abandoned => {}
                    },
                    Some(_) => match report {
                        Report::Counted => {
                            opened = Some(at + OPEN_SECS);
                            period += 1;
                            probes.clear();
                        }
                        Report::Success | Report::Uncounted => {
                            opened = None;
                            failures = 0;
                            period += 1;
                            probes.clear();
                        }
                        Report::Abandoned => probes.retain(|(probe, _)| *probe != call),
                    },
                }
            }
        }
    }
    match opened {
        None => ModelState::Admits,
        Some(until) if now < until => ModelState::Refuses { until },
        Some(_) => {
            let out: Vec<u64> =
                probes.iter().map(|(_, given_up)| *given_up).filter(|given_up| now < *given_up).collect();
            match out.iter().min() {
                Some(soonest) if out.len() >= probes_max => ModelState::Refuses { until: *soonest },
                _ => ModelState::Admits,
            }
        }
    }
}

fn any_step() -> impl Strategy<Value = Step> {
    let report = prop_oneof![
        2 => Just(Report::Success),
        5 => Just(Report::Counted),
        1 => Just(Report::Uncounted),
        1 => Just(Report::Abandoned),
    ];
    prop_oneof![
        2 => (0..15u64).prop_map(Step::Advance),
        5 => Just(Step::Call),
        5 => (any::<prop::sample::Index>(), report).prop_map(|(which, report)| Step::Report(which, report)),
    ]
}

fn report(breaker: &mut Breaker, permit: Permit, report: Report, now: MonotonicTime) -> Option<BreakerChange> {
    match report {
        Report::Success => breaker.succeeded(permit),
        Report::Counted => breaker.failed(permit, Category::Network, now),
        Report::Uncounted => breaker.failed(permit, Category::Validation, now),
        Report::Abandoned => {
            breaker.abandoned(permit);
            None
        }
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn every_history_is_admitted_as_the_model_says(probes in 1..4u32, steps in prop::collection::vec(any_step(), 1..80)) {
        let mut breaker = Breaker::new(config(probes));
        let mut history = Vec::new();
        let mut out: Vec<(usize, Permit)> = Vec::new();
        let (mut now, mut calls) = (0u64, 0usize);
        for step in steps {
            match step {
                Step::Advance(secs) => now += secs,
                Step::Call => {
                    let expected = model_state(&history, probes as usize, now);
                    let held = breaker.held_until(at(now));
                    match breaker.admit(at(now)) {
                        Admission::Admitted(permit) => {
                            prop_assert_eq!(expected, ModelState::Admits);
                            prop_assert_eq!(held, None);
                            history.push(Event::Admitted { call: calls, at: now });
                            out.push((calls, permit));
                            calls += 1;
                        }
                        Admission::Refused { until } => {
                            let until = until.as_micros() / 1_000_000;
                            prop_assert_eq!(expected, ModelState::Refuses { until });
                            prop_assert_eq!(held, Some(at(until)));
                            prop_assert!(until > now, "the breaker admits work in the future");
                        }
                    }
                }
                Step::Report(which, outcome) => {
                    if out.is_empty() {
                        continue;
                    }
                    let (call, permit) = out.remove(which.index(out.len()));
                    let would_open = breaker.is_about_to_open() && !breaker.has_changed_since(&permit);
                    let change = report(&mut breaker, permit, outcome, at(now));
                    let opened = Some(BreakerChange { from: BreakerState::Closed, to: BreakerState::Open });
                    prop_assert_eq!(change == opened, would_open && outcome == Report::Counted);
                    history.push(Event::Reported { call, report: outcome, at: now });
                }
            }
            let open_until = breaker.open_until(at(now));
            prop_assert_eq!(open_until.is_some(), breaker.state(at(now)) == BreakerState::Open);
            prop_assert_eq!(open_until, open_until.and(breaker.held_until(at(now))));
        }
        // After any history, an idle breaker eventually admits a call again.
        let admitted = matches!(breaker.admit(at(now + OPEN_SECS + PROBE_SECS)), Admission::Admitted(_));
        prop_assert!(admitted);
    }

    /// If the table holds all keys, each keyed breaker behaves like a separate one.
    #[test]
    fn keyed_breakers_are_independent(steps in prop::collection::vec((0..4u8, any_step()), 1..120)) {
        let mut breakers = Breakers::new(config(1), NonZeroUsize::new(4).unwrap());
        let mut singles: Vec<Breaker> = (0..4).map(|_| Breaker::new(config(1))).collect();
        let mut out: Vec<(u8, KeyedPermit, Permit)> = Vec::new();
        let mut now = 0u64;
        for (key, step) in steps {
            match step {
                Step::Advance(secs) => now += secs,
                Step::Call => match (breakers.admit(&key, at(now)), singles[usize::from(key)].admit(at(now))) {
                    (Ok(keyed), Admission::Admitted(single)) => out.push((key, keyed, single)),
                    (Err(until), Admission::Refused { until: expected }) => prop_assert_eq!(until, expected),
                    (keyed, single) => prop_assert!(false, "{keyed:?} is not {single:?}"),
                },
                Step::Report(which, outcome) => {
                    if out.is_empty() {
                        continue;
                    }
                    let (key, keyed, single) = out.remove(which.index(out.len()));
                    let single_breaker = &mut singles[usize::from(key)];
                    let has_changed = single_breaker.has_changed_since(&single);
                    prop_assert_eq!(breakers.has_changed_since(&key, &keyed), Some(has_changed));
                    prop_assert_eq!(breakers.is_about_to_open(&key), single_breaker.is_about_to_open());
                    prop_assert_eq!(breakers.open_until(&key, at(now)), single_breaker.open_until(at(now)));
                    report(single_breaker, single, outcome, at(now));
                    match outcome {
                        Report::Success => drop(breakers.succeeded(&key, keyed)),
                        Report::Counted => drop(breakers.failed(&key, keyed, Category::Network, at(now))),
                        Report::Uncounted => drop(breakers.failed(&key, keyed, Category::Validation, at(now))),
                        Report::Abandoned => breakers.abandoned(&key, keyed),
                    }
                }
            }
            let held: Vec<_> = breakers.held(at(now)).map(|(key, until)| (*key, until)).collect();
            let expected: Vec<_> =
                (0..4u8).filter_map(|key| singles[usize::from(key)].held_until(at(now)).map(|until| (key, until))).collect();
            prop_assert_eq!(held, expected);
        }
        prop_assert_eq!(breakers.forgotten(), 0);
    }
}

fn fail(breaker: &mut Breaker, times: u32, now: MonotonicTime) {
    for _ in 0..times {
        let Admission::Admitted(permit) = breaker.admit(now) else { panic!("refused") };
        breaker.failed(permit, Category::Transient, now);
    }
}

#[test]
fn refused_calls_do_not_extend_the_open_time() {
    let mut breaker = Breaker::new(config(1));
    fail(&mut breaker, THRESHOLD, at(0));
    for second in 0..OPEN_SECS {
        assert_eq!(breaker.admit(at(second)), Admission::Refused { until: at(OPEN_SECS) });
    }
    assert_eq!(breaker.state(at(OPEN_SECS)), BreakerState::HalfOpen);
    assert!(matches!(breaker.admit(at(OPEN_SECS)), Admission::Admitted(_)));
}

#[test]
fn a_late_success_does_not_close_an_open_breaker() {
    let mut breaker = Breaker::new(config(1));
    let Admission::Admitted(early) = breaker.admit(at(0)) else { panic!("refused") };
    fail(&mut breaker, THRESHOLD, at(1));
    breaker.succeeded(early);
    assert_eq!(breaker.state(at(2)), BreakerState::Open);
}

#[test]
fn failures_caused_by_the_work_never_open_the_breaker() {
    let mut breaker = Breaker::new(config(1));
    for category in [Category::Permission, Category::Validation, Category::Permanent] {
        for _ in 0..100 {
            let Admission::Admitted(permit) = breaker.admit(at(0)) else { panic!("refused") };
            breaker.failed(permit, category, at(0));
        }
    }
    assert_eq!(breaker.state(at(0)), BreakerState::Closed);
}

#[test]
fn a_probe_without_a_result_frees_its_slot_after_a_timeout() {
    let mut breaker = Breaker::new(config(1));
    fail(&mut breaker, THRESHOLD, at(0));
    let Admission::Admitted(lost) = breaker.admit(at(10)) else { panic!("refused") };
    assert_eq!(breaker.admit(at(24)), Admission::Refused { until: at(25) });
    let Admission::Admitted(second) = breaker.admit(at(25)) else { panic!("still blocked") };
    drop(lost);
    assert_eq!(breaker.succeeded(second).map(|change| change.to), Some(BreakerState::Closed));
}

/// A response after the probe timeout still shows that the destination is alive.
#[test]
fn a_slow_destination_closes_its_breaker() {
    let mut breaker = Breaker::new(config(1));
    fail(&mut breaker, THRESHOLD, at(0));
    let Admission::Admitted(slow) = breaker.admit(at(10)) else { panic!("refused") };
    let Admission::Admitted(_second) = breaker.admit(at(25)) else { panic!("refused") };
    breaker.succeeded(slow);
    assert_eq!(breaker.state(at(30)), BreakerState::Closed);

    fail(&mut breaker, THRESHOLD, at(40));
    let Admission::Admitted(slow) = breaker.admit(at(50)) else { panic!("refused") };
    let Admission::Admitted(_second) = breaker.admit(at(65)) else { panic!("refused") };
    breaker.failed(slow, Category::Network, at(70));
    assert_eq!(breaker.state(at(70)), BreakerState::Open);
}

#[test]
fn every_change_of_state_is_reported_once() {
    let change = |from, to| Some(redrive_core::BreakerChange { from, to });
    let mut breaker = Breaker::new(config(1));
    fail(&mut breaker, THRESHOLD - 1, at(0));
    let Admission::Admitted(last) = breaker.admit(at(0)) else { panic!("refused") };
    assert_eq!(last.transition(), None);
    assert_eq!(breaker.failed(last, Category::Network, at(0)), change(BreakerState::Closed, BreakerState::Open));
    let Admission::Admitted(probe) = breaker.admit(at(10)) else { panic!("refused") };
    assert_eq!(probe.transition(), change(BreakerState::Open, BreakerState::HalfOpen));
    assert_eq!(breaker.failed(probe, Category::Network, at(11)), change(BreakerState::HalfOpen, BreakerState::Open));
    let Admission::Admitted(probe) = breaker.admit(at(21)) else { panic!("refused") };
    assert_eq!(breaker.succeeded(probe), change(BreakerState::HalfOpen, BreakerState::Closed));
    let Admission::Admitted(call) = breaker.admit(at(21)) else { panic!("refused") };
    assert_eq!(breaker.succeeded(call), None);
}

#[test]
fn by_default_five_failures_open_the_breaker_for_ten_seconds_and_one_probe_is_admitted() {
    let mut breaker = Breaker::new(BreakerConfig::default());
    fail(&mut breaker, 4, at(0));
    assert_eq!(breaker.state(at(0)), BreakerState::Closed);
    fail(&mut breaker, 1, at(0));
    assert_eq!(breaker.admit(at(9)), Admission::Refused { until: at(10) });
    assert!(matches!(breaker.admit(at(10)), Admission::Admitted(_)));
    assert!(matches!(breaker.admit(at(10)), Admission::Refused { .. }));
}

#[test]
fn the_least_recently_used_key_is_evicted() {
    let mut breakers = Breakers::new(config(1), NonZeroUsize::new(2).unwrap());
    // Both breakers have counted a failure, so neither is in its initial state.
    for key in ["a", "b", "a"] {
        let permit = breakers.admit(&key, at(0)).unwrap();
        breakers.failed(&key, permit, Category::Network, at(0));
    }
    drop(breakers.admit(&"c", at(0)));
    // "a" was used last and is still in the table: its third failure opens it.
    let permit = breakers.admit(&"a", at(0)).unwrap();
    assert!(breakers.failed(&"a", permit, Category::Network, at(0)).is_some());
}

#[test]
fn the_number_of_keys_is_bounded_and_quiet_breakers_are_evicted_first() {
    let mut breakers = Breakers::new(config(1), NonZeroUsize::new(100).unwrap());
    for _ in 0..THRESHOLD {
        let permit = breakers.admit(&0u32, at(0)).unwrap();
        breakers.failed(&0, permit, Category::Network, at(0));
    }
    for key in 1..10_000u32 {
        let permit = breakers.admit(&key, at(1)).unwrap();
        breakers.succeeded(&key, permit);
        assert!(breakers.len() <= 100);
    }
    assert_eq!(breakers.forgotten(), 9_900);
    assert_eq!(breakers.state(&0, at(1)), BreakerState::Open, "the open breaker is kept, although it is the oldest");
    assert_eq!(breakers.held(at(1)).collect::<Vec<_>>(), [(&0, at(OPEN_SECS))]);
}

#[test]
fn a_permit_of_an_evicted_key_is_stale_after_the_key_returns() {
    let mut breakers = Breakers::new(config(1), NonZeroUsize::MIN);
    let old: Vec<_> = (0..THRESHOLD).map(|_| breakers.admit(&"a", at(0)).unwrap()).collect();
    let other = breakers.admit(&"b", at(0)).unwrap();
    breakers.succeeded(&"b", other);
    let new = breakers.admit(&"a", at(0)).unwrap();
    assert_eq!(breakers.has_changed_since(&"a", &old[0]), None, "nothing is known about the breaker that was evicted");
    assert_eq!(breakers.has_changed_since(&"a", &new), Some(false));
    for permit in old {
        breakers.failed(&"a", permit, Category::Network, at(0));
    }
    assert_eq!(breakers.state("a", at(0)), BreakerState::Closed);
    breakers.succeeded(&"a", new);
}
