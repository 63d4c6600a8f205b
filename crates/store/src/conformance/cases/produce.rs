//! Producing items.

use std::sync::Arc;

use crate::conformance::fixture::StoreFixture;
use bytes::Bytes;
use redrive_core::{ItemId, Span, Time};
use redrive_model::{Content, EndReason, Header, ItemState, NewItem, Produce, ProducedItem, Rejection};

use crate::conformance::samples::{
    DAY, HOUR, INSTANT, MINUTE, complete, ids, item, item_at, item_named, payload, payloads, rejection, retry,
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
    let orders = fixture.queue("orders").await;
    fixture.produce(&orders, &["a"]).await;
    assert_eq!(fixture.only_item(&orders).await.expires_at, Some(fixture.after(DAY)));
    fixture.advance(DAY);
    assert_eq!(fixture.numbers(&orders).await.0, 1);
    fixture.advance(INSTANT);
    fixture.assert_nothing_to_lease(&orders).await;
    assert_eq!(fixture.stats(&orders).await.tally.ended(EndReason::Expired), 1);
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
