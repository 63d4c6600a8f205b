//! What a row costs its work.

use super::Destination;
use redrive_core::{BreakerConfig, FailedCall, RowVerdict, Span};

const CHARGED: Option<RowVerdict> = Some(RowVerdict::Charged);
const FORGIVEN: Option<RowVerdict> = Some(RowVerdict::Forgiven);
const OUTAGE: Span = Span::from_secs(30);

#[test]
fn a_short_row_charges_its_work_one_attempt_however_often_it_was_called() {
    let mut destination = Destination::usual();
    let firsts = (0..5).filter(|_| destination.fails(1).is_first).count();
    assert_eq!(firsts, 1, "the caller settles the work once");
    destination.fails(2);
    let ended = destination.serves(3).decided.unwrap();
    assert_eq!((ended.of(&1), ended.of(&2)), (CHARGED, CHARGED));
    assert!(!destination.breaker.has_row());
}

/// Five pieces of poison in a row pause a destination too, and must become letters.
#[test]
fn a_short_pause_charges_its_work() {
    let mut destination = Destination::down();
    destination.wait(Span::from_micros(OUTAGE.as_micros() - 1));
    let ended = destination.resumes();
    for work in 1..=5 {
        assert_eq!(ended.of(&work), CHARGED);
    }
}

#[test]
fn work_that_was_never_sent_is_not_charged() {
    let mut destination = Destination::usual();
    destination.is_not_sent(1);
    destination.is_not_sent(1);
    destination.is_not_sent(2);
    destination.fails(2);
    destination.fails(3);
    destination.is_not_sent(3);
    let ended = destination.serves(4).decided.unwrap();
    let verdicts = [1, 2, 3].map(|work| ended.of(&work));
    assert_eq!(verdicts, [FORGIVEN, CHARGED, CHARGED]);
}

#[test]
fn an_outage_charges_nothing() {
    let mut destination = Destination::down();
    destination.wait(OUTAGE);
    destination.fails(6);
    let ended = destination.resumes();
    for work in 1..=6 {
        assert_eq!(ended.of(&work), FORGIVEN);
    }
    assert_eq!(ended.of(&7), None, "it was not in the row");
}

/// A row of one piece of work may last long where nothing else is called: that is no outage.
#[test]
fn a_long_row_of_little_work_charges_it() {
    let mut destination = Destination::usual();
    for work in 1..=4 {
        destination.fails(work);
    }
    destination.wait(Span::from_secs(5));
    assert!(destination.breaker.poll(destination.now));
    destination.wait(Span::from_mins(10));
    let ended = destination.resumes();
    for work in 1..=4 {
        assert_eq!(ended.of(&work), CHARGED);
    }
}

/// The fifth piece of work may fail in the pause.
#[test]
fn failures_in_the_pause_belong_to_the_row() {
    let mut destination = Destination::usual();
    destination.fails(1);
    destination.wait(Span::from_secs(5));
    assert!(destination.breaker.poll(destination.now));
    for work in 2..=5 {
        destination.fails_after_wait(work);
    }
    destination.wait(OUTAGE);
    let ended = destination.resumes();
    for work in 1..=5 {
        assert_eq!(ended.of(&work), FORGIVEN);
    }
}

fn outage(destination: &mut Destination, works: [u32; 5]) -> [Option<RowVerdict>; 5] {
    let mut last = None;
    for work in works {
        let permit = destination.admitted_after_wait().0;
        last = Some(destination.failed(permit, work));
    }
    assert!(last.is_some_and(|failed| failed.has_paused));
    destination.wait(OUTAGE);
    let ended = destination.resumes();
    works.map(|work| ended.of(&work))
}

/// A piece of work, and four that have not failed before.
fn with_new_work(work: u32, round: u32) -> [u32; 5] {
    let [first, second, third, fourth] = [1, 2, 3, 4].map(|nth| 1_000 * round + nth);
    [work, first, second, third, fourth]
}

/// Work that has failed in four outages is likely to cause them.
#[test]
fn a_piece_of_work_is_forgiven_three_outages() {
    let mut destination = Destination::usual();
    for round in 1..=4 {
        let [poison, others @ ..] = outage(&mut destination, with_new_work(1, round));
        assert_eq!(others, [FORGIVEN; 4], "round {round}");
        let expected = if round <= 3 { FORGIVEN } else { CHARGED };
        assert_eq!(poison, expected, "round {round}");
    }
}

#[test]
fn the_outages_of_a_piece_of_work_are_forgotten_when_it_is_served() {
    let mut destination = Destination::usual();
    for round in 1..=3 {
        assert_eq!(outage(&mut destination, [1, 2, 3, 4, 5]), [FORGIVEN; 5], "round {round}");
    }
    destination.serves(1);
    let [served, others @ ..] = outage(&mut destination, [1, 2, 3, 4, 5]);
    assert_eq!((served, others), (FORGIVEN, [CHARGED; 4]));
}

/// A connection that was not made says nothing about the work: it costs none of the three.
#[test]
fn an_outage_without_a_call_is_not_counted() {
    let mut destination = Destination::usual();
    for _ in 0..6 {
        for work in 1..=5 {
            let permit = destination.admitted_after_wait().0;
            let call = FailedCall { was_sent: false, ..FailedCall::sent(&work) };
            destination.breaker.failed(permit, call, destination.now, 0);
        }
        destination.wait(OUTAGE);
        let ended = destination.resumes();
        assert_eq!([1, 2, 3, 4, 5].map(|work| ended.of(&work)), [FORGIVEN; 5]);
    }
    assert_eq!(outage(&mut destination, [1, 2, 3, 4, 5]), [FORGIVEN; 5]);
}

#[test]
fn a_row_that_ends_because_there_is_no_other_work_is_decided_alike() {
    for (lasts, expected) in [(Span::from_secs(29), CHARGED), (OUTAGE, FORGIVEN)] {
        let mut destination = Destination::down_of(BreakerConfig::default());
        destination.wait(lasts);
        destination.serves(6);
        let ended = destination.breaker.has_no_other_work(destination.now).decided.unwrap();
        for work in 1..=5 {
            assert_eq!(ended.of(&work), expected, "after {lasts}");
        }
    }
}

/// When a destination goes down, calls from before still succeed: they say nothing about what has failed since.
#[test]
fn a_served_call_decides_about_what_had_failed_when_it_began() {
    let mut destination = Destination::usual();
    let began = destination.now;
    let under_way = [(); 2].map(|()| destination.admitted());
    destination.fails(1);
    destination.wait(Span::from_secs(1));
    destination.fails(2);
    for (work, permit) in (101..).zip(under_way) {
        destination.wait(Span::from_secs(1));
        let served = destination.served_since(permit, work, began);
        let decided = served.decided.as_ref();
        let expected = if work == 101 { CHARGED } else { None };
        assert_eq!(decided.and_then(|decided| decided.of(&1)), expected, "it had failed by then");
        assert_eq!(decided.and_then(|decided| decided.of(&2)), None);
    }
    assert_eq!((destination.breaker.was_sent(&1), destination.breaker.was_sent(&2)), (None, Some(true)));
    assert!(!destination.fails(2).is_first, "it is in the row since");
    assert_eq!(destination.serves(103).decided.unwrap().of(&2), CHARGED);
    assert!(!destination.breaker.has_row());
}

#[test]
fn work_that_has_failed_again_waits_for_a_call_that_begins_later() {
    let mut destination = Destination::usual();
    destination.fails(1);
    destination.wait(Span::from_secs(1));
    let (permit, began) = (destination.admitted(), destination.now);
    destination.wait(Span::from_secs(1));
    destination.fails(1);
    assert_eq!(destination.served_since(permit, 101, began).decided, None);
    assert_eq!(destination.serves(102).decided.unwrap().of(&1), CHARGED);
}

/// It was called again, and this is its answer: it owes nothing for the calls before.
#[test]
fn work_that_is_served_leaves_the_row() {
    let mut destination = Destination::usual();
    destination.fails(1);
    assert_eq!(destination.serves(1).decided, None);
    assert!(!destination.breaker.has_row());

    let mut destination = Destination::down();
    destination.serves(1);
    let decided = destination.serves(2).decided.unwrap();
    assert_eq!([1, 2, 3].map(|work| decided.of(&work)), [None, None, CHARGED]);
}

/// The calls from before the failures may be many, and two of them end the pause as any others do.
#[test]
fn a_pause_that_calls_from_before_it_end_charges_nothing_that_failed_since() {
    let mut destination = Destination::usual();
    let began = destination.now;
    let [first, second] = [(); 2].map(|()| destination.admitted());
    destination.wait(Span::from_millis(1));
    destination.go_down(1);
    assert!(!destination.served_since(first, 101, began).has_resumed);
    let served = destination.served_since(second, 102, began);
    assert_eq!((served.has_resumed, served.decided), (true, None));
    let decided = destination.serves(103).decided.unwrap();
    assert_eq!([1, 2, 3, 4, 5].map(|work| decided.of(&work)), [CHARGED; 5]);
}

/// Its count must not come back by the verdict on the row that it has ended.
#[test]
fn the_outages_of_the_work_that_ends_one_are_forgotten() {
    let mut destination = Destination::usual();
    for work in 1..=5 {
        destination.fails(work);
    }
    destination.wait(OUTAGE);
    destination.serves(6);
    assert!(destination.serves(1).has_resumed);
    for round in 1..=4 {
        let [poison, ..] = outage(&mut destination, with_new_work(1, round));
        assert_eq!(poison, if round <= 3 { FORGIVEN } else { CHARGED }, "round {round}");
    }
}

/// One piece of work that is served and fails again in a pause is one piece of work.
#[test]
fn an_outage_is_one_of_different_work() {
    let mut destination = Destination::usual();
    destination.fails(1);
    destination.wait(Span::from_secs(5));
    assert!(destination.breaker.poll(destination.now));
    for _ in 0..6 {
        let (probe, _) = destination.admitted_after_wait();
        destination.served(probe, 1);
        destination.fails(1);
    }
    destination.wait(OUTAGE);
    assert_eq!(destination.resumes().of(&1), CHARGED);
}
