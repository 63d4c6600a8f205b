//! The order of a key: its next work is yielded when the earlier one is done or its letter is durable, not while the
//! earlier one waits for anything.

use crate::SettleError;
use crate::conformance::builders::{AnyDelivery, DELAY, bytes, dead_letter, payload, payloads, retry, work, work_of};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::resolution_kind::ResolutionKind;

/// Puts in two pieces of work of one key and claims the first. Returns its delivery and the payload of the second.
async fn claimed_first(fixture: &SourceFixture, about: &str) -> Option<(AnyDelivery, String)> {
    if !fixture.abilities.is_ordered {
        return None;
    }
    let (first, second) = (format!("first, {about}"), format!("second, {about}"));
    fixture.put_work(work_of("k", &first)).await;
    fixture.put_work(work_of("k", &second)).await;
    Some((fixture.claim_one(&bytes(&first)).await, second))
}

pub(in crate::conformance) async fn a_claim_yields_one_piece_of_work_per_key(fixture: &SourceFixture) {
    if !fixture.abilities.is_ordered {
        return;
    }
    for number in 0..5 {
        fixture.put_work(work_of("k", &number.to_string())).await;
    }
    for number in 0..5 {
        let got = fixture.claim(10).await;
        assert_eq!(payloads(&got), [bytes(&number.to_string())]);
        fixture.assert_nothing_to_claim().await;
        fixture.ack_all(&got).await;
    }
}

pub(in crate::conformance) async fn the_next_waits_while_the_earlier_is_claimed(fixture: &SourceFixture) {
    let Some((first, second)) = claimed_first(fixture, "claimed").await else { return };
    fixture.assert_nothing_to_claim().await;
    fixture.advance(DELAY).await;
    assert!(fixture.extend(&first).await.is_ok());
    fixture.assert_nothing_to_claim().await;
    fixture.ack(&first).await;
    fixture.claim_one(&bytes(&second)).await;
}

pub(in crate::conformance) async fn the_next_waits_while_the_earlier_waits_for_redelivery(fixture: &SourceFixture) {
    for kind in ResolutionKind::REDELIVERED {
        let Some((first, second)) = claimed_first(fixture, &format!("{kind:?}")).await else { return };
        kind.finish(fixture, &first).await;
        // The earlier work is delivered again, and nothing before it.
        let again = kind.next_delivery(fixture, &first).await;
        fixture.assert_nothing_to_claim().await;
        fixture.ack(&again).await;
        let next = fixture.claim_one(&bytes(&second)).await;
        fixture.ack(&next).await;
    }
}

pub(in crate::conformance) async fn the_next_is_yielded_when_the_earlier_has_ended(fixture: &SourceFixture) {
    for kind in ResolutionKind::FINAL {
        let Some((first, second)) = claimed_first(fixture, &format!("{kind:?}")).await else { return };
        let waiter = fixture.wait(10).await;
        waiter.assert_waits(fixture).await;
        kind.finish(fixture, &first).await;
        let next = waiter.got(fixture).await;
        assert_eq!(payloads(&next), [bytes(&second)], "after {kind:?}");
        fixture.ack_all(&next).await;
    }
}

pub(in crate::conformance) async fn the_next_waits_until_the_hand_over_of_the_earlier(fixture: &SourceFixture) {
    if !fixture.abilities.can_refuse_letters {
        return;
    }
    let Some((first, second)) = claimed_first(fixture, "refused").await else { return };
    fixture.refuse_letters(true).await;
    let refused = fixture.settle(&first, dead_letter()).await;
    assert!(matches!(refused, Err(SettleError::HandOver(_))), "{refused:?}");
    fixture.assert_nothing_to_claim().await;
    ResolutionKind::RedeliverForHandOver.finish(fixture, &first).await;
    let again = ResolutionKind::RedeliverForHandOver.next_delivery(fixture, &first).await;
    fixture.assert_nothing_to_claim().await;
    fixture.refuse_letters(false).await;
    assert_eq!(fixture.settle(&again, dead_letter()).await, Ok(()));
    fixture.letter_of(payload(&first)).await;
    fixture.claim_one(&bytes(&second)).await;
}

pub(in crate::conformance) async fn other_keys_are_not_blocked(fixture: &SourceFixture) {
    let Some((first, second)) = claimed_first(fixture, "k").await else { return };
    assert_eq!(fixture.settle(&first, retry(fixture.after(DELAY))).await, Ok(()));
    // Keys are compared as a whole, and an empty key is a key.
    for (key, name) in [("k2", "of k2"), ("K", "of K"), ("", "of the empty key"), ("k\0", "of k and zero")] {
        fixture.put_work(work_of(key, name)).await;
        let got = fixture.claim_one(&bytes(name)).await;
        fixture.ack(&got).await;
    }
    fixture.assert_open(&bytes(&second)).await;
    fixture.assert_nothing_to_claim().await;
}

pub(in crate::conformance) async fn an_empty_key_is_a_key(fixture: &SourceFixture) {
    if !fixture.abilities.is_ordered {
        return;
    }
    fixture.put_work(work_of("", "first")).await;
    fixture.put_work(work_of("", "second")).await;
    let first = fixture.claim_one(&bytes("first")).await;
    fixture.assert_nothing_to_claim().await;
    fixture.ack(&first).await;
    fixture.claim_one(&bytes("second")).await;
}

pub(in crate::conformance) async fn work_without_a_key_is_never_blocked(fixture: &SourceFixture) {
    for name in ["a", "b", "c"] {
        fixture.put_work(work(name)).await;
    }
    let all = fixture.claim_all(3).await;
    assert_eq!(payloads(&all), [bytes("a"), bytes("b"), bytes("c")]);
}

pub(in crate::conformance) async fn redeliveries_keep_the_order(fixture: &SourceFixture) {
    if !fixture.abilities.is_ordered {
        return;
    }
    let names: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    for name in &names {
        fixture.put_work(work_of("k", name)).await;
    }
    for (name, kind) in names.iter().zip(ResolutionKind::REDELIVERED.iter().cycle()) {
        let got = fixture.claim_one(&bytes(name)).await;
        kind.finish(fixture, &got).await;
        let again = kind.next_delivery(fixture, &got).await;
        fixture.ack(&again).await;
    }
}
