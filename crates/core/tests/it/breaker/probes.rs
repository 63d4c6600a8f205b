//! When a paused destination is probed, and what resumes it.

use super::Destination;
use redrive_core::{BreakerConfig, BreakerState, FailedCall, Span};

const SECOND: Span = Span::from_secs(1);

#[test]
fn the_first_probe_is_at_once_and_the_wait_doubles_to_the_longest_one() {
    let mut destination = Destination::down();
    let waits: Vec<Span> = (0..10).map(|_| destination.fails_after_wait(1)).collect();
    let expected = [0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000].map(Span::from_millis);
    assert_eq!(waits, expected);

    let mut patient = Destination::down_of(BreakerConfig::new(5, Span::from_secs(1), 1).unwrap());
    let waits: Vec<Span> = (0..6).map(|_| patient.fails_after_wait(1)).collect();
    assert_eq!(waits, [0, 100, 200, 400, 800, 1_000].map(Span::from_millis));
}

#[test]
fn jitter_shortens_a_wait_by_at_most_a_quarter() {
    let randoms = (0..10_000u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)).chain([0, 1, u64::MAX]);
    let mut waits: Vec<Span> = Vec::new();
    for random in randoms {
        let mut destination = Destination::down();
        let probe = destination.admitted();
        destination.breaker.failed(probe, FailedCall::sent(&1), destination.now, random);
        waits.push(destination.held().unwrap().since(destination.now));
    }
    waits.sort();
    let (shortest, longest) = (waits[0], waits[waits.len() - 1]);
    assert!(shortest >= Span::from_millis(75) && longest == Span::from_millis(100), "{shortest} to {longest}");
    assert!(shortest < Span::from_millis(76), "it spreads over the whole quarter: {shortest}");
    let middle = waits[waits.len() / 2];
    assert!(middle > Span::from_millis(84) && middle < Span::from_millis(91), "it is even: {middle}");
}

/// The doubling is that of the wait before its jitter.
#[test]
fn jitter_does_not_shorten_the_later_waits() {
    let mut destination = Destination::down();
    for wait in [100, 200, 400, 800].map(Span::from_millis) {
        let (probe, _) = destination.admitted_after_wait();
        destination.breaker.failed(probe, FailedCall::sent(&1), destination.now, wait.as_micros() / 4);
        let held = destination.held().unwrap().since(destination.now);
        assert_eq!(held.as_micros(), wait.as_micros() * 3 / 4);
    }
}

#[test]
fn two_served_probes_of_different_work_resume() {
    let mut destination = Destination::down();
    destination.fails(1);
    destination.wait(Span::from_millis(100));
    assert!(!destination.breaker.waits_for_other_work());
    let first = destination.serves(2);
    assert!(!first.has_resumed && first.decided.is_none() && destination.breaker.is_paused());
    assert!(destination.breaker.waits_for_other_work());
    let again = destination.serves(2);
    assert!(!again.has_resumed, "the same work may be lucky twice");
    let second = destination.serves(3);
    assert!(second.has_resumed && second.decided.is_some() && !destination.breaker.is_paused());
    assert!(!destination.breaker.has_row());
}

#[test]
fn the_wait_after_a_served_probe_is_none_and_then_the_first_one() {
    let mut destination = Destination::down();
    for _ in 0..6 {
        destination.fails_after_wait(1);
    }
    let (probe, _) = destination.admitted_after_wait();
    destination.served(probe, 2);
    assert_eq!(destination.held(), None);
    assert_eq!(destination.fails_after_wait(3), Span::ZERO);
    assert_eq!(destination.fails_after_wait(3), Span::from_millis(100));
    assert_eq!(destination.fails_after_wait(3), Span::from_millis(200));
}

#[test]
fn a_failure_of_other_work_interrupts_the_sequence() {
    let mut destination = Destination::down();
    destination.serves(11);
    assert!(destination.fails(12).is_first);
    assert!(!destination.breaker.waits_for_other_work());
    let (probe, _) = destination.admitted_after_wait();
    assert!(!destination.served(probe, 13).has_resumed);
    assert!(destination.serves(14).has_resumed);
}

/// Otherwise a few pieces of poison in the row would keep a destination paused that serves all else.
#[test]
fn failures_of_work_in_the_row_do_not_interrupt_the_sequence() {
    let mut destination = Destination::down();
    destination.serves(11);
    for work in 1..=5 {
        let (probe, _) = destination.admitted_after_wait();
        assert!(!destination.failed(probe, work).is_first);
        assert!(destination.breaker.waits_for_other_work());
    }
    let (probe, _) = destination.admitted_after_wait();
    assert!(destination.served(probe, 12).has_resumed);
}

/// Neither do those of work that was charged before: a destination with much poison would stay paused.
#[test]
fn failures_of_work_that_was_charged_before_do_not_interrupt_the_sequence() {
    let mut destination = Destination::usual();
    destination.fails(1);
    destination.serves(2);
    destination.go_down(11);
    destination.serves(3);
    assert!(destination.fails(1).is_first && destination.breaker.was_charged(&1));
    assert!(destination.breaker.waits_for_other_work());
    let (probe, _) = destination.admitted_after_wait();
    assert!(destination.served(probe, 4).has_resumed);
}

#[test]
fn a_destination_that_serves_one_call_in_twenty_stays_paused() {
    let mut destination = Destination::down();
    for work in 100..2_100 {
        let (probe, _) = destination.admitted_after_wait();
        assert!(probe.is_probe());
        if work % 20 == 0 {
            assert!(!destination.served(probe, work).has_resumed, "at {work}");
        } else {
            destination.failed(probe, work);
        }
    }
    assert!(destination.breaker.is_paused());
}

#[test]
fn one_served_call_is_enough_if_there_is_no_other_work() {
    let mut destination = Destination::down();
    assert!(!destination.has_no_other_work(), "none was served");
    destination.serves(11);
    destination.fails(12);
    assert!(!destination.has_no_other_work(), "none was served since the last failure");
    assert!(destination.breaker.is_paused());
    let (probe, _) = destination.admitted_after_wait();
    destination.served(probe, 11);
    assert!(destination.has_no_other_work());
    assert!(!destination.breaker.is_paused() && !destination.breaker.has_row());
    assert!(!destination.has_no_other_work(), "it is not paused");
}

/// A row that has not paused its destination ends by a served call, and by nothing else.
#[test]
fn a_row_without_a_pause_does_not_end_because_there_is_no_other_work() {
    let mut destination = Destination::usual();
    destination.fails(1);
    assert!(!destination.has_no_other_work());
    assert!(destination.breaker.has_row());
}

#[test]
fn work_that_has_just_arrived_may_probe_once_a_second() {
    let mut destination = Destination::down();
    for _ in 0..10 {
        destination.fails_after_wait(1);
    }
    let next = destination.held().unwrap();
    assert_eq!(next.since(destination.now), Span::from_secs(10));
    for work in 100..105 {
        assert_eq!(destination.held_on_arrival(), None);
        assert!(destination.held().is_some(), "other work waits");
        let arrival = destination.admitted_on_arrival();
        assert!(arrival.is_probe());
        destination.failed(arrival, work);
        assert_eq!(destination.held_on_arrival(), Some(destination.in_span(SECOND)));
        destination.wait(Span::from_micros(999_999));
        assert!(destination.held_on_arrival().is_some());
        destination.wait(Span::from_micros(1));
    }
}

#[test]
fn work_that_has_just_arrived_needs_a_free_probe_too() {
    let mut destination = Destination::down();
    let probe = destination.admitted();
    assert!(destination.held_on_arrival().is_some());
    destination.breaker.abandoned(probe);
    assert_eq!(destination.held_on_arrival(), None);
}

/// Its probe is one of the destination's: the wait doubles.
#[test]
fn a_failed_probe_of_work_that_has_just_arrived_doubles_the_wait() {
    let mut destination = Destination::down();
    destination.fails(1);
    let arrival = destination.admitted_on_arrival();
    destination.failed(arrival, 100);
    assert_eq!(destination.held(), Some(destination.in_span(Span::from_millis(200))));
}

#[test]
fn no_probe_precedes_the_retry_after_of_the_destination() {
    let minute = Span::from_mins(1);
    let mut destination = Destination::usual();
    for work in 1..=4 {
        destination.fails(work);
    }
    destination.fails_with_retry_after(5, minute);
    let end = destination.in_span(minute);
    assert_eq!((destination.held(), destination.held_on_arrival()), (Some(end), Some(end)), "of the row");
    assert_eq!(destination.state(), BreakerState::Open);
    assert_eq!(destination.breaker.next_probe_at(destination.now), Some(end));

    let (probe, _) = destination.admitted_after_wait();
    destination.failed_with_retry_after(probe, 1, minute);
    let end = destination.in_span(minute);
    destination.wait(Span::from_secs(30));
    assert_eq!((destination.held(), destination.held_on_arrival()), (Some(end), Some(end)), "of a probe");
}

#[test]
fn a_retry_after_that_ends_before_the_wait_changes_nothing() {
    let mut destination = Destination::down();
    destination.fails_with_retry_after(1, Span::from_millis(1));
    assert_eq!(destination.held(), Some(destination.in_span(Span::from_millis(100))));
}

#[test]
fn a_retry_after_is_capped_at_five_minutes() {
    let mut destination = Destination::down();
    destination.fails_with_retry_after(1, Span::from_days(365));
    let end = destination.in_span(Span::from_mins(5));
    assert_eq!((destination.held(), destination.held_on_arrival()), (Some(end), Some(end)));
}

#[test]
fn a_served_call_ends_a_retry_after() {
    let mut destination = Destination::usual();
    let under_way = destination.admitted();
    destination.go_down(1);
    destination.fails_with_retry_after(1, Span::from_mins(5));
    assert!(destination.held().is_some());
    destination.served(under_way, 6);
    assert_eq!(destination.held(), None);
    destination.fails(7);
    assert_eq!(destination.held(), Some(destination.in_span(Span::from_millis(100))));
}

#[test]
fn a_served_call_ends_a_retry_after_for_work_that_has_just_arrived_too() {
    let mut destination = Destination::usual();
    let under_way = destination.admitted();
    for work in 1..=4 {
        destination.fails(work);
    }
    destination.fails_with_retry_after(5, Span::from_mins(5));
    destination.served(under_way, 6);
    destination.fails(7);
    assert_eq!(destination.held_on_arrival(), None);
}

/// The destination knows better by now.
#[test]
fn a_later_retry_after_may_be_a_shorter_one() {
    let mut destination = Destination::usual();
    let under_way = destination.admitted();
    for work in 1..=4 {
        destination.fails(work);
    }
    destination.fails_with_retry_after(5, Span::from_mins(5));
    destination.failed_with_retry_after(under_way, 6, SECOND);
    let end = destination.in_span(SECOND);
    assert_eq!((destination.held(), destination.held_on_arrival()), (Some(end), Some(end)));
}

/// A destination that is not paused is called: the caller keeps the work back that was asked to wait.
#[test]
fn a_retry_after_pauses_nothing() {
    let mut destination = Destination::usual();
    destination.fails_with_retry_after(1, Span::from_mins(5));
    assert_eq!(destination.held(), None);
}

#[test]
fn served_calls_that_were_under_way_when_the_pause_began_count() {
    let mut destination = Destination::usual();
    let [first, second] = [(); 2].map(|()| destination.admitted());
    destination.go_down(1);
    assert!(!first.is_probe());
    assert!(!destination.served(first, 11).has_resumed);
    assert!(destination.breaker.waits_for_other_work());
    assert!(destination.served(second, 12).has_resumed);
}

/// They say nothing about a destination that may have come back since: only probes do.
#[test]
fn failed_calls_that_were_under_way_when_the_pause_began_do_not_delay_the_probes() {
    let mut destination = Destination::usual();
    let under_way = [(); 20].map(|()| destination.admitted());
    destination.go_down(1);
    destination.serves(100);
    for (work, permit) in (101..).zip(under_way) {
        assert!(destination.failed(permit, work).is_first);
        assert_eq!(destination.held(), None);
        assert!(!destination.breaker.waits_for_other_work(), "but they interrupt the sequence");
    }
    assert_eq!(destination.fails_after_wait(1), Span::ZERO);
    assert_eq!(destination.fails_after_wait(1), Span::from_millis(100));
}

#[test]
fn a_hung_probe_frees_its_slot_after_the_probe_timeout() {
    let config = BreakerConfig::default().with_probes_given_up_after(Span::from_secs(15));
    let mut destination = Destination::down_of(config);
    let hung = destination.admitted();
    let end = destination.in_span(Span::from_secs(15));
    let (second, waited) = destination.admitted_after_wait();
    assert_eq!((waited, destination.now), (Span::from_secs(15), end));
    assert!(second.is_probe());

    // An answer after the timeout is an answer, and the slot of the second probe stays taken.
    assert!(!destination.served(hung, 1).has_resumed);
    assert_eq!(destination.held(), Some(destination.in_span(Span::from_secs(15))));
    assert!(destination.served(second, 2).has_resumed);
}

/// It is a call that was under way when the second pause began.
#[test]
fn a_failed_probe_of_the_pause_before_delays_no_probe() {
    let mut destination = Destination::down_of(BreakerConfig::new(5, Span::from_secs(10), 2).unwrap());
    let late = destination.admitted();
    destination.resumes();
    destination.go_down(11);
    destination.failed(late, 11);
    assert_eq!(destination.held(), None);
    assert_eq!(destination.fails_after_wait(11), Span::ZERO);
    assert_eq!(destination.fails_after_wait(11), Span::from_millis(100));
}

#[test]
fn by_default_a_probe_is_given_up_after_five_minutes() {
    let mut destination = Destination::down();
    let _hung = destination.admitted();
    assert_eq!(destination.held(), Some(destination.in_span(Span::from_mins(5))));
}

#[test]
fn as_many_probes_run_at_a_time_as_the_settings_say() {
    let mut destination = Destination::down_of(BreakerConfig::new(5, Span::from_secs(10), 3).unwrap());
    let [first, second, third] = [(); 3].map(|()| destination.admitted());
    assert!(destination.held().is_some());
    destination.breaker.abandoned(second);
    assert_eq!(destination.held(), None, "an abandoned probe frees its slot at once");
    let fourth = destination.admitted();
    destination.served(first, 1);
    let _fifth = destination.admitted();
    assert!(destination.held().is_some());
    destination.failed(third, 3);
    assert_eq!(destination.held(), Some(destination.in_span(Span::from_millis(100))), "the wait holds the free slot");
    destination.served(fourth, 4);
    assert_eq!(destination.held(), None);
}

#[test]
fn refused_calls_delay_nothing() {
    let mut destination = Destination::down();
    destination.fails(1);
    let end = destination.in_span(Span::from_millis(100));
    let arrival = destination.admitted_on_arrival();
    destination.breaker.abandoned(arrival);
    for _ in 0..99 {
        destination.wait(Span::from_millis(1));
        assert_eq!(destination.breaker.admit(false, destination.now), Err(Some(end)));
        assert_eq!(destination.breaker.admit(true, destination.now), Err(Some(end)));
    }
    destination.wait(Span::from_millis(1));
    assert!(destination.admitted().is_probe());
}
