//! What counts as an attempt.

use crate::Resolution;
use crate::conformance::bed::SourceBed;
use crate::conformance::random::seeds;
use crate::conformance::words::{DELAY, bytes, payload, retry, retry_uncharged};

pub(in crate::conformance) async fn a_claim_that_ran_out_has_used_its_attempt(bed: &SourceBed) {
    let Some(lease) = bed.abilities.lease else { return };
    let first = bed.put_and_claim("a").await;
    for lost in 1..4 {
        bed.outlast(lease).await;
        let next = bed.claim_one(payload(&first)).await;
        assert_eq!(next.work.attempt, first.work.attempt + lost);
        assert_eq!(next.work.deliveries, first.work.deliveries + lost);
    }
}

pub(in crate::conformance) async fn extending_costs_no_attempt(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    for _ in 0..3 {
        assert!(bed.extend(&got).await.is_ok());
    }
    assert_eq!(bed.settle(&got, Resolution::Release).await, Ok(()));
    let again = bed.claim_one(payload(&got)).await;
    assert_eq!(again.work.attempt, bed.abilities.first_attempt);
    assert_eq!(again.work.deliveries, bed.abilities.first_attempt + 1);
}

/// Whatever happens between two deliveries, in any order.
pub(in crate::conformance) async fn attempts_and_deliveries_are_counted_exactly(bed: &SourceBed) {
    for seed in seeds(8) {
        let bed = &bed.another().await;
        let mut random = seed.numbers();
        let name = bytes("a");
        let (mut attempt, mut deliveries) = (bed.abilities.first_attempt, bed.abilities.first_attempt);
        bed.put("a").await;
        for step in 0..24 {
            let got = bed.claim_one(&name).await;
            assert_eq!((got.work.attempt, got.work.deliveries), (attempt, deliveries), "in step {step}");
            let at = if random.one_in(2) { bed.now() } else { bed.after(DELAY) };
            let (resolution, is_charged) = match random.below(5) {
                0 => (Some(retry(at)), true),
                1 => (Some(retry_uncharged(at)), false),
                2 => (Some(Resolution::Release), false),
                3 => (Some(Resolution::Defer { until: at }), false),
                _ => (None, true),
            };
            match (resolution, bed.abilities.lease) {
                (Some(resolution), _) => {
                    assert_eq!(bed.settle(&got, resolution).await, Ok(()));
                    bed.set_clock(at.max(bed.now())).await;
                }
                (None, Some(lease)) => bed.outlast(lease).await,
                // Such a claim does not end by itself: it costs what a failure costs.
                (None, None) => assert_eq!(bed.settle(&got, retry(bed.now())).await, Ok(())),
            }
            attempt += u32::from(is_charged);
            deliveries += 1;
        }
        let got = bed.claim_one(&name).await;
        bed.ack(&got).await;
    }
}
