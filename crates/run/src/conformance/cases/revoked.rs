//! Claims that end behind their holder's back.

use super::fences::assert_old;
use crate::SettleError;
use crate::conformance::bed::SourceBed;
use crate::conformance::words::{bytes, payload};

pub(in crate::conformance) async fn a_revoked_claim_is_told(bed: &SourceBed) {
    if !bed.abilities.can_revoke {
        return;
    }
    let got = bed.put_and_claim("a").await;
    bed.revoke(&got).await;
    if bed.abilities.tells_revoked {
        let cancel = got.cancel.clone().expect("a source that tells has a signal");
        bed.in_time("the holder of a revoked claim is not told", cancel.cancelled()).await;
    }
    assert_eq!(bed.extend(&got).await, Err(SettleError::Stale));
}

pub(in crate::conformance) async fn a_revoked_claim_decides_nothing(bed: &SourceBed) {
    if !bed.abilities.can_revoke {
        return;
    }
    let got = bed.put_and_claim("a").await;
    bed.revoke(&got).await;
    let fate = bed.fate_of(payload(&got)).await;
    assert_old(bed, &got).await;
    assert_eq!(bed.fate_of(payload(&got)).await, fate, "a result that came late changed something");
    if fate.is_open {
        let again = bed.claim_one(&bytes("a")).await;
        assert_old(bed, &got).await;
        assert!(bed.extend(&again).await.is_ok());
        bed.ack(&again).await;
        bed.assert_finished(&bytes("a")).await;
    } else {
        bed.assert_nothing_to_claim().await;
    }
}

pub(in crate::conformance) async fn nobody_is_told_without_a_reason(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    bed.put("b").await;
    let other = bed.claim_one(&bytes("b")).await;
    bed.ack(&other).await;
    assert!(bed.extend(&got).await.is_ok());
    bed.settle_down().await;
    assert!(!got.cancel.as_ref().is_some_and(crate::Cancel::is_cancelled), "its claim is valid");
    bed.ack(&got).await;
}
