//! The table of breakers.

use super::histories::{Ended, Step, any_step};
use crate::cases;
use proptest::prelude::*;
use redrive_core::{
    Breaker, BreakerConfig, BreakerState, Breakers, Failed, FailedCall, KeyedPermit, MonotonicTime, Permit, Span,
};
use std::num::NonZeroUsize;

const START: MonotonicTime = MonotonicTime::from_micros(1_000_000_000);

fn in_span(span: Span) -> MonotonicTime {
    START.saturating_add(span)
}

fn of_three(keys_max: usize) -> Breakers<&'static str, u32> {
    let config = BreakerConfig::default().with_threshold(3).unwrap();
    Breakers::new(config, NonZeroUsize::new(keys_max).unwrap())
}

fn fails(breakers: &mut Breakers<&'static str, u32>, key: &'static str, work: u32) -> Failed {
    let permit = breakers.admit(&key, false, START).unwrap();
    breakers.failed(&key, permit, FailedCall::sent(&work), START, 0).unwrap()
}

fn pauses(breakers: &mut Breakers<&'static str, u32>, key: &'static str) {
    let paused = [1, 2, 3].map(|work| fails(breakers, key, work).has_paused);
    assert_eq!(paused, [false, false, true]);
}

proptest! {
    #![proptest_config(cases(500))]

    /// If the table holds all keys, each keyed breaker behaves like a separate one.
    #[test]
    fn keyed_breakers_are_independent(steps in prop::collection::vec((0..4u8, any_step()), 1..160)) {
        let config = BreakerConfig::new(3, Span::from_secs(10), 1).unwrap();
        let mut breakers: Breakers<u8, u32> = Breakers::new(config, NonZeroUsize::new(4).unwrap());
        let mut singles: Vec<Breaker<u32>> = (0..4).map(|_| Breaker::new(config)).collect();
        let mut under_way: Vec<(u8, KeyedPermit, Permit)> = Vec::new();
        let mut now = START;
        for (key, step) in steps {
            let single = &mut singles[usize::from(key)];
            match step {
                Step::Wait(span) => now = now.saturating_add(Span::from_micros(span)),
                Step::WaitUntilAdmitted { has_just_arrived, .. } => {
                    now = single.held_until(has_just_arrived, now).flatten().unwrap_or(now);
                }
                Step::Call { has_just_arrived } => {
                    match (breakers.admit(&key, has_just_arrived, now), single.admit(has_just_arrived, now)) {
                        (Ok(keyed), Ok(single)) => {
                            prop_assert_eq!(keyed.is_probe(), single.is_probe());
                            under_way.push((key, keyed, single));
                        }
                        (keyed, single) => prop_assert_eq!(keyed.err(), single.err()),
                    }
                }
                Step::End { .. } if under_way.is_empty() => {}
                Step::End { call, work, ended } => {
                    let (key, keyed, permit) = under_way.remove(call.index(under_way.len()));
                    let single = &mut singles[usize::from(key)];
                    let call = match ended {
                        Ended::Abandoned => {
                            breakers.abandoned(&key, keyed);
                            single.abandoned(permit);
                            continue;
                        }
                        Ended::Answered(0..30) | Ended::Served => {
                            let expected = Some(single.served(permit, &work, now, now));
                            prop_assert_eq!(breakers.served(&key, keyed, &work, now, now), expected);
                            continue;
                        }
                        Ended::Answered(_) => FailedCall::sent(&work),
                        Ended::NotSent => FailedCall { was_sent: false, ..FailedCall::sent(&work) },
                        Ended::RetryAfter(hint) => {
                            FailedCall { retry_after: Some(Span::from_micros(hint)), ..FailedCall::sent(&work) }
                        }
                    };
                    let expected = Some(single.failed(permit, call, now, 7));
                    prop_assert_eq!(breakers.failed(&key, keyed, call, now, 7), expected);
                }
                Step::Poll => {
                    let due: Vec<u8> = (0..4).filter(|key| singles[usize::from(*key)].poll(now)).collect();
                    prop_assert_eq!(breakers.poll(now), due);
                }
                Step::HasNoOtherWork => {
                    let expected = single.has_no_other_work(now);
                    prop_assert_eq!(breakers.has_no_other_work(&key, now), expected);
                }
            }
            let paused: Vec<u8> = breakers.paused().copied().collect();
            let expected: Vec<u8> = (0..4).filter(|key| singles[usize::from(*key)].is_paused()).collect();
            prop_assert_eq!(paused, expected);
            prop_assert_eq!(breakers.next_pause_at(), singles.iter().filter_map(Breaker::pauses_at).min());
            for (key, single) in (0..4u8).zip(&singles) {
                prop_assert_eq!(breakers.is_paused(&key), single.is_paused());
                if let Some(breaker) = breakers.get(&key) {
                    prop_assert_eq!(breaker.held_until(true, now), single.held_until(true, now));
                    prop_assert_eq!(breaker.state(now), single.state(now));
                }
            }
        }
        prop_assert_eq!(breakers.forgotten(), 0);
    }
}

#[test]
fn the_least_recently_used_key_is_evicted() {
    let mut breakers = of_three(2);
    // Both breakers have a row, so neither is in its initial state.
    for (key, work) in [("a", 1), ("b", 1), ("a", 2)] {
        fails(&mut breakers, key, work);
    }
    drop(breakers.admit(&"c", false, START));
    assert!(!breakers.contains(&"b") && breakers.contains(&"a"));
    assert!(fails(&mut breakers, "a", 3).has_paused, "it is the same breaker");
}

#[test]
fn the_number_of_keys_is_bounded_and_quiet_breakers_are_evicted_first() {
    let config = BreakerConfig::default().with_threshold(1).unwrap();
    let mut breakers: Breakers<u32, u32> = Breakers::new(config, NonZeroUsize::new(100).unwrap());
    let permit = breakers.admit(&0, false, START).unwrap();
    assert!(breakers.failed(&0, permit, FailedCall::sent(&1), START, 0).unwrap().has_paused);
    for key in 1..10_000u32 {
        let permit = breakers.admit(&key, false, START).unwrap();
        breakers.served(&key, permit, &1, START, START);
        assert!(breakers.len() <= 100);
    }
    assert_eq!(breakers.forgotten(), 9_900);
    assert!(breakers.is_paused(&0), "the paused destination is kept, although it is the oldest");
    assert_eq!(breakers.paused().collect::<Vec<_>>(), [&0]);
}

/// A breaker is not quiet while a call is under way, or while it counts the outages of a piece of work.
#[test]
fn a_breaker_that_an_eviction_would_harm_is_kept() {
    let mut breakers = of_three(2);
    let under_way = breakers.admit(&"a", false, START).unwrap();
    for key in ["b", "c", "d"] {
        let permit = breakers.admit(&key, false, START).unwrap();
        breakers.served(&key, permit, &1, START, START);
    }
    assert!(breakers.served(&"a", under_way, &1, START, START).is_some());

    let mut breakers = of_three(2);
    pauses(&mut breakers, "a");
    let end = in_span(Span::from_mins(1));
    for work in [11, 12] {
        let permit = breakers.admit(&"a", false, end).unwrap();
        breakers.served(&"a", permit, &work, end, end);
    }
    for key in ["b", "c", "d"] {
        let permit = breakers.admit(&key, false, end).unwrap();
        breakers.served(&key, permit, &1, end, end);
    }
    assert!(breakers.contains(&"a"));
}

#[test]
fn a_permit_of_an_evicted_key_is_stale_after_the_key_returns() {
    let mut breakers = of_three(1);
    let old = [(); 3].map(|()| breakers.admit(&"a", false, START).unwrap());
    let other = breakers.admit(&"b", false, START).unwrap();
    breakers.served(&"b", other, &1, START, START);
    let new = breakers.admit(&"a", false, START).unwrap();
    for (work, permit) in (1..).zip(old) {
        assert_eq!(breakers.failed(&"a", permit, FailedCall::sent(&work), START, 0), None);
    }
    let breaker = breakers.get(&"a").unwrap();
    assert!(!breaker.has_row() && !breaker.is_paused());
    assert!(breakers.served(&"a", new, &1, START, START).is_some());
}

#[test]
fn an_evicted_destination_is_no_longer_paused() {
    let mut breakers = of_three(1);
    pauses(&mut breakers, "a");
    drop(breakers.admit(&"b", false, START));
    assert!(!breakers.is_paused(&"a") && breakers.get(&"a").is_none());
    assert_eq!((breakers.paused().count(), breakers.next_pause_at(), breakers.forgotten()), (0, None, 1));
}

#[test]
fn rows_that_are_old_enough_pause_their_destinations() {
    let mut breakers = of_three(8);
    for key in ["c", "a"] {
        fails(&mut breakers, key, 1);
    }
    pauses(&mut breakers, "b");
    let permit = breakers.admit(&"d", false, START).unwrap();
    breakers.served(&"d", permit, &1, START, START);
    let due = in_span(Span::from_secs(5));
    assert_eq!(breakers.next_pause_at(), Some(due));
    assert_eq!(breakers.poll(in_span(Span::from_micros(4_999_999))), [""; 0]);
    assert_eq!(breakers.poll(due), ["a", "c"]);
    assert_eq!(breakers.poll(due), [""; 0], "each pauses once");
    assert_eq!(breakers.next_pause_at(), None);
    assert_eq!(breakers.paused().copied().collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn a_destination_that_is_known_to_be_down_is_probed_first() {
    let mut breakers = of_three(2);
    breakers.pause(&"a", START);
    assert!(breakers.is_paused(&"a"));
    assert_eq!(breakers.get(&"a").unwrap().state(START), BreakerState::HalfOpen);
    let first = breakers.admit(&"a", false, START).unwrap();
    assert!(first.is_probe() && breakers.admit(&"a", false, START).is_err());
    assert!(!breakers.served(&"a", first, &1, START, START).unwrap().has_resumed);
    let second = breakers.admit(&"a", false, START).unwrap();
    let served = breakers.served(&"a", second, &2, START, START).unwrap();
    assert!(served.has_resumed && !breakers.is_paused(&"a"));
    assert_eq!(served.decided, None);
}

/// Calls from before are none of its probes.
#[test]
fn a_result_from_before_a_pause_frees_no_probe() {
    let mut breakers = of_three(2);
    let [first, second] = [(); 2].map(|()| breakers.admit(&"a", false, START).unwrap());
    pauses(&mut breakers, "a");
    let old = breakers.admit(&"a", false, START).unwrap();
    breakers.served(&"a", first, &11, START, START);
    assert!(breakers.served(&"a", second, &12, START, START).unwrap().has_resumed);

    breakers.pause(&"a", START);
    let probe = breakers.admit(&"a", false, START).unwrap();
    breakers.abandoned(&"a", old);
    assert!(breakers.admit(&"a", false, START).is_err(), "one probe at a time");
    breakers.abandoned(&"a", probe);
    assert!(breakers.admit(&"a", false, START).is_ok());
}

#[test]
fn a_destination_that_has_served_a_call_resumes_if_there_is_no_other_work() {
    let mut breakers = of_three(2);
    assert!(!breakers.has_no_other_work(&"a", START).has_resumed && breakers.is_empty(), "it is not known");
    pauses(&mut breakers, "a");
    assert!(!breakers.has_no_other_work(&"a", START).has_resumed);
    let probe = breakers.admit(&"a", false, START).unwrap();
    breakers.served(&"a", probe, &1, START, START);
    let served = breakers.has_no_other_work(&"a", START);
    assert!(served.has_resumed && served.decided.is_some());
    assert_eq!(breakers.paused().count(), 0);
}
