//! Work that failed for good and could not be handed over comes back for that alone.

use crate::Resolution;
use crate::conformance::Records;
use crate::conformance::bed::SourceBed;
use crate::conformance::way::Way;
use crate::conformance::words::{Got, dead_letter, payload, record, with_record, work_with};

async fn condemned(bed: &SourceBed, name: &str) -> Got {
    let got = bed.put_and_claim(name).await;
    Way::Condemn.finish(bed, &got).await;
    Way::Condemn.next_delivery(bed, &got).await
}

pub(in crate::conformance) async fn condemned_work_is_yielded_again_for_its_hand_over(bed: &SourceBed) {
    let [content, ..] = bed.contents();
    bed.put_work(work_with(&content)).await;
    let before = bed.claim_one(&content.payload).await;
    assert!(!before.is_hand_over_only);
    Way::Condemn.finish(bed, &before).await;
    let after = Way::Condemn.next_delivery(bed, &before).await;
    assert!(after.is_hand_over_only);
    let (then, now) = (&before.work, &after.work);
    assert_eq!(now.content, then.content);
    assert_eq!((&now.destination, now.since, &now.parts), (&then.destination, then.since, &then.parts));
    assert_eq!(bed.settle(&after, dead_letter()).await, Ok(()));
    bed.letter_of(payload(&after)).await;
}

pub(in crate::conformance) async fn condemned_work_wakes_a_claim_that_waits(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    let waiter = bed.wait(1).await;
    Way::Condemn.finish(bed, &got).await;
    assert!(waiter.got(bed).await[0].is_hand_over_only);
}

pub(in crate::conformance) async fn condemned_work_stays_condemned(bed: &SourceBed) {
    let mut got = condemned(bed, "a").await;
    for way in [Way::Release, Way::Defer, Way::Condemn] {
        way.finish(bed, &got).await;
        got = way.next_delivery(bed, &got).await;
        assert!(got.is_hand_over_only, "after {way:?}");
    }
    if let Some(lease) = bed.abilities.lease {
        bed.outlast(lease).await;
        got = bed.claim_one(payload(&got)).await;
        assert!(got.is_hand_over_only, "after its claim ran out");
    }
    assert_eq!(bed.settle(&got, dead_letter()).await, Ok(()));
}

/// Whoever repeats the hand-over made no attempt and has no record: the one that condemned the work counts.
pub(in crate::conformance) async fn the_letter_of_condemned_work_tells_why_it_failed(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    let why = record("the very reason");
    assert_eq!(bed.settle_as(&got, with_record(&got, Resolution::RedeliverForHandOver, why.clone())).await, Ok(()));
    let again = Way::Condemn.next_delivery(bed, &got).await;
    assert_eq!(bed.settle(&again, dead_letter()).await, Ok(()));
    let letter = bed.letter_of(payload(&got)).await;
    let newest = letter.attempts.last().expect("it tells of an attempt");
    assert_eq!(newest.error, why.error);
    if bed.abilities.records >= Records::Newest {
        assert_eq!(*newest, why);
    }
}

pub(in crate::conformance) async fn condemned_work_may_end_in_any_way(bed: &SourceBed) {
    for way in Way::END {
        let got = condemned(bed, &format!("{way:?}")).await;
        way.finish(bed, &got).await;
        way.assert_done(bed, &got).await;
    }
}

pub(in crate::conformance) async fn work_is_condemned_until_its_letter_is_taken(bed: &SourceBed) {
    if !bed.abilities.can_refuse_letters {
        return;
    }
    let mut got = bed.put_and_claim("a").await;
    bed.refuse_letters(true).await;
    for _ in 0..3 {
        assert!(bed.settle(&got, dead_letter()).await.is_err());
        Way::Condemn.finish(bed, &got).await;
        got = Way::Condemn.next_delivery(bed, &got).await;
    }
    bed.refuse_letters(false).await;
    assert_eq!(bed.settle(&got, dead_letter()).await, Ok(()));
    bed.letter_of(payload(&got)).await;
}
