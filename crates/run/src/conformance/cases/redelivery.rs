//! Redelivery of work that was retried, deferred or released: when, and at what charge.

use redrive_core::{Span, Time};

use crate::Resolution;
use crate::conformance::builders::{DELAY, INSTANT, bytes, payload, payloads, retry, retry_uncharged, work_with};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::resolution_kind::ResolutionKind;

/// Settles work by the same kind of resolution four times.
async fn four_times(fixture: &SourceFixture, kind: ResolutionKind) {
    let mut got = fixture.put_and_claim("a").await;
    for _ in 0..4 {
        kind.finish(fixture, &got).await;
        got = kind.next_delivery(fixture, &got).await;
    }
    let first = fixture.abilities.first_attempt;
    let expected = if kind == ResolutionKind::Retry { first + 4 } else { first };
    let deliveries = if kind.is_counted(fixture) { first + 4 } else { first };
    assert_eq!((got.work.attempt, got.work.deliveries), (expected, deliveries));
}

pub(in crate::conformance) async fn a_release_charges_no_attempt(fixture: &SourceFixture) {
    four_times(fixture, ResolutionKind::Release).await;
}

pub(in crate::conformance) async fn a_deferral_is_not_early_and_charges_no_attempt(fixture: &SourceFixture) {
    four_times(fixture, ResolutionKind::Defer).await;
}

pub(in crate::conformance) async fn a_retry_is_not_early_and_charges_an_attempt(fixture: &SourceFixture) {
    four_times(fixture, ResolutionKind::Retry).await;
}

pub(in crate::conformance) async fn an_uncharged_retry_gives_its_attempt_back(fixture: &SourceFixture) {
    four_times(fixture, ResolutionKind::RetryUncharged).await;
}

pub(in crate::conformance) async fn a_release_wakes_a_waiting_claim(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    let waiter = fixture.wait(1).await;
    waiter.assert_waits(fixture).await;
    assert_eq!(fixture.settle(&got, Resolution::Release).await, Ok(()));
    assert_eq!(payloads(&waiter.got(fixture).await), [bytes("a")]);
}

pub(in crate::conformance) async fn a_redelivery_is_not_a_microsecond_early(fixture: &SourceFixture) {
    let delay = Span::from_hours(1);
    for resolution in [retry, retry_uncharged, |until| Resolution::Defer { until }] {
        let got = fixture.put_and_claim(&format!("{:?}", resolution(Time::MIN))).await;
        assert_eq!(fixture.settle(&got, resolution(fixture.after(delay))).await, Ok(()));
        fixture.advance(delay.saturating_sub(INSTANT)).await;
        fixture.assert_nothing_to_claim().await;
        fixture.advance(INSTANT).await;
        let again = fixture.claim_one(payload(&got)).await;
        fixture.ack(&again).await;
    }
}

/// A source must not round a delay of a millisecond to zero.
pub(in crate::conformance) async fn a_short_delay_is_kept(fixture: &SourceFixture) {
    for resolution in [|until| Resolution::Defer { until }, retry, retry_uncharged] {
        for delay in [INSTANT, Span::from_millis(1), Span::from_millis(99)] {
            let got = fixture.put_and_claim(&format!("{:?} {delay}", resolution(Time::MIN))).await;
            assert_eq!(fixture.settle(&got, resolution(fixture.after(delay))).await, Ok(()));
            fixture.assert_nothing_to_claim().await;
            fixture.advance(delay).await;
            let again = fixture.claim_one(payload(&got)).await;
            fixture.ack(&again).await;
        }
    }
}

pub(in crate::conformance) async fn a_time_in_the_past_means_at_once(fixture: &SourceFixture) {
    for resolution in [retry, retry_uncharged, |until| Resolution::Defer { until }] {
        for at in [fixture.now(), fixture.now().saturating_sub(DELAY), Time::MIN] {
            let got = fixture.put_and_claim(&format!("{:?}", resolution(at))).await;
            assert_eq!(fixture.settle(&got, resolution(at)).await, Ok(()));
            let again = fixture.claim_one(payload(&got)).await;
            fixture.ack(&again).await;
        }
    }
}

pub(in crate::conformance) async fn redelivered_work_is_the_same_work(fixture: &SourceFixture) {
    let [content, ..] = fixture.contents();
    fixture.put_work(work_with(&content)).await;
    let first = fixture.claim_one(&content.payload).await;
    let mut got = first.clone();
    for kind in ResolutionKind::REDELIVERED {
        kind.finish(fixture, &got).await;
        got = kind.next_delivery(fixture, &got).await;
        let (then, now) = (&first.work, &got.work);
        assert_eq!(now.content, then.content, "after {kind:?}");
        assert_eq!((&now.destination, now.since), (&then.destination, then.since), "after {kind:?}");
    }
}
