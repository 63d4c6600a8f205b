//! The identity of work over all its deliveries.

use std::collections::BTreeSet;

use crate::conformance::builders::{AnyDelivery, payload, work, work_of};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::resolution_kind::ResolutionKind;

/// Asserts that an attribute of the work is the same over all its deliveries.
async fn assert_constant<T: PartialEq + std::fmt::Debug>(fixture: &SourceFixture, attribute: fn(&AnyDelivery) -> T) {
    let first = fixture.put_and_claim("a").await;
    let mut got = first.clone();
    for kind in ResolutionKind::REDELIVERED {
        kind.finish(fixture, &got).await;
        got = kind.next_delivery(fixture, &got).await;
        assert_eq!(attribute(&got), attribute(&first), "after {kind:?}");
    }
    assert_eq!(fixture.settle(&got, crate::conformance::builders::retry(fixture.now())).await, Ok(()));
    got = fixture.claim_one(payload(&first)).await;
    assert_eq!(attribute(&got), attribute(&first), "after a retry at once");
    if let Some(lease) = fixture.abilities.lease {
        fixture.outlast(lease).await;
        got = fixture.claim_one(payload(&first)).await;
        assert_eq!(attribute(&got), attribute(&first), "after its claim expired");
    }
    fixture.ack(&got).await;
}

pub(in crate::conformance) async fn the_id_is_the_same_over_all_attempts(fixture: &SourceFixture) {
    assert_constant(fixture, |got| got.work.id.clone()).await;
}

pub(in crate::conformance) async fn the_idempotency_key_is_the_same_over_all_attempts(fixture: &SourceFixture) {
    assert_constant(fixture, |got| got.work.idempotency_key()).await;
}

pub(in crate::conformance) async fn the_origin_is_the_same_over_all_attempts(fixture: &SourceFixture) {
    assert_constant(fixture, |got| got.work.origin.clone()).await;
}

pub(in crate::conformance) async fn the_first_due_time_is_the_same_over_all_attempts(fixture: &SourceFixture) {
    fixture.advance(crate::conformance::builders::DELAY).await;
    assert_constant(fixture, |got| got.work.since).await;
}

pub(in crate::conformance) async fn different_work_has_different_ids(fixture: &SourceFixture) {
    // Two pieces of work may have the same content.
    for work in [work("a"), work("b"), work("same"), work("same"), work_of("k", "c"), work_of("other", "d")] {
        fixture.put_work(work).await;
    }
    let all = fixture.claim_all(6).await;
    let ids: BTreeSet<_> = all.iter().map(|got| &got.work.id).collect();
    let keys: BTreeSet<_> = all.iter().map(|got| got.work.idempotency_key()).collect();
    assert_eq!((ids.len(), keys.len()), (6, 6), "{ids:?} {keys:?}");
    assert!(ids.iter().all(|id| !id.to_string().is_empty()) && keys.iter().all(|key| !key.is_empty()));
    fixture.ack_all(&all).await;
}
