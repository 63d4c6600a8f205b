//! What survives a restart of the source.

use crate::conformance::builders::{
    ACK, AnyDelivery, DELAY, STALE, bytes, payload, record_of_parts, retry, with_record,
};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::resolution_kind::ResolutionKind;

/// Advances the clock until the claims from before the restart have expired.
async fn outlast_claims(fixture: &SourceFixture) {
    if let Some(lease) = fixture.abilities.lease {
        fixture.outlast(lease).await;
    }
}

pub(in crate::conformance) async fn unfinished_work_survives(fixture: &SourceFixture) {
    if !fixture.abilities.can_restart {
        return;
    }
    fixture.put("claimed").await;
    fixture.claim_one(&bytes("claimed")).await;
    fixture.put("waiting").await;
    fixture.restart().await;
    fixture.assert_open(&bytes("claimed")).await;
    fixture.assert_open(&bytes("waiting")).await;
    outlast_claims(fixture).await;
    let mut found: Vec<_> = fixture.claim_all(2).await.iter().map(|got| payload(got).clone()).collect();
    found.sort_unstable();
    assert_eq!(found, [bytes("claimed"), bytes("waiting")]);
}

pub(in crate::conformance) async fn settled_work_stays_settled(fixture: &SourceFixture) {
    if !fixture.abilities.can_restart {
        return;
    }
    for kind in ResolutionKind::FINAL {
        let got = fixture.put_and_claim(&format!("{kind:?}")).await;
        kind.finish(fixture, &got).await;
    }
    fixture.restart().await;
    fixture.assert_finished(&bytes("Ack")).await;
    fixture.assert_finished(&bytes("Drop")).await;
    fixture.letter_of(&bytes("DeadLetter")).await;
    outlast_claims(fixture).await;
    fixture.assert_nothing_to_claim().await;
}

/// A result that is accepted ends the work; one that is stale does not.
pub(in crate::conformance) async fn a_claim_from_before_a_restart_holds_or_is_stale(fixture: &SourceFixture) {
    if !fixture.abilities.can_restart {
        return;
    }
    let got = fixture.put_and_claim("a").await;
    fixture.restart().await;
    match fixture.settle(&got, ACK).await {
        Ok(()) => fixture.assert_finished(payload(&got)).await,
        stale => {
            assert_eq!(stale, STALE);
            fixture.assert_open(payload(&got)).await;
            outlast_claims(fixture).await;
            let again = fixture.claim_one(payload(&got)).await;
            assert_eq!(fixture.settle(&got, ACK).await, STALE);
            fixture.ack(&again).await;
        }
    }
    fixture.assert_nothing_to_claim().await;
}

pub(in crate::conformance) async fn the_identity_of_work_survives(fixture: &SourceFixture) {
    if !fixture.abilities.can_restart {
        return;
    }
    let before = fixture.put_and_claim("a").await;
    fixture.restart().await;
    outlast_claims(fixture).await;
    let after = fixture.claim_one(payload(&before)).await;
    let identity = |got: &AnyDelivery| (got.work.id.clone(), got.work.idempotency_key(), got.work.origin.clone());
    assert_eq!(identity(&after), identity(&before));
    assert_eq!(after.work.content, before.work.content);
}

pub(in crate::conformance) async fn attempts_and_due_times_survive(fixture: &SourceFixture) {
    if !(fixture.abilities.can_restart && fixture.abilities.remembers) {
        return;
    }
    let mut got = fixture.put_and_claim("a").await;
    for kind in ResolutionKind::REDELIVERED {
        kind.finish(fixture, &got).await;
        fixture.restart().await;
        got = kind.next_delivery(fixture, &got).await;
    }
    fixture.restart().await;
    outlast_claims(fixture).await;
    let lost = fixture.claim_one(payload(&got)).await;
    assert_eq!(lost.work.deliveries, got.work.deliveries + 1, "a crash counts as a delivery");
}

pub(in crate::conformance) async fn the_failed_parts_survive(fixture: &SourceFixture) {
    if !(fixture.abilities.can_restart && fixture.abilities.remembers) {
        return;
    }
    let got = fixture.put_and_claim("a").await;
    let failed = with_record(&got, retry(fixture.after(DELAY)), record_of_parts(&["x", "z"]));
    assert_eq!(fixture.settle_as(&got, failed).await, Ok(()));
    fixture.restart().await;
    fixture.advance(DELAY).await;
    assert_eq!(fixture.claim_one(payload(&got)).await.work.parts, ["x", "z"]);
}
