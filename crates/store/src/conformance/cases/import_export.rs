//! Items go from one queue to another as they are.

use std::sync::Arc;

use crate::{Reply, conformance::bed::Bed};
use redrive_core::{ItemId, Ksuid, Priority, QueueName, Span, Time};
use redrive_model::{
    Content, DeleteQueue, GetItem, Import, ImportItem, ItemInfo, ItemState, ListItems, Rejection, StoredItem, Which,
};

use crate::conformance::words::{
    DAY, HOUR, INSTANT, MINUTE, failure_for_good, ids, item_at, payload, payloads, refusal, retry,
};

async fn import(bed: &Bed, queue: &QueueName, items: Vec<ImportItem>) -> Vec<Option<ItemInfo>> {
    bed.store().import(Import { queue: queue.clone(), partition: 0, items }).await.unwrap()
}

fn named(payload: &'static str, source_id: &str) -> ImportItem {
    let content = Arc::new(Content::of_payload(payload));
    ImportItem { content, source_id: Some(source_id.into()), ..ImportItem::default() }
}

/// An item as it is listed, ready to be put in elsewhere.
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

pub(in crate::conformance) async fn an_import_keeps_everything_but_id_and_creation(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["before"]).await;
    let before = bed.only_item(&orders).await.id;
    let given = ImportItem {
        expires_at: Some(bed.after(HOUR)),
        attempts: 4,
        max_attempts: 9,
        priority: Priority::High,
        ..named("a", "s-1")
    };
    let imported = import(bed, &orders, vec![given]).await.remove(0).expect("it is new");
    assert!(imported.id > before);
    assert_eq!((imported.created_at, imported.expires_at), (bed.now(), Some(bed.after(HOUR))));
    assert_eq!((imported.attempts, imported.max_attempts, imported.priority), (4, 9, Priority::High));
    assert_eq!((imported.source_id.as_deref(), imported.state), (Some("s-1"), ItemState::Ready));
    let there = bed.store().item(GetItem { queue: orders.clone(), id: imported.id }).await.unwrap();
    assert_eq!(payloads(&[there]), ["a"]);
    bed.advance(HOUR.saturating_add(INSTANT));
    assert_eq!(bed.numbers(&orders).await.0, 1, "it expired when it said");
}

pub(in crate::conformance) async fn a_missing_expiry_is_the_queues_own(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let ready = import(bed, &orders, vec![ImportItem::default()]).await.remove(0).expect("it is new");
    assert_eq!(ready.expires_at, Some(bed.after(DAY)));
    let later = ImportItem { enqueue_at: Some(bed.after(DAY.saturating_mul(9))), ..ImportItem::default() };
    let later = import(bed, &orders, vec![later]).await.remove(0).expect("it is new");
    assert_eq!(later.expires_at, Some(bed.after(DAY.saturating_mul(10))), "counted from its time");
}

pub(in crate::conformance) async fn an_imported_lease_holds(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let deadline = bed.after(MINUTE);
    let held = ImportItem { is_leased: true, lease_deadline: Some(deadline), attempts: 1, ..named("a", "s-1") };
    let held = import(bed, &orders, vec![held]).await.remove(0).expect("it is new");
    assert_eq!(held.state, ItemState::Leased { deadline });
    bed.assert_nothing_to_lease(&orders).await;
    assert_eq!(bed.numbers(&orders).await, (1, 1, 0));
    bed.complete(&orders, held.id).await.expect("the importer holds it");
}

pub(in crate::conformance) async fn an_imported_lease_without_a_deadline_is_the_queues_own(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.lease_timeout = HOUR).await;
    let held = ImportItem { is_leased: true, ..named("a", "s-1") };
    let held = import(bed, &orders, vec![held]).await.remove(0).expect("it is new");
    assert_eq!(held.state, ItemState::Leased { deadline: bed.after(HOUR) });
}

pub(in crate::conformance) async fn an_imported_deadline_without_a_lease_is_shown_until_there_is_one(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let deadline = bed.after(MINUTE);
    let given = |source_id| ImportItem { lease_deadline: Some(deadline), ..named("a", source_id) };
    let later = ImportItem { enqueue_at: Some(bed.after(DAY)), ..given("s-2") };
    let items = vec![given("s-1"), later, ImportItem { lease_deadline: Some(Time::MAX), ..given("s-3") }];
    let imported = import(bed, &orders, items).await.into_iter().flatten().collect::<Vec<_>>();
    let shown = |items: &[ItemInfo]| items.iter().map(|item| item.imported_lease_deadline).collect::<Vec<_>>();
    assert_eq!(shown(&imported), [Some(deadline), Some(deadline), None], "the last time of all is none");
    bed.advance(HOUR);
    let listed = bed.items(&orders, 0).await.into_iter().map(|item| item.info).collect::<Vec<_>>();
    assert_eq!(shown(&listed), [Some(deadline), None], "nothing happens at that time");
    assert_eq!(listed[0].state, ItemState::Ready);
    let leased = bed.lease(&orders, 1).await;
    assert_eq!(shown(&[leased.items[0].info.clone()]), [None]);
    bed.settle(&orders, leased.items[0].info.id, retry()).await.unwrap();
    let listed = bed.items(&orders, 0).await.into_iter().map(|item| item.info).collect::<Vec<_>>();
    assert_eq!(shown(&listed), [None, None], "the lease had a deadline of its own");
}

pub(in crate::conformance) async fn a_known_source_id_is_passed_over(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 2).await;
    import(bed, &orders, vec![named("a", "s-1")]).await;
    let items = vec![named("b", "s-2"), named("again", "s-1"), named("again", "s-2"), named("c", "s-3")];
    let answer = bed.store().import(Import { queue: orders.clone(), partition: 1, items }).await.unwrap();
    let is_new: Vec<_> = answer.iter().map(Option::is_some).collect();
    assert_eq!(is_new, [true, false, false, true], "in the order of the request");
    assert_eq!(payloads(&bed.items(&orders, 1).await), ["b", "c"]);
    assert_eq!(bed.numbers(&orders).await.0, 3);
}

pub(in crate::conformance) async fn a_queue_is_moved_by_listing_and_importing(bed: &Bed) {
    let (orders, other) = (bed.queue("orders").await, bed.queue("other").await);
    let later = bed.after(HOUR);
    bed.produce(&orders, &["held", "retried", "ready"]).await;
    bed.produce_one(&orders, item_at("later", later)).await;
    let held = bed.lease(&orders, 2).await;
    bed.settle(&orders, held.items[1].info.id, retry()).await.unwrap();
    let all = [bed.items(&orders, 0).await, bed.scheduled(&orders, 0).await].concat();
    let deadline = bed.after(MINUTE);
    bed.advance(Span::from_secs(1));
    import(bed, &other, all.iter().map(exported).collect()).await;
    bed.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    assert_eq!(payloads(&bed.items(&other, 0).await), ["held", "ready", "retried"]);
    assert_eq!(bed.items(&other, 0).await[0].info.state, ItemState::Leased { deadline });
    assert_eq!(bed.scheduled(&other, 0).await[0].info.state, ItemState::Scheduled { at: later });
    let leased = bed.lease(&other, 9).await.items;
    assert_eq!(leased.iter().map(|item| item.info.attempts).collect::<Vec<_>>(), [1, 2]);
    bed.clock.set(later.saturating_sub(INSTANT));
    assert_eq!(bed.numbers(&other).await.2, 1, "never early");
    bed.clock.set(later);
    assert_eq!(bed.numbers(&other).await.2, 0);
}

pub(in crate::conformance) async fn a_plain_item_in_a_dead_queue_is_no_letter(bed: &Bed) {
    let (_, dead_queue) = bed.queue_and_dead(|_| {}).await;
    bed.produce(&dead_queue, &["produced"]).await;
    import(bed, &dead_queue, vec![named("imported", "s-1")]).await;
    assert_eq!(bed.stats(&dead_queue).await.letters.live(), 0);
    let leased = bed.lease(&dead_queue, 2).await;
    assert!(leased.items.iter().all(|item| item.info.letter.is_none()));
}

pub(in crate::conformance) async fn a_bad_import_changes_nothing(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let request = |partition, items| Import { queue: orders.clone(), partition, items };
    let refused = bed.store().import(request(0, vec![named("a", "s-1"), named("b", "")])).await;
    assert_eq!(refusal(refused), Rejection::BadSourceId { most: 512 });
    assert_eq!(refusal(bed.store().import(request(0, Vec::new())).await), Rejection::Empty { what: "items" });
    let refused = bed.store().import(request(1, vec![named("a", "s-1")])).await;
    assert_eq!(refusal(refused), Rejection::NoSuchPartition(1));
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
}

// Lists

async fn listed(bed: &Bed, queue: &QueueName, pivot: Option<ItemId>, limit: usize) -> Vec<String> {
    let pivot = pivot.map(ItemId::ksuid);
    let list = ListItems { queue: queue.clone(), partition: 0, which: Which::Items, pivot, limit };
    payloads(&bed.store().items(list).await.unwrap())
}

pub(in crate::conformance) async fn a_list_begins_at_its_pivot(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let ids = bed.produce(&orders, &["a", "b", "c", "d"]).await;
    assert_eq!(listed(bed, &orders, None, 2).await, ["a", "b"]);
    assert_eq!(listed(bed, &orders, Some(ids[1]), 2).await, ["b", "c"], "the pivot is part of the list");
    bed.lease(&orders, 2).await;
    bed.complete(&orders, ids[1]).await.unwrap();
    assert_eq!(listed(bed, &orders, Some(ids[1]), 9).await, ["c", "d"], "it is gone: the next greater");
    let (least, most) = (ItemId::new(Ksuid::MIN), ItemId::new(Ksuid::MAX));
    assert_eq!(listed(bed, &orders, Some(least), 9).await, ["a", "c", "d"]);
    assert!(listed(bed, &orders, Some(most), 9).await.is_empty(), "past the end");
}

pub(in crate::conformance) async fn scheduled_items_are_listed_apart(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let first = bed.produce_one(&orders, item_at("first", bed.after(DAY))).await;
    let second = bed.produce_one(&orders, item_at("second", bed.after(HOUR))).await;
    bed.produce(&orders, &["now"]).await;
    assert_eq!(payloads(&bed.items(&orders, 0).await), ["now"]);
    let scheduled = bed.scheduled(&orders, 0).await;
    assert_eq!(ids(&scheduled), [first, second], "in the order of ids, not of times");
    let pivot = Some(second.ksuid());
    let list = ListItems { queue: orders.clone(), partition: 0, which: Which::Scheduled, pivot, limit: 9 };
    assert_eq!(payloads(&bed.store().items(list).await.unwrap()), ["second"]);
}

pub(in crate::conformance) async fn a_list_of_a_missing_partition_is_refused(bed: &Bed) {
    let orders = bed.queue("orders").await;
    for which in [Which::Items, Which::Scheduled] {
        let list = ListItems { queue: orders.clone(), partition: 1, which, pivot: None, limit: 9 };
        assert_eq!(refusal(bed.store().items(list).await), Rejection::NoSuchPartition(1));
    }
}

pub(in crate::conformance) async fn finished_letters_are_invisible_to_lists(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let archived = bed.capture(&dead_queue, failure_for_good("archived")).await.letter;
    bed.capture(&dead_queue, failure_for_good("completed")).await;
    bed.archive(&dead_queue, archived).await;
    let held = bed.lease_one(&dead_queue).await.info.id;
    bed.complete(&dead_queue, held).await.unwrap();
    assert_eq!(bed.numbers(&dead_queue).await, (0, 0, 0));
    assert!(bed.items(&dead_queue, 0).await.is_empty() && bed.scheduled(&dead_queue, 0).await.is_empty());
    assert_eq!(
        refusal(bed.store().item(GetItem { queue: dead_queue.clone(), id: held }).await),
        Rejection::NoSuchItem(held)
    );
}

pub(in crate::conformance) async fn an_item_is_found_by_todays_id_only(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let id = bed.produce(&orders, &["a"]).await[0];
    assert_eq!(bed.store().item(GetItem { queue: orders.clone(), id }).await.unwrap().info.id, id);
    let held = bed.lease_one(&orders).await.info.id;
    bed.settle(&orders, held, retry()).await.unwrap();
    assert_eq!(refusal(bed.store().item(GetItem { queue: orders.clone(), id }).await), Rejection::NoSuchItem(id));
    let get = GetItem { queue: orders.clone(), id: bed.only_item(&orders).await.id };
    let reply = bed.store().submit(get.into(), Vec::new()).await.unwrap();
    assert!(matches!(reply, Reply::GetItem(item) if payload(&*item) == "a"));
    let foreign = ItemId::new(Ksuid::MAX);
    assert_eq!(refusal(bed.store().item(GetItem { queue: orders, id: foreign }).await), Rejection::NoSuchItem(foreign));
}
