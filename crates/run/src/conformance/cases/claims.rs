//! Which work a claim gets, and when.

use std::sync::Arc;

use redrive_core::Span;
use redrive_model::DestinationFilter;

use crate::RunnerSettings;
use crate::conformance::builders::{DELAY, INSTANT, all_but, bytes, only, payload, payloads, work, work_to, work_with};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::waiter::ClaimWaiter;
use crate::conformance::{Destinations, NewWork};

pub(in crate::conformance) async fn a_claim_waits_until_there_is_work(fixture: &SourceFixture) {
    let waiter = fixture.wait(1).await;
    waiter.assert_waits(fixture).await;
    fixture.advance(Span::from_hours(2)).await;
    waiter.assert_waits(fixture).await;
    fixture.put("a").await;
    assert_eq!(payloads(&waiter.got(fixture).await), [bytes("a")]);
}

pub(in crate::conformance) async fn every_arrival_wakes_a_waiting_claim(fixture: &SourceFixture) {
    let waiters = [fixture.wait(1).await, fixture.wait(1).await, fixture.wait(1).await];
    for name in ["a", "b", "c"] {
        fixture.put(name).await;
    }
    let mut all = Vec::new();
    for waiter in waiters {
        all.extend(waiter.got(fixture).await);
    }
    assert_eq!(payloads(&all), [bytes("a"), bytes("b"), bytes("c")]);
}

pub(in crate::conformance) async fn a_claim_returns_what_is_available(fixture: &SourceFixture) {
    for (name, count) in [("a", 10), ("b", RunnerSettings::CONCURRENCY_MAX)] {
        fixture.put(name).await;
        assert_eq!(payloads(&fixture.claim(count).await), [bytes(name)]);
    }
}

pub(in crate::conformance) async fn a_claim_returns_at_most_its_count(fixture: &SourceFixture) {
    let names = ["a", "b", "c", "d", "e"];
    for name in names {
        fixture.put(name).await;
    }
    // `claim` asserts the limit.
    let mut all = fixture.claim(2).await;
    all.extend(fixture.claim(1).await);
    all.extend(fixture.claim_all(5 - all.len()).await);
    assert_eq!(payloads(&all), names.map(bytes));
}

pub(in crate::conformance) async fn claimed_work_is_not_yielded_again(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    fixture.assert_nothing_to_claim().await;
    fixture.assert_open(payload(&got)).await;
    fixture.ack(&got).await;
    fixture.assert_finished(payload(&got)).await;
    fixture.assert_nothing_to_claim().await;
}

pub(in crate::conformance) async fn a_delivery_carries_its_content_byte_for_byte(fixture: &SourceFixture) {
    for content in fixture.contents() {
        fixture.put_work(work_with(&content)).await;
        let got = fixture.claim_one(&content.payload).await;
        let found = &got.work.content;
        assert_eq!((&found.key, &found.headers, &found.payload), (&content.key, &content.headers, &content.payload));
        fixture.ack(&got).await;
    }
}

pub(in crate::conformance) async fn new_work_is_at_its_first_attempt(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    let first = fixture.abilities.first_attempt;
    assert_eq!((got.work.attempt, got.work.deliveries), (first, first));
    assert!(!got.is_hand_over_only);
    assert!(got.work.parts.is_empty(), "new work has no parts: {:?}", got.work.parts);
    assert!(got.work.since <= fixture.now());
}

pub(in crate::conformance) async fn a_delivery_has_the_deadline_of_its_claim(fixture: &SourceFixture) {
    fixture.advance(DELAY).await;
    let got = fixture.put_and_claim("a").await;
    assert_eq!(got.deadline, fixture.abilities.lease.map(|lease| fixture.after(lease)));
}

pub(in crate::conformance) async fn scheduled_work_is_not_early(fixture: &SourceFixture) {
    if !fixture.abilities.takes_schedule {
        return;
    }
    let due = fixture.after(Span::from_hours(1));
    fixture.put_work(NewWork { due: Some(due), ..work("a") }).await;
    fixture.assert_nothing_to_claim().await;
    fixture.advance(Span::from_hours(1).saturating_sub(INSTANT)).await;
    fixture.assert_nothing_to_claim().await;
    fixture.advance(INSTANT).await;
    let got = fixture.claim_one(&bytes("a")).await;
    assert_eq!(got.work.attempt, fixture.abilities.first_attempt);
}

pub(in crate::conformance) async fn a_due_time_wakes_a_waiting_claim(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    let until = fixture.after(DELAY);
    assert_eq!(fixture.settle(&got, crate::Resolution::Defer { until }).await, Ok(()));
    let waiter = fixture.wait(1).await;
    waiter.assert_waits(fixture).await;
    fixture.advance(DELAY.saturating_sub(INSTANT)).await;
    waiter.assert_waits(fixture).await;
    fixture.advance(INSTANT).await;
    assert_eq!(payloads(&waiter.got(fixture).await), [bytes("a")]);
}

pub(in crate::conformance) async fn work_has_its_destination(fixture: &SourceFixture) {
    match &fixture.abilities.destinations {
        Destinations::One(only) => assert_eq!(fixture.put_and_claim("a").await.work.destination, *only),
        Destinations::Many => {
            for name in ["north", "south"] {
                fixture.put_work(work_to(name, name)).await;
                assert_eq!(*fixture.claim_one(&bytes(name)).await.work.destination, *name);
            }
        }
    }
}

pub(in crate::conformance) async fn work_of_excluded_destinations_is_not_yielded(fixture: &SourceFixture) {
    if fixture.abilities.destinations != Destinations::Many {
        return;
    }
    fixture.put_work(work_to("north", "n1")).await;
    let waiter = ClaimWaiter::begin(fixture, 10, all_but(&["elsewhere", "north"])).await;
    fixture.put_work(work_to("north", "n2")).await;
    waiter.assert_waits(fixture).await;
    fixture.put_work(work_to("south", "s1")).await;
    assert_eq!(payloads(&waiter.got(fixture).await), [bytes("s1")]);
    fixture.put_work(work_to("south", "s2")).await;
    assert_eq!(payloads(&fixture.claim_of(10, all_but(&["north"])).await), [bytes("s2")]);
    assert_eq!(payloads(&fixture.claim_all(2).await), [bytes("n1"), bytes("n2")], "excluded work is not lost");
}

pub(in crate::conformance) async fn only_work_of_the_requested_destination_is_yielded(fixture: &SourceFixture) {
    if fixture.abilities.destinations != Destinations::Many {
        return;
    }
    fixture.put_work(work_to("north", "n1")).await;
    let waiter = ClaimWaiter::begin(fixture, 10, only("south")).await;
    waiter.assert_waits(fixture).await;
    fixture.put_work(work_to("south", "s1")).await;
    assert_eq!(payloads(&waiter.got(fixture).await), [bytes("s1")]);
    fixture.put_work(work_to("south", "s2")).await;
    assert_eq!(payloads(&fixture.claim_of(10, only("north")).await), [bytes("n1")]);
    assert_eq!(payloads(&fixture.claim_of(10, only("south")).await), [bytes("s2")]);
}

pub(in crate::conformance) async fn a_source_with_one_destination_yields_nothing_if_excluded(fixture: &SourceFixture) {
    let Destinations::One(destination) = fixture.abilities.destinations.clone() else { return };
    fixture.put("a").await;
    let excluded = ClaimWaiter::begin(fixture, 1, DestinationFilter::AllBut(vec![Arc::clone(&destination)])).await;
    let elsewhere = ClaimWaiter::begin(fixture, 1, only("elsewhere")).await;
    excluded.assert_waits(fixture).await;
    elsewhere.assert_waits(fixture).await;
    let got = fixture.claim_of(1, DestinationFilter::Only(vec![destination])).await;
    assert_eq!(payloads(&got), [bytes("a")]);
    excluded.cancel().await;
    elsewhere.cancel().await;
}
