//! More than the store takes, and its end while it is at work: everybody gets an answer.

use std::sync::Arc;

use redrive_core::{MonotonicTime, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore, StoreOpenError};
use redrive_journal::{OpenError as JournalError, SimDisk};
use redrive_model::{ClaimDue, CreateQueue, DestinationFilter, GetStats, ListQueues, UpdateQueue};
use redrive_store::{Clock, ManualClock, Store, StoreError, Wake};
use tokio::task::{JoinHandle, JoinSet, yield_now};

use crate::gate::Gate;
use crate::rig::{
    clock, idle, ids, item, lease, name, number_of, open, open_with, options, patient, produce, run, settings, try_open,
};

/// Waits until so many lease requests wait at the queue.
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
fn a_request_too_many_is_told_so_at_once() {
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
        gate.until_somebody_waits();
        // The writer holds the first; three more find a place.
        waiting.extend((1..4).map(submit));
        yield_now().await;
        for number in 4..20 {
            let refused = produce(&store, "orders", vec![item(number, 100)]).await;
            assert_eq!(refused.unwrap_err(), StoreError::Overloaded);
        }
        gate.open();
        for waiting in waiting {
            waiting.await.unwrap().unwrap();
        }
        // What was refused was not done, and there is room for more.
        let leased = lease(&store, "orders", 100).await.unwrap();
        let numbers: Vec<_> = leased.items.iter().map(|item| number_of(&item.content.payload).unwrap()).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
        store.close().await.unwrap();
    });
}

/// Requests that wait for the writer, for an item, for a letter and for a payload: none is left without an answer.
#[test]
fn whoever_waits_when_the_store_is_closed_gets_an_answer() {
    let (disk, clock, gate) = (SimDisk::new(), clock(), Gate::default());
    run(async {
        let store = open_with(gate.disk(&disk), &options(&clock)).unwrap();
        for queue in ["orders", "empty"] {
            store.create_queue(CreateQueue { settings: settings(queue) }).await.unwrap();
        }
        let mut waiters = JoinSet::new();
        for _ in 0..50 {
            let patient_one = store.clone();
            waiters.spawn(async move { patient_one.lease(patient("empty", 1)).await.map(|_| ()) });
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
        gate.until_somebody_waits();
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
        assert_eq!(store.close().await, Ok(()), "closing twice is closing");

        let store = open(&disk, &clock);
        let mut found: Vec<u64> = match lease(&store, "orders", 500).await {
            Ok(leased) => leased.items.iter().map(|item| number_of(&item.content.payload).unwrap()).collect(),
            Err(error) => panic!("{error}"),
        };
        found.sort_unstable();
        done.sort_unstable();
        assert_eq!(found, done, "what was answered is there, what was refused is not");
        store.close().await.unwrap();
    });
}

#[test]
fn one_directory_has_one_store() {
    let (disk, clock) = (SimDisk::new(), clock());
    run(async {
        let store = open(&disk, &clock);
        let second = try_open(&disk, &clock);
        assert!(matches!(second, Err(StoreOpenError::Journal(JournalError::Locked { .. }))), "{second:?}");
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        store.close().await.unwrap();
        let store = open(&disk, &clock);
        assert_eq!(store.queues(ListQueues { limit: 10, ..ListQueues::default() }).await.unwrap().len(), 1);
    });
}

/// Also when many close it at once: when the last of them has its answer, the directory is free.
#[test]
fn a_directory_is_free_when_those_who_closed_it_know_it() {
    let (disk, clock) = (SimDisk::new(), clock());
    run(async {
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

/// Each of them for itself: nobody is told that it is closed while it still is not.
#[test]
fn whoever_is_told_that_it_is_closed_can_open_it_again() {
    let (disk, clock, gate) = (SimDisk::new(), clock(), Gate::default());
    run(async {
        let store = open_with(gate.disk(&disk), &options(&clock)).unwrap();
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        gate.shut();
        let first = store.clone();
        let first = tokio::spawn(async move { first.close().await });
        yield_now().await;
        // The first is at the proof of the last batch.
        gate.until_somebody_waits();
        let second = store.clone();
        let mut second = tokio::spawn(async move { second.close().await });
        for _ in 0..100 {
            yield_now().await;
        }
        assert!(!second.is_finished(), "it is not closed yet");
        gate.open();
        first.await.unwrap().unwrap();
        (&mut second).await.unwrap().unwrap();
        drop(try_open(&disk, &clock).unwrap());
    });
}

#[test]
fn a_store_that_was_dropped_lets_its_directory_go() {
    let (disk, clock) = (SimDisk::new(), clock());
    run(async {
        let store = open(&disk, &clock);
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        let clone = store.clone();
        drop(store);
        // A clone is the same store, and keeps it open.
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

/// A caller that gives up must not take an item with it that nobody then works on.
#[test]
fn a_lease_that_nobody_waits_for_takes_nothing() {
    let (disk, clock) = (SimDisk::new(), clock());
    run(async {
        let store = open(&disk, &clock);
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        let impatient = store.clone();
        let waiting = tokio::spawn(async move { impatient.lease(patient("orders", 1)).await });
        until_waiting(&store, "orders", 1).await;
        waiting.abort();
        assert!(waiting.await.is_err());
        produce(&store, "orders", vec![item(1, 100)]).await.unwrap();
        assert_eq!(lease(&store, "orders", 1).await.unwrap().items.len(), 1);
        store.close().await.unwrap();
    });
}

/// More wait than one batch has room for, and all of them can be served at once.
#[test]
fn a_crowd_of_waiting_leases_is_served_when_the_queue_goes_on() {
    let (disk, clock) = (SimDisk::new(), clock());
    run(async {
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
            waiters.spawn(async move { store.lease(patient("orders", 1)).await });
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
        assert_eq!(numbers, (0..2_000).collect::<Vec<_>>(), "each of them to one");
        assert!(!store.status().is_poisoned && !store.status().is_full, "{:?}", store.status());
        store.close().await.unwrap();
    });
}

/// A clock that counts who looks at it.
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

/// A claim that cannot be served, though its letter is due, must not keep the writer awake.
#[test]
fn a_claim_on_a_paused_queue_costs_nothing_while_it_waits() {
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
        assert!(after - before < 100, "the writer looked at the clock {} times while nothing happened", after - before);
        store
            .update_queue(UpdateQueue { is_paused: Some(false), ..UpdateQueue::of(created.name.clone()) })
            .await
            .unwrap();
        assert_eq!(claiming.await.unwrap().unwrap().letters.len(), 1);
        store.close().await.unwrap();
    });
}
