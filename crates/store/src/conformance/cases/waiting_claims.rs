//! Claims of letters that wait.

use crate::{StoreError, conformance::bed::Bed};
use redrive_core::{Category, RetryPolicy, Span};
use redrive_model::{Archive, Edit, Restore, SettleAction};

use super::waiting::pause;
use crate::conformance::words::{
    HOUR, INSTANT, MINUTE, dead, failed, failure, failure_due, failure_for_good, payloads,
};

pub(in crate::conformance) async fn a_claim_waits_for_the_due_time(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    bed.capture(&dead_queue, failure("f-1")).await;
    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    bed.advance(MINUTE.saturating_sub(INSTANT));
    waiter.assert_waits(bed).await;
    bed.advance(INSTANT);
    assert_eq!(payloads(&waiter.got().await), ["the work of f-1"]);
}

pub(in crate::conformance) async fn whatever_makes_a_letter_due_wakes_a_claim(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    let letter = bed.capture(&dead_queue, failure_due("f-1")).await.letter;
    let held = waiter.got().await.remove(0);

    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    bed.settle(&dead_queue, held.info.id, SettleAction::Release).await.unwrap();
    let held = waiter.got().await.remove(0);

    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    bed.settle(&dead_queue, held.info.id, failed("again", Category::Network)).await.unwrap();
    waiter.assert_waits(bed).await;
    bed.advance(MINUTE);
    let held = waiter.got().await.remove(0);

    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    bed.settle(&dead_queue, held.info.id, SettleAction::Defer { until: bed.after(HOUR) }).await.unwrap();
    waiter.assert_waits(bed).await;
    bed.advance(HOUR);
    let held = waiter.got().await.remove(0);

    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    bed.settle(&dead_queue, held.info.id, SettleAction::Release).await.unwrap();
    let held = waiter.got().await.remove(0);
    bed.settle(&dead_queue, held.info.id, SettleAction::Release).await.unwrap();
    bed.store().archive(Archive { queue: dead_queue.clone(), letters: vec![letter] }).await.unwrap();
    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    waiter.assert_waits(bed).await;
    bed.store().restore(Restore { queue: dead_queue.clone(), letters: vec![letter] }).await.unwrap();
    assert_eq!(waiter.got().await.len(), 1);
}

pub(in crate::conformance) async fn a_death_wakes_a_claim_where_the_dead_queue_retries(bed: &Bed) {
    let dead_queue =
        bed.queue_with("dead", |settings| settings.letters.moved_policy = Some(RetryPolicy::Immediate)).await;
    let orders = bed.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await;
    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    bed.settle(&orders, held.info.id, dead()).await.unwrap();
    assert_eq!(payloads(&waiter.got().await), ["a"]);
}

pub(in crate::conformance) async fn an_edit_wakes_a_claim(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure_for_good("f-1")).await.letter;
    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    waiter.assert_waits(bed).await;
    let edit = Edit {
        queue: dead_queue.clone(),
        letter,
        content: None,
        policy: Some(RetryPolicy::Immediate),
        max_retries: None,
        priority: None,
    };
    bed.store().edit(edit).await.unwrap();
    assert_eq!(waiter.got().await.len(), 1);
}

pub(in crate::conformance) async fn a_claim_that_is_lost_wakes_a_claim(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    bed.capture(&dead_queue, failure_due("f-1")).await;
    bed.claim_one(&dead_queue).await;
    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    waiter.assert_waits(bed).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    waiter.assert_waits(bed).await;
    bed.advance(MINUTE);
    assert_eq!(waiter.got().await[0].info.attempts, 2);
}

pub(in crate::conformance) async fn a_claim_and_a_lease_wait_for_different_things(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let (lease, claim) = (bed.wait(&dead_queue, 1).await, bed.wait_for_letters(&dead_queue, &[]).await);
    bed.capture(&dead_queue, failure_due("due")).await;
    assert_eq!(payloads(&claim.got().await), ["the work of due"]);
    lease.assert_waits(bed).await;
    let claim = bed.wait_for_letters(&dead_queue, &[]).await;
    bed.capture(&dead_queue, failure_for_good("for good")).await;
    assert_eq!(payloads(&lease.got().await.items), ["the work of for good"]);
    claim.assert_waits(bed).await;
    bed.advance(Span::from_days(2));
    assert_eq!(claim.answer().await.err(), Some(StoreError::TimedOut), "it was late for the lost claim");
}

pub(in crate::conformance) async fn a_held_letter_wakes_nobody(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let waiter = bed.wait_for_letters(&dead_queue, &["billing"]).await;
    bed.capture(&dead_queue, failure_due("held")).await;
    waiter.assert_waits(bed).await;
    let other = redrive_model::NewLetter { destination: "shipping".into(), ..failure_due("free") };
    bed.capture(&dead_queue, other).await;
    assert_eq!(payloads(&waiter.got().await), ["the work of free"]);
}

pub(in crate::conformance) async fn a_paused_queue_gives_no_letters(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    bed.capture(&dead_queue, failure_due("f-1")).await;
    pause(bed, &dead_queue, true).await;
    let waiter = bed.wait_for_letters(&dead_queue, &[]).await;
    waiter.assert_waits(bed).await;
    pause(bed, &dead_queue, false).await;
    assert_eq!(waiter.got().await.len(), 1);
}
