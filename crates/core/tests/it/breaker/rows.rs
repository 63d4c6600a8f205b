//! What pauses a destination.

use super::Destination;
use redrive_core::{BreakerConfig, BreakerState, Failed, Span};

#[test]
fn one_failing_piece_of_work_among_served_ones_never_pauses() {
    let mut destination = Destination::usual();
    for order in 100..1_100 {
        let failed = destination.fails(1);
        assert_eq!(failed, Failed { is_first: true, has_paused: false }, "each served call has ended the row");
        destination.wait(Span::from_millis(4_999));
        assert!(!destination.breaker.poll(destination.now));
        assert!(destination.serves(order).decided.is_some());
        destination.wait(Span::from_secs(60));
        assert!(!destination.breaker.poll(destination.now), "there is no row");
    }
}

#[test]
fn as_many_different_pieces_in_a_row_as_the_threshold_pause_the_destination() {
    for threshold in 1..=6 {
        let config = BreakerConfig::default().with_threshold(threshold).unwrap();
        let mut destination = Destination::of(config);
        for work in 1..=threshold {
            let failed = destination.fails(work);
            assert_eq!(failed, Failed { is_first: true, has_paused: work == threshold }, "{work} of {threshold}");
        }
        assert!(destination.breaker.is_paused());
    }
}

/// A crowd of poison pauses its destination once, and not with each of its attempts.
#[test]
fn four_pieces_that_were_charged_before_count_as_one() {
    for charged in 0..=20 {
        let mut destination = Destination::of(BreakerConfig::default().with_threshold(20).unwrap());
        for poison in 101..101 + charged {
            destination.fails(poison);
            destination.serves(1);
            assert!(destination.breaker.was_charged(&poison));
        }
        for poison in 101..101 + charged {
            assert!(!destination.fails(poison).has_paused);
        }
        let more = (1..).find(|new| destination.fails(1_000 + new).has_paused);
        assert_eq!(more, Some(20 - charged / 4), "after {charged}");
    }
}

#[test]
fn work_is_charged_before_until_it_is_served() {
    let mut destination = Destination::usual();
    for work in 1..=5 {
        destination.fails(work);
        destination.serves(100);
    }
    for work in 1..=5 {
        assert!(!destination.fails(work).has_paused);
    }
    for work in 1..=5 {
        destination.serves(work);
        assert!(!destination.breaker.was_charged(&work));
    }
    destination.go_down(1);
}

#[test]
fn a_served_call_between_starts_the_count_again() {
    let mut destination = Destination::usual();
    for work in (1..=4).chain([11]).chain(5..=8) {
        if work == 11 {
            assert!(destination.serves(work).decided.is_some());
        } else {
            assert!(!destination.fails(work).has_paused);
        }
    }
    assert!(destination.fails(9).has_paused);
}

#[test]
fn one_piece_five_times_pauses_only_after_five_seconds() {
    let mut destination = Destination::usual();
    let due = destination.in_span(Span::from_secs(5));
    assert!(destination.fails(1).is_first);
    for _ in 0..4 {
        destination.wait(Span::from_secs(1));
        assert_eq!(destination.fails(1), Failed { is_first: false, has_paused: false });
        assert_eq!(destination.breaker.pauses_at(), Some(due), "from the first failure");
    }
    destination.wait(Span::from_micros(999_999));
    assert!(!destination.breaker.poll(destination.now) && !destination.breaker.is_paused());
    destination.wait(Span::from_micros(1));
    assert!(destination.breaker.poll(destination.now) && destination.breaker.is_paused());
    assert_eq!(destination.breaker.pauses_at(), None, "it is paused");
    assert!(!destination.breaker.poll(destination.now), "a pause begins once");
}

#[test]
fn a_served_call_ends_the_age_of_a_row() {
    let mut destination = Destination::usual();
    destination.fails(1);
    destination.wait(Span::from_secs(4));
    destination.serves(2);
    assert_eq!((destination.breaker.pauses_at(), destination.breaker.has_row()), (None, false));
    destination.fails(1);
    assert_eq!(destination.breaker.pauses_at(), Some(destination.in_span(Span::from_secs(5))));
}

#[test]
fn calls_that_were_not_sent_pause_too() {
    let mut destination = Destination::usual();
    for work in 1..=4 {
        assert!(!destination.is_not_sent(work).has_paused);
    }
    assert!(destination.fails(5).has_paused);
}

/// An abandoned call is no answer, neither a good one nor a bad one.
#[test]
fn an_abandoned_call_changes_nothing() {
    let mut destination = Destination::usual();
    for work in 1..=4 {
        destination.fails(work);
        let permit = destination.admitted();
        destination.breaker.abandoned(permit);
        assert!(destination.breaker.has_row() && !destination.breaker.is_paused());
    }
    assert!(destination.fails(5).has_paused, "the row has not ended");
}

#[test]
fn the_state_is_open_only_while_no_probe_is_admitted() {
    let mut destination = Destination::usual();
    assert_eq!(destination.state(), BreakerState::Closed);
    destination.go_down(1);
    assert_eq!(destination.state(), BreakerState::HalfOpen, "the first probe is admitted at once");
    let probe = destination.admitted();
    assert_eq!(destination.state(), BreakerState::HalfOpen, "it is running");
    destination.failed(probe, 1);
    assert_eq!(destination.state(), BreakerState::Open);
    destination.wait(Span::from_millis(100));
    assert_eq!(destination.state(), BreakerState::HalfOpen);
    destination.resumes();
    assert_eq!(destination.state(), BreakerState::Closed);
}

/// A row of one piece of work may be poison or an outage: without other work, no caller can tell.
#[test]
fn the_work_of_a_row_that_none_has_joined_for_the_patience_is_decided() {
    let config = BreakerConfig::default().with_patience(Span::from_mins(2));
    let mut destination = Destination::of(config);
    assert_eq!(destination.breaker.impatient_at(), None);
    destination.fails(1);
    let due = destination.in_span(Span::from_mins(2));
    destination.wait(Span::from_secs(1));
    destination.fails(1);
    assert_eq!(destination.breaker.impatient_at(), Some(due), "it was in the row");
    destination.wait(Span::from_mins(1));
    destination.fails(2);
    assert_eq!(destination.breaker.impatient_at(), Some(destination.in_span(Span::from_mins(2))));
    destination.serves(3);
    assert_eq!(destination.breaker.impatient_at(), None);
}

#[test]
fn an_outage_is_waited_for_without_end() {
    let mut destination = Destination::usual();
    for work in 1..=4 {
        destination.fails(work);
    }
    assert!(destination.breaker.impatient_at().is_some() && !destination.breaker.has_full_row());
    destination.fails(5);
    assert!(destination.breaker.impatient_at().is_none() && destination.breaker.has_full_row());
}

#[test]
fn a_row_knows_which_of_its_work_was_sent() {
    let mut destination = Destination::usual();
    assert_eq!(destination.breaker.was_sent(&1), None);
    destination.is_not_sent(1);
    destination.fails(2);
    let known = |destination: &Destination| [1, 2, 3].map(|work| destination.breaker.was_sent(&work));
    assert_eq!(known(&destination), [Some(false), Some(true), None]);
    destination.fails(1);
    destination.is_not_sent(2);
    assert_eq!(known(&destination), [Some(true), Some(true), None]);
    destination.serves(3);
    assert_eq!(known(&destination), [None; 3]);
}
