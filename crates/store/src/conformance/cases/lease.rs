//! Leasing items.

use redrive_core::{Priority, QueueName, Span};
use redrive_model::{EndReason, Event, GetQueue, ItemState, Lease, LeaseSpec, NewItem, Produce, UpdateQueue};

use crate::conformance::fixture::{StoreFixture, lease_of};
use crate::conformance::samples::{
    DAY, HOUR, INSTANT, MINUTE, SECOND, complete, ids, item_named, item_of, payload, payloads, retry,
};

pub(in crate::conformance) async fn items_come_in_the_order_of_their_ids(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce(&orders, &["a", "b"]).await;
    fixture.advance(SECOND);
    fixture.produce(&orders, &["c"]).await;
    let first = fixture.lease(&orders, 2).await;
    fixture.settle_leased(&orders, &first, retry()).await;
    let rest = fixture.lease(&orders, 10).await;
    assert_eq!(payloads(&rest.items), ["c", "a", "b"], "retried items are at the tail");
    assert!(ids(&rest.items).is_sorted());
}

pub(in crate::conformance) async fn a_lease_counts_an_attempt_and_sets_a_deadline(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease_one(&orders).await;
    assert_eq!((held.info.attempts, held.info.deliveries), (1, 1));
    assert_eq!(held.info.state, ItemState::Leased { deadline: fixture.after(MINUTE) });
    fixture.assert_nothing_to_lease(&orders).await;
    assert_eq!(fixture.numbers(&orders).await, (1, 1, 0));
    assert_eq!(fixture.stats(&orders).await.tally.of(Event::Leased), 1);
}

pub(in crate::conformance) async fn a_lease_may_have_its_own_duration(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce(&orders, &["a"]).await;
    let wanted = LeaseSpec { batch: 1, lease: Some(HOUR) };
    let held = fixture.store().lease(Lease { spec: wanted, ..lease_of(&orders, 1, Span::ZERO) }).await.unwrap();
    assert_eq!(held.items[0].info.state, ItemState::Leased { deadline: fixture.after(HOUR) });
    fixture.advance(HOUR);
    fixture.settle_leased(&orders, &held, complete()).await;
}

pub(in crate::conformance) async fn a_lease_returns_fewer_items_instead_of_waiting(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce(&orders, &["a", "b"]).await;
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
    assert_eq!(fixture.stats(&orders).await.tally.ended(EndReason::Completed), 1);
}

pub(in crate::conformance) async fn an_item_that_expired_while_leased_dies_with_its_lease(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.expire_timeout = MINUTE).await;
    fixture.produce(&orders, &["a"]).await;
    fixture.advance(Span::from_secs(30));
    fixture.lease_one(&orders).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    assert_eq!(fixture.stats(&orders).await.tally.ended(EndReason::Expired), 1);
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
    assert_eq!(fixture.stats(&orders).await.tally.ended(EndReason::Expired), 2_000);
}

pub(in crate::conformance) async fn a_paused_queue_leases_nothing_and_accepts_everything(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce(&orders, &["a", "b"]).await;
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
