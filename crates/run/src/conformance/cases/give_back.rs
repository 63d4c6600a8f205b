//! Work that is given back: when it comes again, and what that cost.

use redrive_core::{Span, Time};

use crate::Resolution;
use crate::conformance::bed::SourceBed;
use crate::conformance::way::Way;
use crate::conformance::words::{DELAY, INSTANT, bytes, payload, payloads, retry, retry_uncharged, work_with};

/// Gives work back in one way four times.
async fn four_times(bed: &SourceBed, way: Way) {
    let mut got = bed.put_and_claim("a").await;
    for _ in 0..4 {
        way.finish(bed, &got).await;
        got = way.next_delivery(bed, &got).await;
    }
    let first = bed.abilities.first_attempt;
    let expected = if way == Way::Retry { first + 4 } else { first };
    assert_eq!((got.work.attempt, got.work.deliveries), (expected, first + 4));
}

pub(in crate::conformance) async fn a_release_spends_no_attempt(bed: &SourceBed) {
    four_times(bed, Way::Release).await;
}

pub(in crate::conformance) async fn a_deferral_is_not_early_and_spends_no_attempt(bed: &SourceBed) {
    four_times(bed, Way::Defer).await;
}

pub(in crate::conformance) async fn a_retry_is_not_early_and_counts(bed: &SourceBed) {
    four_times(bed, Way::Retry).await;
}

pub(in crate::conformance) async fn a_retry_that_is_not_charged_gives_its_attempt_back(bed: &SourceBed) {
    four_times(bed, Way::RetryUncharged).await;
}

pub(in crate::conformance) async fn a_release_wakes_a_claim_that_waits(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    let waiter = bed.wait(1).await;
    waiter.assert_waits(bed).await;
    assert_eq!(bed.settle(&got, Resolution::Release).await, Ok(()));
    assert_eq!(payloads(&waiter.got(bed).await), [bytes("a")]);
}

pub(in crate::conformance) async fn given_back_work_is_not_early_by_an_instant(bed: &SourceBed) {
    let delay = Span::from_hours(1);
    for resolution in [retry, retry_uncharged, |until| Resolution::Defer { until }] {
        let got = bed.put_and_claim(&format!("{:?}", resolution(Time::MIN))).await;
        assert_eq!(bed.settle(&got, resolution(bed.after(delay))).await, Ok(()));
        bed.advance(delay.saturating_sub(INSTANT)).await;
        bed.assert_nothing_to_claim().await;
        bed.advance(INSTANT).await;
        let again = bed.claim_one(payload(&got)).await;
        bed.ack(&again).await;
    }
}

/// A millisecond of backoff is a backoff, too.
pub(in crate::conformance) async fn a_short_delay_is_kept(bed: &SourceBed) {
    for resolution in [|until| Resolution::Defer { until }, retry, retry_uncharged] {
        for delay in [INSTANT, Span::from_millis(1), Span::from_millis(99)] {
            let got = bed.put_and_claim(&format!("{:?} {delay}", resolution(Time::MIN))).await;
            assert_eq!(bed.settle(&got, resolution(bed.after(delay))).await, Ok(()));
            bed.assert_nothing_to_claim().await;
            bed.advance(delay).await;
            let again = bed.claim_one(payload(&got)).await;
            bed.ack(&again).await;
        }
    }
}

pub(in crate::conformance) async fn a_time_that_has_passed_is_at_once(bed: &SourceBed) {
    for resolution in [retry, retry_uncharged, |until| Resolution::Defer { until }] {
        for at in [bed.now(), bed.now().saturating_sub(DELAY), Time::MIN] {
            let got = bed.put_and_claim(&format!("{:?}", resolution(at))).await;
            assert_eq!(bed.settle(&got, resolution(at)).await, Ok(()));
            let again = bed.claim_one(payload(&got)).await;
            bed.ack(&again).await;
        }
    }
}

pub(in crate::conformance) async fn given_back_work_is_the_same_work(bed: &SourceBed) {
    let [content, ..] = bed.contents();
    bed.put_work(work_with(&content)).await;
    let first = bed.claim_one(&content.payload).await;
    let mut got = first.clone();
    for way in Way::BACK {
        way.finish(bed, &got).await;
        got = way.next_delivery(bed, &got).await;
        let (then, now) = (&first.work, &got.work);
        assert_eq!(now.content, then.content, "after {way:?}");
        assert_eq!((&now.destination, now.since), (&then.destination, then.since), "after {way:?}");
    }
}
