//! Items come in.

use std::sync::Arc;

use crate::conformance::bed::Bed;
use bytes::Bytes;
use redrive_core::{ItemId, Span, Time};
use redrive_model::{Content, EndReason, Header, ItemState, NewItem, Produce, ProducedItem, Rejection};

use crate::conformance::words::{
    DAY, HOUR, INSTANT, MINUTE, complete, ids, item, item_at, item_named, payload, payloads, refusal, retry,
};

pub(in crate::conformance) async fn a_request_goes_to_one_partition(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    let items = ["a", "b", "c", "d"].map(item).to_vec();
    let produced = bed.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    let there = bed.items(&orders, produced.partition).await;
    assert_eq!(payloads(&there), ["a", "b", "c", "d"]);
    let told: Vec<_> = ids(&there).into_iter().map(ProducedItem::New).collect();
    assert_eq!(produced.items, told, "the answer names the items in their order");
    assert_eq!(bed.numbers(&orders).await.0, 4);
}

pub(in crate::conformance) async fn one_bad_item_refuses_all(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let too_long = Content { kind: "k".repeat(Content::TEXT_BYTES_MAX + 1), ..Content::default() };
    let bad = [
        NewItem { content: Arc::new(too_long), ..NewItem::default() },
        NewItem { message_id: Some("".into()), ..NewItem::default() },
        NewItem { message_id: Some("m".repeat(513).into()), ..NewItem::default() },
    ];
    for bad in bad {
        let items = vec![item_named("a", "m-1"), bad, item("c")];
        refusal(bed.store().produce(Produce::new(orders.clone(), items)).await);
        assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
    }
    let id = bed.produce_one(&orders, item_named("a", "m-1")).await;
    assert_eq!(bed.lease_one(&orders).await.info.id, id, "a refused request kept a message id");
}

pub(in crate::conformance) async fn contents_come_back_byte_for_byte(bed: &Bed) {
    let orders = bed.queue("orders").await;
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
    bed.produce_items(&orders, items.collect()).await;
    let leased = bed.lease(&orders, 10).await;
    for (item, content) in leased.items.iter().zip(&contents) {
        assert_eq!(&item.content, content);
    }
    assert_eq!(leased.items.len(), 4, "items without any field are valid");
}

pub(in crate::conformance) async fn ids_increase(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let mut all: Vec<ItemId> = Vec::new();
    for step in 0..4 {
        all.extend(bed.produce(&orders, &["a", "b", "c"]).await);
        bed.advance(Span::from_millis(400 * step));
    }
    assert!(all.is_sorted_by(|earlier, later| earlier < later), "{all:?}");
}

pub(in crate::conformance) async fn ids_increase_when_the_clock_steps_back(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let before = bed.produce(&orders, &["a"]).await;
    bed.clock.set(bed.now().saturating_sub(DAY));
    let after = bed.produce(&orders, &["b"]).await;
    assert!(before[0] < after[0]);
    assert_eq!(payloads(&bed.lease(&orders, 2).await.items), ["a", "b"]);
}

// Message ids

pub(in crate::conformance) async fn a_message_id_is_taken_once(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    let first = bed.produce_one(&orders, item_named("a", "m-1")).await;
    let items = vec![item_named("b", "m-2"), item_named("again", "m-1"), item_named("again", "m-2")];
    let produced = bed.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    let [ProducedItem::New(second), duplicates @ ..] = produced.items.as_slice() else {
        panic!("the new one is new: {produced:?}")
    };
    let expected = [first, *second].map(ProducedItem::Duplicate);
    assert_eq!(duplicates, expected, "in another partition, and in the same request");
    assert_eq!(bed.numbers(&orders).await.0, 2);
}

pub(in crate::conformance) async fn a_duplicate_is_answered_with_todays_id(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_named("a", "m-1")).await;
    let held = bed.lease_one(&orders).await.info.id;
    bed.settle(&orders, held, retry()).await.unwrap();
    let today = bed.only_item(&orders).await.id;
    assert_ne!(today, held);
    assert_eq!(bed.produce_one(&orders, item_named("again", "m-1")).await, today);
    assert_eq!(payload(&bed.lease_one(&orders).await), "a");
}

pub(in crate::conformance) async fn a_message_id_is_free_when_its_item_is_gone(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_named("a", "m-1")).await;
    let held = bed.lease(&orders, 1).await;
    bed.settle_leased(&orders, &held, complete()).await;
    let items = vec![item_named("b", "m-1")];
    let produced = bed.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    assert!(matches!(produced.items[..], [ProducedItem::New(_)]), "{produced:?}");
    assert_eq!(payload(&bed.lease_one(&orders).await), "b");
}

pub(in crate::conformance) async fn the_same_message_id_in_another_queue_is_another_item(bed: &Bed) {
    let (orders, others) = (bed.queue("orders").await, bed.queue("others").await);
    for queue in [&orders, &others] {
        bed.produce_one(queue, item_named("a", "m-1")).await;
        assert_eq!(bed.numbers(queue).await.0, 1);
    }
}

// Schedules

pub(in crate::conformance) async fn a_time_less_than_100_ms_ahead_means_now(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let soon = bed.after(Span::from_micros(99_999));
    for at in [soon, bed.now(), bed.now().saturating_sub(DAY), Time::MIN] {
        bed.produce_one(&orders, item_at("a", at)).await;
        let held = bed.lease(&orders, 1).await;
        assert_eq!(held.items.len(), 1, "{at}");
        bed.settle_leased(&orders, &held, complete()).await;
    }
}

pub(in crate::conformance) async fn a_later_time_is_never_early(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let first = bed.produce_one(&orders, item_at("a", bed.after(Span::from_millis(100)))).await;
    assert_eq!(bed.numbers(&orders).await, (0, 0, 1), "scheduled items are counted apart");
    assert!(bed.items(&orders, 0).await.is_empty());
    let listed = bed.scheduled(&orders, 0).await;
    assert_eq!(listed[0].info.state, ItemState::Scheduled { at: bed.after(Span::from_millis(100)) });
    bed.advance(Span::from_micros(99_999));
    bed.assert_nothing_to_lease(&orders).await;
    bed.advance(INSTANT);
    let held = bed.lease_one(&orders).await;
    assert!(held.info.id > first, "a new id, behind those that came meanwhile");
    assert_eq!(bed.numbers(&orders).await, (1, 1, 0));
}

pub(in crate::conformance) async fn due_items_come_behind_those_that_were_there(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_at("second due", bed.after(HOUR))).await;
    bed.produce_one(&orders, item_at("first due", bed.after(MINUTE))).await;
    bed.produce(&orders, &["now"]).await;
    bed.advance(HOUR);
    assert_eq!(payloads(&bed.lease(&orders, 3).await.items), ["now", "first due", "second due"]);
}

pub(in crate::conformance) async fn a_time_beyond_the_calendar_is_never(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_at("never", Time::MAX)).await;
    let immortal = NewItem { expire_after: Some(Span::MAX), ..item("immortal") };
    bed.produce_one(&orders, immortal).await;
    bed.advance(Span::from_days(365 * 100));
    assert_eq!(payloads(&bed.lease(&orders, 2).await.items), ["immortal"]);
}

// Expiry

pub(in crate::conformance) async fn an_item_expires_strictly_after_its_time(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    assert_eq!(bed.only_item(&orders).await.expires_at, Some(bed.after(DAY)));
    bed.advance(DAY);
    assert_eq!(bed.numbers(&orders).await.0, 1);
    bed.advance(INSTANT);
    bed.assert_nothing_to_lease(&orders).await;
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Expired), 1);
}

pub(in crate::conformance) async fn an_item_may_have_its_own_life(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let short = NewItem { expire_after: Some(MINUTE), ..item("short") };
    bed.produce_items(&orders, vec![short, item("long")]).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(payloads(&bed.lease(&orders, 2).await.items), ["long"]);
}

pub(in crate::conformance) async fn a_schedule_does_not_shorten_a_life(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let at = bed.after(DAY.saturating_mul(30));
    bed.produce_one(&orders, item_at("a", at)).await;
    bed.advance(DAY.saturating_mul(30));
    assert_eq!(bed.only_item(&orders).await.expires_at, Some(at.saturating_add(DAY)), "counted from enqueue_at");
    bed.advance(DAY);
    assert_eq!(bed.numbers(&orders).await.0, 1);
    bed.advance(INSTANT);
    assert_eq!(bed.numbers(&orders).await.0, 0);
}

pub(in crate::conformance) async fn an_empty_produce_is_refused(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let refused = bed.store().produce(Produce::new(orders, Vec::new())).await;
    assert_eq!(refusal(refused), Rejection::Empty { what: "items" });
}
