//! The letter is durable before the source removes the work.

use crate::SettleError;
use crate::conformance::builders::{
    ACK, AnyDelivery, bytes, dead_letter, payload, record, retry, settlement, with_record, work_with,
};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::resolution_kind::ResolutionKind;
use crate::conformance::{FoundLetter, Records};
use crate::{FinishedDelivery, Resolution};

pub(in crate::conformance) async fn an_acknowledged_letter_exists_and_its_work_is_gone(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    assert_eq!(fixture.settle(&got, dead_letter()).await, Ok(()));
    fixture.letter_of(payload(&got)).await;
    fixture.assert_nothing_to_claim().await;
}

pub(in crate::conformance) async fn a_letter_keeps_its_content_byte_for_byte(fixture: &SourceFixture) {
    for content in fixture.contents() {
        fixture.put_work(work_with(&content)).await;
        let got = fixture.claim_one(&content.payload).await;
        assert_eq!(fixture.settle(&got, dead_letter()).await, Ok(()));
        let found = fixture.letter_of(&content.payload).await.content;
        assert_eq!((found.key, found.headers, found.payload), (content.key, content.headers, content.payload));
    }
}

/// Asserts that this is the newest record of the letter.
fn assert_newest(fixture: &SourceFixture, letter: &FoundLetter, expected: &redrive_model::Attempt) {
    let newest = letter.attempts.last().expect("the letter has a record");
    assert_eq!(newest.error, expected.error);
    if fixture.abilities.records >= Records::Newest {
        assert_eq!(newest, expected);
    }
}

pub(in crate::conformance) async fn a_letter_keeps_the_record_of_its_last_attempt(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    let last = record("connection reset by peer");
    assert_eq!(fixture.settle_as(&got, with_record(&got, dead_letter(), last.clone())).await, Ok(()));
    assert_newest(fixture, &fixture.letter_of(payload(&got)).await, &last);
}

pub(in crate::conformance) async fn a_letter_keeps_the_records_of_earlier_attempts(fixture: &SourceFixture) {
    if fixture.abilities.records < Records::All {
        return;
    }
    fixture.put("a").await;
    let failures = ["the first", "the second", "the third"].map(record);
    for failure in &failures[..2] {
        let got = fixture.claim_one(&bytes("a")).await;
        assert_eq!(fixture.settle_as(&got, with_record(&got, retry(fixture.now()), failure.clone())).await, Ok(()));
    }
    let got = fixture.claim_one(&bytes("a")).await;
    assert_eq!(fixture.settle_as(&got, with_record(&got, dead_letter(), failures[2].clone())).await, Ok(()));
    let kept = fixture.letter_of(payload(&got)).await.attempts;
    assert!(kept.ends_with(&failures), "{kept:?}");
}

pub(in crate::conformance) async fn dropped_work_leaves_no_letter(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    assert_eq!(fixture.settle_as(&got, with_record(&got, Resolution::Drop, record("irrelevant"))).await, Ok(()));
    fixture.assert_finished(payload(&got)).await;
}

pub(in crate::conformance) async fn one_call_settles_many_letters(fixture: &SourceFixture) {
    let names: Vec<String> = (0..20).map(|number| format!("dead {number}")).collect();
    for name in &names {
        fixture.put(name).await;
    }
    let all = fixture.claim_all(names.len()).await;
    let letter = |got: &_| with_record(got, dead_letter(), record(&format!("of {:?}", payload(got))));
    let settlements: Vec<FinishedDelivery<_>> = all.iter().map(letter).collect();
    all.iter().for_each(|got| fixture.expect_end(got, &dead_letter()));
    assert!(fixture.settle_many(&settlements).await.iter().all(Result::is_ok));
    for (got, settlement) in all.iter().zip(&settlements) {
        let record = settlement.attempt.as_ref().expect("the settlement has a record");
        assert_newest(fixture, &fixture.letter_of(payload(got)).await, record);
    }
}

pub(in crate::conformance) async fn a_failed_hand_over_keeps_the_claim(fixture: &SourceFixture) {
    if !fixture.abilities.can_refuse_letters {
        return;
    }
    for then in ResolutionKind::ALL {
        let got = fixture.put_and_claim(&format!("{then:?}")).await;
        fixture.refuse_letters(true).await;
        for _ in 0..3 {
            let refused = fixture.settle(&got, dead_letter()).await;
            assert!(matches!(refused, Err(SettleError::HandOver(_))), "{refused:?}");
        }
        fixture.assert_open(payload(&got)).await;
        assert!(fixture.extend(&got).await.is_ok(), "the claim still holds");
        fixture.assert_nothing_to_claim().await;
        fixture.refuse_letters(false).await;
        then.finish(fixture, &got).await;
        let is_hand_over_only = got.is_hand_over_only || fixture.abilities.notes_hand_over;
        then.assert_done(fixture, &AnyDelivery { is_hand_over_only, ..got }).await;
    }
}

pub(in crate::conformance) async fn a_failed_hand_over_does_not_affect_other_settlements(fixture: &SourceFixture) {
    if !fixture.abilities.can_refuse_letters {
        return;
    }
    for name in ["acked", "dead", "released"] {
        fixture.put(name).await;
    }
    let all = fixture.claim_all(3).await;
    let of = |name: &str| all.iter().find(|got| *payload(got) == bytes(name)).expect("the work was claimed");
    fixture.refuse_letters(true).await;
    let settlements = [
        settlement(of("acked"), ACK),
        settlement(of("dead"), dead_letter()),
        settlement(of("released"), Resolution::Release),
    ];
    fixture.expect_end(of("acked"), &ACK);
    let answers = fixture.settle_many(&settlements).await;
    assert_eq!((&answers[0], &answers[2]), (&Ok(()), &Ok(())), "{answers:?}");
    assert!(matches!(answers[1], Err(SettleError::HandOver(_))), "{answers:?}");
    fixture.assert_finished(&bytes("acked")).await;
    let again = fixture.claim_one(&bytes("released")).await;
    fixture.ack(&again).await;
    fixture.refuse_letters(false).await;
    assert_eq!(fixture.settle(of("dead"), dead_letter()).await, Ok(()));
    fixture.letter_of(&bytes("dead")).await;
}
