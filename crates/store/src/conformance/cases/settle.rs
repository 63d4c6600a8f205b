//! What holders say about what they hold.

use crate::conformance::bed::Bed;
use redrive_core::{Category, ItemId, QueueName, Span, Time};
use redrive_model::{
    DeleteQueue, EndReason, Event, Extend, GetItem, ItemState, OnRejected, Rejection, RetryAt, Settle, SettleAction,
    Settled, Settlement, StoredItem,
};

use crate::conformance::words::{
    HOUR, HowFar, INSTANT, MINUTE, SECOND, attempt, complete, dead, failed, ids, item, item_at, payload, payloads,
    refusal, retry, retry_at,
};

/// A queue with one item, and who holds it.
async fn held(bed: &Bed) -> (QueueName, ItemId) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await;
    (orders, held.info.id)
}

async fn extend(bed: &Bed, queue: &QueueName, ids: &[ItemId], lease: Option<Span>) -> Vec<Result<Time, Rejection>> {
    let extend = Extend { queue: queue.clone(), partition: Some(0), ids: ids.to_vec(), lease };
    bed.store().extend(extend).await.unwrap()
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
        SettleAction::RedeliverForHandOver { attempt: None },
    ]
}

// Extend

pub(in crate::conformance) async fn extend_moves_the_deadline(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.advance(Span::from_secs(30));
    assert_eq!(extend(bed, &orders, &[id], None).await, [Ok(bed.after(MINUTE))], "by the queue's own time");
    assert_eq!(extend(bed, &orders, &[id], Some(HOUR)).await, [Ok(bed.after(HOUR))]);
    bed.advance(HOUR);
    bed.complete(&orders, id).await.expect("the lease holds until its new deadline");
}

pub(in crate::conformance) async fn extend_never_shortens_a_lease(bed: &Bed) {
    let (orders, id) = held(bed).await;
    let deadline = bed.after(MINUTE);
    assert_eq!(extend(bed, &orders, &[id], Some(SECOND)).await, [Ok(deadline)]);
    assert_eq!(bed.only_item(&orders).await.state, ItemState::Leased { deadline });
}

pub(in crate::conformance) async fn a_stale_id_extends_nothing_and_costs_its_neighbours_nothing(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a", "b"]).await;
    let both = ids(&bed.lease(&orders, 2).await.items);
    bed.complete(&orders, both[1]).await.unwrap();
    let extended = extend(bed, &orders, &[both[1], both[0]], Some(HOUR)).await;
    assert_eq!(extended, [Err(Rejection::NoSuchItem(both[1])), Ok(bed.after(HOUR))]);
    assert_eq!(bed.only_item(&orders).await.state, ItemState::Leased { deadline: bed.after(HOUR) });
}

pub(in crate::conformance) async fn a_lease_that_ran_out_is_not_extended(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(extend(bed, &orders, &[id], None).await, [Err(Rejection::NoSuchItem(id))]);
    let waiting = bed.only_item(&orders).await.id;
    let refused = extend(bed, &orders, &[waiting], None).await;
    assert_eq!(refused, [Err(Rejection::NotLeased { id: waiting, verb: "extended" })]);
}

// Giving back

pub(in crate::conformance) async fn release_gives_the_attempt_back(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.settle(&orders, id, SettleAction::Release).await.unwrap();
    let back = bed.only_item(&orders).await;
    assert_eq!((back.attempts, back.deliveries, back.state), (0, 1, ItemState::Ready));
    assert!(back.id > id, "under a new id");
    let again = bed.lease_one(&orders).await;
    assert_eq!((again.info.attempts, again.info.deliveries), (1, 2));
}

pub(in crate::conformance) async fn a_released_item_does_not_die_of_its_attempts(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.max_attempts = 1).await;
    bed.produce(&orders, &["a"]).await;
    for _ in 0..5 {
        let held = bed.lease_one(&orders).await;
        bed.settle(&orders, held.info.id, SettleAction::Release).await.unwrap();
    }
    assert_eq!(bed.numbers(&orders).await.0, 1);
}

pub(in crate::conformance) async fn a_deferred_item_comes_later_and_spends_nothing(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.settle(&orders, id, SettleAction::Defer { until: bed.after(HOUR) }).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (0, 0, 1));
    bed.advance(HOUR.saturating_sub(INSTANT));
    bed.assert_nothing_to_lease(&orders).await;
    bed.advance(INSTANT);
    let again = bed.lease_one(&orders).await;
    assert_eq!((again.info.attempts, again.info.deliveries), (1, 2));
    bed.settle(&orders, again.info.id, SettleAction::Defer { until: Time::MIN }).await.unwrap();
    assert_eq!(bed.lease_one(&orders).await.info.attempts, 1, "a time that has passed is now");
}

pub(in crate::conformance) async fn a_deferral_is_not_early_by_a_tenth_of_a_second(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.settle(&orders, id, SettleAction::Defer { until: bed.after(Span::from_millis(50)) }).await.unwrap();
    bed.assert_nothing_to_lease(&orders).await;
    bed.advance(Span::from_millis(50));
    bed.lease_one(&orders).await;
}

// Complete

pub(in crate::conformance) async fn complete_removes_the_item(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.complete(&orders, id).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
    assert_eq!(refusal(bed.store().item(GetItem { queue: orders.clone(), id }).await), Rejection::NoSuchItem(id));
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Completed), 1);
}

pub(in crate::conformance) async fn completing_twice_is_an_error(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.complete(&orders, id).await.unwrap();
    assert_eq!(refusal(bed.complete(&orders, id).await), Rejection::NoSuchItem(id));
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Completed), 1, "it is counted once");
}

pub(in crate::conformance) async fn an_id_is_settled_once_in_one_request(bed: &Bed) {
    for verb in every_verb(bed.after(HOUR)) {
        let orders = bed.queue("orders").await;
        bed.produce(&orders, &["a", "b"]).await;
        let held = ids(&bed.lease(&orders, 2).await.items);
        let settled = bed.settle_many(&orders, vec![held[0], held[0], held[1]], &verb).await;
        let expected = HowFar { done: 1, rejected: Some(Rejection::NoSuchItem(held[0])) };
        assert_eq!(settled, expected, "{verb:?}");
        assert_eq!(bed.numbers(&orders).await.1, 1, "{verb:?}: what is behind it is untouched");
        bed.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn what_stands_before_a_bad_id_stays_settled(bed: &Bed) {
    for verb in every_verb(bed.after(HOUR)) {
        let orders = bed.queue("orders").await;
        bed.produce(&orders, &["a", "b", "c", "d"]).await;
        let held = ids(&bed.lease(&orders, 4).await.items);
        bed.complete(&orders, held[2]).await.unwrap();
        let settled = bed.settle_many(&orders, held.clone(), &verb).await;
        let expected = HowFar { done: 2, rejected: Some(Rejection::NoSuchItem(held[2])) };
        assert_eq!(settled, expected, "{verb:?}");
        assert_eq!(bed.numbers(&orders).await.1, 1, "{verb:?}: the last is still held");
        bed.complete(&orders, held[3]).await.unwrap();
        bed.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn a_rejected_id_does_not_affect_the_others(bed: &Bed) {
    for verb in every_verb(bed.after(HOUR)) {
        let orders = bed.queue("orders").await;
        bed.produce(&orders, &["a", "b", "c"]).await;
        let held = ids(&bed.lease(&orders, 3).await.items);
        bed.complete(&orders, held[1]).await.unwrap();
        let answers = bed.store().settle(Settle::all(orders.clone(), None, held.clone(), &verb)).await.unwrap();
        let are_settled: Vec<bool> = answers.iter().map(Result::is_ok).collect();
        assert_eq!(are_settled, [true, false, true], "{verb:?}");
        assert_eq!(answers[1], Err(Rejection::NoSuchItem(held[1])), "{verb:?}");
        assert_eq!(bed.numbers(&orders).await.1, 0, "{verb:?}: none is held any more");
        bed.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn an_error_tells_of_the_first_that_was_not_settled(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a", "b", "c"]).await;
    let held = ids(&bed.lease(&orders, 3).await.items);
    bed.store().release(orders.clone(), 0, vec![held[1]]).await.unwrap();
    let answer = bed.store().complete(orders.clone(), 0, held.clone()).await;
    assert_eq!(refusal(answer), Rejection::NoSuchItem(held[1]));
    assert_eq!(payloads(&bed.items(&orders, 0).await), ["c", "b"], "the first is done, the last is still held");
}

pub(in crate::conformance) async fn each_item_of_a_request_may_end_in_its_own_way(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|_| {}).await;
    bed.produce(&orders, &["done", "again", "later", "dead", "back", "done too"]).await;
    let held = ids(&bed.lease(&orders, 6).await.items);
    let verbs = [complete(), retry(), retry_at(bed.after(HOUR)), dead(), SettleAction::Release, complete()];
    let items = held.into_iter().zip(verbs).map(|(id, action)| Settlement { id, action }).collect();
    let settle = Settle { queue: orders.clone(), partition: Some(0), items, on_rejected: OnRejected::Continue };
    let answers: Vec<Settled> = bed.store().settle(settle).await.unwrap().into_iter().map(Result::unwrap).collect();
    let expected = [
        Settled::Completed,
        Settled::Requeued { at: None },
        Settled::Requeued { at: Some(bed.after(HOUR)) },
        Settled::Moved { to: dead_queue.clone() },
        Settled::Requeued { at: None },
        Settled::Completed,
    ];
    assert_eq!(answers, expected);
    assert_eq!(payloads(&bed.items(&orders, 0).await), ["again", "back"]);
    assert_eq!(payloads(&bed.scheduled(&orders, 0).await), ["later"]);
    assert_eq!(payloads(&bed.items(&dead_queue, 0).await), ["dead"]);
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Completed), 2);
}

// Whose it is

pub(in crate::conformance) async fn an_item_of_another_partition_does_not_exist(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 2).await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease(&orders, 1).await;
    let id = held.items[0].info.id;
    let other = 1 - held.partition;
    for verb in every_verb(bed.after(HOUR)) {
        let refused = bed.store().settle_all(orders.clone(), Some(other), vec![id], verb).await;
        assert_eq!(refusal(refused), Rejection::NoSuchItem(id));
    }
    let extend = Extend { queue: orders.clone(), partition: Some(other), ids: vec![id], lease: None };
    assert_eq!(bed.store().extend(extend).await, Ok(vec![Err(Rejection::NoSuchItem(id))]));
    bed.store().complete(orders, held.partition, vec![id]).await.unwrap();
}

pub(in crate::conformance) async fn a_partition_that_is_not_there_is_refused(bed: &Bed) {
    let (orders, id) = held(bed).await;
    for verb in every_verb(bed.after(HOUR)) {
        let refused = bed.store().settle_all(orders.clone(), Some(1), vec![id], verb).await;
        assert_eq!(refusal(refused), Rejection::NoSuchPartition(1));
    }
    let extend = Extend { queue: orders.clone(), partition: Some(1), ids: vec![id], lease: None };
    assert_eq!(refusal(bed.store().extend(extend).await), Rejection::NoSuchPartition(1));
}

pub(in crate::conformance) async fn an_item_of_another_queue_does_not_exist(bed: &Bed) {
    let (_, id) = held(bed).await;
    let others = bed.queue("others").await;
    assert_eq!(refusal(bed.complete(&others, id).await), Rejection::NoSuchItem(id));
}

pub(in crate::conformance) async fn an_item_that_nobody_holds_is_not_settled(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let id = bed.produce(&orders, &["a"]).await[0];
    for (verb, participle) in every_verb(bed.after(HOUR)).into_iter().zip(EVERY_VERB) {
        let refused = bed.settle(&orders, id, verb).await;
        assert_eq!(refusal(refused), Rejection::NotLeased { id, verb: participle });
    }
    assert_eq!(bed.lease_one(&orders).await.info.attempts, 1);
}

pub(in crate::conformance) async fn a_scheduled_item_does_not_exist_for_holders(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let id = bed.produce_one(&orders, item_at("a", bed.after(HOUR))).await;
    assert_eq!(refusal(bed.complete(&orders, id).await), Rejection::NoSuchItem(id));
    assert_eq!(refusal(bed.settle(&orders, id, retry()).await), Rejection::NoSuchItem(id));
}

/// Whatever ended the lease, its id is worth nothing any more.
async fn assert_stale(bed: &Bed, queue: &QueueName, id: ItemId) {
    let before = bed.numbers(queue).await;
    for verb in every_verb(bed.after(HOUR)) {
        let refused = refusal(bed.settle(queue, id, verb).await);
        assert_eq!(refused, Rejection::NoSuchItem(id));
    }
    assert_eq!(bed.numbers(queue).await, before, "a stale holder changed something");
}

pub(in crate::conformance) async fn an_id_is_stale_after_its_lease_ran_out(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_stale(bed, &orders, id).await;
    let next = bed.lease_one(&orders).await;
    assert_stale(bed, &orders, id).await;
    bed.complete(&orders, next.info.id).await.unwrap();
    assert_stale(bed, &orders, id).await;
}

pub(in crate::conformance) async fn an_id_is_stale_after_each_verb(bed: &Bed) {
    for verb in every_verb(bed.after(HOUR)) {
        let (orders, id) = held(bed).await;
        bed.settle(&orders, id, verb).await.unwrap();
        assert_stale(bed, &orders, id).await;
        bed.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
    let (orders, id) = held(bed).await;
    bed.settle(&orders, id, retry_at(bed.after(HOUR))).await.unwrap();
    assert_stale(bed, &orders, id).await;
}

// Retry

pub(in crate::conformance) async fn a_retry_goes_to_the_tail_under_a_new_id(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.produce(&orders, &["b"]).await;
    bed.settle(&orders, id, retry()).await.unwrap();
    let both = bed.lease(&orders, 2).await.items;
    assert_eq!(payloads(&both), ["b", "a"]);
    assert!(both[1].info.id > id);
    assert_eq!(both[1].info.attempts, 2, "the next lease adds one");
    assert_eq!(bed.stats(&orders).await.tally.of(Event::Retried), 1);
}

pub(in crate::conformance) async fn a_retry_that_is_due_is_a_retry_now(bed: &Bed) {
    for at in [bed.now(), Time::MIN] {
        let (orders, id) = held(bed).await;
        bed.settle(&orders, id, retry_at(at)).await.unwrap();
        bed.lease_one(&orders).await;
        bed.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn a_later_retry_is_never_early(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.settle(&orders, id, retry_at(bed.after(HOUR))).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (0, 0, 1));
    assert_eq!(bed.scheduled(&orders, 0).await[0].info.state, ItemState::Scheduled { at: bed.after(HOUR) });
    bed.advance(HOUR.saturating_sub(INSTANT));
    bed.assert_nothing_to_lease(&orders).await;
    bed.advance(INSTANT);
    let again = bed.lease_one(&orders).await;
    assert!(again.info.id > id, "a new id when its time comes");
    assert_eq!(again.info.attempts, 2);
}

pub(in crate::conformance) async fn a_retry_honours_max_attempts(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.max_attempts = 2).await;
    bed.produce(&orders, &["a"]).await;
    let first = bed.lease_one(&orders).await;
    bed.settle(&orders, first.info.id, retry()).await.unwrap();
    let second = bed.lease_one(&orders).await;
    bed.settle(&orders, second.info.id, retry_at(bed.after(HOUR))).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0), "no third attempt, also later");
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Dropped), 1);
}

pub(in crate::conformance) async fn a_lost_lease_honours_max_attempts(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.max_attempts = 2).await;
    bed.produce(&orders, &["a"]).await;
    for left in [1, 0] {
        bed.lease_one(&orders).await;
        bed.advance(MINUTE.saturating_add(INSTANT));
        assert_eq!(bed.numbers(&orders).await.0, left);
    }
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Dropped), 1);
}

pub(in crate::conformance) async fn a_retry_that_is_not_charged_gives_the_attempt_back(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.max_attempts = 1).await;
    bed.produce(&orders, &["a"]).await;
    for _ in 0..4 {
        let held = bed.lease_one(&orders).await;
        assert_eq!(held.info.attempts, 1);
        let verb = SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: false };
        bed.settle(&orders, held.info.id, verb).await.unwrap();
    }
    assert_eq!(bed.lease_one(&orders).await.info.deliveries, 5);
}

pub(in crate::conformance) async fn without_max_attempts_there_is_no_limit(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    for number in 1..=40 {
        let held = bed.lease_one(&orders).await;
        assert_eq!(held.info.attempts, number);
        bed.settle(&orders, held.info.id, retry()).await.unwrap();
    }
}

pub(in crate::conformance) async fn what_is_given_up_without_a_dead_queue_is_gone(bed: &Bed) {
    let (orders, id) = held(bed).await;
    bed.settle(&orders, id, dead()).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Dropped), 1);
}

pub(in crate::conformance) async fn a_condemned_item_comes_back_for_its_hand_over_only(bed: &Bed) {
    let (orders, id) = held(bed).await;
    let record = Box::new(attempt("poison", Category::Permanent));
    bed.settle(&orders, id, SettleAction::RedeliverForHandOver { attempt: Some(record) }).await.unwrap();
    let again = bed.lease_one(&orders).await;
    assert!(again.info.is_hand_over_only && again.info.id > id);
    assert_eq!(payload(&again), "a");
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert!(bed.lease_one(&orders).await.info.is_hand_over_only, "it stays so");
}

async fn expired_while_held(bed: &Bed) -> (QueueName, StoredItem) {
    let orders = bed.queue_with("orders", |settings| settings.expire_timeout = MINUTE).await;
    bed.produce(&orders, &["a"]).await;
    bed.advance(Span::from_secs(30));
    let held = bed.lease_one(&orders).await;
    bed.advance(Span::from_secs(45));
    (orders, held)
}

pub(in crate::conformance) async fn an_item_that_expired_while_leased_dies_when_given_back(bed: &Bed) {
    for verb in [retry(), SettleAction::Release] {
        let (orders, held) = expired_while_held(bed).await;
        let waiter = bed.wait(&orders, 1).await;
        bed.settle(&orders, held.info.id, verb.clone()).await.unwrap();
        waiter.assert_waits(bed).await;
        waiter.vanish(bed).await;
        assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Expired), 1, "{verb:?}");
        bed.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    }
}

pub(in crate::conformance) async fn an_item_that_expired_while_leased_may_be_completed(bed: &Bed) {
    let (orders, held) = expired_while_held(bed).await;
    bed.complete(&orders, held.info.id).await.unwrap();
}

pub(in crate::conformance) async fn failures_before_the_last_are_remembered(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.max_attempts = 3).await;
    bed.produce_items(&orders, vec![item("a")]).await;
    for (error, category) in
        [("first", Category::Network), ("second", Category::Resource), ("third", Category::Validation)]
    {
        let held = bed.lease_one(&orders).await;
        bed.settle(&orders, held.info.id, failed(error, category)).await.unwrap();
        bed.advance(SECOND);
    }
    let letter = bed.only_item(&dead_queue).await.letter.expect("a letter");
    assert_eq!(letter.category, Category::Validation, "of the newest failure");
    let record = bed.record(&dead_queue, letter.id).await;
    let errors: Vec<_> = record.attempts.iter().map(|attempt| attempt.error.as_str()).collect();
    assert_eq!(errors, ["first", "second", "third"]);
    let (first, last) = (bed.now().saturating_sub(Span::from_secs(3)), bed.now().saturating_sub(SECOND));
    assert_eq!((letter.first_failed_at, letter.last_failed_at), (first, last));
}
