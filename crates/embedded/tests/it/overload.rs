//! Overload, and closing a store that is at work: every request gets an answer.

use std::sync::Arc;

use redrive_core::{MonotonicTime, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore, StoreOpenError};
use redrive_journal::{OpenError as JournalError, SimDisk};
use redrive_model::{ClaimDue, CreateQueue, DestinationFilter, GetStats, ListQueues, UpdateQueue};
use redrive_store::{Clock, ManualClock, Store, StoreError, Wake};
use tokio::task::{JoinHandle, JoinSet, yield_now};

use crate::gate::Gate;
use crate::rig::{
    clock, create_queues, idle, ids, item, lease, name, new_store, number_of, on_disk, open, open_with, options,
    produce, run, settings, try_open, waiting_lease,
};

/// Waits until this many leases wait on the queue.
async fn until_waiting(store: &EmbeddedStore, queue: &str, waiting: u64) {
    while store.stats(GetStats { queue: name(queue) }).await.unwrap().waiting < waiting {
        yield_now().await;
    }
}

fn claim(queue: &str, wait: Span) -> ClaimDue {
    let scope = DestinationFilter::all();
    ClaimDue { queue: name(queue), batch: 1, lease: Span::from_secs(1), scope, wait }
}

#[test]
fn a_request_beyond_the_limit_fails_at_once_with_overloaded() {
    let (disk, clock, gate) = (SimDisk::new(), clock(), Gate::default());
    run(async {
        let options = EmbeddedOptions { requests_max: 3, ..options(&clock) };
        let store = open_with(gate.disk(&disk), &options).unwrap();
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        gate.shut();
        let mut waiting: Vec<JoinHandle<_>> = Vec::new();
        let submit = |number: u64| {
            let store = store.clone();
            tokio::spawn(async move { produce(&store, "orders", vec![item(number, 100)]).await })
        };
        waiting.push(submit(0));
        yield_now().await;
        gate.until_blocked();
        // The writer processes the first; three more fit into the channel.
        waiting.extend((1..4).map(submit));
        yield_now().await;
        for number in 4..20 {
            let result = produce(&store, "orders", vec![item(number, 100)]).await;
            assert_eq!(result.unwrap_err(), StoreError::Overloaded);
        }
        gate.open();
        for waiting in waiting {
            waiting.await.unwrap().unwrap();
        }
        // The rejected requests were not done, and further requests are accepted.
        let leased = lease(&store, "orders", 100).await.unwrap();
        let numbers: Vec<_> = leased.items.iter().map(|item| number_of(&item.content.payload).unwrap()).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
        store.close().await.unwrap();
    });
}

/// Requests that wait for the writer, for an item, for a letter and for a payload.
#[test]
fn every_waiting_request_gets_an_answer_when_the_store_is_closed() {
    let (disk, clock, gate) = (SimDisk::new(), clock(), Gate::default());
    run(async {
        let store = open_with(gate.disk(&disk), &options(&clock)).unwrap();
        create_queues(&store, ["orders", "empty"]).await;
        let mut waiters = JoinSet::new();
        for _ in 0..50 {
            let lease_store = store.clone();
            waiters.spawn(async move { lease_store.lease(waiting_lease("empty", 1)).await.map(|_| ()) });
        }
        let claims = store.clone();
        let claim = claim("empty", Span::from_hours(1));
        waiters.spawn(async move { claims.claim_due(claim).await.map(|_| ()) });
        until_waiting(&store, "empty", 50).await;

        gate.shut();
        let mut requests = JoinSet::new();
        for number in 0..200 {
            let store = store.clone();
            requests.spawn(async move { produce(&store, "orders", vec![item(number, 100)]).await.map(|_| number) });
        }
        yield_now().await;
        gate.until_blocked();
        let closing = store.clone();
        let closed = tokio::spawn(async move { closing.close().await });
        yield_now().await;
        gate.open();
        closed.await.unwrap().unwrap();
        while let Some(answer) = waiters.join_next().await {
            assert_eq!(answer.unwrap(), Err(StoreError::Closed));
        }
        let mut done = Vec::new();
        while let Some(answer) = requests.join_next().await {
            match answer.unwrap() {
                Ok(number) => done.push(number),
                Err(error) => assert_eq!(error, StoreError::Closed),
            }
        }
        assert_eq!(produce(&store, "orders", vec![item(1_000, 100)]).await, Err(StoreError::Closed));
        assert_eq!(store.close().await, Ok(()), "closing again succeeds");

        let store = open(&disk, &clock);
        let mut found: Vec<u64> = match lease(&store, "orders", 500).await {
            Ok(leased) => leased.items.iter().map(|item| number_of(&item.content.payload).unwrap()).collect(),
            Err(error) => panic!("{error}"),
        };
        found.sort_unstable();
        done.sort_unstable();
        assert_eq!(found, done, "acknowledged items are found, rejected ones are not");
        store.close().await.unwrap();
    });
}

#[test]
fn a_directory_cannot_be_opened_by_two_stores() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        let second = try_open(&disk, &clock);
        assert!(matches!(second, Err(StoreOpenError::Journal(JournalError::Locked { .. }))), "{second:?}");
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        store.close().await.unwrap();
        let store = open(&disk, &clock);
        assert_eq!(store.queues(ListQueues { limit: 10, ..ListQueues::default() }).await.unwrap().len(), 1);
    });
}

/// Also if several callers close the store concurrently.
#[test]
fn a_directory_is_released_when_close_returns() {
    on_disk(async |disk, clock| {
        for _ in 0..50 {
            let store = open(&disk, &clock);
            let mut closing = JoinSet::new();
            for _ in 0..4 {
                let store = store.clone();
                closing.spawn(async move { store.close().await });
            }
            while let Some(closed) = closing.join_next().await {
                closed.unwrap().unwrap();
            }
        }
    });
}

/// No concurrent call of close may return before the store is closed.
#[test]
fn after_any_call_of_close_has_returned_the_store_can_be_reopened() {
    let (disk, clock, gate) = (SimDisk::new(), clock(), Gate::default());
    run(async {
        let store = open_with(gate.disk(&disk), &options(&clock)).unwrap();
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        gate.shut();
        let first = store.clone();
        let first = tokio::spawn(async move { first.close().await });
        yield_now().await;
        // The first call is writing the proof of the last batch.
        gate.until_blocked();
        let second = store.clone();
        let mut second = tokio::spawn(async move { second.close().await });
        for _ in 0..100 {
            yield_now().await;
        }
        assert!(!second.is_finished(), "the store is not closed yet");
        gate.open();
        first.await.unwrap().unwrap();
        (&mut second).await.unwrap().unwrap();
        drop(try_open(&disk, &clock).unwrap());
    });
}

#[test]
fn dropping_the_last_clone_releases_the_directory() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders"]).await;
        let clone = store.clone();
        drop(store);
        // A clone keeps the store open.
        let produced = produce(&clone, "orders", vec![item(1, 100)]).await.unwrap();
        assert!(try_open(&disk, &clock).is_err());
        drop(clone);
        let store = loop {
            match try_open(&disk, &clock) {
                Ok(store) => break store,
                Err(StoreOpenError::Journal(JournalError::Locked { .. })) => yield_now().await,
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(ids(&lease(&store, "orders", 10).await.unwrap()), produced);
        store.close().await.unwrap();
    });
}

/// An item must not be leased to a caller that has gone, since no consumer would work on it.
#[test]
fn a_cancelled_lease_takes_no_item() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders"]).await;
        let lease_store = store.clone();
        let waiting = tokio::spawn(async move { lease_store.lease(waiting_lease("orders", 1)).await });
        until_waiting(&store, "orders", 1).await;
        waiting.abort();
        assert!(waiting.await.is_err());
        produce(&store, "orders", vec![item(1, 100)]).await.unwrap();
        assert_eq!(lease(&store, "orders", 1).await.unwrap().items.len(), 1);
        store.close().await.unwrap();
    });
}

/// More leases wait than one batch may serve, and all of them can be served at once.
#[test]
fn many_waiting_leases_are_served_when_the_queue_is_resumed() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        let created = store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        store
            .update_queue(UpdateQueue { is_paused: Some(true), ..UpdateQueue::of(created.name.clone()) })
            .await
            .unwrap();
        for number in 0..2_000u64 {
            produce(&store, "orders", vec![item(number, 10)]).await.unwrap();
        }
        let mut waiters = JoinSet::new();
        for _ in 0..2_000 {
            let store = store.clone();
            waiters.spawn(async move { store.lease(waiting_lease("orders", 1)).await });
        }
        until_waiting(&store, "orders", 2_000).await;
        store
            .update_queue(UpdateQueue { is_paused: Some(false), ..UpdateQueue::of(created.name.clone()) })
            .await
            .unwrap();
        let mut numbers = Vec::new();
        while let Some(leased) = waiters.join_next().await {
            let leased = leased.unwrap().unwrap();
            numbers.extend(leased.items.iter().map(|item| number_of(&item.content.payload).unwrap()));
        }
        numbers.sort_unstable();
        assert_eq!(numbers, (0..2_000).collect::<Vec<_>>(), "each item is leased once");
        assert!(!store.status().is_poisoned && !store.status().is_full, "{:?}", store.status());
        store.close().await.unwrap();
    });
}

/// A clock that counts how often it is read.
#[derive(Debug, Clone)]
struct WatchedClock {
    clock: ManualClock,
    looks: Arc<std::sync::atomic::AtomicU64>,
}

impl Clock for WatchedClock {
    fn now(&self) -> Time {
        self.looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.clock.now()
    }

    fn monotonic(&self) -> MonotonicTime {
        self.clock.monotonic()
    }

    fn until(&self, at: Time) -> Option<std::time::Duration> {
        self.clock.until(at)
    }

    fn until_monotonic(&self, at: MonotonicTime) -> Option<std::time::Duration> {
        self.clock.until_monotonic(at)
    }

    fn on_move(&self, wake: Wake) {
        self.clock.on_move(wake);
    }
}

/// A claim that cannot be served although its letter is due must not keep the writer busy.
#[test]
fn a_waiting_claim_on_a_paused_queue_does_not_keep_the_writer_busy() {
    let (disk, manual) = (SimDisk::new(), clock());
    let looks = Arc::default();
    let watched = WatchedClock { clock: manual.clone(), looks: Arc::clone(&looks) };
    run(async {
        let options = EmbeddedOptions { clock: Arc::new(watched), ..options(&manual) };
        let store = open_with(Arc::new(disk.clone()), &options).unwrap();
        let created = store.create_queue(CreateQueue { settings: settings("dead") }).await.unwrap();
        store
            .update_queue(UpdateQueue { is_paused: Some(true), ..UpdateQueue::of(created.name.clone()) })
            .await
            .unwrap();
        crate::letters::capture(&store, "dead", 1, redrive_core::RetryPolicy::Immediate).await.unwrap();
        manual.advance(Span::from_hours(1));
        let waiting = store.clone();
        let claim = claim("dead", Span::from_hours(100));
        let claiming = tokio::spawn(async move { waiting.claim_due(claim).await });
        until_waiting(&store, "dead", 1).await;
        let before = looks.load(std::sync::atomic::Ordering::Relaxed);
        idle().await;
        let after = looks.load(std::sync::atomic::Ordering::Relaxed);
        assert!(after - before < 100, "the writer read the clock {} times while idle", after - before);
        store
            .update_queue(UpdateQueue { is_paused: Some(false), ..UpdateQueue::of(created.name.clone()) })
            .await
            .unwrap();
        assert_eq!(claiming.await.unwrap().unwrap().letters.len(), 1);
        store.close().await.unwrap();
    });
}
