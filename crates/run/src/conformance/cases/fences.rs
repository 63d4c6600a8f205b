//! Only the current holder can settle the work, and only once.

use crate::conformance::builders::{ACK, AnyDelivery, STALE, bytes, payload, retry, settlement};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::resolution_kind::ResolutionKind;
use crate::{FinishedDelivery, Resolution, SettleError};

/// Asserts that the fence is stale for every operation.
pub(in crate::conformance) async fn assert_stale(fixture: &SourceFixture, got: &AnyDelivery) {
    for kind in ResolutionKind::ALL {
        assert_eq!(fixture.settle(got, kind.resolution(fixture.now())).await, STALE, "{kind:?} on an old fence");
    }
    assert_eq!(fixture.extend(got).await, Err(SettleError::Stale), "extending an old fence");
}

pub(in crate::conformance) async fn every_resolution_invalidates_its_fence(fixture: &SourceFixture) {
    for kind in ResolutionKind::ALL {
        let got = fixture.put_and_claim(&format!("{kind:?}")).await;
        kind.finish(fixture, &got).await;
        assert_stale(fixture, &got).await;
        kind.assert_done(fixture, &got).await;
        assert_stale(fixture, &got).await;
    }
}

pub(in crate::conformance) async fn an_old_fence_does_not_affect_the_next_holder(fixture: &SourceFixture) {
    for kind in ResolutionKind::REDELIVERED {
        let old = fixture.put_and_claim(&format!("{kind:?}")).await;
        kind.finish(fixture, &old).await;
        let new = kind.next_delivery(fixture, &old).await;
        assert_stale(fixture, &old).await;
        assert_eq!(fixture.extend(&new).await, Ok(fixture.abilities.lease.map(|lease| fixture.after(lease))));
        fixture.assert_open(payload(&new)).await;
        fixture.assert_nothing_to_claim().await;
        fixture.ack(&new).await;
        fixture.assert_finished(payload(&new)).await;
    }
}

pub(in crate::conformance) async fn of_two_settlements_of_one_fence_the_second_is_stale(fixture: &SourceFixture) {
    for first in ResolutionKind::ALL {
        for second in ResolutionKind::ALL {
            let got = fixture.put_and_claim(&format!("{first:?} and {second:?}")).await;
            let both = [first, second].map(|kind| settlement(&got, kind.resolution(fixture.now())));
            both.iter().for_each(|settlement| fixture.expect_end(&got, &settlement.resolution));
            assert_eq!(fixture.settle_many(&both).await, [Ok(()), STALE], "{first:?}, then {second:?}");
            first.assert_done(fixture, &got).await;
        }
    }
}

pub(in crate::conformance) async fn of_two_concurrent_settlements_one_takes_effect(fixture: &SourceFixture) {
    let pairs = [
        [ResolutionKind::Ack, ResolutionKind::DeadLetter],
        [ResolutionKind::Retry, ResolutionKind::Ack],
        [ResolutionKind::DeadLetter, ResolutionKind::DeadLetter],
    ];
    for (round, kinds) in pairs.into_iter().cycle().take(30).enumerate() {
        let got = fixture.put_and_claim(&format!("{kinds:?} {round}")).await;
        kinds.iter().for_each(|kind| fixture.expect_end(&got, &kind.resolution(fixture.now())));
        let [one, other] = kinds.map(|kind| {
            let (source, settlement) = (fixture.source(), settlement(&got, kind.resolution(fixture.now())));
            tokio::spawn(async move { source.settle(&[settlement]).await.remove(0) })
        });
        let answers = [one.await.expect("no panic"), other.await.expect("no panic")];
        let decided = answers.iter().position(Result::is_ok).expect("one of them takes effect");
        assert_eq!(answers[1 - decided], STALE, "{kinds:?}");
        kinds[decided].assert_done(fixture, &got).await;
    }
}

pub(in crate::conformance) async fn settlements_are_answered_in_order_and_independently(fixture: &SourceFixture) {
    let names = ["acked", "retried", "dead", "released", "dropped"];
    for name in names {
        fixture.put(name).await;
    }
    let all = fixture.claim_all(names.len()).await;
    let of = |name: &str| all.iter().find(|got| *payload(got) == bytes(name)).expect("the work was claimed");
    let old = fixture.put_and_claim("old").await;
    fixture.ack(&old).await;
    let now = fixture.now();
    let settlements = [
        settlement(&old, Resolution::Release),
        settlement(of("acked"), ACK),
        settlement(of("acked"), Resolution::Release),
        settlement(of("retried"), retry(now)),
        settlement(&old, ResolutionKind::DeadLetter.resolution(now)),
        settlement(of("dead"), ResolutionKind::DeadLetter.resolution(now)),
        settlement(of("retried"), ACK),
        settlement(of("released"), Resolution::Release),
        settlement(&old, ACK),
        settlement(of("dropped"), Resolution::Drop),
        settlement(of("dropped"), Resolution::RedeliverForHandOver { at: now }),
    ];
    all.iter().for_each(|got| fixture.expect_end(got, &ACK));
    let (ok, stale) = (Ok(()), STALE);
    let expected = [&stale, &ok, &stale, &ok, &stale, &ok, &stale, &ok, &stale, &ok, &stale];
    assert_eq!(fixture.settle_many(&settlements).await.iter().collect::<Vec<_>>(), expected);
    for finished in ["old", "acked", "dropped"] {
        fixture.assert_finished(&bytes(finished)).await;
    }
    fixture.letter_of(&bytes("dead")).await;
    let first = fixture.abilities.first_attempt;
    for got in fixture.claim_all(2).await {
        let expected = if *payload(&got) == bytes("retried") { first + 1 } else { first };
        assert_eq!(got.work.attempt, expected, "{got:?}");
        fixture.ack(&got).await;
    }
    fixture.assert_finished(&bytes("retried")).await;
    fixture.assert_finished(&bytes("released")).await;
}

pub(in crate::conformance) async fn extensions_are_answered_in_order_and_independently(fixture: &SourceFixture) {
    for name in ["a", "b", "old"] {
        fixture.put(name).await;
    }
    let all = fixture.claim_all(3).await;
    fixture.ack(&all[1]).await;
    let holds = Ok(fixture.abilities.lease.map(|lease| fixture.after(lease)));
    let stale = Err(SettleError::Stale);
    let order = [&all[1], &all[0], &all[1], &all[2], &all[0], &all[1]];
    let answers = fixture.extend_many(&order).await;
    assert_eq!(answers, [stale.clone(), holds.clone(), stale.clone(), holds.clone(), holds, stale]);
    fixture.ack(&all[0]).await;
    fixture.ack(&all[2]).await;
}

pub(in crate::conformance) async fn an_empty_request_gets_an_empty_answer(fixture: &SourceFixture) {
    assert!(fixture.settle_many(&[]).await.is_empty());
    assert!(fixture.extend_many(&[]).await.is_empty());
}

pub(in crate::conformance) async fn a_fence_that_was_never_issued_is_stale(fixture: &SourceFixture) {
    let Some(fence) = fixture.garbage_fence() else { return };
    let got = fixture.put_and_claim("a").await;
    let settlements = ResolutionKind::ALL.map(|kind| FinishedDelivery {
        fence: fence.clone(),
        resolution: kind.resolution(fixture.now()),
        attempt: None,
    });
    for (answer, kind) in fixture.settle_many(&settlements).await.into_iter().zip(ResolutionKind::ALL) {
        assert_eq!(answer, STALE, "{kind:?}");
    }
    let unissued = AnyDelivery { fence, ..got.clone() };
    let answers = fixture.extend_many(&[&unissued, &got]).await;
    assert_eq!(answers[0], Err(SettleError::Stale));
    assert!(answers[1].is_ok(), "{answers:?}");
    fixture.ack(&got).await;
}
