//! How long a claim holds.

use redrive_core::Span;

use super::fences::assert_old;
use crate::conformance::bed::SourceBed;
use crate::conformance::words::{DELAY, INSTANT, bytes, payload, payloads};

pub(in crate::conformance) async fn an_extension_moves_the_end_on_and_keeps_others_away(bed: &SourceBed) {
    let Some(lease) = bed.abilities.lease else { return };
    let got = bed.put_and_claim("a").await;
    for _ in 0..3 {
        bed.advance(lease.saturating_sub(INSTANT)).await;
        assert_eq!(bed.extend(&got).await, Ok(Some(bed.after(lease))));
        bed.assert_nothing_to_claim().await;
    }
    bed.advance(lease.saturating_sub(INSTANT)).await;
    bed.assert_nothing_to_claim().await;
    bed.ack(&got).await;
    bed.assert_finished(payload(&got)).await;
}

/// Whoever sets the machine's clock must not take time from those who work.
pub(in crate::conformance) async fn an_extension_never_moves_the_end_back(bed: &SourceBed) {
    let Some(lease) = bed.abilities.lease else { return };
    let got = bed.put_and_claim("a").await;
    bed.advance(DELAY).await;
    let until = bed.after(lease);
    assert_eq!(bed.extend(&got).await, Ok(Some(until)));
    bed.set_clock(bed.now().saturating_sub(DELAY)).await;
    assert_eq!(bed.extend(&got).await, Ok(Some(until)), "the clock went back, the end did not");
    bed.set_clock(until.saturating_sub(INSTANT)).await;
    bed.assert_nothing_to_claim().await;
    bed.ack(&got).await;
}

pub(in crate::conformance) async fn only_what_is_extended_holds_on(bed: &SourceBed) {
    let Some(lease) = bed.abilities.lease else { return };
    bed.put("a").await;
    bed.put("b").await;
    let both = bed.claim_all(2).await;
    bed.advance(DELAY).await;
    assert_eq!(bed.extend(&both[0]).await, Ok(Some(bed.after(lease))));
    bed.advance(lease.saturating_sub(DELAY).saturating_add(INSTANT)).await;
    let again = bed.claim_one(payload(&both[1])).await;
    bed.assert_nothing_to_claim().await;
    bed.ack(&both[0]).await;
    bed.ack(&again).await;
}

pub(in crate::conformance) async fn the_end_of_a_claim_gives_the_work_to_the_next(bed: &SourceBed) {
    let Some(lease) = bed.abilities.lease else { return };
    let got = bed.put_and_claim("a").await;
    let waiter = bed.wait(1).await;
    bed.advance(lease.saturating_sub(INSTANT)).await;
    waiter.assert_waits(bed).await;
    bed.advance(INSTANT.saturating_add(INSTANT)).await;
    let again = waiter.got(bed).await;
    assert_eq!(payloads(&again), [bytes("a")]);
    assert_old(bed, &got).await;
    bed.ack_all(&again).await;
    bed.assert_finished(payload(&got)).await;
}

pub(in crate::conformance) async fn a_claim_that_ran_out_is_stale_though_nobody_else_has_the_work(bed: &SourceBed) {
    let Some(lease) = bed.abilities.lease else { return };
    let got = bed.put_and_claim("a").await;
    bed.outlast(lease).await;
    assert_old(bed, &got).await;
    let again = bed.claim_one(payload(&got)).await;
    assert_eq!(again.work.attempt, got.work.attempt + 1);
    assert!(!again.is_hand_over_only);
    assert_old(bed, &got).await;
    bed.ack(&again).await;
}

pub(in crate::conformance) async fn a_claim_without_an_end_holds(bed: &SourceBed) {
    if bed.abilities.lease.is_some() {
        return;
    }
    let got = bed.put_and_claim("a").await;
    bed.advance(Span::from_hours(10)).await;
    bed.assert_nothing_to_claim().await;
    assert_eq!(bed.extend(&got).await, Ok(None));
    bed.ack(&got).await;
    bed.assert_finished(payload(&got)).await;
}
