//! Leasing items.

use redrive_core::{Priority, QueueName, Span};
use redrive_model::{
    EndReason, Event, GetQueue, ItemState, Lease, LeaseByMessageId, LeaseSpec, NewItem, Produce, Rejection,
    SettleAction, UpdateQueue,
};

use crate::conformance::fixture::{StoreFixture, lease_of};
use crate::conformance::samples::{
    DAY, HOUR, INSTANT, MINUTE, SECOND, complete, dead, ids, item_at, item_named, item_of, payload, payloads,
    rejection, retry, retry_at,
};

pub(in crate::conformance) async fn items_come_in_the_order_of_their_ids(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a", "b"]).await;
    fixture.advance(SECOND);
    fixture.produce(&orders, &["c"]).await;
    let first = fixture.lease(&orders, 2).await;
    fixture.settle_leased(&orders, &first, retry()).await;
    let rest = fixture.lease(&orders, 10).await;
    assert_eq!(payloads(&rest.items), ["c", "a", "b"], "retried items are at the tail");
    assert!(ids(&rest.items).is_sorted());
}

pub(in crate::conformance) async fn a_lease_counts_an_attempt_and_sets_a_deadline(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let held = fixture.lease_one(&orders).await;
    assert_eq!((held.info.attempts, held.info.deliveries), (1, 1));
    assert_eq!(held.info.state, ItemState::Leased { deadline: fixture.after(MINUTE) });
    fixture.assert_nothing_to_lease(&orders).await;
    assert_eq!(fixture.numbers(&orders).await, (1, 1, 0));
    assert_eq!(fixture.stats(&orders).await.counts.of(Event::Leased), 1);
}

pub(in crate::conformance) async fn a_lease_may_have_its_own_duration(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let wanted = LeaseSpec { batch: 1, lease: Some(HOUR), notes_receipt: false };
    let held = fixture.store().lease(Lease { spec: wanted, ..lease_of(&orders, 1, Span::ZERO) }).await.unwrap();
    assert_eq!(held.items[0].info.state, ItemState::Leased { deadline: fixture.after(HOUR) });
    fixture.advance(HOUR);
    fixture.settle_leased(&orders, &held, complete()).await;
}

pub(in crate::conformance) async fn a_lease_returns_fewer_items_instead_of_waiting(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a", "b"]).await;
    let held = fixture.store().lease(lease_of(&orders, 10, HOUR)).await.unwrap();
    assert_eq!(payloads(&held.items), ["a", "b"]);
}

pub(in crate::conformance) async fn an_expired_lease_makes_the_item_available(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    let held = fixture.lease_one(&orders).await;
    fixture.produce(&orders, &["b"]).await;
    fixture.advance(MINUTE);
    assert_eq!(fixture.numbers(&orders).await, (2, 1, 0), "strictly after its time");
    fixture.advance(INSTANT);
    let next = fixture.lease(&orders, 2).await;
    assert_eq!(payloads(&next.items), ["b", "a"], "the tail of the same partition");
    let again = &next.items[1];
    assert!(again.info.id > held.info.id, "a new id");
    assert_eq!(again.info.attempts, 2, "a crash counts");
    assert_eq!(again.info.source_id.as_deref(), Some("m-1"), "the source id stays");
    assert_eq!(again.info.created_at, held.info.created_at);
}

pub(in crate::conformance) async fn a_lease_protects_its_item(fixture: &StoreFixture) {
    let change = |settings: &mut redrive_model::QueueSettings| {
        settings.max_attempts = 1;
        settings.expire_timeout = MINUTE;
    };
    let orders = fixture.queue_with("orders", change).await;
    fixture.produce(&orders, &["a"]).await;
    fixture.advance(Span::from_secs(30));
    let held = fixture.lease(&orders, 1).await;
    // On its last attempt and after its expiry, it stays leased until the deadline.
    fixture.advance(MINUTE);
    assert_eq!(fixture.numbers(&orders).await, (1, 1, 0));
    fixture.settle_leased(&orders, &held, complete()).await;
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Completed), 1);
}

pub(in crate::conformance) async fn an_item_that_expired_while_leased_dies_with_its_lease(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.expire_timeout = MINUTE).await;
    fixture.produce(&orders, &["a"]).await;
    fixture.advance(Span::from_secs(30));
    fixture.lease_one(&orders).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Expired), 1);
}

pub(in crate::conformance) async fn expired_items_are_never_leased_even_if_many_expire_at_once(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    for _ in 0..20 {
        fixture.produce_many(&orders, 100).await;
    }
    fixture.advance(DAY.saturating_add(INSTANT));
    // More than a store must process at once; meanwhile none of them may be leased.
    for _ in 0..2_000 {
        let late = fixture.try_lease(&orders, 100).await;
        assert!(late.is_err(), "{} expired items were leased", late.map_or(0, |leased| leased.items.len()));
        if fixture.numbers(&orders).await == (0, 0, 0) {
            break;
        }
    }
    assert_eq!(fixture.stats(&orders).await.counts.ended(EndReason::Expired), 2_000);
}

pub(in crate::conformance) async fn a_paused_queue_leases_nothing_and_accepts_everything(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a", "b"]).await;
    let held = fixture.lease(&orders, 1).await;
    let settings = fixture.store().queue(GetQueue { name: orders.clone() }).await.unwrap();
    let pause = |is_paused| UpdateQueue { is_paused: Some(is_paused), ..UpdateQueue::of(settings.name.clone()) };
    fixture.store().update_queue(pause(true)).await.unwrap();
    fixture.assert_nothing_to_lease(&orders).await;
    fixture.settle_leased(&orders, &held, complete()).await;
    fixture.produce(&orders, &["c"]).await;
    fixture.store().update_queue(pause(false)).await.unwrap();
    assert_eq!(payloads(&fixture.lease(&orders, 5).await.items), ["b", "c"]);
}

// Priorities

async fn produce_each(fixture: &StoreFixture, queue: &QueueName, count: usize) {
    for (payload, priority) in [("low", Priority::Low), ("medium", Priority::Medium), ("high", Priority::High)] {
        let items = (0..count).map(|_| item_of(payload, priority)).collect();
        fixture.store().produce(Produce::new(queue.clone(), items)).await.unwrap();
    }
}

fn counts(payloads: &[String]) -> [usize; 3] {
    ["high", "medium", "low"].map(|kind| payloads.iter().filter(|payload| *payload == kind).count())
}

pub(in crate::conformance) async fn priorities_share_8_to_4_to_1(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    produce_each(fixture, &orders, 26).await;
    for _ in 0..2 {
        assert_eq!(counts(&payloads(&fixture.lease(&orders, 13).await.items)), [8, 4, 1], "in one lease");
    }
    let mut one_by_one = Vec::new();
    for _ in 0..13 {
        one_by_one.push(payload(&fixture.lease_one(&orders).await));
    }
    assert_eq!(counts(&one_by_one), [8, 4, 1], "over several leases");
}

pub(in crate::conformance) async fn within_a_priority_the_oldest_comes_first(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let kinds = [("h1", Priority::High), ("l1", Priority::Low), ("h2", Priority::High), ("l2", Priority::Low)];
    fixture.produce_items(&orders, kinds.map(|(payload, priority)| item_of(payload, priority)).to_vec()).await;
    let leased = payloads(&fixture.lease(&orders, 4).await.items);
    for kind in ["h", "l"] {
        let of_kind: Vec<_> = leased.iter().filter(|payload| payload.starts_with(kind)).collect();
        assert!(of_kind.is_sorted(), "{leased:?}");
    }
}

pub(in crate::conformance) async fn low_priority_never_starves(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_of("low", Priority::Low)).await;
    for _ in 0..13 {
        // There is always something more urgent.
        let items = (0..2).map(|_| item_of("high", Priority::High)).collect();
        fixture.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
        let held = fixture.lease(&orders, 1).await;
        fixture.settle_leased(&orders, &held, complete()).await;
        if payload(&held.items[0]) == "low" {
            return;
        }
    }
    panic!("the item waited for more than 13 turns");
}

pub(in crate::conformance) async fn a_single_priority_gets_every_turn(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let items = (0..20).map(|_| item_of("low", Priority::Low)).collect();
    fixture.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    assert_eq!(fixture.lease(&orders, 20).await.items.len(), 20);
}

// The table of fair shares

async fn totals(fixture: &StoreFixture, queue: &QueueName) -> Vec<(u64, u64)> {
    fixture.stats(queue).await.partitions.iter().map(|partition| (partition.total, partition.leased)).collect()
}

async fn five_produces_of_ten(fixture: &StoreFixture) -> QueueName {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 2).await;
    for _ in 0..5 {
        fixture.produce_many(&orders, 10).await;
    }
    orders
}

pub(in crate::conformance) async fn five_produces_over_two_partitions(fixture: &StoreFixture) {
    let orders = five_produces_of_ten(fixture).await;
    assert_eq!(totals(fixture, &orders).await, [(30, 0), (20, 0)]);
}

pub(in crate::conformance) async fn leases_of_5_10_20_over_two_partitions(fixture: &StoreFixture) {
    let orders = five_produces_of_ten(fixture).await;
    for batch in [5, 10, 20] {
        assert_eq!(fixture.lease(&orders, batch).await.items.len() as u64, batch);
    }
    assert_eq!(totals(fixture, &orders).await, [(30, 15), (20, 20)]);
}

pub(in crate::conformance) async fn the_fuller_partition_is_leased_first(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 2).await;
    assert_eq!(fixture.produce_many(&orders, 10).await, 0);
    assert_eq!(fixture.produce_many(&orders, 11).await, 1);
    assert_eq!(fixture.lease(&orders, 10).await.partition, 1);
    assert_eq!(fixture.lease(&orders, 10).await.partition, 0);
    assert_eq!(totals(fixture, &orders).await, [(10, 10), (11, 10)]);
}

pub(in crate::conformance) async fn ten_partitions_are_emptied_evenly(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 10).await;
    for _ in 0..10 {
        fixture.produce_many(&orders, 5).await;
    }
    for _ in 0..10 {
        assert_eq!(fixture.lease(&orders, 5).await.items.len(), 5);
    }
    assert_eq!(totals(fixture, &orders).await, [(5, 5); 10]);
}

pub(in crate::conformance) async fn waiting_leases_share_one_partition_in_turn(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let mut waiters = Vec::new();
    for batch in [20, 6, 1] {
        waiters.push(fixture.wait(&orders, batch).await);
    }
    fixture.produce_many(&orders, 23).await;
    let mut got = Vec::new();
    for waiter in waiters {
        got.push(waiter.reply().await.items.len());
    }
    assert_eq!(got, [16, 6, 1]);
}

pub(in crate::conformance) async fn waiting_leases_meet_at_the_partition_that_got_the_items(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 5).await;
    let mut waiters = Vec::new();
    for _ in 0..5 {
        waiters.push(fixture.wait(&orders, 10).await);
    }
    let partition = fixture.produce_many(&orders, 10).await;
    for waiter in waiters {
        let got = waiter.reply().await;
        assert_eq!((got.partition, got.items.len()), (partition, 2));
    }
}

pub(in crate::conformance) async fn scheduled_items_do_not_count_for_placement(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 2).await;
    let later = |_| NewItem { enqueue_at: Some(fixture.after(HOUR)), ..NewItem::default() };
    let items = (0..10).map(later).collect();
    fixture.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    let first = fixture.produce_many(&orders, 1).await;
    let second = fixture.produce_many(&orders, 1).await;
    assert_eq!((first, second), (0, 1), "a partition with scheduled items only counts as empty");
}

// By message id

fn by_message_id(queue: &QueueName, message_id: &str) -> LeaseByMessageId {
    LeaseByMessageId { queue: queue.clone(), message_id: message_id.into(), lease: None, notes_receipt: false }
}

pub(in crate::conformance) async fn an_item_is_leased_by_its_message_id(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    for message_id in ["m-1", "m-2", "m-3"] {
        fixture.produce_one(&orders, item_named("a", message_id)).await;
    }
    let scheduled = NewItem { message_id: Some("m-4".into()), ..item_at("later", fixture.after(HOUR)) };
    fixture.produce_one(&orders, scheduled).await;
    for (message_id, lease) in [("m-2", None), ("m-4", Some(HOUR))] {
        let request = LeaseByMessageId { lease, ..by_message_id(&orders, message_id) };
        let held = fixture.store().lease_by_message_id(request).await.unwrap().expect("it is there");
        assert_eq!(held.info.source_id.as_deref(), Some(message_id));
        assert_eq!((held.info.attempts, held.info.deliveries), (1, 1));
        let deadline = fixture.after(lease.unwrap_or(MINUTE));
        assert_eq!(held.info.state, ItemState::Leased { deadline });
    }
    assert_eq!(fixture.numbers(&orders).await, (4, 2, 0));
    assert_eq!(fixture.stats(&orders).await.counts.of(Event::Leased), 2);
    let rest = fixture.lease(&orders, 5).await.items;
    let rest: Vec<_> = rest.iter().filter_map(|item| item.info.source_id.as_deref()).collect();
    assert_eq!(rest, ["m-1", "m-3"]);
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(fixture.numbers(&orders).await, (4, 1, 0), "its lease ends as any other");
}

pub(in crate::conformance) async fn a_leased_or_unknown_message_id_leases_nothing(fixture: &StoreFixture) {
    let (orders, letters) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    let lease = async |queue: &QueueName, id: &str| fixture.store().lease_by_message_id(by_message_id(queue, id)).await;
    assert_eq!(lease(&orders, "m-2").await, Ok(None));
    assert_eq!(lease(&letters, "m-1").await, Ok(None), "in another queue");
    let held = fixture.lease_one(&orders).await;
    assert_eq!(lease(&orders, "m-1").await, Ok(None), "it is leased");
    fixture.settle(&orders, held.info.id, dead()).await.unwrap();
    assert_eq!(lease(&orders, "m-1").await, Ok(None), "it is gone");
    assert_eq!(lease(&letters, "m-1").await, Ok(None), "a letter is claimed by its letter id");
    fixture.produce_one(&orders, NewItem { expire_after: Some(SECOND), ..item_named("b", "m-3") }).await;
    let pause = |is_paused| UpdateQueue { is_paused: Some(is_paused), ..UpdateQueue::of(orders.clone()) };
    fixture.store().update_queue(pause(true)).await.unwrap();
    assert_eq!(lease(&orders, "m-3").await, Ok(None), "the queue is paused");
    fixture.store().update_queue(pause(false)).await.unwrap();
    fixture.advance(SECOND.saturating_add(INSTANT));
    assert_eq!(lease(&orders, "m-3").await, Ok(None), "it has expired");
}

/// A scheduled retry has the id of its last delivery: that holder must not get it back.
pub(in crate::conformance) async fn an_item_leased_by_its_message_id_has_a_new_id(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    fixture.produce(&orders, &["b"]).await;
    let first = fixture.lease_one(&orders).await.info.id;
    fixture.settle(&orders, first, retry_at(fixture.after(HOUR))).await.unwrap();
    let second = fixture.store().lease_by_message_id(by_message_id(&orders, "m-1")).await.unwrap().expect("scheduled");
    assert_eq!(rejection(fixture.complete(&orders, first).await), Rejection::NoSuchItem(first));
    fixture.settle(&orders, second.info.id, SettleAction::Release).await.unwrap();
    let third = fixture.store().lease_by_message_id(by_message_id(&orders, "m-1")).await.unwrap().expect("ready");
    assert_eq!(rejection(fixture.complete(&orders, second.info.id).await), Rejection::NoSuchItem(second.info.id));
    assert_eq!(third.info.deliveries, 2);
    fixture.complete(&orders, third.info.id).await.unwrap();
}

pub(in crate::conformance) async fn the_first_delivery_is_noted_on_request(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_named("a", "m-1")).await;
    let lease = async |notes_receipt| {
        let spec = LeaseSpec { batch: 1, lease: None, notes_receipt };
        let leased = fixture.store().lease(Lease { spec, ..lease_of(&orders, 1, Span::ZERO) }).await.unwrap();
        leased.items[0].info.clone()
    };
    fixture.advance(SECOND);
    let held = lease(true).await;
    assert_eq!(held.first_received_at, Some(fixture.now()));
    fixture.settle(&orders, held.id, SettleAction::Release).await.unwrap();
    assert_eq!(fixture.only_item(&orders).await.first_received_at, None, "a release undoes the delivery");
    let held = lease(false).await;
    assert_eq!(held.first_received_at, None);
    fixture.settle(&orders, held.id, retry()).await.unwrap();
    fixture.advance(SECOND);
    let first = fixture.now();
    let taken = LeaseByMessageId { notes_receipt: true, ..by_message_id(&orders, "m-1") };
    assert!(fixture.store().lease_by_message_id(taken).await.unwrap().is_some());
    for _ in 0..2 {
        fixture.advance(MINUTE.saturating_add(INSTANT));
        let again = lease(true).await;
        assert_eq!(again.first_received_at, Some(first));
        fixture.settle(&orders, again.id, SettleAction::Release).await.unwrap();
        assert_eq!(lease(false).await.first_received_at, Some(first), "an earlier delivery is not undone");
    }
}

/// More than a store must process at once.
pub(in crate::conformance) async fn a_lease_that_does_not_wait_gets_everything_due(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_many(&orders, 1_000).await;
    assert_eq!(fixture.lease(&orders, 1_000).await.items.len(), 1_000);
    fixture.advance(MINUTE.saturating_add(INSTANT));
    let mut again = 0;
    while let Ok(leased) = fixture.try_lease(&orders, 100).await {
        again += leased.items.len();
    }
    assert_eq!(again, 1_000);
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(fixture.numbers(&orders).await, (1_000, 0, 0), "and so do the statistics");
}
