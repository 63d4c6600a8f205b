//! A resolution took effect, and nobody heard of it: asking again is safe.

use std::task::Poll;

use super::fences::assert_old;
use crate::conformance::bed::SourceBed;
use crate::conformance::way::Way;
use crate::conformance::words::{STALE, SettleAnswer, payload, record, settlement, with_record};
use crate::{FinishedDelivery, SettleError};

fn assert_unavailable(answer: &SettleAnswer) {
    assert!(matches!(answer, Err(SettleError::Unavailable(_))), "{answer:?}");
}

pub(in crate::conformance) async fn asking_again_after_a_lost_answer_is_stale_and_does_nothing_twice(bed: &SourceBed) {
    if !bed.abilities.can_lose_answers {
        return;
    }
    for way in Way::ALL {
        let got = bed.put_and_claim(&format!("{way:?}")).await;
        let settlement = with_record(&got, way.resolution(bed.now()), record("once"));
        bed.lose_next_answer().await;
        assert_unavailable(&bed.settle_as(&got, settlement.clone()).await);
        assert_eq!(bed.settle_as(&got, settlement.clone()).await, STALE, "{way:?} again");
        assert_eq!(bed.settle_as(&got, settlement).await, STALE, "{way:?} once more");
        way.assert_done(bed, &got).await;
    }
}

pub(in crate::conformance) async fn another_resolution_after_a_lost_answer_is_stale(bed: &SourceBed) {
    if !bed.abilities.can_lose_answers {
        return;
    }
    for way in Way::ALL {
        let got = bed.put_and_claim(&format!("{way:?}")).await;
        bed.lose_next_answer().await;
        assert_unavailable(&bed.settle(&got, way.resolution(bed.now())).await);
        assert_old(bed, &got).await;
        way.assert_done(bed, &got).await;
    }
}

/// Whoever stops waiting does not know what became of the call: it was done once, or can still be.
pub(in crate::conformance) async fn a_call_that_is_given_up_takes_effect_once_at_most(bed: &SourceBed) {
    for way in Way::ALL {
        for polls in 0..4 {
            let got = bed.put_and_claim(&format!("{way:?} after {polls} polls")).await;
            let asked = [with_record(&got, way.resolution(bed.now()), record("once"))];
            bed.note(&got, &asked[0].resolution);
            let source = bed.source();
            let mut call = source.settle(&asked);
            for _ in 0..polls {
                let polled = std::future::poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
                if polled.is_ready() {
                    break;
                }
                bed.settle_down().await;
            }
            drop(call);
            let answer = bed.settle_many(&asked).await.remove(0);
            assert!(answer == Ok(()) || answer == STALE, "{way:?} after a call that was given up: {answer:?}");
            way.assert_done(bed, &got).await;
        }
    }
}

pub(in crate::conformance) async fn a_whole_call_may_be_asked_again(bed: &SourceBed) {
    if !bed.abilities.can_lose_answers {
        return;
    }
    let names: Vec<String> = (0..9).map(|number| number.to_string()).collect();
    for name in &names {
        bed.put(name).await;
    }
    let all = bed.claim_all(names.len()).await;
    let ways: Vec<Way> = Way::END.iter().copied().cycle().take(all.len()).collect();
    let ask = |(got, way): (&_, &Way)| settlement(got, way.resolution(bed.now()));
    let settlements: Vec<FinishedDelivery<_>> = all.iter().zip(&ways).map(ask).collect();
    all.iter().zip(&settlements).for_each(|(got, settlement)| bed.note(got, &settlement.resolution));
    bed.lose_next_answer().await;
    bed.settle_many(&settlements).await.iter().for_each(assert_unavailable);
    assert!(bed.settle_many(&settlements).await.iter().all(|answer| *answer == STALE));
    for (got, way) in all.iter().zip(ways) {
        match way {
            Way::DeadLetter => drop(bed.letter_of(payload(got)).await),
            _ => bed.assert_finished(payload(got)).await,
        }
    }
    bed.assert_nothing_to_claim().await;
}
