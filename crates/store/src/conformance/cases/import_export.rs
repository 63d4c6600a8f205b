//! Importing items with their state, and listing them for export.

use std::sync::Arc;

use crate::{Reply, conformance::fixture::StoreFixture};
use redrive_core::{ItemId, Ksuid, Priority, QueueName, Span, Time};
use redrive_model::{
    Content, DeleteQueue, GetItem, Import, ImportItem, ItemInfo, ItemListKind, ItemState, ListItems, Rejection,
    StoredItem,
};

use crate::conformance::samples::{
    DAY, HOUR, INSTANT, MINUTE, failure_for_good, ids, item_at, payload, payloads, rejection, retry, retry_at,
};

async fn import(fixture: &StoreFixture, queue: &QueueName, items: Vec<ImportItem>) -> Vec<Option<ItemInfo>> {
    fixture.store().import(Import { queue: queue.clone(), partition: 0, items }).await.unwrap()
}

fn named(payload: &'static str, source_id: &str) -> ImportItem {
    let content = Arc::new(Content::of_payload(payload));
    ImportItem { content, source_id: Some(source_id.into()), ..ImportItem::default() }
}

/// A listed item, converted for import.
fn exported(item: &StoredItem) -> ImportItem {
    let enqueue_at = match item.info.state {
        ItemState::Scheduled { at } => Some(at),
        _ => None,
    };
    let lease_deadline = item.info.state.lease_deadline();
    ImportItem {
        content: Arc::clone(&item.content),
        source_id: item.info.source_id.clone(),
        is_leased: lease_deadline.is_some(),
        lease_deadline: lease_deadline.or(item.info.imported_lease_deadline),
        expires_at: item.info.expires_at,
        enqueue_at,
        attempts: item.info.attempts,
        max_attempts: item.info.max_attempts,
        priority: item.info.priority,
    }
}

pub(in crate::conformance) async fn an_import_keeps_everything_but_id_and_creation(fixture: &StoreFixture) {
    let orders = fixture.orders(&["before"]).await;
    let before = fixture.only_item(&orders).await.id;
    let given = ImportItem {
        expires_at: Some(fixture.after(HOUR)),
        attempts: 4,
        max_attempts: 9,
        priority: Priority::High,
        ..named("a", "s-1")
    };
    let imported = import(fixture, &orders, vec![given]).await.remove(0).expect("it is new");
    assert!(imported.id > before);
    assert_eq!((imported.created_at, imported.expires_at), (fixture.now(), Some(fixture.after(HOUR))));
    assert_eq!((imported.attempts, imported.max_attempts, imported.priority), (4, 9, Priority::High));
    assert_eq!((imported.source_id.as_deref(), imported.state), (Some("s-1"), ItemState::Ready));
    let there = fixture.store().item(GetItem { queue: orders.clone(), id: imported.id }).await.unwrap();
    assert_eq!(payloads(&[there]), ["a"]);
    fixture.advance(HOUR.saturating_add(INSTANT));
    assert_eq!(fixture.numbers(&orders).await.0, 1, "it expired at its own time");
}

pub(in crate::conformance) async fn a_missing_expiry_is_set_by_the_queue(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let ready = import(fixture, &orders, vec![ImportItem::default()]).await.remove(0).expect("it is new");
    assert_eq!(ready.expires_at, Some(fixture.after(DAY)));
    let later = ImportItem { enqueue_at: Some(fixture.after(DAY.saturating_mul(9))), ..ImportItem::default() };
    let later = import(fixture, &orders, vec![later]).await.remove(0).expect("it is new");
    assert_eq!(later.expires_at, Some(fixture.after(DAY.saturating_mul(10))), "counted from enqueue_at");
}

pub(in crate::conformance) async fn an_imported_lease_holds(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let deadline = fixture.after(MINUTE);
    let held = ImportItem { is_leased: true, lease_deadline: Some(deadline), attempts: 1, ..named("a", "s-1") };
    let held = import(fixture, &orders, vec![held]).await.remove(0).expect("it is new");
    assert_eq!(held.state, ItemState::Leased { deadline });
    fixture.assert_nothing_to_lease(&orders).await;
    assert_eq!(fixture.numbers(&orders).await, (1, 1, 0));
    fixture.complete(&orders, held.id).await.expect("the importer holds it");
}

pub(in crate::conformance) async fn an_imported_lease_without_a_deadline_gets_that_of_the_queue(
    fixture: &StoreFixture,
) {
    let orders = fixture.queue_with("orders", |settings| settings.lease_timeout = HOUR).await;
    let held = ImportItem { is_leased: true, ..named("a", "s-1") };
    let held = import(fixture, &orders, vec![held]).await.remove(0).expect("it is new");
    assert_eq!(held.state, ItemState::Leased { deadline: fixture.after(HOUR) });
}

pub(in crate::conformance) async fn an_imported_deadline_without_a_lease_is_shown_until_there_is_one(
    fixture: &StoreFixture,
) {
    let orders = fixture.queue("orders").await;
    let deadline = fixture.after(MINUTE);
    let given = |source_id| ImportItem { lease_deadline: Some(deadline), ..named("a", source_id) };
    let later = ImportItem { enqueue_at: Some(fixture.after(DAY)), ..given("s-2") };
    let items = vec![given("s-1"), later, ImportItem { lease_deadline: Some(Time::MAX), ..given("s-3") }];
    let imported = import(fixture, &orders, items).await.into_iter().flatten().collect::<Vec<_>>();
    let shown = |items: &[ItemInfo]| items.iter().map(|item| item.imported_lease_deadline).collect::<Vec<_>>();
    assert_eq!(shown(&imported), [Some(deadline), Some(deadline), None], "the maximum time means no deadline");
    fixture.advance(HOUR);
    let listed = fixture.items(&orders, 0).await.into_iter().map(|item| item.info).collect::<Vec<_>>();
    assert_eq!(shown(&listed), [Some(deadline), None], "the imported deadline has no effect");
    assert_eq!(listed[0].state, ItemState::Ready);
    let leased = fixture.lease(&orders, 1).await;
    assert_eq!(shown(&[leased.items[0].info.clone()]), [None]);
    fixture.settle(&orders, leased.items[0].info.id, retry()).await.unwrap();
    let listed = fixture.items(&orders, 0).await.into_iter().map(|item| item.info).collect::<Vec<_>>();
    assert_eq!(shown(&listed), [None, None], "the lease set its own deadline");
}

pub(in crate::conformance) async fn an_existing_source_id_is_skipped(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 2).await;
    import(fixture, &orders, vec![named("a", "s-1")]).await;
    let items = vec![named("b", "s-2"), named("again", "s-1"), named("again", "s-2"), named("c", "s-3")];
    let answer = fixture.store().import(Import { queue: orders.clone(), partition: 1, items }).await.unwrap();
    let is_new: Vec<_> = answer.iter().map(Option::is_some).collect();
    assert_eq!(is_new, [true, false, false, true], "in the order of the request");
    assert_eq!(payloads(&fixture.items(&orders, 1).await), ["b", "c"]);
    assert_eq!(fixture.numbers(&orders).await.0, 3);
}

pub(in crate::conformance) async fn a_queue_is_moved_by_listing_and_importing(fixture: &StoreFixture) {
    let (orders, other) = (fixture.queue("orders").await, fixture.queue("other").await);
    let later = fixture.after(HOUR);
    fixture.produce(&orders, &["held", "retried", "ready"]).await;
    fixture.produce_one(&orders, item_at("later", later)).await;
    let held = fixture.lease(&orders, 2).await;
    fixture.settle(&orders, held.items[1].info.id, retry()).await.unwrap();
    let all = [fixture.items(&orders, 0).await, fixture.scheduled(&orders, 0).await].concat();
    let deadline = fixture.after(MINUTE);
    fixture.advance(Span::from_secs(1));
    import(fixture, &other, all.iter().map(exported).collect()).await;
    fixture.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    assert_eq!(payloads(&fixture.items(&other, 0).await), ["held", "ready", "retried"]);
    assert_eq!(fixture.items(&other, 0).await[0].info.state, ItemState::Leased { deadline });
    assert_eq!(fixture.scheduled(&other, 0).await[0].info.state, ItemState::Scheduled { at: later });
    let leased = fixture.lease(&other, 9).await.items;
    assert_eq!(leased.iter().map(|item| item.info.attempts).collect::<Vec<_>>(), [1, 2]);
    fixture.clock.set(later.saturating_sub(INSTANT));
    assert_eq!(fixture.numbers(&other).await.2, 1, "never early");
    fixture.clock.set(later);
    assert_eq!(fixture.numbers(&other).await.2, 0);
}

pub(in crate::conformance) async fn a_plain_item_in_a_dead_queue_is_not_a_letter(fixture: &StoreFixture) {
    let (_, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce(&dead_queue, &["produced"]).await;
    import(fixture, &dead_queue, vec![named("imported", "s-1")]).await;
    assert_eq!(fixture.stats(&dead_queue).await.letters.live(), 0);
    let leased = fixture.lease(&dead_queue, 2).await;
    assert!(leased.items.iter().all(|item| item.info.letter.is_none()));
}

pub(in crate::conformance) async fn an_invalid_import_changes_nothing(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let request = |partition, items| Import { queue: orders.clone(), partition, items };
    let rejected = fixture.store().import(request(0, vec![named("a", "s-1"), named("b", "")])).await;
    assert_eq!(rejection(rejected), Rejection::BadSourceId { most: 512 });
    assert_eq!(rejection(fixture.store().import(request(0, Vec::new())).await), Rejection::Empty { what: "items" });
    let rejected = fixture.store().import(request(1, vec![named("a", "s-1")])).await;
    assert_eq!(rejection(rejected), Rejection::NoSuchPartition(1));
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
}

// Lists

async fn listed(fixture: &StoreFixture, queue: &QueueName, pivot: Option<ItemId>, limit: usize) -> Vec<String> {
    let pivot = pivot.map(ItemId::ksuid);
    let list = ListItems { queue: queue.clone(), partition: 0, which: ItemListKind::Items, pivot, limit };
    payloads(&fixture.store().items(list).await.unwrap())
}

pub(in crate::conformance) async fn a_list_begins_at_its_pivot(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let ids = fixture.produce(&orders, &["a", "b", "c", "d"]).await;
    assert_eq!(listed(fixture, &orders, None, 2).await, ["a", "b"]);
    assert_eq!(listed(fixture, &orders, Some(ids[1]), 2).await, ["b", "c"], "the pivot is part of the list");
    fixture.lease(&orders, 2).await;
    fixture.complete(&orders, ids[1]).await.unwrap();
    let after_deleted = listed(fixture, &orders, Some(ids[1]), 9).await;
    assert_eq!(after_deleted, ["c", "d"], "a pivot that no longer exists: the next greater id");
    let (least, most) = (ItemId::new(Ksuid::MIN), ItemId::new(Ksuid::MAX));
    assert_eq!(listed(fixture, &orders, Some(least), 9).await, ["a", "c", "d"]);
    assert!(listed(fixture, &orders, Some(most), 9).await.is_empty(), "past the end");
}

pub(in crate::conformance) async fn scheduled_items_are_listed_separately(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let first = fixture.produce_one(&orders, item_at("first", fixture.after(DAY))).await;
    let second = fixture.produce_one(&orders, item_at("second", fixture.after(HOUR))).await;
    fixture.produce(&orders, &["now"]).await;
    assert_eq!(payloads(&fixture.items(&orders, 0).await), ["now"]);
    let scheduled = fixture.scheduled(&orders, 0).await;
    assert_eq!(ids(&scheduled), [first, second], "in the order of ids, not of times");
    let pivot = Some(second.ksuid());
    let list = ListItems { queue: orders.clone(), partition: 0, which: ItemListKind::Scheduled, pivot, limit: 9 };
    assert_eq!(payloads(&fixture.store().items(list).await.unwrap()), ["second"]);
}

pub(in crate::conformance) async fn a_list_of_all_items_contains_every_state(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_at("scheduled", fixture.after(DAY))).await;
    fixture.produce(&orders, &["retried", "leased", "ready"]).await;
    let held = fixture.lease(&orders, 2).await;
    fixture.settle(&orders, held.items[0].info.id, retry_at(fixture.after(HOUR))).await.unwrap();
    let page = |pivot, limit| ListItems { queue: orders.clone(), partition: 0, which: ItemListKind::All, pivot, limit };
    let all = fixture.store().items(page(None, 9)).await.unwrap();
    assert_eq!(payloads(&all), ["scheduled", "retried", "leased", "ready"]);
    assert!(ids(&all).is_sorted());
    let rest = fixture.store().items(page(Some(all[1].info.id.ksuid()), 2)).await.unwrap();
    assert_eq!(payloads(&rest), ["retried", "leased"]);
}

pub(in crate::conformance) async fn a_list_of_an_unknown_partition_is_rejected(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    for which in [ItemListKind::Items, ItemListKind::Scheduled] {
        let list = ListItems { queue: orders.clone(), partition: 1, which, pivot: None, limit: 9 };
        assert_eq!(rejection(fixture.store().items(list).await), Rejection::NoSuchPartition(1));
    }
}

pub(in crate::conformance) async fn finished_letters_are_invisible_to_lists(fixture: &StoreFixture) {
    let (dead_queue, archived) = fixture.captured(failure_for_good("archived")).await;
    fixture.capture(&dead_queue, failure_for_good("completed")).await;
    fixture.archive(&dead_queue, archived).await;
    let held = fixture.lease_one(&dead_queue).await.info.id;
    fixture.complete(&dead_queue, held).await.unwrap();
    assert_eq!(fixture.numbers(&dead_queue).await, (0, 0, 0));
    assert!(fixture.items(&dead_queue, 0).await.is_empty() && fixture.scheduled(&dead_queue, 0).await.is_empty());
    fixture.assert_no_item(&dead_queue, held).await;
}

pub(in crate::conformance) async fn an_item_is_found_by_its_current_id_only(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let id = fixture.produce(&orders, &["a"]).await[0];
    assert_eq!(fixture.store().item(GetItem { queue: orders.clone(), id }).await.unwrap().info.id, id);
    let held = fixture.lease_one(&orders).await.info.id;
    fixture.settle(&orders, held, retry()).await.unwrap();
    fixture.assert_no_item(&orders, id).await;
    let get = GetItem { queue: orders.clone(), id: fixture.only_item(&orders).await.id };
    let reply = fixture.store().submit(get.into(), Vec::new()).await.unwrap();
    assert!(matches!(reply, Reply::GetItem(item) if payload(&*item) == "a"));
    let foreign = ItemId::new(Ksuid::MAX);
    fixture.assert_no_item(&orders, foreign).await;
}
