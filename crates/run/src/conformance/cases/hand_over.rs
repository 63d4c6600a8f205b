//! Work that failed permanently and whose hand-over failed is delivered again for the hand-over only.

use crate::Resolution;
use crate::conformance::Records;
use crate::conformance::builders::{AnyDelivery, dead_letter, payload, record, with_record, work_with};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::resolution_kind::ResolutionKind;

/// Claims work that was redelivered for its hand-over.
async fn claim_for_hand_over(fixture: &SourceFixture, name: &str) -> AnyDelivery {
    let got = fixture.put_and_claim(name).await;
    ResolutionKind::RedeliverForHandOver.finish(fixture, &got).await;
    ResolutionKind::RedeliverForHandOver.next_delivery(fixture, &got).await
}

pub(in crate::conformance) async fn work_is_redelivered_for_its_hand_over(fixture: &SourceFixture) {
    let [content, ..] = fixture.contents();
    fixture.put_work(work_with(&content)).await;
    let before = fixture.claim_one(&content.payload).await;
    assert!(!before.is_hand_over_only);
    ResolutionKind::RedeliverForHandOver.finish(fixture, &before).await;
    let after = ResolutionKind::RedeliverForHandOver.next_delivery(fixture, &before).await;
    assert!(after.is_hand_over_only);
    let (then, now) = (&before.work, &after.work);
    assert_eq!(now.content, then.content);
    assert_eq!((&now.destination, now.since, &now.parts), (&then.destination, then.since, &then.parts));
    assert_eq!(fixture.settle(&after, dead_letter()).await, Ok(()));
    fixture.letter_of(payload(&after)).await;
}

pub(in crate::conformance) async fn redelivery_for_hand_over_wakes_a_waiting_claim(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    let waiter = fixture.wait(1).await;
    let at_once = Resolution::RedeliverForHandOver { at: fixture.now() };
    assert_eq!(fixture.settle(&got, at_once).await, Ok(()));
    assert!(waiter.got(fixture).await[0].is_hand_over_only);
}

pub(in crate::conformance) async fn work_stays_for_hand_over_only(fixture: &SourceFixture) {
    let mut got = claim_for_hand_over(fixture, "a").await;
    for kind in [ResolutionKind::Release, ResolutionKind::Defer, ResolutionKind::RedeliverForHandOver] {
        kind.finish(fixture, &got).await;
        got = kind.next_delivery(fixture, &got).await;
        assert!(got.is_hand_over_only, "after {kind:?}");
    }
    if let Some(lease) = fixture.abilities.lease {
        fixture.outlast(lease).await;
        got = fixture.claim_one(payload(&got)).await;
        assert!(got.is_hand_over_only, "after its claim expired");
    }
    assert_eq!(fixture.settle(&got, dead_letter()).await, Ok(()));
}

/// A repeated hand-over has no attempt and no record: the letter has the record of the attempt that failed.
pub(in crate::conformance) async fn the_letter_has_the_record_of_the_failed_attempt(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    let why = record("the original failure");
    let redeliver = ResolutionKind::RedeliverForHandOver.resolution(fixture.now());
    assert_eq!(fixture.settle_as(&got, with_record(&got, redeliver, why.clone())).await, Ok(()));
    let again = ResolutionKind::RedeliverForHandOver.next_delivery(fixture, &got).await;
    assert_eq!(fixture.settle(&again, dead_letter()).await, Ok(()));
    let letter = fixture.letter_of(payload(&got)).await;
    let newest = letter.attempts.last().expect("the letter has a record");
    assert_eq!(newest.error, why.error);
    if fixture.abilities.records >= Records::Newest {
        assert_eq!(*newest, why);
    }
}

pub(in crate::conformance) async fn work_for_hand_over_accepts_every_final_resolution(fixture: &SourceFixture) {
    for kind in ResolutionKind::FINAL {
        let got = claim_for_hand_over(fixture, &format!("{kind:?}")).await;
        kind.finish(fixture, &got).await;
        kind.assert_done(fixture, &got).await;
    }
}

pub(in crate::conformance) async fn work_is_redelivered_until_its_hand_over_succeeds(fixture: &SourceFixture) {
    if !fixture.abilities.can_refuse_letters {
        return;
    }
    let mut got = fixture.put_and_claim("a").await;
    fixture.refuse_letters(true).await;
    for _ in 0..3 {
        assert!(fixture.settle(&got, dead_letter()).await.is_err());
        ResolutionKind::RedeliverForHandOver.finish(fixture, &got).await;
        got = ResolutionKind::RedeliverForHandOver.next_delivery(fixture, &got).await;
    }
    fixture.refuse_letters(false).await;
    assert_eq!(fixture.settle(&got, dead_letter()).await, Ok(()));
    fixture.letter_of(payload(&got)).await;
}
