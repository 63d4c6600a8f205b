//! Who gets what, and when.

use std::sync::Arc;

use redrive_core::Span;
use redrive_model::DestinationFilter;

use crate::RunnerSettings;
use crate::conformance::bed::SourceBed;
use crate::conformance::waiter::ClaimWaiter;
use crate::conformance::words::{DELAY, INSTANT, all_but, bytes, only, payload, payloads, work, work_to, work_with};
use crate::conformance::{Destinations, NewWork};

pub(in crate::conformance) async fn a_claim_waits_until_there_is_work(bed: &SourceBed) {
    let waiter = bed.wait(1).await;
    waiter.assert_waits(bed).await;
    bed.advance(Span::from_hours(2)).await;
    waiter.assert_waits(bed).await;
    bed.put("a").await;
    assert_eq!(payloads(&waiter.got(bed).await), [bytes("a")]);
}

pub(in crate::conformance) async fn every_arrival_wakes_somebody_who_waits(bed: &SourceBed) {
    let waiters = [bed.wait(1).await, bed.wait(1).await, bed.wait(1).await];
    for name in ["a", "b", "c"] {
        bed.put(name).await;
    }
    let mut all = Vec::new();
    for waiter in waiters {
        all.extend(waiter.got(bed).await);
    }
    assert_eq!(payloads(&all), [bytes("a"), bytes("b"), bytes("c")]);
}

pub(in crate::conformance) async fn a_claim_does_not_wait_for_more_than_there_is(bed: &SourceBed) {
    for (name, count) in [("a", 10), ("b", RunnerSettings::CONCURRENCY_MAX)] {
        bed.put(name).await;
        assert_eq!(payloads(&bed.claim(count).await), [bytes(name)]);
    }
}

pub(in crate::conformance) async fn no_more_is_yielded_than_was_asked_for(bed: &SourceBed) {
    let names = ["a", "b", "c", "d", "e"];
    for name in names {
        bed.put(name).await;
    }
    // A claim itself asserts it.
    let mut all = bed.claim(2).await;
    all.extend(bed.claim(1).await);
    all.extend(bed.claim_all(5 - all.len()).await);
    assert_eq!(payloads(&all), names.map(bytes));
}

pub(in crate::conformance) async fn what_is_claimed_is_nobody_elses(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    bed.assert_nothing_to_claim().await;
    bed.assert_open(payload(&got)).await;
    bed.ack(&got).await;
    bed.assert_finished(payload(&got)).await;
    bed.assert_nothing_to_claim().await;
}

pub(in crate::conformance) async fn a_delivery_carries_its_content_byte_for_byte(bed: &SourceBed) {
    for content in bed.contents() {
        bed.put_work(work_with(&content)).await;
        let got = bed.claim_one(&content.payload).await;
        let found = &got.work.content;
        assert_eq!((&found.key, &found.headers, &found.payload), (&content.key, &content.headers, &content.payload));
        bed.ack(&got).await;
    }
}

pub(in crate::conformance) async fn fresh_work_is_at_its_first_attempt(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    let first = bed.abilities.first_attempt;
    assert_eq!((got.work.attempt, got.work.deliveries), (first, first));
    assert!(!got.is_hand_over_only);
    assert!(got.work.parts.is_empty(), "nothing in particular is to be done: {:?}", got.work.parts);
    assert!(got.work.since <= bed.now());
}

pub(in crate::conformance) async fn a_delivery_says_until_when_its_claim_holds(bed: &SourceBed) {
    bed.advance(DELAY).await;
    let got = bed.put_and_claim("a").await;
    assert_eq!(got.deadline, bed.abilities.lease.map(|lease| bed.after(lease)));
}

pub(in crate::conformance) async fn work_for_later_is_not_early(bed: &SourceBed) {
    if !bed.abilities.takes_schedule {
        return;
    }
    let due = bed.after(Span::from_hours(1));
    bed.put_work(NewWork { due: Some(due), ..work("a") }).await;
    bed.assert_nothing_to_claim().await;
    bed.advance(Span::from_hours(1).saturating_sub(INSTANT)).await;
    bed.assert_nothing_to_claim().await;
    bed.advance(INSTANT).await;
    let got = bed.claim_one(&bytes("a")).await;
    assert_eq!(got.work.attempt, bed.abilities.first_attempt);
}

pub(in crate::conformance) async fn the_time_of_work_wakes_a_claim_that_waits(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    let until = bed.after(DELAY);
    assert_eq!(bed.settle(&got, crate::Resolution::Defer { until }).await, Ok(()));
    let waiter = bed.wait(1).await;
    waiter.assert_waits(bed).await;
    bed.advance(DELAY.saturating_sub(INSTANT)).await;
    waiter.assert_waits(bed).await;
    bed.advance(INSTANT).await;
    assert_eq!(payloads(&waiter.got(bed).await), [bytes("a")]);
}

pub(in crate::conformance) async fn work_says_whom_it_is_for(bed: &SourceBed) {
    match &bed.abilities.destinations {
        Destinations::One(only) => assert_eq!(bed.put_and_claim("a").await.work.destination, *only),
        Destinations::Many => {
            for name in ["north", "south"] {
                bed.put_work(work_to(name, name)).await;
                assert_eq!(*bed.claim_one(&bytes(name)).await.work.destination, *name);
            }
        }
    }
}

pub(in crate::conformance) async fn work_of_held_destinations_is_not_yielded(bed: &SourceBed) {
    if bed.abilities.destinations != Destinations::Many {
        return;
    }
    bed.put_work(work_to("north", "n1")).await;
    let waiter = ClaimWaiter::begin(bed, 10, all_but(&["elsewhere", "north"])).await;
    bed.put_work(work_to("north", "n2")).await;
    waiter.assert_waits(bed).await;
    bed.put_work(work_to("south", "s1")).await;
    assert_eq!(payloads(&waiter.got(bed).await), [bytes("s1")]);
    bed.put_work(work_to("south", "s2")).await;
    assert_eq!(payloads(&bed.claim_of(10, all_but(&["north"])).await), [bytes("s2")]);
    assert_eq!(payloads(&bed.claim_all(2).await), [bytes("n1"), bytes("n2")], "it waited, and is not lost");
}

pub(in crate::conformance) async fn only_work_of_the_destination_asked_for_is_yielded(bed: &SourceBed) {
    if bed.abilities.destinations != Destinations::Many {
        return;
    }
    bed.put_work(work_to("north", "n1")).await;
    let waiter = ClaimWaiter::begin(bed, 10, only("south")).await;
    waiter.assert_waits(bed).await;
    bed.put_work(work_to("south", "s1")).await;
    assert_eq!(payloads(&waiter.got(bed).await), [bytes("s1")]);
    bed.put_work(work_to("south", "s2")).await;
    assert_eq!(payloads(&bed.claim_of(10, only("north")).await), [bytes("n1")]);
    assert_eq!(payloads(&bed.claim_of(10, only("south")).await), [bytes("s2")]);
}

pub(in crate::conformance) async fn a_source_of_one_destination_yields_nothing_while_that_is_held(bed: &SourceBed) {
    let Destinations::One(mine) = bed.abilities.destinations.clone() else { return };
    bed.put("a").await;
    let held = ClaimWaiter::begin(bed, 1, DestinationFilter::AllBut(vec![Arc::clone(&mine)])).await;
    let elsewhere = ClaimWaiter::begin(bed, 1, only("elsewhere")).await;
    held.assert_waits(bed).await;
    elsewhere.assert_waits(bed).await;
    let got = bed.claim_of(1, DestinationFilter::Only(vec![mine])).await;
    assert_eq!(payloads(&got), [bytes("a")]);
    held.vanish().await;
    elsewhere.vanish().await;
}
