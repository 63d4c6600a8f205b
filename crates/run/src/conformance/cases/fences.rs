//! Only the holder of the current claim decides, and once.

use crate::conformance::bed::SourceBed;
use crate::conformance::way::Way;
use crate::conformance::words::{ACK, Got, STALE, bytes, payload, retry, settlement};
use crate::{FinishedDelivery, Resolution, SettleError};

/// Nothing can be done with this fence any more.
pub(in crate::conformance) async fn assert_old(bed: &SourceBed, got: &Got) {
    for way in Way::ALL {
        assert_eq!(bed.settle(got, way.resolution(bed.now())).await, STALE, "{way:?} on an old fence");
    }
    assert_eq!(bed.extend(got).await, Err(SettleError::Stale), "extending an old fence");
}

pub(in crate::conformance) async fn every_resolution_makes_its_fence_old(bed: &SourceBed) {
    for way in Way::ALL {
        let got = bed.put_and_claim(&format!("{way:?}")).await;
        way.finish(bed, &got).await;
        assert_old(bed, &got).await;
        way.assert_done(bed, &got).await;
        assert_old(bed, &got).await;
    }
}

pub(in crate::conformance) async fn an_old_fence_does_not_touch_the_next_holder(bed: &SourceBed) {
    for way in Way::BACK {
        let old = bed.put_and_claim(&format!("{way:?}")).await;
        way.finish(bed, &old).await;
        let new = way.next_delivery(bed, &old).await;
        assert_old(bed, &old).await;
        assert_eq!(bed.extend(&new).await, Ok(bed.abilities.lease.map(|lease| bed.after(lease))));
        bed.assert_open(payload(&new)).await;
        bed.assert_nothing_to_claim().await;
        bed.ack(&new).await;
        bed.assert_finished(payload(&new)).await;
    }
}

pub(in crate::conformance) async fn of_two_settlements_of_one_fence_the_second_is_stale(bed: &SourceBed) {
    for first in Way::ALL {
        for second in Way::ALL {
            let got = bed.put_and_claim(&format!("{first:?} and {second:?}")).await;
            let both = [first, second].map(|way| settlement(&got, way.resolution(bed.now())));
            both.iter().for_each(|settlement| bed.note(&got, &settlement.resolution));
            assert_eq!(bed.settle_many(&both).await, [Ok(()), STALE], "{first:?}, then {second:?}");
            first.assert_done(bed, &got).await;
        }
    }
}

pub(in crate::conformance) async fn of_two_who_settle_one_fence_at_once_one_decides(bed: &SourceBed) {
    for (round, ways) in [[Way::Ack, Way::DeadLetter], [Way::Retry, Way::Ack], [Way::DeadLetter, Way::DeadLetter]]
        .into_iter()
        .cycle()
        .take(30)
        .enumerate()
    {
        let got = bed.put_and_claim(&format!("{ways:?} {round}")).await;
        ways.iter().for_each(|way| bed.note(&got, &way.resolution(bed.now())));
        let [one, other] = ways.map(|way| {
            let (source, settlement) = (bed.source(), settlement(&got, way.resolution(bed.now())));
            tokio::spawn(async move { source.settle(&[settlement]).await.remove(0) })
        });
        let answers = [one.await.expect("it does not panic"), other.await.expect("it does not panic")];
        let decided = answers.iter().position(Result::is_ok).expect("one of them decides");
        assert_eq!(answers[1 - decided], STALE, "{ways:?}");
        ways[decided].assert_done(bed, &got).await;
    }
}

pub(in crate::conformance) async fn settlements_are_answered_in_order_and_apart(bed: &SourceBed) {
    let names = ["acked", "retried", "dead", "released", "dropped"];
    for name in names {
        bed.put(name).await;
    }
    let all = bed.claim_all(names.len()).await;
    let of = |name: &str| all.iter().find(|got| *payload(got) == bytes(name)).expect("it was claimed");
    let old = bed.put_and_claim("old").await;
    bed.ack(&old).await;
    let now = bed.now();
    let settlements = [
        settlement(&old, Resolution::Release),
        settlement(of("acked"), ACK),
        settlement(of("acked"), Resolution::Release),
        settlement(of("retried"), retry(now)),
        settlement(&old, Way::DeadLetter.resolution(now)),
        settlement(of("dead"), Way::DeadLetter.resolution(now)),
        settlement(of("retried"), ACK),
        settlement(of("released"), Resolution::Release),
        settlement(&old, ACK),
        settlement(of("dropped"), Resolution::Drop),
        settlement(of("dropped"), Resolution::RedeliverForHandOver),
    ];
    all.iter().for_each(|got| bed.note(got, &ACK));
    let (ok, stale) = (Ok(()), STALE);
    let expected = [&stale, &ok, &stale, &ok, &stale, &ok, &stale, &ok, &stale, &ok, &stale];
    assert_eq!(bed.settle_many(&settlements).await.iter().collect::<Vec<_>>(), expected);
    for finished in ["old", "acked", "dropped"] {
        bed.assert_finished(&bytes(finished)).await;
    }
    bed.letter_of(&bytes("dead")).await;
    let first = bed.abilities.first_attempt;
    for got in bed.claim_all(2).await {
        let expected = if *payload(&got) == bytes("retried") { first + 1 } else { first };
        assert_eq!(got.work.attempt, expected, "{got:?}");
        bed.ack(&got).await;
    }
    bed.assert_finished(&bytes("retried")).await;
    bed.assert_finished(&bytes("released")).await;
}

pub(in crate::conformance) async fn extensions_are_answered_in_order_and_apart(bed: &SourceBed) {
    for name in ["a", "b", "old"] {
        bed.put(name).await;
    }
    let all = bed.claim_all(3).await;
    bed.ack(&all[1]).await;
    let holds = Ok(bed.abilities.lease.map(|lease| bed.after(lease)));
    let stale = Err(SettleError::Stale);
    let order = [&all[1], &all[0], &all[1], &all[2], &all[0], &all[1]];
    let answers = bed.extend_many(&order).await;
    assert_eq!(answers, [stale.clone(), holds.clone(), stale.clone(), holds.clone(), holds, stale]);
    bed.ack(&all[0]).await;
    bed.ack(&all[2]).await;
}

pub(in crate::conformance) async fn nothing_to_do_is_answered_with_nothing(bed: &SourceBed) {
    assert!(bed.settle_many(&[]).await.is_empty());
    assert!(bed.extend_many(&[]).await.is_empty());
}

pub(in crate::conformance) async fn a_fence_that_nobody_was_given_is_stale(bed: &SourceBed) {
    let Some(fence) = bed.garbage_fence() else { return };
    let got = bed.put_and_claim("a").await;
    let settlements = Way::ALL.map(|way| FinishedDelivery {
        fence: fence.clone(),
        resolution: way.resolution(bed.now()),
        attempt: None,
    });
    for (answer, way) in bed.settle_many(&settlements).await.into_iter().zip(Way::ALL) {
        assert_eq!(answer, STALE, "{way:?}");
    }
    let stranger = Got { fence, ..got.clone() };
    let answers = bed.extend_many(&[&stranger, &got]).await;
    assert_eq!(answers[0], Err(SettleError::Stale));
    assert!(answers[1].is_ok(), "{answers:?}");
    bed.ack(&got).await;
}
