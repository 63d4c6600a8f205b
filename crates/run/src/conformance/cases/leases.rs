//! The deadline of a claim.

use redrive_core::Span;

use super::fences::assert_stale;
use crate::conformance::builders::{DELAY, INSTANT, bytes, payload, payloads};
use crate::conformance::fixture::SourceFixture;

pub(in crate::conformance) async fn an_extended_claim_is_exclusive_until_its_new_deadline(fixture: &SourceFixture) {
    let Some(lease) = fixture.abilities.lease else { return };
    let got = fixture.put_and_claim("a").await;
    for _ in 0..3 {
        fixture.advance(lease.saturating_sub(INSTANT)).await;
        assert_eq!(fixture.extend(&got).await, Ok(Some(fixture.after(lease))));
        fixture.assert_nothing_to_claim().await;
    }
    fixture.advance(lease.saturating_sub(INSTANT)).await;
    fixture.assert_nothing_to_claim().await;
    fixture.ack(&got).await;
    fixture.assert_finished(payload(&got)).await;
}

/// A clock that is set back must not shorten the claims of running holders.
pub(in crate::conformance) async fn an_extension_never_shortens_a_claim(fixture: &SourceFixture) {
    let Some(lease) = fixture.abilities.lease else { return };
    let got = fixture.put_and_claim("a").await;
    fixture.advance(DELAY).await;
    let until = fixture.after(lease);
    assert_eq!(fixture.extend(&got).await, Ok(Some(until)));
    fixture.set_clock(fixture.now().saturating_sub(DELAY)).await;
    assert_eq!(fixture.extend(&got).await, Ok(Some(until)), "a clock that went back shortened the claim");
    fixture.set_clock(until.saturating_sub(INSTANT)).await;
    fixture.assert_nothing_to_claim().await;
    fixture.ack(&got).await;
}

pub(in crate::conformance) async fn only_extended_claims_are_kept(fixture: &SourceFixture) {
    let Some(lease) = fixture.abilities.lease else { return };
    fixture.put("a").await;
    fixture.put("b").await;
    let both = fixture.claim_all(2).await;
    fixture.advance(DELAY).await;
    assert_eq!(fixture.extend(&both[0]).await, Ok(Some(fixture.after(lease))));
    fixture.advance(lease.saturating_sub(DELAY).saturating_add(INSTANT)).await;
    let again = fixture.claim_one(payload(&both[1])).await;
    fixture.assert_nothing_to_claim().await;
    fixture.ack(&both[0]).await;
    fixture.ack(&again).await;
}

pub(in crate::conformance) async fn an_expired_claim_gives_the_work_to_the_next_holder(fixture: &SourceFixture) {
    let Some(lease) = fixture.abilities.lease else { return };
    let got = fixture.put_and_claim("a").await;
    let waiter = fixture.wait(1).await;
    fixture.advance(lease.saturating_sub(INSTANT)).await;
    waiter.assert_waits(fixture).await;
    fixture.advance(INSTANT.saturating_add(INSTANT)).await;
    let again = waiter.got(fixture).await;
    assert_eq!(payloads(&again), [bytes("a")]);
    assert_stale(fixture, &got).await;
    fixture.ack_all(&again).await;
    fixture.assert_finished(payload(&got)).await;
}

pub(in crate::conformance) async fn an_expired_claim_is_stale_before_the_next_claim(fixture: &SourceFixture) {
    let Some(lease) = fixture.abilities.lease else { return };
    let got = fixture.put_and_claim("a").await;
    fixture.outlast(lease).await;
    assert_stale(fixture, &got).await;
    let again = fixture.claim_one(payload(&got)).await;
    assert_eq!(again.work.attempt, got.work.attempt + 1);
    assert!(!again.is_hand_over_only);
    assert_stale(fixture, &got).await;
    fixture.ack(&again).await;
}

pub(in crate::conformance) async fn a_claim_without_a_deadline_does_not_expire(fixture: &SourceFixture) {
    if fixture.abilities.lease.is_some() {
        return;
    }
    let got = fixture.put_and_claim("a").await;
    fixture.advance(Span::from_hours(10)).await;
    fixture.assert_nothing_to_claim().await;
    assert_eq!(fixture.extend(&got).await, Ok(None));
    fixture.ack(&got).await;
    fixture.assert_finished(payload(&got)).await;
}
