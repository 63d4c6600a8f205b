//! Clearing queues and deleting items.

use crate::conformance::fixture::StoreFixture;
use redrive_core::QueueName;
use redrive_model::{Clear, DeleteItems, EndReason, Rejection, SettleAction};

use crate::conformance::samples::{
    HOUR, complete, failure, failure_for_good, ids, item, item_at, item_named, payloads, rejection, retry_at,
};

const READY: [bool; 3] = [true, false, false];
const ALL_BUT_SCHEDULED: [bool; 3] = [true, true, false];
const SCHEDULED: [bool; 3] = [false, false, true];
const EVERYTHING: [bool; 3] = [true, true, true];

async fn clear(fixture: &StoreFixture, queue: &QueueName, [ready, destructive, scheduled]: [bool; 3]) -> u64 {
    fixture.store().clear(Clear { queue: queue.clone(), ready, destructive, scheduled }).await.unwrap()
}

/// A queue of two partitions with 2 leased items, 3 ready ones, 1 scheduled and 1 scheduled retry.
async fn mixed(fixture: &StoreFixture) -> QueueName {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 2).await;
    let later = fixture.after(HOUR);
    fixture.produce_items(&orders, vec![item("a"), item("b"), item("c"), item_at("later", later)]).await;
    fixture.produce(&orders, &["d", "e", "f"]).await;
    for _ in 0..3 {
        fixture.lease(&orders, 1).await;
    }
    let held = [fixture.items(&orders, 0).await, fixture.items(&orders, 1).await].concat();
    let held = held.iter().find(|item| item.info.attempts > 0).expect("three items are leased");
    fixture.settle(&orders, held.info.id, retry_at(later)).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (5, 2, 2));
    orders
}

pub(in crate::conformance) async fn clearing_removes_ready_items(fixture: &StoreFixture) {
    let orders = mixed(fixture).await;
    assert_eq!(clear(fixture, &orders, READY).await, 3);
    assert_eq!(fixture.numbers(&orders).await, (2, 2, 2));
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Purged), 3);
    fixture.assert_nothing_to_lease(&orders).await;
}

pub(in crate::conformance) async fn destructive_clearing_removes_leased_items_too(fixture: &StoreFixture) {
    let orders = mixed(fixture).await;
    let held = [fixture.items(&orders, 0).await, fixture.items(&orders, 1).await].concat();
    let held: Vec<_> = held.into_iter().filter(|item| item.info.attempts > 0).collect();
    assert_eq!(clear(fixture, &orders, ALL_BUT_SCHEDULED).await, 5);
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 2));
    for id in ids(&held) {
        assert_eq!(rejection(fixture.complete(&orders, id).await), Rejection::NoSuchItem(id));
    }
}

pub(in crate::conformance) async fn clearing_scheduled_items_removes_scheduled_retries_too(fixture: &StoreFixture) {
    let orders = mixed(fixture).await;
    assert_eq!(clear(fixture, &orders, SCHEDULED).await, 2);
    assert_eq!(fixture.numbers(&orders).await, (5, 2, 0));
}

pub(in crate::conformance) async fn clearing_everything_leaves_nothing(fixture: &StoreFixture) {
    let orders = mixed(fixture).await;
    assert_eq!(clear(fixture, &orders, EVERYTHING).await, 7);
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    assert_eq!(clear(fixture, &orders, EVERYTHING).await, 0);
    fixture.advance(HOUR);
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.produce(&orders, &["new"]).await;
    assert_eq!(payloads(&fixture.lease(&orders, 1).await.items), ["new"]);
}

pub(in crate::conformance) async fn destructive_alone_is_rejected(fixture: &StoreFixture) {
    let orders = mixed(fixture).await;
    for destructive in [false, true] {
        let request = Clear { queue: orders.clone(), ready: false, destructive, scheduled: false };
        assert_eq!(rejection(fixture.store().clear(request).await), Rejection::NothingToClear);
    }
    assert_eq!(fixture.numbers(&orders).await, (5, 2, 2));
}

pub(in crate::conformance) async fn clearing_frees_message_ids(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    clear(fixture, &orders, READY).await;
    fixture.produce_one(&orders, item_named("b", "m-1")).await;
    assert_eq!(payloads(&fixture.lease(&orders, 1).await.items), ["b"]);
}

pub(in crate::conformance) async fn items_that_return_after_a_clear_stay(fixture: &StoreFixture) {
    let orders = fixture.orders(&["released", "retried", "deferred", "done"]).await;
    let held = ids(&fixture.lease(&orders, 4).await.items);
    let kinds = [[true, false, true], READY, SCHEDULED];
    for kind in kinds {
        assert_eq!(clear(fixture, &orders, kind).await, 0, "all items are leased");
    }
    fixture.settle(&orders, held[0], SettleAction::Release).await.unwrap();
    fixture.settle(&orders, held[1], retry_at(fixture.after(HOUR))).await.unwrap();
    fixture.settle(&orders, held[2], SettleAction::Defer { until: fixture.after(HOUR) }).await.unwrap();
    fixture.settle(&orders, held[3], complete()).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (1, 0, 2));
    fixture.advance(HOUR);
    assert_eq!(fixture.lease(&orders, 9).await.items.len(), 3);
}

pub(in crate::conformance) async fn leased_items_survive_a_clear_of_the_others(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a", "b"]).await;
    let held = fixture.lease(&orders, 1).await;
    fixture.produce_one(&orders, item_at("later", fixture.after(HOUR))).await;
    assert_eq!(clear(fixture, &orders, [true, false, true]).await, 2);
    fixture.settle(&orders, held.items[0].info.id, retry_at(fixture.after(HOUR))).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 1), "its old id is older than the clear");
    fixture.advance(HOUR);
    assert_eq!(payloads(&fixture.lease(&orders, 9).await.items), ["a"]);
}

pub(in crate::conformance) async fn clearing_removes_live_letters(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    fixture.capture(&dead_queue, failure("due")).await;
    fixture.capture(&dead_queue, failure_for_good("waits")).await;
    let done = fixture.capture(&dead_queue, failure_for_good("archived")).await.letter;
    fixture.archive(&dead_queue, done).await;
    assert_eq!(clear(fixture, &dead_queue, READY).await, 1);
    assert_eq!(clear(fixture, &dead_queue, SCHEDULED).await, 1);
    let letters = fixture.stats(&dead_queue).await.letters;
    assert_eq!((letters.live(), letters.of(redrive_core::Status::Archived)), (0, 1), "archived letters stay");
}

// Deleting items

async fn delete(fixture: &StoreFixture, queue: &QueueName, ids: Vec<redrive_core::ItemId>) -> u64 {
    fixture.store().delete_items(DeleteItems { queue: queue.clone(), partition: 0, ids }).await.unwrap()
}

pub(in crate::conformance) async fn items_are_deleted_in_any_state(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let all =
        fixture.produce_items(&orders, vec![item("held"), item("ready"), item_at("later", fixture.after(HOUR))]).await;
    let held = fixture.lease_one(&orders).await.info.id;
    assert_eq!(delete(fixture, &orders, all).await, 3);
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    assert_eq!(rejection(fixture.complete(&orders, held).await), Rejection::NoSuchItem(held));
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Purged), 3);
}

pub(in crate::conformance) async fn unknown_ids_are_skipped(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let ids = fixture.produce(&orders, &["a", "b"]).await;
    assert_eq!(delete(fixture, &orders, vec![ids[0], ids[0]]).await, 1, "named twice, deleted once");
    assert_eq!(delete(fixture, &orders, ids).await, 1, "the existing one");
}

pub(in crate::conformance) async fn items_of_another_partition_are_not_deleted(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 2).await;
    let first = fixture.produce(&orders, &["a"]).await[0];
    let second = fixture.produce(&orders, &["b"]).await[0];
    assert_eq!(delete(fixture, &orders, vec![first, second]).await, 1);
    assert_eq!(payloads(&fixture.lease(&orders, 1).await.items), ["b"]);
    let request = DeleteItems { queue: orders, partition: 2, ids: vec![second] };
    assert_eq!(rejection(fixture.store().delete_items(request).await), Rejection::NoSuchPartition(2));
}

pub(in crate::conformance) async fn deleting_frees_message_ids(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let id = fixture.produce_one(&orders, item_named("a", "m-1")).await;
    delete(fixture, &orders, vec![id]).await;
    let again = fixture.produce_one(&orders, item_named("b", "m-1")).await;
    assert_eq!(fixture.only_item(&orders).await.id, again);
}
