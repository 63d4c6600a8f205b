//! Producing items.

use std::sync::Arc;

use crate::StoreError;
use crate::conformance::fixture::StoreFixture;
use bytes::Bytes;
use redrive_core::{ItemId, QueueName, Span, Time};
use redrive_model::{
    Clear, Content, EndReason, Header, HeldItem, ItemState, KeyCondition, KeyWrite, NewItem, Produce, Produced,
    ProducedItem, Rejection, ScanKeys, UpdateQueue, WriteKeys,
};

use crate::conformance::samples::{
    DAY, HOUR, INSTANT, MINUTE, complete, ids, item, item_at, item_named, payload, payloads, rejection, retry, retry_at,
};

pub(in crate::conformance) async fn a_request_goes_to_one_partition(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    let items = ["a", "b", "c", "d"].map(item).to_vec();
    let produced = fixture.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    let there = fixture.items(&orders, produced.partition).await;
    assert_eq!(payloads(&there), ["a", "b", "c", "d"]);
    let expected: Vec<_> = ids(&there).into_iter().map(ProducedItem::New).collect();
    assert_eq!(produced.items, expected, "the reply lists the items in order");
    assert_eq!(fixture.numbers(&orders).await.0, 4);
}

pub(in crate::conformance) async fn one_invalid_item_rejects_the_request(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let too_long = Content { kind: "k".repeat(Content::TEXT_BYTES_MAX + 1), ..Content::default() };
    let bad = [
        NewItem { content: Arc::new(too_long), ..NewItem::default() },
        NewItem { message_id: Some("".into()), ..NewItem::default() },
        NewItem { message_id: Some("m".repeat(513).into()), ..NewItem::default() },
    ];
    for bad in bad {
        let items = vec![item_named("a", "m-1"), bad, item("c")];
        rejection(fixture.store().produce(Produce::new(orders.clone(), items)).await);
        assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    }
    let id = fixture.produce_one(&orders, item_named("a", "m-1")).await;
    assert_eq!(fixture.lease_one(&orders).await.info.id, id, "a rejected request kept a message id");
}

pub(in crate::conformance) async fn contents_come_back_byte_for_byte(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let every_byte: Vec<u8> = (0..=255).collect();
    let rich = Content {
        kind: "order.created".to_owned(),
        encoding: "gzip".to_owned(),
        reference: "ü ✓".to_owned(),
        key: Some(Bytes::from_static(&[0xFF, 0x00])),
        headers: vec![
            Header { name: "h".to_owned(), value: Bytes::from_static(b"\xFE") },
            Header { name: "h".to_owned(), value: Bytes::new() },
            Header { name: String::new(), value: Bytes::from_static(b"nameless") },
        ],
        payload: every_byte.into(),
    };
    let large = Content::of_payload(vec![0xA5; 30_000]);
    let keyed = Content { key: Some(Bytes::new()), ..Content::default() };
    let contents = [rich, Content::default(), large, keyed].map(Arc::new);
    let items = contents.iter().map(|content| NewItem { content: Arc::clone(content), ..NewItem::default() });
    fixture.produce_items(&orders, items.collect()).await;
    let leased = fixture.lease(&orders, 10).await;
    for (item, content) in leased.items.iter().zip(&contents) {
        assert_eq!(&item.content, content);
    }
    assert_eq!(leased.items.len(), 4, "items without any field are valid");
}

pub(in crate::conformance) async fn ids_increase(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let mut all: Vec<ItemId> = Vec::new();
    for step in 0..4 {
        all.extend(fixture.produce(&orders, &["a", "b", "c"]).await);
        fixture.advance(Span::from_millis(400 * step));
    }
    assert!(all.is_sorted_by(|earlier, later| earlier < later), "{all:?}");
}

pub(in crate::conformance) async fn ids_increase_when_the_clock_steps_back(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let before = fixture.produce(&orders, &["a"]).await;
    fixture.clock.set(fixture.now().saturating_sub(DAY));
    let after = fixture.produce(&orders, &["b"]).await;
    assert!(before[0] < after[0]);
    assert_eq!(payloads(&fixture.lease(&orders, 2).await.items), ["a", "b"]);
}

// Message ids

pub(in crate::conformance) async fn a_message_id_is_unique_in_its_queue(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    let first = fixture.produce_one(&orders, item_named("a", "m-1")).await;
    let items = vec![item_named("b", "m-2"), item_named("again", "m-1"), item_named("again", "m-2")];
    let produced = fixture.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    let [ProducedItem::New(second), duplicates @ ..] = produced.items.as_slice() else {
        panic!("expected a new item: {produced:?}")
    };
    let expected = [first, *second].map(ProducedItem::Duplicate);
    assert_eq!(duplicates, expected, "in another partition, and in the same request");
    assert_eq!(fixture.numbers(&orders).await.0, 2);
}

pub(in crate::conformance) async fn a_duplicate_is_answered_with_the_current_id(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    let held = fixture.lease_one(&orders).await.info.id;
    fixture.settle(&orders, held, retry()).await.unwrap();
    let today = fixture.only_item(&orders).await.id;
    assert_ne!(today, held);
    assert_eq!(fixture.produce_one(&orders, item_named("again", "m-1")).await, today);
    assert_eq!(payload(&fixture.lease_one(&orders).await), "a");
}

pub(in crate::conformance) async fn a_message_id_is_free_when_its_item_is_gone(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    let held = fixture.lease(&orders, 1).await;
    fixture.settle_leased(&orders, &held, complete()).await;
    let items = vec![item_named("b", "m-1")];
    let produced = fixture.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    assert!(matches!(produced.items[..], [ProducedItem::New(_)]), "{produced:?}");
    assert_eq!(payload(&fixture.lease_one(&orders).await), "b");
}

pub(in crate::conformance) async fn the_same_message_id_in_another_queue_is_another_item(fixture: &StoreFixture) {
    let (orders, others) = (fixture.queue("orders").await, fixture.queue("others").await);
    for queue in [&orders, &others] {
        fixture.produce_one(queue, item_named("a", "m-1")).await;
        assert_eq!(fixture.numbers(queue).await.0, 1);
    }
}

// Schedules

pub(in crate::conformance) async fn a_time_less_than_100_ms_ahead_means_now(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let soon = fixture.after(Span::from_micros(99_999));
    for at in [soon, fixture.now(), fixture.now().saturating_sub(DAY), Time::MIN] {
        fixture.produce_one(&orders, item_at("a", at)).await;
        let held = fixture.lease(&orders, 1).await;
        assert_eq!(held.items.len(), 1, "{at}");
        fixture.settle_leased(&orders, &held, complete()).await;
    }
}

pub(in crate::conformance) async fn a_later_time_is_never_early(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let first = fixture.produce_one(&orders, item_at("a", fixture.after(Span::from_millis(100)))).await;
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 1), "scheduled items are counted separately");
    assert!(fixture.items(&orders, 0).await.is_empty());
    let listed = fixture.scheduled(&orders, 0).await;
    assert_eq!(listed[0].info.state, ItemState::Scheduled { at: fixture.after(Span::from_millis(100)) });
    fixture.advance(Span::from_micros(99_999));
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.advance(INSTANT);
    let held = fixture.lease_one(&orders).await;
    assert!(held.info.id > first, "a new id, greater than those assigned meanwhile");
    assert_eq!(fixture.numbers(&orders).await, (1, 1, 0));
}

pub(in crate::conformance) async fn due_items_come_after_ready_items(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_at("second due", fixture.after(HOUR))).await;
    fixture.produce_one(&orders, item_at("first due", fixture.after(MINUTE))).await;
    fixture.produce(&orders, &["now"]).await;
    fixture.advance(HOUR);
    assert_eq!(payloads(&fixture.lease(&orders, 3).await.items), ["now", "first due", "second due"]);
}

pub(in crate::conformance) async fn the_maximum_time_means_never(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_at("never", Time::MAX)).await;
    let immortal = NewItem { expire_after: Some(Span::MAX), ..item("immortal") };
    fixture.produce_one(&orders, immortal).await;
    fixture.advance(Span::from_days(365 * 100));
    assert_eq!(payloads(&fixture.lease(&orders, 2).await.items), ["immortal"]);
}

// Expiry

pub(in crate::conformance) async fn an_item_expires_strictly_after_its_time(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    assert_eq!(fixture.only_item(&orders).await.expires_at, Some(fixture.after(DAY)));
    fixture.advance(DAY);
    assert_eq!(fixture.numbers(&orders).await.0, 1);
    fixture.advance(INSTANT);
    fixture.assert_nothing_to_lease(&orders).await;
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Expired), 1);
}

pub(in crate::conformance) async fn an_item_may_have_its_own_expiry(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let short = NewItem { expire_after: Some(MINUTE), ..item("short") };
    fixture.produce_items(&orders, vec![short, item("long")]).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(payloads(&fixture.lease(&orders, 2).await.items), ["long"]);
}

pub(in crate::conformance) async fn expiry_counts_from_the_scheduled_time(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let at = fixture.after(DAY.saturating_mul(30));
    fixture.produce_one(&orders, item_at("a", at)).await;
    fixture.advance(DAY.saturating_mul(30));
    assert_eq!(fixture.only_item(&orders).await.expires_at, Some(at.saturating_add(DAY)), "counted from enqueue_at");
    fixture.advance(DAY);
    assert_eq!(fixture.numbers(&orders).await.0, 1);
    fixture.advance(INSTANT);
    assert_eq!(fixture.numbers(&orders).await.0, 0);
}

pub(in crate::conformance) async fn an_empty_produce_is_rejected(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let rejected = fixture.store().produce(Produce::new(orders, Vec::new())).await;
    assert_eq!(rejection(rejected), Rejection::Empty { what: "items" });
}

/// A retry that would come after the end of its lifetime.
pub(in crate::conformance) async fn a_scheduled_retry_expires_at_its_time(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.expire_timeout = MINUTE).await;
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease_one(&orders).await.info.id;
    fixture.settle(&orders, held, retry_at(fixture.after(HOUR))).await.unwrap();
    fixture.advance(MINUTE);
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 1));
    fixture.advance(INSTANT);
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Expired), 1);
}

// Remembered message ids

fn remembered(payload: &'static str, message_id: &str, kept: Span) -> NewItem {
    NewItem { remember_for: Some(kept), ..item_named(payload, message_id) }
}

async fn produce_as(fixture: &StoreFixture, queue: &QueueName, item: NewItem) -> ProducedItem {
    fixture.store().produce(Produce::new(queue.clone(), vec![item])).await.unwrap().items[0]
}

async fn complete_all(fixture: &StoreFixture, queue: &QueueName) {
    let held = fixture.lease(queue, 100).await;
    fixture.settle_leased(queue, &held, complete()).await;
}

pub(in crate::conformance) async fn a_message_id_is_remembered_after_its_item_is_gone(fixture: &StoreFixture) {
    let (orders, others) = (fixture.queue("orders").await, fixture.queue("others").await);
    let first = fixture.produce_one(&orders, remembered("a", "m-1", HOUR)).await;
    complete_all(fixture, &orders).await;
    assert_eq!(produce_as(fixture, &orders, remembered("b", "m-1", HOUR)).await, ProducedItem::Duplicate(first));
    fixture
        .store()
        .clear(Clear { queue: orders.clone(), ready: true, destructive: true, scheduled: true })
        .await
        .unwrap();
    assert_eq!(produce_as(fixture, &orders, remembered("b", "m-1", MINUTE)).await, ProducedItem::Duplicate(first));
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    for (queue, item) in [(&others, remembered("b", "m-1", HOUR)), (&orders, item_named("b", "m-1"))] {
        let other = produce_as(fixture, queue, item).await;
        assert!(matches!(other, ProducedItem::New(_)), "another queue, and a producer that does not ask: {other:?}");
    }
}

pub(in crate::conformance) async fn a_remembered_id_is_forgotten_at_its_time(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    for round in 0..3 {
        for number in 0..20 {
            let produced = produce_as(fixture, &orders, remembered("a", &format!("m-{number}"), MINUTE)).await;
            assert!(matches!(produced, ProducedItem::New(_)), "round {round}: {produced:?}");
        }
        complete_all(fixture, &orders).await;
        fixture.advance(MINUTE.saturating_sub(INSTANT));
        let again = produce_as(fixture, &orders, remembered("a", "m-7", MINUTE)).await;
        assert!(matches!(again, ProducedItem::Duplicate(_)), "round {round}: {again:?}");
        fixture.advance(INSTANT);
    }
}

pub(in crate::conformance) async fn a_remembered_id_survives_a_restart(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let first = fixture.produce_one(&orders, remembered("a", "m-1", HOUR)).await;
    complete_all(fixture, &orders).await;
    if fixture.reopen().await {
        let again = produce_as(fixture, &orders, remembered("b", "m-1", HOUR)).await;
        assert_eq!(again, ProducedItem::Duplicate(first));
    }
}

pub(in crate::conformance) async fn remembered_ids_are_not_keys_of_callers(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, remembered("a", "m-1", HOUR)).await;
    let scan = |prefix: &'static [u8]| ScanKeys { prefix: prefix.into(), from: Bytes::new(), limit: 100 };
    assert_eq!(fixture.store().keys(scan(b"")).await, Ok(Vec::new()));
    for key in [&b"\0\x02"[..], b"\0\x02i", b"\0\x02anything"] {
        let write = KeyWrite { key: key.into(), value: Some(Bytes::new()), condition: KeyCondition::Any };
        let rejected = fixture.store().write_keys(WriteKeys { writes: vec![write] }).await;
        assert_eq!(rejection(rejected), Rejection::ReservedKey);
        assert_eq!(fixture.store().keys(scan(key)).await, Ok(Vec::new()));
    }
    let around = [&b"\0\x01z"[..], b"\0\x03", b"a"];
    let writes =
        around.map(|key| KeyWrite { key: key.into(), value: Some(Bytes::new()), condition: KeyCondition::Any });
    fixture.store().write_keys(WriteKeys { writes: writes.to_vec() }).await.unwrap();
    let found: Vec<_> = fixture.store().keys(scan(b"")).await.unwrap().into_iter().map(|entry| entry.key).collect();
    assert_eq!(found, around);
}

// The maximum number of items

pub(in crate::conformance) async fn a_full_queue_rejects_new_items(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.max_items = 3).await;
    fixture.produce(&orders, &["ready", "leased"]).await;
    fixture.produce_one(&orders, item_at("scheduled", fixture.after(HOUR))).await;
    let held = fixture.lease_one(&orders).await.info.id;
    let full = |produced: Result<Produced, StoreError>| {
        assert_eq!(rejection(produced), Rejection::TooManyItems { max_items: 3 });
    };
    full(fixture.store().produce(Produce::new(orders.clone(), vec![item("more")])).await);
    full(fixture.store().produce(Produce::new(orders.clone(), vec![remembered("more", "m-1", HOUR)])).await);
    fixture.complete(&orders, held).await.unwrap();
    let named = produce_as(fixture, &orders, remembered("more", "m-1", HOUR)).await;
    assert!(matches!(named, ProducedItem::New(_)), "a rejected id is not remembered: {named:?}");
    full(fixture.store().produce(Produce::new(orders.clone(), vec![item("more")])).await);
    let update = UpdateQueue { max_items: Some(4), ..UpdateQueue::of(orders.clone()) };
    assert_eq!(fixture.store().update_queue(update).await.unwrap().max_items, 4);
    fixture.produce(&orders, &["more"]).await;
    let update = UpdateQueue { max_items: Some(0), ..UpdateQueue::of(orders.clone()) };
    fixture.store().update_queue(update).await.unwrap();
    fixture.produce_many(&orders, 100).await;
}

pub(in crate::conformance) async fn a_full_queue_accepts_what_it_has(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.max_items = 2).await;
    let first = fixture.produce_one(&orders, item_named("a", "m-1")).await;
    let gone = fixture.produce_one(&orders, remembered("b", "m-2", HOUR)).await;
    let held = fixture.lease(&orders, 2).await.items.remove(1).info.id;
    fixture.complete(&orders, held).await.unwrap();
    fixture.produce(&orders, &["c"]).await;
    for (item, existing) in [(item_named("again", "m-1"), first), (remembered("again", "m-2", HOUR), gone)] {
        assert_eq!(produce_as(fixture, &orders, item).await, ProducedItem::Duplicate(existing));
    }
}

pub(in crate::conformance) async fn a_limit_counts_the_new_items_of_a_request(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.max_items = 3).await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    let items =
        |more: NewItem| vec![item_named("a", "m-1"), item_named("b", "m-2"), item_named("b", "m-2"), item("c"), more];
    let rejected = fixture.store().produce(Produce::new(orders.clone(), items(item("d")))).await;
    assert_eq!(rejection(rejected), Rejection::TooManyItems { max_items: 3 });
    assert_eq!(fixture.numbers(&orders).await.0, 1, "all of them or none");
    fixture.store().produce(Produce::new(orders.clone(), items(item_named("b", "m-2")))).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await.0, 3);
}

// Items that follow from another one

fn following(queue: &QueueName, items: Vec<NewItem>, from: &QueueName, id: ItemId) -> Produce {
    let completes = Some(Box::new(HeldItem { queue: from.clone(), id }));
    Produce { completes, ..Produce::new(queue.clone(), items) }
}

pub(in crate::conformance) async fn a_produce_completes_the_item_that_it_follows_from(fixture: &StoreFixture) {
    let (orders, bills) = (fixture.queue("orders").await, fixture.queue("bills").await);
    fixture.produce(&orders, &["order"]).await;
    let held = fixture.lease_one(&orders).await.info.id;
    fixture.store().produce(following(&bills, vec![item("bill")], &orders, held)).await.unwrap();
    assert_eq!((fixture.numbers(&orders).await, fixture.numbers(&bills).await), ((0, 0, 0), (1, 0, 0)));
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Completed), 1);
    // In a full queue it makes space for its successor.
    let full = fixture.queue_with("full", |settings| settings.max_items = 1).await;
    fixture.produce(&full, &["a"]).await;
    let held = fixture.lease_one(&full).await.info.id;
    fixture.store().produce(following(&full, vec![item("b")], &full, held)).await.unwrap();
    assert_eq!(payload(&fixture.lease_one(&full).await), "b");
}

pub(in crate::conformance) async fn a_produce_that_follows_from_a_lost_item_adds_nothing(fixture: &StoreFixture) {
    let (orders, bills) = (fixture.queue("orders").await, fixture.queue("bills").await);
    fixture.produce(&orders, &["order"]).await;
    let held = fixture.lease_one(&orders).await.info.id;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    let late = fixture.store().produce(following(&bills, vec![item("bill")], &orders, held)).await;
    assert_eq!(rejection(late), Rejection::NoSuchItem(held));
    assert_eq!((fixture.numbers(&orders).await, fixture.numbers(&bills).await), ((1, 0, 0), (0, 0, 0)));
}

pub(in crate::conformance) async fn a_rejected_produce_completes_nothing(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let bills = fixture.queue_with("bills", |settings| settings.max_items = 1).await;
    fixture.produce(&orders, &["order"]).await;
    fixture.produce(&bills, &["bill"]).await;
    let held = fixture.lease_one(&orders).await.info.id;
    let full = fixture.store().produce(following(&bills, vec![item("bill")], &orders, held)).await;
    assert_eq!(rejection(full), Rejection::TooManyItems { max_items: 1 });
    fixture.complete(&orders, held).await.expect("a rejected request keeps the lease");
}
