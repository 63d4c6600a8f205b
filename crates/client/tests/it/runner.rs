//! A runner over a queue of a server: nothing is lost and nothing ends twice, whatever becomes of the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use redrive_client::remote_queue;
use redrive_core::{Backoff, BreakerConfig, Failure, Policy, QueueName, Span};
use redrive_model::{
    CreateQueue, EndReason, Event, GetConservation, GetStats, ListLetters, NewItem, Produce, QueueSettings,
};
use redrive_run::{Call, Handled, RunReport, Runner, RunnerSettings, StoreQueue};

use crate::bed::{Bed, Ground};

const ITEMS: usize = 60;
const DEAD: usize = ITEMS / 5;

fn name(name: &str) -> QueueName {
    QueueName::new(name).unwrap()
}

async fn with_work(ground: Ground) -> Bed {
    let bed = Bed::new(ground).await;
    let store = bed.store();
    store.create_queue(CreateQueue { settings: QueueSettings::new(name("orders-dead")) }).await.unwrap();
    let settings =
        QueueSettings { dead_queue: Some(name("orders-dead")), partitions: 3, ..QueueSettings::new(name("orders")) };
    store.create_queue(CreateQueue { settings }).await.unwrap();
    for number in 0..ITEMS {
        let items = vec![NewItem::of_payload(number.to_string())];
        store.produce(Produce::new(name("orders"), items)).await.unwrap();
    }
    bed
}

/// Every fifth piece of work fails for good, every fifth but one fails once.
fn handled(call: &Call) -> Handled {
    let number: usize = std::str::from_utf8(&call.content.payload).unwrap().parse().unwrap();
    match number % 5 {
        0 => Handled::failed(Failure::new("validation: no such customer")),
        1 if call.attempt == 1 => Handled::failed(Failure::new("connection reset by peer")),
        _ => Handled::DONE,
    }
}

fn runner(bed: &Bed, calls: &Arc<AtomicUsize>) -> Runner<StoreQueue> {
    let calls = Arc::clone(calls);
    let handler = move |call: Call| {
        calls.fetch_add(1, Ordering::SeqCst);
        async move { handled(&call) }
    };
    let policy = Policy::builder().max_attempts(3).backoff(Backoff::IMMEDIATE).build().unwrap();
    let breaker = BreakerConfig::new(1_000, Span::from_secs(10), 1).unwrap();
    let settings = RunnerSettings { concurrency: 4, breaker, ..RunnerSettings::default() };
    let source = remote_queue(bed.client(), name("orders"), Span::from_hours(1));
    Runner::new(source, handler, policy, settings).unwrap().with_clock(Arc::new(bed.clock.clone()))
}

/// Lets time pass, a little with each answer of the store, until it is so: the leases of an hour outlast it by far.
async fn until(bed: &Bed, is_so: impl AsyncFn() -> bool) {
    let waited = async {
        while !is_so().await {
            left(bed).await;
            bed.clock.advance(Span::from_millis(10));
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), waited).await.expect("it is not so after a minute");
}

async fn left(bed: &Bed) -> u64 {
    let stats = bed.store().stats(GetStats { queue: name("orders") }).await.unwrap();
    stats.partitions.iter().map(|partition| partition.total + partition.scheduled).sum()
}

async fn assert_all_ended_once(bed: &Bed) {
    let store = bed.store();
    let stats = store.stats(GetStats { queue: name("orders") }).await.unwrap();
    assert_eq!(stats.tally.of(Event::Produced), ITEMS as u64);
    assert_eq!(stats.tally.ended(EndReason::Completed), (ITEMS - DEAD) as u64);
    assert!(store.conservation(GetConservation).await.unwrap().holds());
    let list = ListLetters { queue: name("orders-dead"), statuses: Vec::new(), after: None, limit: 1_000 };
    let letters = store.letters(list).await.unwrap();
    let mut dead: Vec<usize> =
        letters.iter().map(|letter| std::str::from_utf8(&letter.content.payload).unwrap().parse().unwrap()).collect();
    dead.sort_unstable();
    assert_eq!(dead, (0..ITEMS).step_by(5).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_of_a_server_is_done_retried_and_dead_lettered() {
    let bed = with_work(Ground::Memory).await;
    let running = runner(&bed, &Arc::default()).start().await.unwrap();
    until(&bed, async || left(&bed).await == 0).await;
    let report = running.stop(Span::from_secs(10)).await;
    let (done, retried, dead_lettered) = ((ITEMS - DEAD) as u64, DEAD as u64, DEAD as u64);
    assert_eq!(report, RunReport { done, retried, dead_lettered, ..RunReport::default() });
    assert_all_ended_once(&bed).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_restarts_in_the_middle_loses_nothing_and_ends_nothing_twice() {
    let mut bed = with_work(Ground::Journal).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let running = runner(&bed, &calls).start().await.unwrap();
    for restart in 1..=3 {
        until(&bed, async || calls.load(Ordering::SeqCst) >= restart * 12).await;
        bed.stop().await;
        bed.start().await;
    }
    until(&bed, async || left(&bed).await == 0).await;
    let report = running.stop(Span::from_secs(10)).await;
    assert_eq!((report.lost, report.unsettled), (0, 0), "{report:?}");
    assert_all_ended_once(&bed).await;
}
