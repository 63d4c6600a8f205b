//! Claims that the source revokes.

use super::fences::assert_stale;
use crate::SettleError;
use crate::conformance::builders::{bytes, payload};
use crate::conformance::fixture::SourceFixture;

pub(in crate::conformance) async fn the_holder_of_a_revoked_claim_is_notified(fixture: &SourceFixture) {
    if !fixture.abilities.can_revoke {
        return;
    }
    let got = fixture.put_and_claim("a").await;
    fixture.revoke(&got).await;
    if fixture.abilities.signals_revocation {
        let cancel = got.cancel.clone().expect("a source that signals revocation sets a cancel signal");
        fixture.in_time("the holder of a revoked claim is not notified", cancel.cancelled()).await;
    }
    assert_eq!(fixture.extend(&got).await, Err(SettleError::Stale));
}

pub(in crate::conformance) async fn a_revoked_claim_settles_nothing(fixture: &SourceFixture) {
    if !fixture.abilities.can_revoke {
        return;
    }
    let got = fixture.put_and_claim("a").await;
    fixture.revoke(&got).await;
    let fate = fixture.fate_of(payload(&got)).await;
    assert_stale(fixture, &got).await;
    assert_eq!(fixture.fate_of(payload(&got)).await, fate, "a late result took effect");
    if fate.is_open {
        let again = fixture.claim_one(&bytes("a")).await;
        assert_stale(fixture, &got).await;
        assert!(fixture.extend(&again).await.is_ok());
        fixture.ack(&again).await;
        fixture.assert_finished(&bytes("a")).await;
    } else {
        fixture.assert_nothing_to_claim().await;
    }
}

pub(in crate::conformance) async fn a_valid_claim_is_not_cancelled(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    fixture.put("b").await;
    let other = fixture.claim_one(&bytes("b")).await;
    fixture.ack(&other).await;
    assert!(fixture.extend(&got).await.is_ok());
    fixture.let_source_run().await;
    assert!(!got.cancel.as_ref().is_some_and(crate::Cancel::is_cancelled), "a valid claim was cancelled");
    fixture.ack(&got).await;
}
