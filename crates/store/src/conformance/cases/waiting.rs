//! Waiting leases: what wakes them, and what ends the wait.

use std::task::Poll;

use crate::StoreError;
use redrive_core::{QueueName, Time};
use redrive_model::{
    ClaimDue, DeleteQueue, DestinationFilter, GetQueue, GetStats, Import, ImportItem, Lease, NewItem, Produce,
    Rejection, SettleAction, UpdateQueue,
};

use crate::conformance::fixture::{StoreFixture, lease_of};
use crate::conformance::samples::{
    DAY, HOUR, INSTANT, MINUTE, SECOND, complete, dead, failure_due, ids, item_at, payload, payloads, rejection, retry,
    retry_at,
};

pub(super) async fn pause(fixture: &StoreFixture, queue: &QueueName, is_paused: bool) {
    let settings = fixture.store().queue(GetQueue { name: queue.clone() }).await.unwrap();
    let update = UpdateQueue { is_paused: Some(is_paused), ..UpdateQueue::of(settings.name.clone()) };
    fixture.store().update_queue(update).await.unwrap();
}

/// Leases the only item, and starts a second lease that waits for it.
async fn held_and_awaited(
    fixture: &StoreFixture,
) -> (QueueName, redrive_model::StoredItem, crate::conformance::waiter::Waiter<redrive_model::Leased>) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease_one(&orders).await;
    let waiter = fixture.wait(&orders, 1).await;
    waiter.assert_waits(fixture).await;
    (orders, held, waiter)
}

pub(in crate::conformance) async fn a_produce_wakes(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 4).await;
    for _ in 0..8 {
        let waiter = fixture.wait(&orders, 5).await;
        waiter.assert_waits(fixture).await;
        let partition = fixture.produce_many(&orders, 2).await;
        let got = waiter.reply().await;
        assert_eq!((got.partition, got.items.len()), (partition, 2), "in any partition");
    }
}

pub(in crate::conformance) async fn a_retry_wakes(fixture: &StoreFixture) {
    let (orders, held, waiter) = held_and_awaited(fixture).await;
    fixture.settle(&orders, held.info.id, retry()).await.unwrap();
    assert_eq!(waiter.reply().await.items[0].info.attempts, 2);
}

pub(in crate::conformance) async fn a_release_wakes(fixture: &StoreFixture) {
    let (orders, held, waiter) = held_and_awaited(fixture).await;
    fixture.settle(&orders, held.info.id, SettleAction::Release).await.unwrap();
    assert_eq!(waiter.reply().await.items[0].info.attempts, 1);
}

pub(in crate::conformance) async fn an_item_redelivered_for_hand_over_wakes(fixture: &StoreFixture) {
    let (orders, held, waiter) = held_and_awaited(fixture).await;
    fixture
        .settle(&orders, held.info.id, SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: None })
        .await
        .unwrap();
    assert!(waiter.reply().await.items[0].info.is_hand_over_only);
}

pub(in crate::conformance) async fn an_expired_lease_wakes(fixture: &StoreFixture) {
    let (_, held, waiter) = held_and_awaited(fixture).await;
    fixture.advance(MINUTE);
    waiter.assert_waits(fixture).await;
    fixture.advance(INSTANT);
    assert!(waiter.reply().await.items[0].info.id > held.info.id);
}

pub(in crate::conformance) async fn a_due_item_wakes(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    for _ in 0..3 {
        fixture.produce_one(&orders, item_at("later", fixture.after(MINUTE))).await;
        let waiter = fixture.wait(&orders, 1).await;
        fixture.advance(MINUTE.saturating_sub(INSTANT));
        waiter.assert_waits(fixture).await;
        fixture.advance(INSTANT);
        let got = waiter.reply().await;
        assert_eq!(payload(&got.items[0]), "later");
        fixture.settle_leased(&orders, &got, complete()).await;
    }
}

pub(in crate::conformance) async fn a_due_retry_wakes(fixture: &StoreFixture) {
    let (orders, held, waiter) = held_and_awaited(fixture).await;
    fixture.settle(&orders, held.info.id, retry_at(fixture.after(MINUTE))).await.unwrap();
    waiter.assert_waits(fixture).await;
    fixture.advance(MINUTE);
    assert_eq!(waiter.reply().await.items.len(), 1);
}

pub(in crate::conformance) async fn the_end_of_a_deferral_wakes(fixture: &StoreFixture) {
    let (orders, held, waiter) = held_and_awaited(fixture).await;
    fixture.settle(&orders, held.info.id, SettleAction::Defer { until: fixture.after(MINUTE) }).await.unwrap();
    waiter.assert_waits(fixture).await;
    fixture.advance(MINUTE);
    assert_eq!(waiter.reply().await.items[0].info.attempts, 1);
}

pub(in crate::conformance) async fn an_import_wakes(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    for partition in [2, 0, 1] {
        let waiter = fixture.wait(&orders, 1).await;
        let import = Import { queue: orders.clone(), partition, items: vec![ImportItem::default()] };
        fixture.store().import(import).await.unwrap();
        assert_eq!(waiter.reply().await.partition, partition);
    }
}

pub(in crate::conformance) async fn an_expired_imported_lease_wakes(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let item = ImportItem {
        is_leased: true,
        lease_deadline: Some(fixture.after(MINUTE)),
        attempts: 1,
        ..ImportItem::default()
    };
    fixture.store().import(Import { queue: orders.clone(), partition: 0, items: vec![item] }).await.unwrap();
    let waiter = fixture.wait(&orders, 1).await;
    waiter.assert_waits(fixture).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(waiter.reply().await.items[0].info.attempts, 2);
}

pub(in crate::conformance) async fn an_arrival_in_the_dead_queue_wakes(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.partitions = 3).await;
    let orders = fixture
        .queue_with("orders", |settings| {
            settings.dead_queue = Some(dead_queue.clone());
            settings.max_attempts = 1;
        })
        .await;
    for verb in [Some(dead()), Some(retry()), None] {
        let waiter = fixture.wait(&dead_queue, 1).await;
        fixture.produce(&orders, &["a"]).await;
        let held = fixture.lease_one(&orders).await;
        match verb {
            Some(verb) => fixture.settle(&orders, held.info.id, verb).await.unwrap(),
            None => fixture.advance(MINUTE.saturating_add(INSTANT)),
        }
        assert_eq!(payload(&waiter.reply().await.items[0]), "a");
    }
}

pub(in crate::conformance) async fn an_expired_item_in_the_dead_queue_wakes(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.expire_timeout = MINUTE).await;
    fixture.produce(&orders, &["a"]).await;
    let waiter = fixture.wait(&dead_queue, 1).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(payload(&waiter.reply().await.items[0]), "a");
}

pub(in crate::conformance) async fn the_end_of_a_pause_wakes(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    pause(fixture, &orders, true).await;
    let waiter = fixture.wait(&orders, 1).await;
    waiter.assert_waits(fixture).await;
    pause(fixture, &orders, false).await;
    assert_eq!(payload(&waiter.reply().await.items[0]), "a");
}

pub(in crate::conformance) async fn one_item_wakes_one(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let first = fixture.wait(&orders, 1).await;
    let second = fixture.wait(&orders, 1).await;
    fixture.produce(&orders, &["a"]).await;
    assert_eq!(payload(&first.reply().await.items[0]), "a", "the first request is served first");
    second.assert_waits(fixture).await;
    fixture.produce(&orders, &["b"]).await;
    assert_eq!(payload(&second.reply().await.items[0]), "b");
}

pub(in crate::conformance) async fn waiting_does_not_delay_other_queues(fixture: &StoreFixture) {
    let (orders, others) = (fixture.queue("orders").await, fixture.queue("others").await);
    let waiter = fixture.wait(&orders, 1).await;
    fixture.produce(&others, &["b"]).await;
    assert_eq!(payload(&fixture.lease_one(&others).await), "b");
    waiter.assert_waits(fixture).await;
    waiter.disconnect(fixture).await;
}

pub(in crate::conformance) async fn waiting_requests_are_counted(fixture: &StoreFixture) {
    let (orders, others) = (fixture.queue("orders").await, fixture.queue("others").await);
    let counts = async || (fixture.stats(&orders).await.waiting, fixture.stats(&others).await.waiting);
    assert_eq!(counts().await, (0, 0));
    let (first, second) = (fixture.wait(&orders, 1).await, fixture.wait(&orders, 1).await);
    let claim = fixture.wait_for_letters(&others, &[]).await;
    assert_eq!(counts().await, (2, 1));
    fixture.produce(&orders, &["a"]).await;
    first.reply().await;
    assert_eq!(counts().await, (1, 1));
    second.disconnect(fixture).await;
    claim.disconnect(fixture).await;
    assert_eq!(counts().await, (0, 0));
}

// The end of a wait

pub(in crate::conformance) async fn a_lease_waits_until_its_deadline(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let waiter = fixture.wait_with(lease_of(&orders, 1, MINUTE)).await;
    fixture.advance(MINUTE.saturating_sub(INSTANT));
    waiter.assert_waits(fixture).await;
    fixture.advance(INSTANT.saturating_mul(2));
    assert_eq!(waiter.error().await, StoreError::TimedOut);
}

pub(in crate::conformance) async fn a_wait_is_not_prolonged_when_the_clock_steps_back(fixture: &StoreFixture) {
    let (orders, dead_queue) = (fixture.queue("orders").await, fixture.queue("dead").await);
    let lease = fixture.wait_with(lease_of(&orders, 1, MINUTE)).await;
    let claim = fixture.wait_for_letters(&dead_queue, &[]).await;
    fixture.clock.step(fixture.now().saturating_sub(DAY));
    fixture.advance(MINUTE.saturating_sub(INSTANT));
    lease.assert_waits(fixture).await;
    fixture.advance(INSTANT.saturating_mul(2));
    assert_eq!(lease.error().await, StoreError::TimedOut);
    claim.assert_waits(fixture).await;
    fixture.advance(DAY);
    assert_eq!(claim.error().await, StoreError::TimedOut);
}

pub(in crate::conformance) async fn a_wait_is_not_shortened_when_the_clock_steps_forward(fixture: &StoreFixture) {
    let (orders, dead_queue) = (fixture.queue("orders").await, fixture.queue("dead").await);
    let lease = fixture.wait_with(lease_of(&orders, 1, MINUTE)).await;
    let claim = fixture.wait_for_letters(&dead_queue, &[]).await;
    fixture.clock.step(fixture.after(DAY.saturating_mul(2)));
    lease.assert_waits(fixture).await;
    claim.assert_waits(fixture).await;
    fixture.produce(&orders, &["a"]).await;
    assert_eq!(payload(&lease.reply().await.items[0]), "a");
    fixture.capture(&dead_queue, failure_due("f-1")).await;
    assert_eq!(claim.reply().await.len(), 1);
}

/// Due times and the deadlines of leases are times of day.
pub(in crate::conformance) async fn due_times_follow_a_stepped_clock(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_at("later", fixture.after(HOUR))).await;
    let waiter = fixture.wait_with(lease_of(&orders, 1, MINUTE)).await;
    fixture.clock.step(fixture.after(HOUR));
    let first = waiter.reply().await;
    let waiter = fixture.wait_with(lease_of(&orders, 1, MINUTE)).await;
    fixture.clock.step(fixture.after(MINUTE.saturating_add(INSTANT)));
    assert!(waiter.reply().await.items[0].info.id > first.items[0].info.id, "its lease has expired");
}

pub(in crate::conformance) async fn no_item_is_leased_after_the_deadline(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_one(&orders, item_at("a", fixture.after(MINUTE))).await;
    let waiter = fixture.wait_with(lease_of(&orders, 1, MINUTE.saturating_add(SECOND))).await;
    // The clock jumps past both: the item is due, and the request has timed out.
    fixture.advance(HOUR);
    assert_eq!(waiter.error().await, StoreError::TimedOut);
    assert_eq!(fixture.lease_one(&orders).await.info.attempts, 1);
}

pub(in crate::conformance) async fn a_disconnected_client_gets_nothing(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.wait(&orders, 1).await.disconnect(fixture).await;
    fixture.produce(&orders, &["a"]).await;
    assert_eq!(fixture.numbers(&orders).await, (1, 0, 0));
    assert_eq!(fixture.lease_one(&orders).await.info.attempts, 1);
}

pub(in crate::conformance) async fn a_disconnected_client_leaves_its_turn_to_the_next(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let disconnecting = fixture.wait(&orders, 10).await;
    let waiting = fixture.wait(&orders, 10).await;
    disconnecting.disconnect(fixture).await;
    fixture.produce_many(&orders, 4).await;
    assert_eq!(waiting.reply().await.items.len(), 4);
}

/// Sends a request that waits on a queue, runs `then`, which makes the store answer it, and drops the request before
/// the answer is read.
pub(super) async fn disconnect_before_reading<T>(
    fixture: &StoreFixture,
    queue: &QueueName,
    request: impl Future<Output = T>,
    then: impl Future<Output = ()>,
) {
    let mut request = Box::pin(request);
    let mut is_sent = async || {
        let sent = std::future::poll_fn(|context| Poll::Ready(request.as_mut().poll(context).is_pending())).await;
        assert!(sent, "the request was answered at once");
        fixture.stats(queue).await.waiting > 0
    };
    while !is_sent().await {
        tokio::task::yield_now().await;
    }
    then.await;
}

pub(in crate::conformance) async fn an_unread_answer_releases_its_items(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    for _ in 0..3 {
        let lease = fixture.store();
        disconnect_before_reading(fixture, &orders, lease.lease(lease_of(&orders, 5, HOUR)), async {
            fixture.produce(&orders, &["a", "b"]).await;
            assert_eq!(fixture.numbers(&orders).await, (2, 2, 0), "both were leased to the caller that disconnects");
        })
        .await;
        let mut attempts = Vec::new();
        while attempts.len() < 2 {
            let leased = fixture.wait(&orders, 2).await.reply().await;
            attempts.extend(leased.items.iter().map(|item| item.info.attempts));
            fixture.settle_leased(&orders, &leased, complete()).await;
        }
        assert_eq!(attempts, [1, 1], "no attempt was counted for the unread lease");
    }
}

pub(in crate::conformance) async fn an_unread_claim_releases_its_letters(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let store = fixture.store();
    let claim = ClaimDue {
        queue: dead_queue.clone(),
        batch: 5,
        lease: MINUTE,
        scope: DestinationFilter::all(),
        wait: redrive_core::Span::ZERO,
    };
    disconnect_before_reading(fixture, &dead_queue, store.claim_due(ClaimDue { wait: HOUR, ..claim }), async {
        fixture.capture(&dead_queue, failure_due("f")).await;
    })
    .await;
    let letters = fixture.wait_for_letters(&dead_queue, &[]).await.reply().await;
    assert_eq!((letters.len(), letters[0].info.attempts), (1, 1), "no attempt was counted for the unread claim");
}

fn lease_as(client: &str, queue: &QueueName) -> Lease {
    Lease { client_id: Some(client.to_owned()), ..lease_of(queue, 1, HOUR) }
}

pub(in crate::conformance) async fn a_client_waits_once_on_a_queue(fixture: &StoreFixture) {
    let (orders, others) = (fixture.queue("orders").await, fixture.queue("others").await);
    let first = fixture.wait_with(lease_as("worker", &orders)).await;
    let second = fixture.store().lease(lease_as("worker", &orders)).await;
    assert_eq!(rejection(second), Rejection::DuplicateClient);
    let elsewhere = fixture.wait_with(lease_as("worker", &others)).await;
    let other = fixture.wait_with(lease_as("other", &orders)).await;
    fixture.produce(&orders, &["a", "b"]).await;
    fixture.produce(&others, &["c"]).await;
    let got = [first.reply().await, other.reply().await, elsewhere.reply().await];
    assert_eq!(got.each_ref().map(|got| payload(&got.items[0])), ["a", "b", "c"]);
    for (got, queue) in got.iter().zip([&orders, &orders, &others]) {
        fixture.settle_leased(queue, got, complete()).await;
    }
    // A client whose request was answered may wait again.
    let again = fixture.wait_with(lease_as("worker", &orders)).await;
    again.assert_waits(fixture).await;
    fixture.advance(HOUR.saturating_add(INSTANT));
    assert_eq!(again.error().await, StoreError::TimedOut);
    fixture.wait_with(lease_as("worker", &orders)).await.disconnect(fixture).await;
}

pub(in crate::conformance) async fn a_vanished_client_may_wait_again_at_once(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.wait_with(lease_as("worker", &orders)).await.disconnect_unnoticed().await;
    let again = fixture.wait_with(lease_as("worker", &orders)).await;
    fixture.produce(&orders, &["a"]).await;
    assert_eq!(payload(&again.reply().await.items[0]), "a");
}

pub(in crate::conformance) async fn deleting_the_queue_ends_waiting_requests(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let (lease, claim) = (fixture.wait(&orders, 1).await, fixture.wait_for_letters(&orders, &[]).await);
    fixture.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await.unwrap();
    assert_eq!(lease.error().await, StoreError::QueueGone);
    assert_eq!(claim.error().await, StoreError::QueueGone);
    // A new request to a recreated queue of that name waits again.
    let orders = fixture.queue("orders").await;
    let waiter = fixture.wait_with(lease_as("worker", &orders)).await;
    fixture.produce(&orders, &["a"]).await;
    assert_eq!(waiter.reply().await.items.len(), 1);
}

pub(in crate::conformance) async fn closing_the_store_ends_waiting_requests(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let (lease, claim) = (fixture.wait(&orders, 1).await, fixture.wait_for_letters(&orders, &[]).await);
    fixture.close().await;
    assert_eq!(lease.error().await, StoreError::Closed);
    assert_eq!(claim.error().await, StoreError::Closed);
    assert_eq!(fixture.store().stats(GetStats { queue: orders.clone() }).await, Err(StoreError::Closed));
    assert_eq!(fixture.try_lease(&orders, 1).await, Err(StoreError::Closed));
    fixture.store().close().await.expect("closing again succeeds");
}

// Claims

pub(in crate::conformance) async fn each_item_is_given_to_one_of_several_waiting_leases(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    let mut waiters = Vec::new();
    for _ in 0..12 {
        waiters.push(fixture.wait(&orders, 1).await);
    }
    for number in 0..12 {
        fixture.produce_one(&orders, NewItem::of_payload(format!("{number:02}"))).await;
    }
    let mut got = Vec::new();
    for waiter in waiters {
        got.extend(payloads(&waiter.reply().await.items));
    }
    got.sort();
    assert_eq!(got, (0..12).map(|number| format!("{number:02}")).collect::<Vec<_>>());
}

/// Concurrent producers and consumers, each in a separate task.
pub(in crate::conformance) async fn concurrent_clients_neither_lose_nor_duplicate_items(fixture: &StoreFixture) {
    const CLIENTS: usize = 8;
    const ITEMS: usize = 25;
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    let mut consumers = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let (store, orders) = (fixture.store(), orders.clone());
        consumers.spawn(async move {
            let mut got = Vec::new();
            // A special item ends the consumer.
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
        let (store, queue) = (fixture.store(), orders.clone());
        producers.spawn(async move {
            for number in 0..ITEMS {
                let items = vec![NewItem::of_payload(format!("{client}-{number}"))];
                store.produce(Produce::new(queue.clone(), items)).await.unwrap();
            }
        });
    }
    producers.join_all().await;
    while fixture.numbers(&orders).await.0 > 0 {
        tokio::task::yield_now().await;
    }
    for _ in 0..CLIENTS {
        fixture.produce(&orders, &["end"]).await;
    }
    let mut got: Vec<String> = consumers.join_all().await.concat();
    got.retain(|payload| payload != "end");
    got.sort();
    let mut expected: Vec<_> = (0..CLIENTS * ITEMS).map(|n| format!("{}-{}", n / ITEMS, n % ITEMS)).collect();
    expected.sort();
    assert_eq!(got, expected);
}
