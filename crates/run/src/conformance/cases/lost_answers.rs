//! Resolutions that took effect and whose answer was lost: settling again is safe.

use std::task::Poll;

use super::fences::assert_stale;
use crate::conformance::builders::{STALE, SettleAnswer, payload, record, settlement, with_record};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::resolution_kind::ResolutionKind;
use crate::{FinishedDelivery, SettleError};

fn assert_unavailable(answer: &SettleAnswer) {
    assert!(matches!(answer, Err(SettleError::Unavailable(_))), "{answer:?}");
}

pub(in crate::conformance) async fn a_repeated_settlement_after_a_lost_answer_is_stale(fixture: &SourceFixture) {
    if !fixture.abilities.can_lose_answers {
        return;
    }
    for kind in ResolutionKind::ALL {
        let got = fixture.put_and_claim(&format!("{kind:?}")).await;
        let settlement = with_record(&got, kind.resolution(fixture.now()), record("once"));
        fixture.lose_next_answer().await;
        assert_unavailable(&fixture.settle_as(&got, settlement.clone()).await);
        assert_eq!(fixture.settle_as(&got, settlement.clone()).await, STALE, "{kind:?} again");
        assert_eq!(fixture.settle_as(&got, settlement).await, STALE, "{kind:?} once more");
        kind.assert_done(fixture, &got).await;
    }
}

pub(in crate::conformance) async fn another_resolution_after_a_lost_answer_is_stale(fixture: &SourceFixture) {
    if !fixture.abilities.can_lose_answers {
        return;
    }
    for kind in ResolutionKind::ALL {
        let got = fixture.put_and_claim(&format!("{kind:?}")).await;
        fixture.lose_next_answer().await;
        assert_unavailable(&fixture.settle(&got, kind.resolution(fixture.now())).await);
        assert_stale(fixture, &got).await;
        kind.assert_done(fixture, &got).await;
    }
}

/// After a cancelled call its effect is unknown: the settlement took effect, or it can be sent again.
pub(in crate::conformance) async fn a_cancelled_call_takes_effect_at_most_once(fixture: &SourceFixture) {
    for kind in ResolutionKind::ALL {
        for polls in 0..4 {
            let got = fixture.put_and_claim(&format!("{kind:?} after {polls} polls")).await;
            let settlements = [with_record(&got, kind.resolution(fixture.now()), record("once"))];
            fixture.expect_end(&got, &settlements[0].resolution);
            let source = fixture.source();
            let mut call = source.settle(&settlements);
            for _ in 0..polls {
                let polled = std::future::poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
                if polled.is_ready() {
                    break;
                }
                fixture.let_source_run().await;
            }
            drop(call);
            let answer = fixture.settle_many(&settlements).await.remove(0);
            assert!(answer == Ok(()) || answer == STALE, "{kind:?} after a cancelled call: {answer:?}");
            kind.assert_done(fixture, &got).await;
        }
    }
}

pub(in crate::conformance) async fn a_batch_may_be_settled_again(fixture: &SourceFixture) {
    if !fixture.abilities.can_lose_answers {
        return;
    }
    let names: Vec<String> = (0..9).map(|number| number.to_string()).collect();
    for name in &names {
        fixture.put(name).await;
    }
    let all = fixture.claim_all(names.len()).await;
    let kinds: Vec<ResolutionKind> = ResolutionKind::FINAL.iter().copied().cycle().take(all.len()).collect();
    let settle = |(got, kind): (&_, &ResolutionKind)| settlement(got, kind.resolution(fixture.now()));
    let settlements: Vec<FinishedDelivery<_>> = all.iter().zip(&kinds).map(settle).collect();
    all.iter().zip(&settlements).for_each(|(got, settlement)| fixture.expect_end(got, &settlement.resolution));
    fixture.lose_next_answer().await;
    fixture.settle_many(&settlements).await.iter().for_each(assert_unavailable);
    assert!(fixture.settle_many(&settlements).await.iter().all(|answer| *answer == STALE));
    for (got, kind) in all.iter().zip(kinds) {
        match kind {
            ResolutionKind::DeadLetter => drop(fixture.letter_of(payload(got)).await),
            _ => fixture.assert_finished(payload(got)).await,
        }
    }
    fixture.assert_nothing_to_claim().await;
}
