//! Emptying queues.

use crate::conformance::bed::Bed;
use redrive_core::QueueName;
use redrive_model::{Clear, DeleteItems, EndReason, Rejection, SettleAction};

use crate::conformance::words::{
    HOUR, complete, failure, failure_for_good, ids, item, item_at, item_named, payloads, refusal, retry_at,
};

const READY: [bool; 3] = [true, false, false];
const ALL_BUT_SCHEDULED: [bool; 3] = [true, true, false];
const SCHEDULED: [bool; 3] = [false, false, true];
const EVERYTHING: [bool; 3] = [true, true, true];

async fn clear(bed: &Bed, queue: &QueueName, [ready, destructive, scheduled]: [bool; 3]) -> u64 {
    bed.store().clear(Clear { queue: queue.clone(), ready, destructive, scheduled }).await.unwrap()
}

/// Two partitions with: 2 held, 3 ready, 1 scheduled, 1 scheduled retry.
async fn mixed(bed: &Bed) -> QueueName {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 2).await;
    let later = bed.after(HOUR);
    bed.produce_items(&orders, vec![item("a"), item("b"), item("c"), item_at("later", later)]).await;
    bed.produce(&orders, &["d", "e", "f"]).await;
    for _ in 0..3 {
        bed.lease(&orders, 1).await;
    }
    let held = [bed.items(&orders, 0).await, bed.items(&orders, 1).await].concat();
    let held = held.iter().find(|item| item.info.attempts > 0).expect("three are held");
    bed.settle(&orders, held.info.id, retry_at(later)).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (5, 2, 2));
    orders
}

pub(in crate::conformance) async fn clearing_takes_what_nobody_holds(bed: &Bed) {
    let orders = mixed(bed).await;
    assert_eq!(clear(bed, &orders, READY).await, 3);
    assert_eq!(bed.numbers(&orders).await, (2, 2, 2));
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Purged), 3);
    bed.assert_nothing_to_lease(&orders).await;
}

pub(in crate::conformance) async fn destructive_clearing_takes_what_is_held_too(bed: &Bed) {
    let orders = mixed(bed).await;
    let held = [bed.items(&orders, 0).await, bed.items(&orders, 1).await].concat();
    let held: Vec<_> = held.into_iter().filter(|item| item.info.attempts > 0).collect();
    assert_eq!(clear(bed, &orders, ALL_BUT_SCHEDULED).await, 5);
    assert_eq!(bed.numbers(&orders).await, (0, 0, 2));
    for id in ids(&held) {
        assert_eq!(refusal(bed.complete(&orders, id).await), Rejection::NoSuchItem(id));
    }
}

pub(in crate::conformance) async fn clearing_the_schedule_takes_scheduled_retries_too(bed: &Bed) {
    let orders = mixed(bed).await;
    assert_eq!(clear(bed, &orders, SCHEDULED).await, 2);
    assert_eq!(bed.numbers(&orders).await, (5, 2, 0));
}

pub(in crate::conformance) async fn clearing_everything_leaves_nothing(bed: &Bed) {
    let orders = mixed(bed).await;
    assert_eq!(clear(bed, &orders, EVERYTHING).await, 7);
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
    assert_eq!(clear(bed, &orders, EVERYTHING).await, 0);
    bed.advance(HOUR);
    bed.assert_nothing_to_lease(&orders).await;
    bed.produce(&orders, &["new"]).await;
    assert_eq!(payloads(&bed.lease(&orders, 1).await.items), ["new"]);
}

pub(in crate::conformance) async fn destructive_alone_is_no_request(bed: &Bed) {
    let orders = mixed(bed).await;
    for destructive in [false, true] {
        let request = Clear { queue: orders.clone(), ready: false, destructive, scheduled: false };
        assert_eq!(refusal(bed.store().clear(request).await), Rejection::NothingToClear);
    }
    assert_eq!(bed.numbers(&orders).await, (5, 2, 2));
}

pub(in crate::conformance) async fn clearing_frees_message_ids(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_named("a", "m-1")).await;
    clear(bed, &orders, READY).await;
    bed.produce_one(&orders, item_named("b", "m-1")).await;
    assert_eq!(payloads(&bed.lease(&orders, 1).await.items), ["b"]);
}

pub(in crate::conformance) async fn what_comes_back_after_a_clearing_stays(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["released", "retried", "deferred", "done"]).await;
    let held = ids(&bed.lease(&orders, 4).await.items);
    let kinds = [[true, false, true], READY, SCHEDULED];
    for kind in kinds {
        assert_eq!(clear(bed, &orders, kind).await, 0, "everything is held");
    }
    bed.settle(&orders, held[0], SettleAction::Release).await.unwrap();
    bed.settle(&orders, held[1], retry_at(bed.after(HOUR))).await.unwrap();
    bed.settle(&orders, held[2], SettleAction::Defer { until: bed.after(HOUR) }).await.unwrap();
    bed.settle(&orders, held[3], complete()).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (1, 0, 2));
    bed.advance(HOUR);
    assert_eq!(bed.lease(&orders, 9).await.items.len(), 3);
}

pub(in crate::conformance) async fn held_items_outlive_a_clearing_of_the_others(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a", "b"]).await;
    let held = bed.lease(&orders, 1).await;
    bed.produce_one(&orders, item_at("later", bed.after(HOUR))).await;
    assert_eq!(clear(bed, &orders, [true, false, true]).await, 2);
    bed.settle(&orders, held.items[0].info.id, retry_at(bed.after(HOUR))).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (0, 0, 1), "its old id is older than the clearing");
    bed.advance(HOUR);
    assert_eq!(payloads(&bed.lease(&orders, 9).await.items), ["a"]);
}

pub(in crate::conformance) async fn clearing_takes_letters_that_are_live(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    bed.capture(&dead_queue, failure("due")).await;
    bed.capture(&dead_queue, failure_for_good("waits")).await;
    let done = bed.capture(&dead_queue, failure_for_good("archived")).await.letter;
    bed.archive(&dead_queue, done).await;
    assert_eq!(clear(bed, &dead_queue, READY).await, 1);
    assert_eq!(clear(bed, &dead_queue, SCHEDULED).await, 1);
    let letters = bed.stats(&dead_queue).await.letters;
    assert_eq!((letters.live(), letters.of(redrive_core::Status::Archived)), (0, 1), "what is put away stays");
}

// Deleting items

async fn delete(bed: &Bed, queue: &QueueName, ids: Vec<redrive_core::ItemId>) -> u64 {
    bed.store().delete_items(DeleteItems { queue: queue.clone(), partition: 0, ids }).await.unwrap()
}

pub(in crate::conformance) async fn items_are_deleted_in_any_state(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let all = bed.produce_items(&orders, vec![item("held"), item("ready"), item_at("later", bed.after(HOUR))]).await;
    let held = bed.lease_one(&orders).await.info.id;
    assert_eq!(delete(bed, &orders, all).await, 3);
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
    assert_eq!(refusal(bed.complete(&orders, held).await), Rejection::NoSuchItem(held));
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Purged), 3);
}

pub(in crate::conformance) async fn unknown_ids_are_passed_over(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let ids = bed.produce(&orders, &["a", "b"]).await;
    assert_eq!(delete(bed, &orders, vec![ids[0], ids[0]]).await, 1, "named twice, deleted once");
    assert_eq!(delete(bed, &orders, ids).await, 1, "the rest");
}

pub(in crate::conformance) async fn items_of_another_partition_are_not_deleted(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 2).await;
    let first = bed.produce(&orders, &["a"]).await[0];
    let second = bed.produce(&orders, &["b"]).await[0];
    assert_eq!(delete(bed, &orders, vec![first, second]).await, 1);
    assert_eq!(payloads(&bed.lease(&orders, 1).await.items), ["b"]);
    let request = DeleteItems { queue: orders, partition: 2, ids: vec![second] };
    assert_eq!(refusal(bed.store().delete_items(request).await), Rejection::NoSuchPartition(2));
}

pub(in crate::conformance) async fn deleting_frees_message_ids(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let id = bed.produce_one(&orders, item_named("a", "m-1")).await;
    delete(bed, &orders, vec![id]).await;
    let again = bed.produce_one(&orders, item_named("b", "m-1")).await;
    assert_eq!(bed.only_item(&orders).await.id, again);
}
