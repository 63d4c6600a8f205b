//! What outlives the process that claimed.

use crate::conformance::bed::SourceBed;
use crate::conformance::way::Way;
use crate::conformance::words::{ACK, DELAY, Got, STALE, bytes, payload, record_of_parts, retry, with_record};

/// Waits for a claim to end that nobody knows any more.
async fn outlast_claims(bed: &SourceBed) {
    if let Some(lease) = bed.abilities.lease {
        bed.outlast(lease).await;
    }
}

pub(in crate::conformance) async fn unfinished_work_survives(bed: &SourceBed) {
    if !bed.abilities.can_restart {
        return;
    }
    bed.put("claimed").await;
    bed.claim_one(&bytes("claimed")).await;
    bed.put("waiting").await;
    bed.restart().await;
    bed.assert_open(&bytes("claimed")).await;
    bed.assert_open(&bytes("waiting")).await;
    outlast_claims(bed).await;
    let mut found: Vec<_> = bed.claim_all(2).await.iter().map(|got| payload(got).clone()).collect();
    found.sort_unstable();
    assert_eq!(found, [bytes("claimed"), bytes("waiting")]);
}

pub(in crate::conformance) async fn what_has_ended_stays_ended(bed: &SourceBed) {
    if !bed.abilities.can_restart {
        return;
    }
    for way in Way::END {
        let got = bed.put_and_claim(&format!("{way:?}")).await;
        way.finish(bed, &got).await;
    }
    bed.restart().await;
    bed.assert_finished(&bytes("Ack")).await;
    bed.assert_finished(&bytes("Drop")).await;
    bed.letter_of(&bytes("DeadLetter")).await;
    outlast_claims(bed).await;
    bed.assert_nothing_to_claim().await;
}

/// Never both: a result that is taken ends the work, and one that is not does not.
pub(in crate::conformance) async fn a_claim_from_before_holds_or_is_stale(bed: &SourceBed) {
    if !bed.abilities.can_restart {
        return;
    }
    let got = bed.put_and_claim("a").await;
    bed.restart().await;
    match bed.settle(&got, ACK).await {
        Ok(()) => bed.assert_finished(payload(&got)).await,
        stale => {
            assert_eq!(stale, STALE);
            bed.assert_open(payload(&got)).await;
            outlast_claims(bed).await;
            let again = bed.claim_one(payload(&got)).await;
            assert_eq!(bed.settle(&got, ACK).await, STALE);
            bed.ack(&again).await;
        }
    }
    bed.assert_nothing_to_claim().await;
}

pub(in crate::conformance) async fn what_work_is_known_by_survives(bed: &SourceBed) {
    if !bed.abilities.can_restart {
        return;
    }
    let before = bed.put_and_claim("a").await;
    bed.restart().await;
    outlast_claims(bed).await;
    let after = bed.claim_one(payload(&before)).await;
    let known_by = |got: &Got| (got.work.id.clone(), got.work.idempotency_key(), got.work.origin.clone());
    assert_eq!(known_by(&after), known_by(&before));
    assert_eq!(after.work.content, before.work.content);
}

pub(in crate::conformance) async fn what_happened_to_work_is_remembered(bed: &SourceBed) {
    if !(bed.abilities.can_restart && bed.abilities.remembers) {
        return;
    }
    let mut got = bed.put_and_claim("a").await;
    for way in [Way::Retry, Way::RetryUncharged, Way::Defer, Way::Release, Way::Condemn] {
        way.finish(bed, &got).await;
        bed.restart().await;
        got = way.next_delivery(bed, &got).await;
    }
    bed.restart().await;
    outlast_claims(bed).await;
    let lost = bed.claim_one(payload(&got)).await;
    assert_eq!(lost.work.deliveries, got.work.deliveries + 1, "a crash counts");
}

pub(in crate::conformance) async fn the_parts_that_failed_are_remembered(bed: &SourceBed) {
    if !(bed.abilities.can_restart && bed.abilities.remembers) {
        return;
    }
    let got = bed.put_and_claim("a").await;
    let failed = with_record(&got, retry(bed.after(DELAY)), record_of_parts(&["x", "z"]));
    assert_eq!(bed.settle_as(&got, failed).await, Ok(()));
    bed.restart().await;
    bed.advance(DELAY).await;
    assert_eq!(bed.claim_one(payload(&got)).await.work.parts, ["x", "z"]);
}
