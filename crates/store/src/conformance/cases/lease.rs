//! Items go out.

use redrive_core::{Priority, QueueName, Span};
use redrive_model::{EndReason, Event, GetQueue, ItemState, Lease, LeaseSpec, NewItem, Produce, UpdateQueue};

use crate::conformance::bed::{Bed, lease_of};
use crate::conformance::words::{
    DAY, HOUR, INSTANT, MINUTE, SECOND, complete, ids, item_named, item_of, payload, payloads, retry,
};

pub(in crate::conformance) async fn items_come_in_the_order_of_their_ids(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a", "b"]).await;
    bed.advance(SECOND);
    bed.produce(&orders, &["c"]).await;
    let first = bed.lease(&orders, 2).await;
    bed.settle_leased(&orders, &first, retry()).await;
    let rest = bed.lease(&orders, 10).await;
    assert_eq!(payloads(&rest.items), ["c", "a", "b"], "retried items are at the tail");
    assert!(ids(&rest.items).is_sorted());
}

pub(in crate::conformance) async fn a_lease_counts_an_attempt_and_sets_a_deadline(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await;
    assert_eq!((held.info.attempts, held.info.deliveries), (1, 1));
    assert_eq!(held.info.state, ItemState::Leased { deadline: bed.after(MINUTE) });
    bed.assert_nothing_to_lease(&orders).await;
    assert_eq!(bed.numbers(&orders).await, (1, 1, 0));
    assert_eq!(bed.stats(&orders).await.tally.of(Event::Leased), 1);
}

pub(in crate::conformance) async fn a_lease_may_have_its_own_duration(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let wanted = LeaseSpec { batch: 1, lease: Some(HOUR) };
    let held = bed.store().lease(Lease { spec: wanted, ..lease_of(&orders, 1, Span::ZERO) }).await.unwrap();
    assert_eq!(held.items[0].info.state, ItemState::Leased { deadline: bed.after(HOUR) });
    bed.advance(HOUR);
    bed.settle_leased(&orders, &held, complete()).await;
}

pub(in crate::conformance) async fn a_short_batch_comes_instead_of_waiting(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a", "b"]).await;
    let held = bed.store().lease(lease_of(&orders, 10, HOUR)).await.unwrap();
    assert_eq!(payloads(&held.items), ["a", "b"]);
}

pub(in crate::conformance) async fn a_lease_that_ran_out_gives_the_item_to_the_next(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_named("a", "m-1")).await;
    let held = bed.lease_one(&orders).await;
    bed.produce(&orders, &["b"]).await;
    bed.advance(MINUTE);
    assert_eq!(bed.numbers(&orders).await, (2, 1, 0), "strictly after its time");
    bed.advance(INSTANT);
    let next = bed.lease(&orders, 2).await;
    assert_eq!(payloads(&next.items), ["b", "a"], "the tail of the same partition");
    let again = &next.items[1];
    assert!(again.info.id > held.info.id, "a new id");
    assert_eq!(again.info.attempts, 2, "a crash counts");
    assert_eq!(again.info.source_id.as_deref(), Some("m-1"), "the source id stays");
    assert_eq!(again.info.created_at, held.info.created_at);
}

pub(in crate::conformance) async fn a_lease_protects_its_item(bed: &Bed) {
    let change = |settings: &mut redrive_model::QueueSettings| {
        settings.max_attempts = 1;
        settings.expire_timeout = MINUTE;
    };
    let orders = bed.queue_with("orders", change).await;
    bed.produce(&orders, &["a"]).await;
    bed.advance(Span::from_secs(30));
    let held = bed.lease(&orders, 1).await;
    // Its last attempt, and beyond its life: its holder has it until the deadline.
    bed.advance(MINUTE);
    assert_eq!(bed.numbers(&orders).await, (1, 1, 0));
    bed.settle_leased(&orders, &held, complete()).await;
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Completed), 1);
}

pub(in crate::conformance) async fn an_item_that_expired_while_leased_dies_with_its_lease(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.expire_timeout = MINUTE).await;
    bed.produce(&orders, &["a"]).await;
    bed.advance(Span::from_secs(30));
    bed.lease_one(&orders).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Expired), 1);
}

pub(in crate::conformance) async fn nobody_gets_an_expired_item_however_many_expire_at_once(bed: &Bed) {
    let orders = bed.queue("orders").await;
    for _ in 0..20 {
        bed.produce_many(&orders, 100).await;
    }
    bed.advance(DAY.saturating_add(INSTANT));
    // So many that a store may take its time; nobody gets them meanwhile.
    for _ in 0..2_000 {
        let late = bed.try_lease(&orders, 100).await;
        assert!(late.is_err(), "{} expired items were given", late.map_or(0, |leased| leased.items.len()));
        if bed.numbers(&orders).await == (0, 0, 0) {
            break;
        }
    }
    assert_eq!(bed.stats(&orders).await.tally.ended(EndReason::Expired), 2_000);
}

pub(in crate::conformance) async fn a_paused_queue_gives_nothing_and_takes_everything(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a", "b"]).await;
    let held = bed.lease(&orders, 1).await;
    let settings = bed.store().queue(GetQueue { name: orders.clone() }).await.unwrap();
    let pause = |is_paused| UpdateQueue { is_paused: Some(is_paused), ..UpdateQueue::of(settings.name.clone()) };
    bed.store().update_queue(pause(true)).await.unwrap();
    bed.assert_nothing_to_lease(&orders).await;
    bed.settle_leased(&orders, &held, complete()).await;
    bed.produce(&orders, &["c"]).await;
    bed.store().update_queue(pause(false)).await.unwrap();
    assert_eq!(payloads(&bed.lease(&orders, 5).await.items), ["b", "c"]);
}

// Priorities

async fn produce_each(bed: &Bed, queue: &QueueName, count: usize) {
    for (payload, priority) in [("low", Priority::Low), ("medium", Priority::Medium), ("high", Priority::High)] {
        let items = (0..count).map(|_| item_of(payload, priority)).collect();
        bed.store().produce(Produce::new(queue.clone(), items)).await.unwrap();
    }
}

fn counts(payloads: &[String]) -> [usize; 3] {
    ["high", "medium", "low"].map(|kind| payloads.iter().filter(|payload| *payload == kind).count())
}

pub(in crate::conformance) async fn priorities_share_8_to_4_to_1(bed: &Bed) {
    let orders = bed.queue("orders").await;
    produce_each(bed, &orders, 26).await;
    for _ in 0..2 {
        assert_eq!(counts(&payloads(&bed.lease(&orders, 13).await.items)), [8, 4, 1], "in one lease");
    }
    let mut one_by_one = Vec::new();
    for _ in 0..13 {
        one_by_one.push(payload(&bed.lease_one(&orders).await));
    }
    assert_eq!(counts(&one_by_one), [8, 4, 1], "over several leases");
}

pub(in crate::conformance) async fn within_a_priority_the_oldest_comes_first(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let kinds = [("h1", Priority::High), ("l1", Priority::Low), ("h2", Priority::High), ("l2", Priority::Low)];
    bed.produce_items(&orders, kinds.map(|(payload, priority)| item_of(payload, priority)).to_vec()).await;
    let leased = payloads(&bed.lease(&orders, 4).await.items);
    for kind in ["h", "l"] {
        let of_kind: Vec<_> = leased.iter().filter(|payload| payload.starts_with(kind)).collect();
        assert!(of_kind.is_sorted(), "{leased:?}");
    }
}

pub(in crate::conformance) async fn low_priority_never_starves(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_of("low", Priority::Low)).await;
    for _ in 0..13 {
        // There is always something more urgent.
        let items = (0..2).map(|_| item_of("high", Priority::High)).collect();
        bed.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
        let held = bed.lease(&orders, 1).await;
        bed.settle_leased(&orders, &held, complete()).await;
        if payload(&held.items[0]) == "low" {
            return;
        }
    }
    panic!("it waited for more than 13 turns");
}

pub(in crate::conformance) async fn a_priority_alone_gets_every_turn(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let items = (0..20).map(|_| item_of("low", Priority::Low)).collect();
    bed.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    assert_eq!(bed.lease(&orders, 20).await.items.len(), 20);
}

// The table of fair shares

async fn totals(bed: &Bed, queue: &QueueName) -> Vec<(u64, u64)> {
    bed.stats(queue).await.partitions.iter().map(|partition| (partition.total, partition.leased)).collect()
}

async fn five_produces_of_ten(bed: &Bed) -> QueueName {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 2).await;
    for _ in 0..5 {
        bed.produce_many(&orders, 10).await;
    }
    orders
}

pub(in crate::conformance) async fn five_produces_over_two_partitions(bed: &Bed) {
    let orders = five_produces_of_ten(bed).await;
    assert_eq!(totals(bed, &orders).await, [(30, 0), (20, 0)]);
}

pub(in crate::conformance) async fn leases_of_5_10_20_over_two_partitions(bed: &Bed) {
    let orders = five_produces_of_ten(bed).await;
    for batch in [5, 10, 20] {
        assert_eq!(bed.lease(&orders, batch).await.items.len() as u64, batch);
    }
    assert_eq!(totals(bed, &orders).await, [(30, 15), (20, 20)]);
}

pub(in crate::conformance) async fn the_fuller_partition_is_leased_first(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 2).await;
    assert_eq!(bed.produce_many(&orders, 10).await, 0);
    assert_eq!(bed.produce_many(&orders, 11).await, 1);
    assert_eq!(bed.lease(&orders, 10).await.partition, 1);
    assert_eq!(bed.lease(&orders, 10).await.partition, 0);
    assert_eq!(totals(bed, &orders).await, [(10, 10), (11, 10)]);
}

pub(in crate::conformance) async fn ten_partitions_are_emptied_evenly(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 10).await;
    for _ in 0..10 {
        bed.produce_many(&orders, 5).await;
    }
    for _ in 0..10 {
        assert_eq!(bed.lease(&orders, 5).await.items.len(), 5);
    }
    assert_eq!(totals(bed, &orders).await, [(5, 5); 10]);
}

pub(in crate::conformance) async fn waiting_leases_share_one_partition_in_turn(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let mut waiters = Vec::new();
    for batch in [20, 6, 1] {
        waiters.push(bed.wait(&orders, batch).await);
    }
    bed.produce_many(&orders, 23).await;
    let mut got = Vec::new();
    for waiter in waiters {
        got.push(waiter.got().await.items.len());
    }
    assert_eq!(got, [16, 6, 1]);
}

pub(in crate::conformance) async fn waiting_leases_meet_at_the_partition_that_got_the_items(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 5).await;
    let mut waiters = Vec::new();
    for _ in 0..5 {
        waiters.push(bed.wait(&orders, 10).await);
    }
    let partition = bed.produce_many(&orders, 10).await;
    for waiter in waiters {
        let got = waiter.got().await;
        assert_eq!((got.partition, got.items.len()), (partition, 2));
    }
}

pub(in crate::conformance) async fn scheduled_items_do_not_weigh(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 2).await;
    let later = |_| NewItem { enqueue_at: Some(bed.after(HOUR)), ..NewItem::default() };
    let items = (0..10).map(later).collect();
    bed.store().produce(Produce::new(orders.clone(), items)).await.unwrap();
    let first = bed.produce_many(&orders, 1).await;
    let second = bed.produce_many(&orders, 1).await;
    assert_eq!((first, second), (0, 1), "a partition with nothing but a schedule is as empty as the other");
}
