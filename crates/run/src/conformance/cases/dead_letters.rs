//! The letter is durable, then the source lets go.

use crate::SettleError;
use crate::conformance::bed::SourceBed;
use crate::conformance::way::Way;
use crate::conformance::words::{ACK, bytes, dead_letter, payload, record, retry, settlement, with_record, work_with};
use crate::conformance::{FoundLetter, Records};
use crate::{FinishedDelivery, Resolution};

pub(in crate::conformance) async fn a_letter_is_there_once_it_is_answered_and_the_work_is_gone(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    assert_eq!(bed.settle(&got, dead_letter()).await, Ok(()));
    bed.letter_of(payload(&got)).await;
    bed.assert_nothing_to_claim().await;
}

pub(in crate::conformance) async fn a_letter_keeps_its_content_byte_for_byte(bed: &SourceBed) {
    for content in bed.contents() {
        bed.put_work(work_with(&content)).await;
        let got = bed.claim_one(&content.payload).await;
        assert_eq!(bed.settle(&got, dead_letter()).await, Ok(()));
        let found = bed.letter_of(&content.payload).await.content;
        assert_eq!((found.key, found.headers, found.payload), (content.key, content.headers, content.payload));
    }
}

/// Its newest record is this one.
fn assert_newest(bed: &SourceBed, letter: &FoundLetter, expected: &redrive_model::Attempt) {
    let newest = letter.attempts.last().expect("a letter tells of the attempt that it came from");
    assert_eq!(newest.error, expected.error);
    if bed.abilities.records >= Records::Newest {
        assert_eq!(newest, expected);
    }
}

pub(in crate::conformance) async fn a_letter_keeps_the_record_of_its_last_attempt(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    let last = record("connection reset by peer");
    assert_eq!(bed.settle_as(&got, with_record(&got, dead_letter(), last.clone())).await, Ok(()));
    assert_newest(bed, &bed.letter_of(payload(&got)).await, &last);
}

pub(in crate::conformance) async fn a_letter_keeps_the_failures_before_the_last(bed: &SourceBed) {
    if bed.abilities.records < Records::All {
        return;
    }
    bed.put("a").await;
    let failures = ["the first", "the second", "the third"].map(record);
    for failure in &failures[..2] {
        let got = bed.claim_one(&bytes("a")).await;
        assert_eq!(bed.settle_as(&got, with_record(&got, retry(bed.now()), failure.clone())).await, Ok(()));
    }
    let got = bed.claim_one(&bytes("a")).await;
    assert_eq!(bed.settle_as(&got, with_record(&got, dead_letter(), failures[2].clone())).await, Ok(()));
    let kept = bed.letter_of(payload(&got)).await.attempts;
    assert!(kept.ends_with(&failures), "{kept:?}");
}

pub(in crate::conformance) async fn what_is_dropped_leaves_no_letter(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    assert_eq!(bed.settle_as(&got, with_record(&got, Resolution::Drop, record("nobody cares"))).await, Ok(()));
    bed.assert_finished(payload(&got)).await;
}

pub(in crate::conformance) async fn many_letters_go_in_one_call(bed: &SourceBed) {
    let names: Vec<String> = (0..20).map(|number| format!("dead {number}")).collect();
    for name in &names {
        bed.put(name).await;
    }
    let all = bed.claim_all(names.len()).await;
    let letter = |got: &_| with_record(got, dead_letter(), record(&format!("of {:?}", payload(got))));
    let settlements: Vec<FinishedDelivery<_>> = all.iter().map(letter).collect();
    all.iter().for_each(|got| bed.note(got, &dead_letter()));
    assert!(bed.settle_many(&settlements).await.iter().all(Result::is_ok));
    for (got, settlement) in all.iter().zip(&settlements) {
        let record = settlement.attempt.as_ref().expect("it was given one");
        assert_newest(bed, &bed.letter_of(payload(got)).await, record);
    }
}

pub(in crate::conformance) async fn a_letter_that_is_not_taken_leaves_the_claim_as_it_was(bed: &SourceBed) {
    if !bed.abilities.can_refuse_letters {
        return;
    }
    for then in Way::ALL {
        let got = bed.put_and_claim(&format!("{then:?}")).await;
        bed.refuse_letters(true).await;
        for _ in 0..3 {
            let refused = bed.settle(&got, dead_letter()).await;
            assert!(matches!(refused, Err(SettleError::HandOver(_))), "{refused:?}");
        }
        bed.assert_open(payload(&got)).await;
        assert!(bed.extend(&got).await.is_ok(), "the claim still holds");
        bed.assert_nothing_to_claim().await;
        bed.refuse_letters(false).await;
        then.finish(bed, &got).await;
        then.assert_done(bed, &got).await;
    }
}

pub(in crate::conformance) async fn a_letter_that_is_not_taken_does_not_keep_others(bed: &SourceBed) {
    if !bed.abilities.can_refuse_letters {
        return;
    }
    for name in ["acked", "dead", "released"] {
        bed.put(name).await;
    }
    let all = bed.claim_all(3).await;
    let of = |name: &str| all.iter().find(|got| *payload(got) == bytes(name)).expect("it was claimed");
    bed.refuse_letters(true).await;
    let settlements = [
        settlement(of("acked"), ACK),
        settlement(of("dead"), dead_letter()),
        settlement(of("released"), Resolution::Release),
    ];
    bed.note(of("acked"), &ACK);
    let answers = bed.settle_many(&settlements).await;
    assert_eq!((&answers[0], &answers[2]), (&Ok(()), &Ok(())), "{answers:?}");
    assert!(matches!(answers[1], Err(SettleError::HandOver(_))), "{answers:?}");
    bed.assert_finished(&bytes("acked")).await;
    let again = bed.claim_one(&bytes("released")).await;
    bed.ack(&again).await;
    bed.refuse_letters(false).await;
    assert_eq!(bed.settle(of("dead"), dead_letter()).await, Ok(()));
    bed.letter_of(&bytes("dead")).await;
}
