//! By what work is known, whatever happens to it.

use std::collections::BTreeSet;

use crate::conformance::bed::SourceBed;
use crate::conformance::way::Way;
use crate::conformance::words::{Got, payload, work, work_of};

/// Delivers the same work again and again, and compares what it is known by.
async fn over_all_deliveries<T: PartialEq + std::fmt::Debug>(bed: &SourceBed, known_by: fn(&Got) -> T) {
    let first = bed.put_and_claim("a").await;
    let mut got = first.clone();
    for way in Way::BACK {
        way.finish(bed, &got).await;
        got = way.next_delivery(bed, &got).await;
        assert_eq!(known_by(&got), known_by(&first), "after {way:?}");
    }
    assert_eq!(bed.settle(&got, crate::conformance::words::retry(bed.now())).await, Ok(()));
    got = bed.claim_one(payload(&first)).await;
    assert_eq!(known_by(&got), known_by(&first), "after a retry at once");
    if let Some(lease) = bed.abilities.lease {
        bed.outlast(lease).await;
        got = bed.claim_one(payload(&first)).await;
        assert_eq!(known_by(&got), known_by(&first), "after its claim ran out");
    }
    bed.ack(&got).await;
}

pub(in crate::conformance) async fn the_id_is_the_same_over_all_attempts(bed: &SourceBed) {
    over_all_deliveries(bed, |got| got.work.id.clone()).await;
}

pub(in crate::conformance) async fn the_idempotency_key_is_the_same_over_all_attempts(bed: &SourceBed) {
    over_all_deliveries(bed, |got| got.work.idempotency_key()).await;
}

pub(in crate::conformance) async fn the_origin_is_the_same_over_all_attempts(bed: &SourceBed) {
    over_all_deliveries(bed, |got| got.work.origin.clone()).await;
}

pub(in crate::conformance) async fn the_time_since_when_is_the_same_over_all_attempts(bed: &SourceBed) {
    bed.advance(crate::conformance::words::DELAY).await;
    over_all_deliveries(bed, |got| got.work.since).await;
}

pub(in crate::conformance) async fn different_work_is_known_by_different_names(bed: &SourceBed) {
    // The same thing may be wanted twice.
    for work in [work("a"), work("b"), work("same"), work("same"), work_of("k", "c"), work_of("other", "d")] {
        bed.put_work(work).await;
    }
    let all = bed.claim_all(6).await;
    let ids: BTreeSet<_> = all.iter().map(|got| &got.work.id).collect();
    let keys: BTreeSet<_> = all.iter().map(|got| got.work.idempotency_key()).collect();
    assert_eq!((ids.len(), keys.len()), (6, 6), "{ids:?} {keys:?}");
    assert!(ids.iter().all(|id| !id.to_string().is_empty()) && keys.iter().all(|key| !key.is_empty()));
    bed.ack_all(&all).await;
}
