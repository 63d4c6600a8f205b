//! Waiting claims of letters.

use crate::{StoreError, conformance::fixture::StoreFixture};
use redrive_core::{Category, RetryPolicy, Span};
use redrive_model::{Archive, Edit, Restore, SettleAction};

use super::waiting::pause;
use crate::conformance::samples::{
    HOUR, INSTANT, MINUTE, dead, failed, failure, failure_due, failure_for_good, payloads,
};

pub(in crate::conformance) async fn a_claim_waits_for_the_due_time(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    fixture.advance(MINUTE.saturating_sub(INSTANT));
    waiter.assert_waits(fixture).await;
    fixture.advance(INSTANT);
    assert_eq!(payloads(&waiter.reply().await), ["the work of f-1"]);
}

pub(in crate::conformance) async fn whatever_makes_a_letter_due_wakes_a_claim(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    let letter = fixture.capture(&dead_queue, failure_due("f-1")).await.letter;
    let held = waiter.reply().await.remove(0);

    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    fixture.settle(&dead_queue, held.info.id, SettleAction::Release).await.unwrap();
    let held = waiter.reply().await.remove(0);

    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    fixture.settle(&dead_queue, held.info.id, failed("again", Category::Network)).await.unwrap();
    waiter.assert_waits(fixture).await;
    fixture.advance(MINUTE);
    let held = waiter.reply().await.remove(0);

    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    fixture.settle(&dead_queue, held.info.id, SettleAction::Defer { until: fixture.after(HOUR) }).await.unwrap();
    waiter.assert_waits(fixture).await;
    fixture.advance(HOUR);
    let held = waiter.reply().await.remove(0);

    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    fixture.settle(&dead_queue, held.info.id, SettleAction::Release).await.unwrap();
    let held = waiter.reply().await.remove(0);
    fixture.settle(&dead_queue, held.info.id, SettleAction::Release).await.unwrap();
    fixture.store().archive(Archive { queue: dead_queue.clone(), letters: vec![letter] }).await.unwrap();
    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    waiter.assert_waits(fixture).await;
    fixture.store().restore(Restore { queue: dead_queue.clone(), letters: vec![letter] }).await.unwrap();
    assert_eq!(waiter.reply().await.len(), 1);
}

pub(in crate::conformance) async fn a_death_wakes_a_claim_if_the_dead_queue_retries(fixture: &StoreFixture) {
    let dead_queue = fixture
        .queue_with("dead", |settings| settings.letters.moved_policy = Some(RetryPolicy::Immediate.into()))
        .await;
    let orders = fixture.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease_one(&orders).await;
    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    fixture.settle(&orders, held.info.id, dead()).await.unwrap();
    assert_eq!(payloads(&waiter.reply().await), ["a"]);
}

pub(in crate::conformance) async fn an_edit_wakes_a_claim(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure_for_good("f-1")).await;
    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    waiter.assert_waits(fixture).await;
    let edit = Edit {
        queue: dead_queue.clone(),
        letter,
        content: None,
        policy: Some(RetryPolicy::Immediate),
        max_retries: None,
        priority: None,
    };
    fixture.store().edit(edit).await.unwrap();
    assert_eq!(waiter.reply().await.len(), 1);
}

pub(in crate::conformance) async fn a_lost_claim_wakes_a_claim(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    fixture.capture(&dead_queue, failure_due("f-1")).await;
    fixture.claim_one(&dead_queue).await;
    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    waiter.assert_waits(fixture).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    waiter.assert_waits(fixture).await;
    fixture.advance(MINUTE);
    assert_eq!(waiter.reply().await[0].info.attempts, 2);
}

pub(in crate::conformance) async fn a_claim_and_a_lease_wait_for_different_things(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let (lease, claim) = (fixture.wait(&dead_queue, 1).await, fixture.wait_for_letters(&dead_queue, &[]).await);
    fixture.capture(&dead_queue, failure_due("due")).await;
    assert_eq!(payloads(&claim.reply().await), ["the work of due"]);
    lease.assert_waits(fixture).await;
    let claim = fixture.wait_for_letters(&dead_queue, &[]).await;
    fixture.capture(&dead_queue, failure_for_good("for good")).await;
    assert_eq!(payloads(&lease.reply().await.items), ["the work of for good"]);
    claim.assert_waits(fixture).await;
    fixture.advance(Span::from_days(2));
    assert_eq!(claim.answer().await.err(), Some(StoreError::TimedOut), "it timed out before the claim was lost");
}

pub(in crate::conformance) async fn a_letter_of_an_excluded_destination_wakes_no_claim(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let waiter = fixture.wait_for_letters(&dead_queue, &["billing"]).await;
    fixture.capture(&dead_queue, failure_due("held")).await;
    waiter.assert_waits(fixture).await;
    let other = redrive_model::NewLetter { destination: "shipping".into(), ..failure_due("free") };
    fixture.capture(&dead_queue, other).await;
    assert_eq!(payloads(&waiter.reply().await), ["the work of free"]);
}

pub(in crate::conformance) async fn a_paused_queue_gives_no_letters(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    fixture.capture(&dead_queue, failure_due("f-1")).await;
    pause(fixture, &dead_queue, true).await;
    let waiter = fixture.wait_for_letters(&dead_queue, &[]).await;
    waiter.assert_waits(fixture).await;
    pause(fixture, &dead_queue, false).await;
    assert_eq!(waiter.reply().await.len(), 1);
}
