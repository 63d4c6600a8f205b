//! Settling and extending leased items.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, ItemId, QueueName, Span, Time};
use redrive_model::{
    Clear, DeleteQueue, DeliveryContext, DeliveryNotes, EndReason, Event, Extend, ItemState, OnRejected, Rejection,
    RetryAt, Settle, SettleAction, Settled, Settlement, StoredItem,
};

use crate::conformance::samples::{
    HOUR, INSTANT, MINUTE, SECOND, SettleProgress, attempt, complete, dead, failed, ids, item, item_at, payload,
    payloads, rejection, retry, retry_at,
};

/// A queue with one leased item, and its id.
async fn held(fixture: &StoreFixture) -> (QueueName, ItemId) {
    let orders = fixture.orders(&["a"]).await;
    let held = fixture.lease_one(&orders).await;
    (orders, held.info.id)
}

async fn extend(
    fixture: &StoreFixture,
    queue: &QueueName,
    ids: &[ItemId],
    lease: Option<Span>,
) -> Vec<Result<Time, Rejection>> {
    let extend = Extend { queue: queue.clone(), partition: Some(0), ids: ids.to_vec(), lease, may_shorten: false };
    fixture.store().extend(extend).await.unwrap()
}

const EVERY_VERB: [&str; 7] = ["completed", "retried", "retried", "released", "deferred", "lost", "condemned"];

fn every_verb(until: Time) -> [SettleAction; 7] {
    [
        complete(),
        retry(),
        dead(),
        SettleAction::Release,
        SettleAction::Defer { until },
        SettleAction::Lost,
        SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: None },
    ]
}

// Extend

pub(in crate::conformance) async fn extend_moves_the_deadline(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.advance(Span::from_secs(30));
    let extended = extend(fixture, &orders, &[id], None).await;
    assert_eq!(extended, [Ok(fixture.after(MINUTE))], "by the lease timeout of the queue");
    assert_eq!(extend(fixture, &orders, &[id], Some(HOUR)).await, [Ok(fixture.after(HOUR))]);
    fixture.advance(HOUR);
    fixture.complete(&orders, id).await.expect("the lease holds until its new deadline");
}

pub(in crate::conformance) async fn extend_never_shortens_a_lease(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    let deadline = fixture.after(MINUTE);
    assert_eq!(extend(fixture, &orders, &[id], Some(SECOND)).await, [Ok(deadline)]);
    assert_eq!(fixture.only_item(&orders).await.state, ItemState::Leased { deadline });
}

pub(in crate::conformance) async fn extend_shortens_a_lease_on_request(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    let shorten = |lease| Extend {
        queue: orders.clone(),
        partition: None,
        ids: vec![id, id],
        lease: Some(lease),
        may_shorten: true,
    };
    let deadline = fixture.after(SECOND);
    assert_eq!(fixture.store().extend(shorten(SECOND)).await, Ok(vec![Ok(deadline), Ok(deadline)]));
    assert_eq!(fixture.only_item(&orders).await.state, ItemState::Leased { deadline });
    assert_eq!(fixture.stats(&orders).await.counts.of(Event::Extended), 1);
    assert_eq!(fixture.store().extend(shorten(HOUR)).await, Ok(vec![Ok(fixture.after(HOUR)); 2]), "or extends it");
    assert_eq!(fixture.store().extend(shorten(Span::ZERO)).await, Ok(vec![Ok(fixture.now()); 2]));
    fixture.advance(INSTANT);
    assert_eq!(rejection(fixture.complete(&orders, id).await), Rejection::NoSuchItem(id));
    assert_eq!(fixture.lease_one(&orders).await.info.deliveries, 2);
}

pub(in crate::conformance) async fn an_extension_by_nothing_returns_the_deadline(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    let deadline = fixture.after(MINUTE);
    assert_eq!(extend(fixture, &orders, &[id], Some(Span::ZERO)).await, [Ok(deadline)]);
    fixture.advance(MINUTE);
    assert_eq!(extend(fixture, &orders, &[id], Some(Span::ZERO)).await, [Ok(deadline)], "at its last instant");
    assert_eq!(fixture.stats(&orders).await.counts.of(Event::Extended), 0);
}

// Notes

fn note(lease: Span, error: Option<&str>, verdict: Option<&str>, parts: &[&str]) -> SettleAction {
    let notes = DeliveryNotes {
        error: error.map(str::to_owned),
        verdict: verdict.map(str::to_owned),
        parts: parts.iter().map(|part| (*part).to_owned()).collect(),
    };
    SettleAction::Note { lease, notes: Box::new(notes) }
}

pub(in crate::conformance) async fn notes_are_delivered_until_they_are_replaced(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let steps = [
        (Some("first"), None, &[][..]),
        (None, None, &["x", "y"]),
        (Some(""), Some("condemned"), &[]),
        (None, Some("condemned again"), &["x"]),
        (None, None, &[]),
    ];
    let mut expected = DeliveryContext::default();
    // More losses than attempts are kept.
    for (error, verdict, parts) in steps.into_iter().cycle().take(30) {
        let held = fixture.lease_one(&orders).await;
        let context = Some(Box::new(expected.clone())).filter(|context| **context != DeliveryContext::default());
        assert_eq!(held.context, context);
        assert_eq!(held.info.is_hand_over_only, expected.verdict.is_some());
        let deadline = fixture.after(MINUTE);
        let action = note(SECOND, error, verdict, parts);
        let settle = Settle::all(orders.clone(), None, vec![held.info.id], &action);
        assert_eq!(fixture.store().settle(settle).await, Ok(vec![Ok(Settled::Kept { deadline })]));
        expected.error = error.map(str::to_owned).or(expected.error);
        expected.verdict = verdict.map(str::to_owned).or(expected.verdict);
        if !parts.is_empty() {
            expected.parts = Some(parts.iter().map(|part| (*part).to_owned()).collect());
        }
        fixture.settle(&orders, held.info.id, SettleAction::Lost).await.unwrap();
    }
    assert_eq!(fixture.stats(&orders).await.counts.of(Event::Noted), 30);
}

pub(in crate::conformance) async fn a_note_keeps_the_lease_and_may_extend_it(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.settle(&orders, id, note(HOUR, Some("e"), None, &[])).await.unwrap();
    fixture.advance(HOUR);
    fixture.complete(&orders, id).await.expect("the lease holds until its new deadline");
    assert_stale(fixture, &orders, id).await;
}

pub(in crate::conformance) async fn a_note_and_another_action_are_one_request(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    let delay = Span::from_secs(5);
    let later = SettleAction::Retry { at: RetryAt::After(delay), attempt: None, charged: false };
    let items = [note(Span::ZERO, Some("e"), None, &[]), later].map(|action| Settlement { id, action }).to_vec();
    let settle = Settle { queue: orders.clone(), partition: None, items, on_rejected: OnRejected::Stop };
    let settled = fixture.store().settle(settle).await.unwrap();
    let (deadline, at) = (fixture.after(MINUTE), Some(fixture.after(delay)));
    assert_eq!(settled, [Ok(Settled::Kept { deadline }), Ok(Settled::Requeued { at })]);
    fixture.advance(delay.saturating_sub(INSTANT));
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.advance(INSTANT);
    let again = fixture.lease_one(&orders).await;
    assert_eq!((again.info.deliveries, again.info.attempts), (2, 1));
    assert_eq!(again.context.and_then(|context| context.error).as_deref(), Some("e"));
}

pub(in crate::conformance) async fn an_item_for_hand_over_only_does_not_expire(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.expire_timeout = MINUTE).await;
    fixture.produce(&orders, &["noted", "redelivered", "neither"]).await;
    let held = ids(&fixture.lease(&orders, 3).await.items);
    fixture.settle(&orders, held[0], note(Span::ZERO, None, Some("condemned"), &[])).await.unwrap();
    let redeliver = SettleAction::RedeliverForHandOver { at: fixture.after(HOUR), attempt: None };
    fixture.settle(&orders, held[1], redeliver).await.unwrap();
    fixture.advance(HOUR);
    let left = fixture.lease(&orders, 5).await;
    assert_eq!(payloads(&left.items), ["noted", "redelivered"]);
    assert!(left.items.iter().all(|item| item.info.is_hand_over_only && item.info.expires_at.is_none()));
}

pub(in crate::conformance) async fn notes_that_are_too_long_are_rejected(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    let long = "x".repeat(DeliveryNotes::BYTES_MAX + 1);
    let all = [
        note(SECOND, Some(&long), None, &[]),
        note(SECOND, None, Some(&long), &[]),
        note(SECOND, None, None, &[&long[..long.len() / 2], &long[..long.len() / 2]]),
    ];
    for action in all {
        let rejected = rejection(fixture.settle(&orders, id, action).await);
        assert_eq!(rejected, Rejection::ValueTooLong { most: DeliveryNotes::BYTES_MAX });
    }
    fixture.complete(&orders, id).await.expect("a rejected note keeps the lease");
}

pub(in crate::conformance) async fn a_stale_id_extends_nothing_and_does_not_affect_the_others(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a", "b"]).await;
    let both = ids(&fixture.lease(&orders, 2).await.items);
    fixture.complete(&orders, both[1]).await.unwrap();
    let extended = extend(fixture, &orders, &[both[1], both[0]], Some(HOUR)).await;
    assert_eq!(extended, [Err(Rejection::NoSuchItem(both[1])), Ok(fixture.after(HOUR))]);
    assert_eq!(fixture.only_item(&orders).await.state, ItemState::Leased { deadline: fixture.after(HOUR) });
}

pub(in crate::conformance) async fn an_expired_lease_is_not_extended(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(extend(fixture, &orders, &[id], None).await, [Err(Rejection::NoSuchItem(id))]);
    let waiting = fixture.only_item(&orders).await.id;
    let rejected = extend(fixture, &orders, &[waiting], None).await;
    assert_eq!(rejected, [Err(Rejection::NotLeased { id: waiting, verb: "extended" })]);
}

// Release and defer

pub(in crate::conformance) async fn release_gives_the_attempt_back(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.settle(&orders, id, SettleAction::Release).await.unwrap();
    let back = fixture.only_item(&orders).await;
    assert_eq!((back.attempts, back.deliveries, back.state), (0, 0, ItemState::Ready));
    assert!(back.id > id, "under a new id");
    let again = fixture.lease_one(&orders).await;
    assert_eq!((again.info.attempts, again.info.deliveries), (1, 1));
}

pub(in crate::conformance) async fn a_released_item_has_its_former_place(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a", "b", "c", "d"]).await;
    let held = fixture.lease(&orders, 2).await;
    fixture.produce(&orders, &["e"]).await;
    let mut former = ids(&held.items);
    for id in former.iter().rev() {
        fixture.settle(&orders, *id, SettleAction::Release).await.unwrap();
    }
    assert_eq!(payloads(&fixture.items(&orders, 0).await), ["a", "b", "c", "d", "e"]);
    // However often it is released, each delivery has another id.
    for _ in 0..3 {
        let held = fixture.lease_one(&orders).await;
        assert_eq!(payload(&held), "a");
        assert!(!former.contains(&held.info.id), "an id came back");
        former.push(held.info.id);
        fixture.settle(&orders, held.info.id, SettleAction::Release).await.unwrap();
    }
    assert_eq!(payloads(&fixture.lease(&orders, 5).await.items), ["a", "b", "c", "d", "e"]);
}

pub(in crate::conformance) async fn an_item_that_is_released_after_a_clear_stays(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a", "b"]).await;
    let held = fixture.lease_one(&orders).await.info.id;
    let clear = Clear { queue: orders.clone(), ready: true, destructive: false, scheduled: false };
    assert_eq!(fixture.store().clear(clear).await, Ok(1));
    fixture.produce(&orders, &["c"]).await;
    fixture.settle(&orders, held, SettleAction::Release).await.unwrap();
    assert_eq!(payloads(&fixture.lease(&orders, 5).await.items), ["c", "a"]);
}

pub(in crate::conformance) async fn a_released_item_does_not_die_of_its_attempts(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.max_attempts = 1).await;
    fixture.produce(&orders, &["a"]).await;
    for _ in 0..5 {
        let held = fixture.lease_one(&orders).await;
        fixture.settle(&orders, held.info.id, SettleAction::Release).await.unwrap();
    }
    assert_eq!(fixture.numbers(&orders).await.0, 1);
}

pub(in crate::conformance) async fn a_deferred_item_comes_later_and_spends_nothing(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.settle(&orders, id, SettleAction::Defer { until: fixture.after(HOUR) }).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 1));
    fixture.advance(HOUR.saturating_sub(INSTANT));
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.advance(INSTANT);
    let again = fixture.lease_one(&orders).await;
    assert_eq!((again.info.attempts, again.info.deliveries), (1, 2));
    fixture.settle(&orders, again.info.id, SettleAction::Defer { until: Time::MIN }).await.unwrap();
    assert_eq!(fixture.lease_one(&orders).await.info.attempts, 1, "a past time means now");
}

pub(in crate::conformance) async fn a_deferral_is_not_early_by_a_tenth_of_a_second(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.settle(&orders, id, SettleAction::Defer { until: fixture.after(Span::from_millis(50)) }).await.unwrap();
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.advance(Span::from_millis(50));
    fixture.lease_one(&orders).await;
}

// Complete

pub(in crate::conformance) async fn complete_removes_the_item(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.complete(&orders, id).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    fixture.assert_no_item(&orders, id).await;
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Completed), 1);
}

pub(in crate::conformance) async fn completing_twice_is_an_error(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.complete(&orders, id).await.unwrap();
    assert_eq!(rejection(fixture.complete(&orders, id).await), Rejection::NoSuchItem(id));
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Completed), 1, "it is counted once");
}

pub(in crate::conformance) async fn an_id_is_settled_once_in_one_request(fixture: &StoreFixture) {
    for verb in every_verb(fixture.after(HOUR)) {
        let orders = fixture.orders(&["a", "b"]).await;
        let held = ids(&fixture.lease(&orders, 2).await.items);
        let settled = fixture.settle_many(&orders, vec![held[0], held[0], held[1]], &verb).await;
        let expected = SettleProgress { done: 1, rejected: Some(Rejection::NoSuchItem(held[0])) };
        assert_eq!(settled, expected, "{verb:?}");
        assert_eq!(fixture.numbers(&orders).await.1, 1, "{verb:?}: the items after it are not settled");
        fixture.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn items_before_an_invalid_id_stay_settled(fixture: &StoreFixture) {
    for verb in every_verb(fixture.after(HOUR)) {
        let orders = fixture.orders(&["a", "b", "c", "d"]).await;
        let held = ids(&fixture.lease(&orders, 4).await.items);
        fixture.complete(&orders, held[2]).await.unwrap();
        let settled = fixture.settle_many(&orders, held.clone(), &verb).await;
        let expected = SettleProgress { done: 2, rejected: Some(Rejection::NoSuchItem(held[2])) };
        assert_eq!(settled, expected, "{verb:?}");
        assert_eq!(fixture.numbers(&orders).await.1, 1, "{verb:?}: the last is still leased");
        fixture.complete(&orders, held[3]).await.unwrap();
        fixture.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn a_rejected_id_does_not_affect_the_others(fixture: &StoreFixture) {
    for verb in every_verb(fixture.after(HOUR)) {
        let orders = fixture.orders(&["a", "b", "c"]).await;
        let held = ids(&fixture.lease(&orders, 3).await.items);
        fixture.complete(&orders, held[1]).await.unwrap();
        let answers = fixture.store().settle(Settle::all(orders.clone(), None, held.clone(), &verb)).await.unwrap();
        let are_settled: Vec<bool> = answers.iter().map(Result::is_ok).collect();
        assert_eq!(are_settled, [true, false, true], "{verb:?}");
        assert_eq!(answers[1], Err(Rejection::NoSuchItem(held[1])), "{verb:?}");
        assert_eq!(fixture.numbers(&orders).await.1, 0, "{verb:?}: none is leased any more");
        fixture.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn an_error_names_the_first_item_that_was_not_settled(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a", "b", "c"]).await;
    let held = ids(&fixture.lease(&orders, 3).await.items);
    fixture.store().release(orders.clone(), 0, vec![held[1]]).await.unwrap();
    let answer = fixture.store().complete(orders.clone(), 0, held.clone()).await;
    assert_eq!(rejection(answer), Rejection::NoSuchItem(held[1]));
    let left = fixture.items(&orders, 0).await;
    assert_eq!(payloads(&left), ["b", "c"], "the first is completed, the last is still leased");
}

pub(in crate::conformance) async fn each_item_of_a_request_may_have_another_action(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce(&orders, &["done", "again", "later", "dead", "back", "done too"]).await;
    let held = ids(&fixture.lease(&orders, 6).await.items);
    let verbs = [complete(), retry(), retry_at(fixture.after(HOUR)), dead(), SettleAction::Release, complete()];
    let items = held.into_iter().zip(verbs).map(|(id, action)| Settlement { id, action }).collect();
    let settle = Settle { queue: orders.clone(), partition: Some(0), items, on_rejected: OnRejected::Continue };
    let answers: Vec<Settled> = fixture.store().settle(settle).await.unwrap().into_iter().map(Result::unwrap).collect();
    let expected = [
        Settled::Completed,
        Settled::Requeued { at: None },
        Settled::Requeued { at: Some(fixture.after(HOUR)) },
        Settled::Moved { to: dead_queue.clone() },
        Settled::Requeued { at: None },
        Settled::Completed,
    ];
    assert_eq!(answers, expected);
    assert_eq!(payloads(&fixture.items(&orders, 0).await), ["back", "again"]);
    assert_eq!(payloads(&fixture.scheduled(&orders, 0).await), ["later"]);
    assert_eq!(payloads(&fixture.items(&dead_queue, 0).await), ["dead"]);
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Completed), 2);
}

// Ownership

pub(in crate::conformance) async fn an_item_of_another_partition_does_not_exist(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 2).await;
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease(&orders, 1).await;
    let id = held.items[0].info.id;
    let other = 1 - held.partition;
    for verb in every_verb(fixture.after(HOUR)) {
        let rejected = fixture.store().settle_all(orders.clone(), Some(other), vec![id], verb).await;
        assert_eq!(rejection(rejected), Rejection::NoSuchItem(id));
    }
    let extend =
        Extend { queue: orders.clone(), partition: Some(other), ids: vec![id], lease: None, may_shorten: false };
    assert_eq!(fixture.store().extend(extend).await, Ok(vec![Err(Rejection::NoSuchItem(id))]));
    fixture.store().complete(orders, held.partition, vec![id]).await.unwrap();
}

pub(in crate::conformance) async fn an_unknown_partition_is_rejected(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    for verb in every_verb(fixture.after(HOUR)) {
        let rejected = fixture.store().settle_all(orders.clone(), Some(1), vec![id], verb).await;
        assert_eq!(rejection(rejected), Rejection::NoSuchPartition(1));
    }
    let extend = Extend { queue: orders.clone(), partition: Some(1), ids: vec![id], lease: None, may_shorten: false };
    assert_eq!(rejection(fixture.store().extend(extend).await), Rejection::NoSuchPartition(1));
}

pub(in crate::conformance) async fn an_item_of_another_queue_does_not_exist(fixture: &StoreFixture) {
    let (_, id) = held(fixture).await;
    let others = fixture.queue("others").await;
    assert_eq!(rejection(fixture.complete(&others, id).await), Rejection::NoSuchItem(id));
}

pub(in crate::conformance) async fn an_item_without_a_lease_is_not_settled(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let id = fixture.produce(&orders, &["a"]).await[0];
    for (verb, participle) in every_verb(fixture.after(HOUR)).into_iter().zip(EVERY_VERB) {
        let rejected = fixture.settle(&orders, id, verb).await;
        assert_eq!(rejection(rejected), Rejection::NotLeased { id, verb: participle });
    }
    assert_eq!(fixture.lease_one(&orders).await.info.attempts, 1);
}

pub(in crate::conformance) async fn a_scheduled_item_does_not_exist_for_holders(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let id = fixture.produce_one(&orders, item_at("a", fixture.after(HOUR))).await;
    assert_eq!(rejection(fixture.complete(&orders, id).await), Rejection::NoSuchItem(id));
    assert_eq!(rejection(fixture.settle(&orders, id, retry()).await), Rejection::NoSuchItem(id));
}

/// Checks that an id cannot be settled any more.
async fn assert_stale(fixture: &StoreFixture, queue: &QueueName, id: ItemId) {
    let before = fixture.numbers(queue).await;
    for verb in every_verb(fixture.after(HOUR)) {
        let rejected = rejection(fixture.settle(queue, id, verb).await);
        assert_eq!(rejected, Rejection::NoSuchItem(id));
    }
    assert_eq!(fixture.numbers(queue).await, before, "a stale holder changed something");
}

pub(in crate::conformance) async fn an_id_is_stale_after_its_lease_expired(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_stale(fixture, &orders, id).await;
    let next = fixture.lease_one(&orders).await;
    assert_stale(fixture, &orders, id).await;
    fixture.complete(&orders, next.info.id).await.unwrap();
    assert_stale(fixture, &orders, id).await;
}

pub(in crate::conformance) async fn an_id_is_stale_after_each_action(fixture: &StoreFixture) {
    for verb in every_verb(fixture.after(HOUR)) {
        let (orders, id) = held(fixture).await;
        fixture.settle(&orders, id, verb).await.unwrap();
        assert_stale(fixture, &orders, id).await;
        fixture.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
    let (orders, id) = held(fixture).await;
    fixture.settle(&orders, id, retry_at(fixture.after(HOUR))).await.unwrap();
    assert_stale(fixture, &orders, id).await;
}

// Retry

pub(in crate::conformance) async fn a_retry_goes_to_the_tail_under_a_new_id(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.produce(&orders, &["b"]).await;
    fixture.settle(&orders, id, retry()).await.unwrap();
    let both = fixture.lease(&orders, 2).await.items;
    assert_eq!(payloads(&both), ["b", "a"]);
    assert!(both[1].info.id > id);
    assert_eq!(both[1].info.attempts, 2, "the next lease adds one");
    assert_eq!(fixture.stats(&orders).await.counts.of(Event::Retried), 1);
}

pub(in crate::conformance) async fn a_retry_that_is_due_is_a_retry_now(fixture: &StoreFixture) {
    for at in [fixture.now(), Time::MIN] {
        let (orders, id) = held(fixture).await;
        fixture.settle(&orders, id, retry_at(at)).await.unwrap();
        fixture.lease_one(&orders).await;
        fixture.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn a_later_retry_is_never_early(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.settle(&orders, id, retry_at(fixture.after(HOUR))).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 1));
    assert_eq!(fixture.scheduled(&orders, 0).await[0].info.state, ItemState::Scheduled { at: fixture.after(HOUR) });
    fixture.advance(HOUR.saturating_sub(INSTANT));
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.advance(INSTANT);
    let again = fixture.lease_one(&orders).await;
    assert!(again.info.id > id, "a new id when it is due");
    assert_eq!(again.info.attempts, 2);
}

pub(in crate::conformance) async fn a_retry_honours_max_attempts(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.max_attempts = 2).await;
    fixture.produce(&orders, &["a"]).await;
    let first = fixture.lease_one(&orders).await;
    fixture.settle(&orders, first.info.id, retry()).await.unwrap();
    let second = fixture.lease_one(&orders).await;
    fixture.settle(&orders, second.info.id, retry_at(fixture.after(HOUR))).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0), "no third attempt, not even later");
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Dropped), 1);
}

pub(in crate::conformance) async fn a_lost_lease_honours_max_attempts(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.max_attempts = 2).await;
    fixture.produce(&orders, &["a"]).await;
    for left in [1, 0] {
        fixture.lease_one(&orders).await;
        fixture.advance(MINUTE.saturating_add(INSTANT));
        assert_eq!(fixture.numbers(&orders).await.0, left);
    }
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Dropped), 1);
}

pub(in crate::conformance) async fn a_retry_that_is_not_charged_gives_the_attempt_back(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.max_attempts = 1).await;
    fixture.produce(&orders, &["a"]).await;
    for _ in 0..4 {
        let held = fixture.lease_one(&orders).await;
        assert_eq!(held.info.attempts, 1);
        let verb = SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: false };
        fixture.settle(&orders, held.info.id, verb).await.unwrap();
    }
    assert_eq!(fixture.lease_one(&orders).await.info.deliveries, 5);
}

pub(in crate::conformance) async fn without_max_attempts_there_is_no_limit(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    for number in 1..=40 {
        let held = fixture.lease_one(&orders).await;
        assert_eq!(held.info.attempts, number);
        fixture.settle(&orders, held.info.id, retry()).await.unwrap();
    }
}

pub(in crate::conformance) async fn a_given_up_item_without_a_dead_queue_is_dropped(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    fixture.settle(&orders, id, dead()).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Dropped), 1);
}

pub(in crate::conformance) async fn an_item_is_redelivered_for_its_hand_over_only(fixture: &StoreFixture) {
    let (orders, id) = held(fixture).await;
    let record = Box::new(attempt("poison", Category::Permanent));
    fixture
        .settle(&orders, id, SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: Some(record) })
        .await
        .unwrap();
    let again = fixture.lease_one(&orders).await;
    assert!(again.info.is_hand_over_only && again.info.id > id);
    assert_eq!(payload(&again), "a");
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert!(fixture.lease_one(&orders).await.info.is_hand_over_only, "the mark is kept");
}

async fn expired_while_held(fixture: &StoreFixture) -> (QueueName, StoredItem) {
    let orders = fixture.queue_with("orders", |settings| settings.expire_timeout = MINUTE).await;
    fixture.produce(&orders, &["a"]).await;
    fixture.advance(Span::from_secs(30));
    let held = fixture.lease_one(&orders).await;
    fixture.advance(Span::from_secs(45));
    (orders, held)
}

pub(in crate::conformance) async fn an_item_that_expired_while_leased_dies_when_released(fixture: &StoreFixture) {
    for verb in [retry(), SettleAction::Release] {
        let (orders, held) = expired_while_held(fixture).await;
        let waiter = fixture.wait(&orders, 1).await;
        fixture.settle(&orders, held.info.id, verb.clone()).await.unwrap();
        waiter.assert_waits(fixture).await;
        waiter.disconnect(fixture).await;
        assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Expired), 1, "{verb:?}");
        fixture.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn an_item_that_expired_while_leased_may_be_completed(fixture: &StoreFixture) {
    let (orders, held) = expired_while_held(fixture).await;
    fixture.complete(&orders, held.info.id).await.unwrap();
}

pub(in crate::conformance) async fn failures_before_the_last_are_remembered(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 3).await;
    fixture.produce_items(&orders, vec![item("a")]).await;
    for (error, category) in
        [("first", Category::Network), ("second", Category::Resource), ("third", Category::Validation)]
    {
        let held = fixture.lease_one(&orders).await;
        fixture.settle(&orders, held.info.id, failed(error, category)).await.unwrap();
        fixture.advance(SECOND);
    }
    let letter = fixture.only_item(&dead_queue).await.letter.expect("a letter");
    assert_eq!(letter.category, Category::Validation, "of the newest failure");
    let record = fixture.record(&dead_queue, letter.id).await;
    let errors: Vec<_> = record.attempts.iter().map(|attempt| attempt.error.as_str()).collect();
    assert_eq!(errors, ["first", "second", "third"]);
    let (first, last) = (fixture.now().saturating_sub(Span::from_secs(3)), fixture.now().saturating_sub(SECOND));
    assert_eq!((letter.first_failed_at, letter.last_failed_at), (first, last));
}
