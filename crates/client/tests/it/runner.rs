//! A runner over a queue of a server: nothing is lost and nothing is settled twice, even if the server restarts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use redrive_client::remote_queue;
use redrive_core::{Backoff, BreakerConfig, Failure, Policy, Span};
use redrive_model::{
    CreateQueue, EndReason, Event, GetConservation, GetStats, ListLetters, NewItem, Produce, QueueSettings,
};
use redrive_run::{Call, Handled, RunReport, Runner, RunnerSettings, StoreQueue};

use crate::test_server::{Storage, TestServer, name};

const ITEMS: usize = 60;
const DEAD: usize = ITEMS / 5;

async fn with_work(storage: Storage) -> TestServer {
    let server = TestServer::new(storage).await;
    let store = server.store();
    store.create_queue(CreateQueue { settings: QueueSettings::new(name("orders-dead")) }).await.unwrap();
    let settings =
        QueueSettings { dead_queue: Some(name("orders-dead")), partitions: 3, ..QueueSettings::new(name("orders")) };
    store.create_queue(CreateQueue { settings }).await.unwrap();
    for number in 0..ITEMS {
        let items = vec![NewItem::of_payload(number.to_string())];
        store.produce(Produce::new(name("orders"), items)).await.unwrap();
    }
    server
}

/// Of five pieces of work, the first fails permanently and the second fails once.
fn handled(call: &Call) -> Handled {
    let number: usize = std::str::from_utf8(&call.content.payload).unwrap().parse().unwrap();
    match number % 5 {
        0 => Handled::failed(Failure::new("validation: no such customer")),
        1 if call.attempt == 1 => Handled::failed(Failure::new("connection reset by peer")),
        _ => Handled::DONE,
    }
}

fn runner(server: &TestServer, calls: &Arc<AtomicUsize>) -> Runner<StoreQueue> {
    let calls = Arc::clone(calls);
    let handler = move |call: Call| {
        calls.fetch_add(1, Ordering::SeqCst);
        async move { handled(&call) }
    };
    let policy = Policy::builder().max_attempts(3).backoff(Backoff::IMMEDIATE).build().unwrap();
    let breaker = BreakerConfig::new(1_000, Span::from_secs(10), 1).unwrap();
    let settings = RunnerSettings { concurrency: 4, breaker: Some(breaker), ..RunnerSettings::default() };
    let source = remote_queue(server.client(), name("orders"), Span::from_hours(1));
    Runner::new(source, handler, policy, settings).unwrap().with_clock(Arc::new(server.clock.clone()))
}

/// Advances the clock, a little with each answer of the store, until the condition holds. Leases last an hour, so none
/// expires.
async fn until(server: &TestServer, holds: impl AsyncFn() -> bool) {
    let waited = async {
        while !holds().await {
            left(server).await;
            server.clock.advance(Span::from_millis(10));
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), waited)
        .await
        .expect("the condition does not hold after a minute");
}

async fn left(server: &TestServer) -> u64 {
    let stats = server.store().stats(GetStats { queue: name("orders") }).await.unwrap();
    stats.partitions.iter().map(|partition| partition.total + partition.scheduled).sum()
}

async fn assert_all_ended_once(server: &TestServer) {
    let store = server.store();
    let stats = store.stats(GetStats { queue: name("orders") }).await.unwrap();
    assert_eq!(stats.counts.of(Event::Produced), ITEMS as u64);
    assert_eq!(stats.counts.ended(EndReason::Completed), (ITEMS - DEAD) as u64);
    assert!(store.conservation(GetConservation).await.unwrap().holds());
    let list = ListLetters { queue: name("orders-dead"), statuses: Vec::new(), after: None, limit: 1_000 };
    let letters = store.letters(list).await.unwrap();
    let mut dead: Vec<usize> =
        letters.iter().map(|letter| std::str::from_utf8(&letter.content.payload).unwrap().parse().unwrap()).collect();
    dead.sort_unstable();
    assert_eq!(dead, (0..ITEMS).step_by(5).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_of_a_server_is_completed_retried_and_dead_lettered() {
    let server = with_work(Storage::Memory).await;
    let running = runner(&server, &Arc::default()).start().await.unwrap();
    until(&server, async || left(&server).await == 0).await;
    let report = running.stop(Span::from_secs(10)).await;
    let (done, retried, dead_lettered) = ((ITEMS - DEAD) as u64, DEAD as u64, DEAD as u64);
    assert_eq!(report, RunReport { done, retried, dead_lettered, ..RunReport::default() });
    assert_all_ended_once(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restarts_of_the_server_lose_nothing_and_settle_nothing_twice() {
    let mut server = with_work(Storage::Journal).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let running = runner(&server, &calls).start().await.unwrap();
    for restart in 1..=3 {
        until(&server, async || calls.load(Ordering::SeqCst) >= restart * 12).await;
        server.stop().await;
        server.start().await;
    }
    until(&server, async || left(&server).await == 0).await;
    let report = running.stop(Span::from_secs(10)).await;
    assert_eq!((report.lost, report.unsettled), (0, 0), "{report:?}");
    assert_all_ended_once(&server).await;
}
