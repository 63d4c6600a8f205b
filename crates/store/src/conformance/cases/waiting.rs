//! Those who wait: what wakes them, and what ends it.

use std::task::Poll;

use crate::StoreError;
use redrive_core::QueueName;
use redrive_model::{
    ClaimDue, DeleteQueue, DestinationFilter, GetQueue, GetStats, Import, ImportItem, Lease, NewItem, Produce,
    Rejection, SettleAction, UpdateQueue,
};

use crate::conformance::bed::{Bed, lease_of};
use crate::conformance::words::{
    DAY, HOUR, INSTANT, MINUTE, SECOND, complete, dead, failure_due, ids, item_at, payload, payloads, refusal, retry,
    retry_at,
};

pub(super) async fn pause(bed: &Bed, queue: &QueueName, is_paused: bool) {
    let settings = bed.store().queue(GetQueue { name: queue.clone() }).await.unwrap();
    let update = UpdateQueue { is_paused: Some(is_paused), ..UpdateQueue::of(settings.name.clone()) };
    bed.store().update_queue(update).await.unwrap();
}

/// A lease of nothing but one item, so that somebody else waits for it.
async fn held_and_awaited(
    bed: &Bed,
) -> (QueueName, redrive_model::StoredItem, crate::conformance::waiter::Waiter<redrive_model::Leased>) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await;
    let waiter = bed.wait(&orders, 1).await;
    waiter.assert_waits(bed).await;
    (orders, held, waiter)
}

pub(in crate::conformance) async fn a_produce_wakes(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 4).await;
    for _ in 0..8 {
        let waiter = bed.wait(&orders, 5).await;
        waiter.assert_waits(bed).await;
        let partition = bed.produce_many(&orders, 2).await;
        let got = waiter.got().await;
        assert_eq!((got.partition, got.items.len()), (partition, 2), "whichever partition it is");
    }
}

pub(in crate::conformance) async fn a_retry_wakes(bed: &Bed) {
    let (orders, held, waiter) = held_and_awaited(bed).await;
    bed.settle(&orders, held.info.id, retry()).await.unwrap();
    assert_eq!(waiter.got().await.items[0].info.attempts, 2);
}

pub(in crate::conformance) async fn a_release_wakes(bed: &Bed) {
    let (orders, held, waiter) = held_and_awaited(bed).await;
    bed.settle(&orders, held.info.id, SettleAction::Release).await.unwrap();
    assert_eq!(waiter.got().await.items[0].info.attempts, 1);
}

pub(in crate::conformance) async fn a_condemned_item_wakes(bed: &Bed) {
    let (orders, held, waiter) = held_and_awaited(bed).await;
    bed.settle(&orders, held.info.id, SettleAction::RedeliverForHandOver { attempt: None }).await.unwrap();
    assert!(waiter.got().await.items[0].info.is_hand_over_only);
}

pub(in crate::conformance) async fn a_lease_that_runs_out_wakes(bed: &Bed) {
    let (_, held, waiter) = held_and_awaited(bed).await;
    bed.advance(MINUTE);
    waiter.assert_waits(bed).await;
    bed.advance(INSTANT);
    assert!(waiter.got().await.items[0].info.id > held.info.id);
}

pub(in crate::conformance) async fn a_due_item_wakes(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    for _ in 0..3 {
        bed.produce_one(&orders, item_at("later", bed.after(MINUTE))).await;
        let waiter = bed.wait(&orders, 1).await;
        bed.advance(MINUTE.saturating_sub(INSTANT));
        waiter.assert_waits(bed).await;
        bed.advance(INSTANT);
        let got = waiter.got().await;
        assert_eq!(payload(&got.items[0]), "later");
        bed.settle_leased(&orders, &got, complete()).await;
    }
}

pub(in crate::conformance) async fn a_due_retry_wakes(bed: &Bed) {
    let (orders, held, waiter) = held_and_awaited(bed).await;
    bed.settle(&orders, held.info.id, retry_at(bed.after(MINUTE))).await.unwrap();
    waiter.assert_waits(bed).await;
    bed.advance(MINUTE);
    assert_eq!(waiter.got().await.items.len(), 1);
}

pub(in crate::conformance) async fn the_end_of_a_deferral_wakes(bed: &Bed) {
    let (orders, held, waiter) = held_and_awaited(bed).await;
    bed.settle(&orders, held.info.id, SettleAction::Defer { until: bed.after(MINUTE) }).await.unwrap();
    waiter.assert_waits(bed).await;
    bed.advance(MINUTE);
    assert_eq!(waiter.got().await.items[0].info.attempts, 1);
}

pub(in crate::conformance) async fn an_import_wakes(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    for partition in [2, 0, 1] {
        let waiter = bed.wait(&orders, 1).await;
        let import = Import { queue: orders.clone(), partition, items: vec![ImportItem::default()] };
        bed.store().import(import).await.unwrap();
        assert_eq!(waiter.got().await.partition, partition);
    }
}

pub(in crate::conformance) async fn an_imported_lease_that_runs_out_wakes(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let item =
        ImportItem { is_leased: true, lease_deadline: Some(bed.after(MINUTE)), attempts: 1, ..ImportItem::default() };
    bed.store().import(Import { queue: orders.clone(), partition: 0, items: vec![item] }).await.unwrap();
    let waiter = bed.wait(&orders, 1).await;
    waiter.assert_waits(bed).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(waiter.got().await.items[0].info.attempts, 2);
}

pub(in crate::conformance) async fn an_arrival_in_the_dead_queue_wakes(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.partitions = 3).await;
    let orders = bed
        .queue_with("orders", |settings| {
            settings.dead_queue = Some(dead_queue.clone());
            settings.max_attempts = 1;
        })
        .await;
    for verb in [Some(dead()), Some(retry()), None] {
        let waiter = bed.wait(&dead_queue, 1).await;
        bed.produce(&orders, &["a"]).await;
        let held = bed.lease_one(&orders).await;
        match verb {
            Some(verb) => bed.settle(&orders, held.info.id, verb).await.unwrap(),
            None => bed.advance(MINUTE.saturating_add(INSTANT)),
        }
        assert_eq!(payload(&waiter.got().await.items[0]), "a");
    }
}

pub(in crate::conformance) async fn an_expired_item_in_the_dead_queue_wakes(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|settings| settings.expire_timeout = MINUTE).await;
    bed.produce(&orders, &["a"]).await;
    let waiter = bed.wait(&dead_queue, 1).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(payload(&waiter.got().await.items[0]), "a");
}

pub(in crate::conformance) async fn the_end_of_a_pause_wakes(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    pause(bed, &orders, true).await;
    let waiter = bed.wait(&orders, 1).await;
    waiter.assert_waits(bed).await;
    pause(bed, &orders, false).await;
    assert_eq!(payload(&waiter.got().await.items[0]), "a");
}

pub(in crate::conformance) async fn one_item_wakes_one(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let first = bed.wait(&orders, 1).await;
    let second = bed.wait(&orders, 1).await;
    bed.produce(&orders, &["a"]).await;
    assert_eq!(payload(&first.got().await.items[0]), "a", "who came first is served first");
    second.assert_waits(bed).await;
    bed.produce(&orders, &["b"]).await;
    assert_eq!(payload(&second.got().await.items[0]), "b");
}

pub(in crate::conformance) async fn waiting_does_not_delay_other_queues(bed: &Bed) {
    let (orders, others) = (bed.queue("orders").await, bed.queue("others").await);
    let waiter = bed.wait(&orders, 1).await;
    bed.produce(&others, &["b"]).await;
    assert_eq!(payload(&bed.lease_one(&others).await), "b");
    waiter.assert_waits(bed).await;
    waiter.vanish(bed).await;
}

pub(in crate::conformance) async fn those_who_wait_are_counted(bed: &Bed) {
    let (orders, others) = (bed.queue("orders").await, bed.queue("others").await);
    let counts = async || (bed.stats(&orders).await.waiting, bed.stats(&others).await.waiting);
    assert_eq!(counts().await, (0, 0));
    let (first, second) = (bed.wait(&orders, 1).await, bed.wait(&orders, 1).await);
    let claim = bed.wait_for_letters(&others, &[]).await;
    assert_eq!(counts().await, (2, 1));
    bed.produce(&orders, &["a"]).await;
    first.got().await;
    assert_eq!(counts().await, (1, 1));
    second.vanish(bed).await;
    claim.vanish(bed).await;
    assert_eq!(counts().await, (0, 0));
}

// How it ends

pub(in crate::conformance) async fn a_lease_waits_until_its_deadline(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let waiter = bed.wait_with(lease_of(&orders, 1, MINUTE)).await;
    bed.advance(MINUTE.saturating_sub(INSTANT));
    waiter.assert_waits(bed).await;
    bed.advance(INSTANT.saturating_mul(2));
    assert_eq!(waiter.refused().await, StoreError::TimedOut);
}

pub(in crate::conformance) async fn nobody_waits_longer_where_the_clock_is_stepped_back(bed: &Bed) {
    let (orders, dead_queue) = (bed.queue("orders").await, bed.queue("dead").await);
    let lease = bed.wait_with(lease_of(&orders, 1, MINUTE)).await;
    let claim = bed.wait_for_letters(&dead_queue, &[]).await;
    bed.clock.step(bed.now().saturating_sub(DAY));
    bed.advance(MINUTE.saturating_sub(INSTANT));
    lease.assert_waits(bed).await;
    bed.advance(INSTANT.saturating_mul(2));
    assert_eq!(lease.refused().await, StoreError::TimedOut);
    claim.assert_waits(bed).await;
    bed.advance(DAY);
    assert_eq!(claim.refused().await, StoreError::TimedOut);
}

pub(in crate::conformance) async fn nobody_is_sent_away_early_where_the_clock_is_stepped_forward(bed: &Bed) {
    let (orders, dead_queue) = (bed.queue("orders").await, bed.queue("dead").await);
    let lease = bed.wait_with(lease_of(&orders, 1, MINUTE)).await;
    let claim = bed.wait_for_letters(&dead_queue, &[]).await;
    bed.clock.step(bed.after(DAY.saturating_mul(2)));
    lease.assert_waits(bed).await;
    claim.assert_waits(bed).await;
    bed.produce(&orders, &["a"]).await;
    assert_eq!(payload(&lease.got().await.items[0]), "a");
    bed.capture(&dead_queue, failure_due("f-1")).await;
    assert_eq!(claim.got().await.len(), 1);
}

/// When something is due is a time of day, and so is the end of a lease.
pub(in crate::conformance) async fn what_is_due_follows_a_clock_that_is_stepped(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_at("later", bed.after(HOUR))).await;
    let waiter = bed.wait_with(lease_of(&orders, 1, MINUTE)).await;
    bed.clock.step(bed.after(HOUR));
    let first = waiter.got().await;
    let waiter = bed.wait_with(lease_of(&orders, 1, MINUTE)).await;
    bed.clock.step(bed.after(MINUTE.saturating_add(INSTANT)));
    assert!(waiter.got().await.items[0].info.id > first.items[0].info.id, "its lease is over");
}

pub(in crate::conformance) async fn no_work_is_given_after_the_deadline(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_one(&orders, item_at("a", bed.after(MINUTE))).await;
    let waiter = bed.wait_with(lease_of(&orders, 1, MINUTE.saturating_add(SECOND))).await;
    // The clock jumps over both: the item is there, and the request is late.
    bed.advance(HOUR);
    assert_eq!(waiter.refused().await, StoreError::TimedOut);
    assert_eq!(bed.lease_one(&orders).await.info.attempts, 1);
}

pub(in crate::conformance) async fn a_vanished_client_gets_nothing(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.wait(&orders, 1).await.vanish(bed).await;
    bed.produce(&orders, &["a"]).await;
    assert_eq!(bed.numbers(&orders).await, (1, 0, 0));
    assert_eq!(bed.lease_one(&orders).await.info.attempts, 1);
}

pub(in crate::conformance) async fn a_vanished_client_leaves_its_turn_to_the_next(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let vanishing = bed.wait(&orders, 10).await;
    let patient = bed.wait(&orders, 10).await;
    vanishing.vanish(bed).await;
    bed.produce_many(&orders, 4).await;
    assert_eq!(patient.got().await.items.len(), 4);
}

/// Sends a request to a queue, has it answered by what `then` does, and goes before reading the answer.
pub(super) async fn vanish_before_reading<T>(
    bed: &Bed,
    queue: &QueueName,
    request: impl Future<Output = T>,
    then: impl Future<Output = ()>,
) {
    let mut request = Box::pin(request);
    let mut is_sent = async || {
        let sent = std::future::poll_fn(|context| Poll::Ready(request.as_mut().poll(context).is_pending())).await;
        assert!(sent, "there was nothing to wait for");
        bed.stats(queue).await.waiting > 0
    };
    while !is_sent().await {
        tokio::task::yield_now().await;
    }
    then.await;
}

pub(in crate::conformance) async fn an_answer_that_nobody_reads_gives_its_items_back(bed: &Bed) {
    let orders = bed.queue("orders").await;
    for _ in 0..3 {
        let lease = bed.store();
        vanish_before_reading(bed, &orders, lease.lease(lease_of(&orders, 5, HOUR)), async {
            bed.produce(&orders, &["a", "b"]).await;
            assert_eq!(bed.numbers(&orders).await, (2, 2, 0), "both were given to whoever is about to go");
        })
        .await;
        let mut attempts = Vec::new();
        while attempts.len() < 2 {
            let leased = bed.wait(&orders, 2).await.got().await;
            attempts.extend(leased.items.iter().map(|item| item.info.attempts));
            bed.settle_leased(&orders, &leased, complete()).await;
        }
        assert_eq!(attempts, [1, 1], "nobody has tried them");
    }
}

pub(in crate::conformance) async fn a_claim_that_nobody_reads_gives_its_letters_back(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let store = bed.store();
    let claim = ClaimDue {
        queue: dead_queue.clone(),
        batch: 5,
        lease: MINUTE,
        scope: DestinationFilter::all(),
        wait: redrive_core::Span::ZERO,
    };
    vanish_before_reading(bed, &dead_queue, store.claim_due(ClaimDue { wait: HOUR, ..claim }), async {
        bed.capture(&dead_queue, failure_due("f")).await;
    })
    .await;
    let letters = bed.wait_for_letters(&dead_queue, &[]).await.got().await;
    assert_eq!((letters.len(), letters[0].info.attempts), (1, 1), "nobody has tried it");
}

fn lease_as(client: &str, queue: &QueueName) -> Lease {
    Lease { client_id: Some(client.to_owned()), ..lease_of(queue, 1, HOUR) }
}

pub(in crate::conformance) async fn a_client_waits_once_on_a_queue(bed: &Bed) {
    let (orders, others) = (bed.queue("orders").await, bed.queue("others").await);
    let first = bed.wait_with(lease_as("worker", &orders)).await;
    let second = bed.store().lease(lease_as("worker", &orders)).await;
    assert_eq!(refusal(second), Rejection::DuplicateClient);
    let elsewhere = bed.wait_with(lease_as("worker", &others)).await;
    let other = bed.wait_with(lease_as("other", &orders)).await;
    bed.produce(&orders, &["a", "b"]).await;
    bed.produce(&others, &["c"]).await;
    let got = [first.got().await, other.got().await, elsewhere.got().await];
    assert_eq!(got.each_ref().map(|got| payload(&got.items[0])), ["a", "b", "c"]);
    for (got, queue) in got.iter().zip([&orders, &orders, &others]) {
        bed.settle_leased(queue, got, complete()).await;
    }
    // Whoever has an answer may wait again.
    let again = bed.wait_with(lease_as("worker", &orders)).await;
    again.assert_waits(bed).await;
    bed.advance(HOUR.saturating_add(INSTANT));
    assert_eq!(again.refused().await, StoreError::TimedOut);
    bed.wait_with(lease_as("worker", &orders)).await.vanish(bed).await;
}

pub(in crate::conformance) async fn a_vanished_client_may_wait_again_at_once(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.wait_with(lease_as("worker", &orders)).await.vanish_unnoticed().await;
    let again = bed.wait_with(lease_as("worker", &orders)).await;
    bed.produce(&orders, &["a"]).await;
    assert_eq!(payload(&again.got().await.items[0]), "a");
}

pub(in crate::conformance) async fn deleting_the_queue_ends_the_waiting(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let (lease, claim) = (bed.wait(&orders, 1).await, bed.wait_for_letters(&orders, &[]).await);
    bed.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await.unwrap();
    assert_eq!(lease.refused().await, StoreError::QueueGone);
    assert_eq!(claim.refused().await, StoreError::QueueGone);
    // Whoever comes to a queue of that name waits anew.
    let orders = bed.queue("orders").await;
    let waiter = bed.wait_with(lease_as("worker", &orders)).await;
    bed.produce(&orders, &["a"]).await;
    assert_eq!(waiter.got().await.items.len(), 1);
}

pub(in crate::conformance) async fn closing_the_store_ends_the_waiting(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let (lease, claim) = (bed.wait(&orders, 1).await, bed.wait_for_letters(&orders, &[]).await);
    bed.close().await;
    assert_eq!(lease.refused().await, StoreError::Closed);
    assert_eq!(claim.refused().await, StoreError::Closed);
    assert_eq!(bed.store().stats(GetStats { queue: orders.clone() }).await, Err(StoreError::Closed));
    assert_eq!(bed.try_lease(&orders, 1).await, Err(StoreError::Closed));
    bed.store().close().await.expect("closing twice is closing");
}

// Claims

pub(in crate::conformance) async fn several_wait_and_each_item_is_given_once(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    let mut waiters = Vec::new();
    for _ in 0..12 {
        waiters.push(bed.wait(&orders, 1).await);
    }
    for number in 0..12 {
        bed.produce_one(&orders, NewItem::of_payload(format!("{number:02}"))).await;
    }
    let mut got = Vec::new();
    for waiter in waiters {
        got.extend(payloads(&waiter.got().await.items));
    }
    got.sort();
    assert_eq!(got, (0..12).map(|number| format!("{number:02}")).collect::<Vec<_>>());
}

/// Producers and consumers at once, each in a task of its own.
pub(in crate::conformance) async fn many_clients_at_once_lose_and_double_nothing(bed: &Bed) {
    const CLIENTS: usize = 8;
    const ITEMS: usize = 25;
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    let mut consumers = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let (store, orders) = (bed.store(), orders.clone());
        consumers.spawn(async move {
            let mut got = Vec::new();
            // An item that says so ends it.
            while !got.iter().any(|payload: &String| payload == "end") {
                let leased = store.lease(lease_of(&orders, 1, HOUR)).await.unwrap();
                got.extend(payloads(&leased.items));
                store.complete(orders.clone(), leased.partition, ids(&leased.items)).await.unwrap();
            }
            got
        });
    }
    let mut producers = tokio::task::JoinSet::new();
    for client in 0..CLIENTS {
        let (store, queue) = (bed.store(), orders.clone());
        producers.spawn(async move {
            for number in 0..ITEMS {
                let items = vec![NewItem::of_payload(format!("{client}-{number}"))];
                store.produce(Produce::new(queue.clone(), items)).await.unwrap();
            }
        });
    }
    producers.join_all().await;
    while bed.numbers(&orders).await.0 > 0 {
        tokio::task::yield_now().await;
    }
    for _ in 0..CLIENTS {
        bed.produce(&orders, &["end"]).await;
    }
    let mut got: Vec<String> = consumers.join_all().await.concat();
    got.retain(|payload| payload != "end");
    got.sort();
    let mut expected: Vec<_> = (0..CLIENTS * ITEMS).map(|n| format!("{}-{}", n / ITEMS, n % ITEMS)).collect();
    expected.sort();
    assert_eq!(got, expected);
}
