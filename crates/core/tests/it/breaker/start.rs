//! How calls start after a pause.

use super::Destination;
use redrive_core::{BreakerConfig, Permit, Span};

const CALLS: usize = 16;

/// Destination that was down for the span, has resumed, and is called by a caller of 16 calls at a time.
fn resumed_after(pause: Span) -> Destination {
    let mut destination = Destination::down_of(BreakerConfig::default().for_calls_at_once(CALLS));
    destination.wait(pause);
    destination.resumes();
    destination
}

/// Begins as many calls as are admitted, up to the number of the caller.
fn all_admitted(destination: &mut Destination) -> Vec<Permit> {
    let calls: Vec<Permit> = (0..CALLS).map_while(|_| destination.breaker.admit(false, destination.now).ok()).collect();
    assert!(calls.iter().all(|call| !call.is_probe()));
    calls
}

#[test]
fn after_a_long_pause_calls_start_with_one_and_double_up_to_half_in_the_first_second() {
    let mut destination = resumed_after(Span::from_millis(1_001));
    let end = destination.in_span(Span::from_secs(1));
    let mut admitted = Vec::new();
    for _ in 0..6 {
        let calls = all_admitted(&mut destination);
        admitted.push(calls.len());
        assert_eq!(destination.held(), Some(end));
        // One served call of each round doubles their number.
        for (nth, call) in calls.into_iter().enumerate() {
            if nth == 0 {
                destination.served(call, 11);
            } else {
                destination.breaker.abandoned(call);
            }
        }
    }
    assert_eq!(admitted, [1, 2, 4, 8, 8, 8]);
    destination.wait(Span::from_micros(999_999));
    let half = all_admitted(&mut destination);
    assert_eq!(half.len(), CALLS / 2);
    destination.wait(Span::from_micros(1));
    assert_eq!(destination.held(), None, "the second is over");
    drop(half);
}

#[test]
fn after_the_first_second_calls_still_start_with_what_was_served() {
    let mut destination = resumed_after(Span::from_secs(10));
    destination.wait(Span::from_secs(60));
    let calls = all_admitted(&mut destination);
    assert_eq!(calls.len(), 1);
    assert_eq!(destination.breaker.held_until(false, destination.now), Some(None), "it depends on the running call");
    for call in calls {
        destination.served(call, 11);
    }
    assert_eq!(all_admitted(&mut destination).len(), 2);
}

#[test]
fn a_failed_call_does_not_speed_up_the_start() {
    let mut destination = resumed_after(Span::from_secs(10));
    for work in 1..=4 {
        let calls = all_admitted(&mut destination);
        assert_eq!(calls.len(), 1);
        for call in calls {
            destination.failed(call, work);
        }
    }
}

#[test]
fn after_a_short_pause_all_calls_start_at_once() {
    let mut destination = resumed_after(Span::from_secs(1));
    assert_eq!(all_admitted(&mut destination).len(), CALLS);
}

#[test]
fn the_slow_start_ends_when_all_calls_are_permitted() {
    let mut destination = resumed_after(Span::from_secs(10));
    destination.wait(Span::from_secs(1));
    for _ in 0..4 {
        destination.serves(11);
    }
    let calls = [(); 10 * CALLS].map(|()| destination.admitted());
    assert!(calls.iter().all(|call| !call.is_probe()), "the breaker limits nothing");
}

/// Half of one call is one call.
#[test]
fn a_caller_of_one_call_at_a_time_is_not_stopped() {
    let mut destination = Destination::down_of(BreakerConfig::default().for_calls_at_once(1));
    destination.wait(Span::from_secs(10));
    destination.resumes();
    for work in 11..20 {
        destination.serves(work);
    }
}

/// Otherwise a destination that has resumed would be called less than while it was paused.
#[test]
fn calls_that_hang_since_before_the_pause_do_not_hold_up_the_start() {
    let mut destination = Destination::of(BreakerConfig::default().for_calls_at_once(CALLS));
    let hung = [(); 8].map(|()| destination.admitted());
    destination.go_down(1);
    destination.wait(Span::from_secs(10));
    destination.resumes();
    for work in 11..20 {
        destination.serves(work);
    }
    drop(hung);
}

#[test]
fn the_next_pause_admits_probes_as_usual() {
    let mut destination = resumed_after(Span::from_secs(10));
    destination.go_down(11);
    assert!(destination.admitted().is_probe());
}
