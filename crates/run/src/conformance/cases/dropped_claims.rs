//! A claim that is dropped has taken nothing: a runner drops its claims whenever a breaker opens or it is paused.

use crate::conformance::bed::SourceBed;
use crate::conformance::crowd::Crowd;
use crate::conformance::random::seeds;
use crate::conformance::words::{Got, bytes, work_of};

/// The work is there for the next, and no attempt was charged.
async fn assert_untouched(bed: &SourceBed, name: &str) -> Got {
    let got = bed.claim_one(&bytes(name)).await;
    assert_eq!(got.work.attempt, bed.abilities.first_attempt, "a claim that was dropped was charged");
    got
}

pub(in crate::conformance) async fn a_claim_that_was_never_polled_takes_nothing(bed: &SourceBed) {
    let never = bed.polled(1);
    bed.put("a").await;
    drop(never);
    assert_untouched(bed, "a").await;
}

pub(in crate::conformance) async fn a_claim_dropped_while_it_waits_takes_nothing(bed: &SourceBed) {
    for name in ["a", "b", "c"] {
        let mut waits = bed.polled(10);
        assert!(waits.poll().await.is_none(), "there is nothing");
        bed.settle_down().await;
        drop(waits);
        bed.put(name).await;
        bed.ack(&assert_untouched(bed, name).await).await;
    }
}

/// Whoever sends the answer does not know yet that nobody waits any more.
pub(in crate::conformance) async fn a_claim_dropped_when_its_answer_was_sent_gives_the_work_back(bed: &SourceBed) {
    let mut waits = bed.polled(1);
    assert!(waits.poll().await.is_none(), "there is nothing");
    bed.settle_down().await;
    bed.put("a").await;
    bed.settle_down().await;
    drop(waits);
    assert_untouched(bed, "a").await;
}

/// A source may have to ask for more than one thing before it answers.
pub(in crate::conformance) async fn a_claim_dropped_after_any_number_of_polls_takes_nothing(bed: &SourceBed) {
    for polls in 1..10 {
        for is_put_before in [true, false] {
            let name = format!("after {polls} polls, {}", if is_put_before { "there" } else { "arriving" });
            if is_put_before {
                bed.put(&name).await;
            }
            let mut claim = Some(bed.polled(1));
            let mut got = None;
            for poll in 0..polls {
                got = claim.as_mut().expect("it is not dropped yet").poll().await;
                if got.is_some() {
                    break;
                }
                if poll == 0 && !is_put_before {
                    bed.put(&name).await;
                }
                bed.settle_down().await;
            }
            claim.take();
            match got {
                Some(mut got) => bed.ack(&got.remove(0)).await,
                None => bed.ack(&assert_untouched(bed, &name).await).await,
            }
        }
    }
}

pub(in crate::conformance) async fn claims_dropped_at_random_as_work_arrives_take_nothing(bed: &SourceBed) {
    for seed in seeds(3) {
        let bed = &bed.another().await;
        let mut random = seed.numbers();
        for round in 0..60 {
            let name = format!("of round {round}");
            let polls = random.below(12);
            let claim = tokio::spawn(bed.polled(1 + random.below(3)).poll_times(polls));
            for _ in 0..random.below(6) {
                tokio::task::yield_now().await;
            }
            bed.put(&name).await;
            match claim.await.expect("the claim did not panic") {
                Some(got) => bed.ack_all(&got).await,
                None => bed.ack(&assert_untouched(bed, &name).await).await,
            }
        }
    }
}

pub(in crate::conformance) async fn many_who_give_up_lose_nothing(bed: &SourceBed) {
    for seed in seeds(3) {
        Crowd { gives_up: true, ..Crowd::default() }.work(bed, &seed).await;
    }
}

pub(in crate::conformance) async fn a_dropped_claim_keeps_the_order(bed: &SourceBed) {
    if !bed.abilities.is_ordered {
        return;
    }
    for round in 0..20 {
        let (first, second) = (format!("first of {round}"), format!("second of {round}"));
        let mut waits = bed.polled(2);
        assert!(waits.poll().await.is_none(), "there is nothing");
        bed.put_work(work_of("k", &first)).await;
        bed.put_work(work_of("k", &second)).await;
        bed.settle_down().await;
        drop(waits);
        for name in [&first, &second] {
            bed.ack(&assert_untouched(bed, name).await).await;
        }
    }
}
