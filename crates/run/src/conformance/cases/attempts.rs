//! What counts as an attempt.

use redrive_testkit::seeds;

use crate::Resolution;
use crate::conformance::builders::{DELAY, bytes, payload, retry, retry_uncharged};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::random::SeededRandom;
use crate::conformance::resolution_kind::ResolutionKind;

pub(in crate::conformance) async fn an_expired_claim_has_used_its_attempt(fixture: &SourceFixture) {
    let Some(lease) = fixture.abilities.lease else { return };
    let first = fixture.put_and_claim("a").await;
    for lost in 1..4 {
        fixture.outlast(lease).await;
        let next = fixture.claim_one(payload(&first)).await;
        assert_eq!(next.work.attempt, first.work.attempt + lost);
        assert_eq!(next.work.deliveries, first.work.deliveries + lost);
    }
}

pub(in crate::conformance) async fn an_extension_charges_no_attempt(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    for _ in 0..3 {
        assert!(fixture.extend(&got).await.is_ok());
    }
    assert_eq!(fixture.settle(&got, Resolution::Release).await, Ok(()));
    let again = fixture.claim_one(payload(&got)).await;
    assert_eq!(again.work.attempt, fixture.abilities.first_attempt);
    let counted = u32::from(ResolutionKind::Release.is_counted(fixture));
    assert_eq!(again.work.deliveries, fixture.abilities.first_attempt + counted);
}

/// After random events between deliveries, in random order.
pub(in crate::conformance) async fn attempts_and_deliveries_are_counted_exactly(fixture: &SourceFixture) {
    for seed in seeds(2) {
        let fixture = &fixture.another().await;
        let mut random = SeededRandom::new(&seed);
        let name = bytes("a");
        let (mut attempt, mut deliveries) = (fixture.abilities.first_attempt, fixture.abilities.first_attempt);
        fixture.put("a").await;
        for step in 0..24 {
            let got = fixture.claim_one(&name).await;
            assert_eq!((got.work.attempt, got.work.deliveries), (attempt, deliveries), "in step {step}");
            let at = if random.one_in(2) { fixture.now() } else { fixture.after(DELAY) };
            let (resolution, is_charged) = match random.below(5) {
                0 => (Some(retry(at)), true),
                1 => (Some(retry_uncharged(at)), false),
                2 => (Some(Resolution::Release), false),
                3 => (Some(Resolution::Defer { until: at }), false),
                _ => (None, true),
            };
            let is_released = matches!(resolution, Some(Resolution::Release));
            match (resolution, fixture.abilities.lease) {
                (Some(resolution), _) => {
                    assert_eq!(fixture.settle(&got, resolution).await, Ok(()));
                    fixture.set_clock(at.max(fixture.now())).await;
                }
                (None, Some(lease)) => fixture.outlast(lease).await,
                // The claim does not expire: a charged retry takes its place.
                (None, None) => assert_eq!(fixture.settle(&got, retry(fixture.now())).await, Ok(())),
            }
            attempt += u32::from(is_charged);
            deliveries += u32::from(!is_released || ResolutionKind::Release.is_counted(fixture));
        }
        let got = fixture.claim_one(&name).await;
        fixture.ack(&got).await;
    }
}
