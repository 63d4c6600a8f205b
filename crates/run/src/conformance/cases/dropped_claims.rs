//! A dropped claim takes no work: a runner drops its claims whenever a breaker opens or the runner is paused.

use redrive_testkit::seeds;

use crate::conformance::builders::{AnyDelivery, bytes, work_of};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::random::SeededRandom;
use crate::conformance::workload::ConcurrentWorkload;

/// Claims the work. Asserts that no attempt was charged before.
async fn assert_untouched(fixture: &SourceFixture, name: &str) -> AnyDelivery {
    let got = fixture.claim_one(&bytes(name)).await;
    assert_eq!(got.work.attempt, fixture.abilities.first_attempt, "a dropped claim was charged");
    got
}

pub(in crate::conformance) async fn a_claim_that_was_never_polled_takes_nothing(fixture: &SourceFixture) {
    let never = fixture.polled(1);
    fixture.put("a").await;
    drop(never);
    assert_untouched(fixture, "a").await;
}

pub(in crate::conformance) async fn a_claim_dropped_while_it_waits_takes_nothing(fixture: &SourceFixture) {
    for name in ["a", "b", "c"] {
        let mut waits = fixture.polled(10);
        assert!(waits.poll().await.is_none(), "there is no work");
        fixture.let_source_run().await;
        drop(waits);
        fixture.put(name).await;
        fixture.ack(&assert_untouched(fixture, name).await).await;
    }
}

/// The source sends the answer before it knows that the claim is gone.
pub(in crate::conformance) async fn a_claim_dropped_after_its_answer_was_sent_takes_nothing(fixture: &SourceFixture) {
    let mut waits = fixture.polled(1);
    assert!(waits.poll().await.is_none(), "there is no work");
    fixture.let_source_run().await;
    fixture.put("a").await;
    fixture.let_source_run().await;
    drop(waits);
    assert_untouched(fixture, "a").await;
}

/// A source may need several asynchronous steps for an answer.
pub(in crate::conformance) async fn a_claim_dropped_after_any_number_of_polls_takes_nothing(fixture: &SourceFixture) {
    for polls in 1..10 {
        for is_put_before in [true, false] {
            let name = format!("after {polls} polls, {}", if is_put_before { "there" } else { "arriving" });
            if is_put_before {
                fixture.put(&name).await;
            }
            let mut claim = Some(fixture.polled(1));
            let mut got = None;
            for poll in 0..polls {
                got = claim.as_mut().expect("the claim is not dropped yet").poll().await;
                if got.is_some() {
                    break;
                }
                if poll == 0 && !is_put_before {
                    fixture.put(&name).await;
                }
                fixture.let_source_run().await;
            }
            claim.take();
            match got {
                Some(mut got) => fixture.ack(&got.remove(0)).await,
                None => fixture.ack(&assert_untouched(fixture, &name).await).await,
            }
        }
    }
}

pub(in crate::conformance) async fn claims_dropped_at_random_as_work_arrives_take_nothing(fixture: &SourceFixture) {
    for seed in seeds(1) {
        let fixture = &fixture.another().await;
        let mut random = SeededRandom::new(&seed);
        for round in 0..60 {
            let name = format!("of round {round}");
            let polls = random.below(12);
            let claim = tokio::spawn(fixture.polled(1 + random.below(3)).poll_times(polls));
            for _ in 0..random.below(6) {
                tokio::task::yield_now().await;
            }
            fixture.put(&name).await;
            match claim.await.expect("the claim did not panic") {
                Some(got) => fixture.ack_all(&got).await,
                None => fixture.ack(&assert_untouched(fixture, &name).await).await,
            }
        }
    }
}

pub(in crate::conformance) async fn concurrently_dropped_claims_lose_nothing(fixture: &SourceFixture) {
    for seed in seeds(1) {
        ConcurrentWorkload { gives_up: true, ..ConcurrentWorkload::default() }.run(fixture, &seed).await;
    }
}

pub(in crate::conformance) async fn a_dropped_claim_keeps_the_order(fixture: &SourceFixture) {
    if !fixture.abilities.is_ordered {
        return;
    }
    for round in 0..20 {
        let (first, second) = (format!("first of {round}"), format!("second of {round}"));
        let mut waits = fixture.polled(2);
        assert!(waits.poll().await.is_none(), "there is no work");
        fixture.put_work(work_of("k", &first)).await;
        fixture.put_work(work_of("k", &second)).await;
        fixture.let_source_run().await;
        drop(waits);
        for name in [&first, &second] {
            fixture.ack(&assert_untouched(fixture, name).await).await;
        }
    }
}
