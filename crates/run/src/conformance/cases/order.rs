//! The next of a key comes when the earlier one is done or its letter is durable; not while it waits for anything.

use crate::SettleError;
use crate::conformance::bed::SourceBed;
use crate::conformance::way::Way;
use crate::conformance::words::{DELAY, Got, bytes, dead_letter, payload, payloads, retry, work, work_of};

/// Two of one key, of which the earlier is claimed.
async fn claimed_first(bed: &SourceBed, about: &str) -> Option<(Got, String)> {
    if !bed.abilities.is_ordered {
        return None;
    }
    let (first, second) = (format!("first, {about}"), format!("second, {about}"));
    bed.put_work(work_of("k", &first)).await;
    bed.put_work(work_of("k", &second)).await;
    Some((bed.claim_one(&bytes(&first)).await, second))
}

pub(in crate::conformance) async fn a_claim_takes_one_of_a_key(bed: &SourceBed) {
    if !bed.abilities.is_ordered {
        return;
    }
    for number in 0..5 {
        bed.put_work(work_of("k", &number.to_string())).await;
    }
    for number in 0..5 {
        let got = bed.claim(10).await;
        assert_eq!(payloads(&got), [bytes(&number.to_string())]);
        bed.assert_nothing_to_claim().await;
        bed.ack_all(&got).await;
    }
}

pub(in crate::conformance) async fn the_next_waits_while_the_earlier_is_claimed(bed: &SourceBed) {
    let Some((first, second)) = claimed_first(bed, "claimed").await else { return };
    bed.assert_nothing_to_claim().await;
    bed.advance(DELAY).await;
    assert!(bed.extend(&first).await.is_ok());
    bed.assert_nothing_to_claim().await;
    bed.ack(&first).await;
    bed.claim_one(&bytes(&second)).await;
}

pub(in crate::conformance) async fn the_next_waits_while_the_earlier_is_given_back(bed: &SourceBed) {
    for way in Way::BACK {
        let Some((first, second)) = claimed_first(bed, &format!("{way:?}")).await else { return };
        way.finish(bed, &first).await;
        // It is the earlier one that comes, and nothing before it.
        let again = way.next_delivery(bed, &first).await;
        bed.assert_nothing_to_claim().await;
        bed.ack(&again).await;
        let next = bed.claim_one(&bytes(&second)).await;
        bed.ack(&next).await;
    }
}

pub(in crate::conformance) async fn the_next_comes_when_the_earlier_has_ended(bed: &SourceBed) {
    for way in Way::END {
        let Some((first, second)) = claimed_first(bed, &format!("{way:?}")).await else { return };
        let waiter = bed.wait(10).await;
        waiter.assert_waits(bed).await;
        way.finish(bed, &first).await;
        let next = waiter.got(bed).await;
        assert_eq!(payloads(&next), [bytes(&second)], "after {way:?}");
        bed.ack_all(&next).await;
    }
}

pub(in crate::conformance) async fn the_next_waits_while_the_letter_of_the_earlier_is_not_taken(bed: &SourceBed) {
    if !bed.abilities.can_refuse_letters {
        return;
    }
    let Some((first, second)) = claimed_first(bed, "refused").await else { return };
    bed.refuse_letters(true).await;
    let refused = bed.settle(&first, dead_letter()).await;
    assert!(matches!(refused, Err(SettleError::HandOver(_))), "{refused:?}");
    bed.assert_nothing_to_claim().await;
    Way::Condemn.finish(bed, &first).await;
    let again = Way::Condemn.next_delivery(bed, &first).await;
    bed.assert_nothing_to_claim().await;
    bed.refuse_letters(false).await;
    assert_eq!(bed.settle(&again, dead_letter()).await, Ok(()));
    bed.letter_of(payload(&first)).await;
    bed.claim_one(&bytes(&second)).await;
}

pub(in crate::conformance) async fn other_keys_go_on(bed: &SourceBed) {
    let Some((first, second)) = claimed_first(bed, "k").await else { return };
    assert_eq!(bed.settle(&first, retry(bed.after(DELAY))).await, Ok(()));
    // Keys are compared whole, and an empty one is a key.
    for (key, name) in [("k2", "of k2"), ("K", "of K"), ("", "of the empty key"), ("k\0", "of k and zero")] {
        bed.put_work(work_of(key, name)).await;
        let got = bed.claim_one(&bytes(name)).await;
        bed.ack(&got).await;
    }
    bed.assert_open(&bytes(&second)).await;
    bed.assert_nothing_to_claim().await;
}

pub(in crate::conformance) async fn an_empty_key_is_a_key(bed: &SourceBed) {
    if !bed.abilities.is_ordered {
        return;
    }
    bed.put_work(work_of("", "first")).await;
    bed.put_work(work_of("", "second")).await;
    let first = bed.claim_one(&bytes("first")).await;
    bed.assert_nothing_to_claim().await;
    bed.ack(&first).await;
    bed.claim_one(&bytes("second")).await;
}

pub(in crate::conformance) async fn work_without_a_key_waits_for_nobody(bed: &SourceBed) {
    for name in ["a", "b", "c"] {
        bed.put_work(work(name)).await;
    }
    let all = bed.claim_all(3).await;
    assert_eq!(payloads(&all), [bytes("a"), bytes("b"), bytes("c")]);
}

pub(in crate::conformance) async fn work_comes_in_its_order_whatever_happens_to_it(bed: &SourceBed) {
    if !bed.abilities.is_ordered {
        return;
    }
    let names: Vec<String> = (0..12).map(|number| number.to_string()).collect();
    for name in &names {
        bed.put_work(work_of("k", name)).await;
    }
    for (name, way) in names.iter().zip(Way::BACK.iter().cycle()) {
        let got = bed.claim_one(&bytes(name)).await;
        way.finish(bed, &got).await;
        let again = way.next_delivery(bed, &got).await;
        bed.ack(&again).await;
    }
}
