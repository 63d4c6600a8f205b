//! Consumers that join and leave a group under load.

use std::time::Duration;

use redrive_core::{Span, SplitMix64};
use redrive_kafka::{KafkaConsumer, KafkaSettings};

use crate::fixture::{
    Cluster, Gate, LoadHandler, NewRecord, Recorder, WITHIN, check_letters, holds_within, load, rounds, to_produce,
    wait_until,
};

const PARTITIONS: i32 = 6;
const KEYS: u64 = 60;

/// What is committed, and what each consumer has.
fn state(cluster: &Cluster, group: &str, topic: &str, consumers: &[Option<KafkaConsumer>]) -> String {
    let snapshots: Vec<_> = consumers.iter().flatten().map(KafkaConsumer::snapshot).collect();
    format!("{:#?} committed; {snapshots:#?}", cluster.committed(group, topic, PARTITIONS))
}

/// Starts and stops three consumers at random while they process a load.
async fn storm(seed: u64, change: impl Fn(&mut KafkaSettings)) {
    let (cluster, topic) = Cluster::with_topic("storm", PARTITIONS).await;
    let changes = rounds(6, 60);
    let load = load(KEYS, 15 * changes);
    cluster.produce(&topic, to_produce(&load));
    let mut settings = KafkaSettings {
        max_in_flight: 32,
        // Small, so that partitions are paused while others are assigned.
        queue_max_messages: 200,
        max_revoke_grace: Span::from_secs(5),
        ..cluster.settings(&topic)
    };
    change(&mut settings);
    let group = settings.group_id.clone();
    // Handlers end within the grace of a revocation, so no two consumers ever run the same key.
    let handler = LoadHandler::new(Duration::from_millis(20));
    let mut random = SplitMix64::new(seed);
    let mut consumers: [Option<KafkaConsumer>; 3] = [None, None, None];
    let mut report = Vec::new();
    for number in 0..changes {
        let before = handler.count();
        let index = usize::try_from(random.next() % 3).unwrap();
        match consumers[index].take() {
            // One consumer is always there, or nothing would be processed.
            Some(consumer) if consumers.iter().any(Option::is_some) => report.push(consumer.stop().await),
            Some(consumer) => consumers[index] = Some(consumer),
            None => {
                let mut settings = settings.clone();
                settings.consumer_properties.insert("client.id".to_owned(), format!("storm-{index}"));
                consumers[index] = Some(KafkaConsumer::start(settings, handler.clone(), None).await.unwrap());
            }
        }
        // The next change comes early or late in the rebalance of this one.
        let few = random.next() % 120;
        let expected = (before + few).min(load.len() as u64);
        if !holds_within(WITHIN, async || handler.count() >= expected).await {
            let state = state(&cluster, &group, &topic, &consumers);
            panic!("no progress after change {number} of seed {seed}: {} of {expected}: {state}", handler.count());
        }
    }
    let end = i64::try_from(load.len()).unwrap();
    cluster.wait_for_commits(&group, &topic, PARTITIONS, end).await;
    for consumer in consumers.into_iter().flatten() {
        wait_until("every consumer is healthy", async || consumer.snapshot().is_healthy()).await;
        assert!(!consumer.has_ended());
        report.push(consumer.stop().await);
    }
    let lost: u64 = report.iter().map(|report| report.lost).sum();
    let history = handler.history();
    history.check_all_ended(&load);
    let letters = check_letters(&load, &cluster.letters(&topic));
    println!("{} records, {} again, {lost} results lost, {letters} letters again", load.len(), history.repeated);
    assert_eq!(history.repeated, 0, "a revocation waits for its handlers and commits");
    assert_eq!(letters, 0, "a revocation waits for its letters and commits");
}

fn eager(settings: &mut KafkaSettings) {
    settings.consumer_properties.insert("partition.assignment.strategy".to_owned(), "range".to_owned());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cooperative_rebalances_lose_and_repeat_nothing() {
    storm(1, |_| {}).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eager_rebalances_lose_and_repeat_nothing() {
    storm(2, eager).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn partitions_paused_before_an_assignment_are_read_again() {
    let (cluster, topic) = Cluster::with_topic("paused", 2).await;
    let settings = KafkaSettings { queue_max_messages: 10, poll_batch_size: 10, ..cluster.settings(&topic) };
    let group = settings.group_id.clone();
    // Every handler waits until the test opens the gate.
    let gated = Gate::new(Recorder::done(), |_| true);
    let first = KafkaConsumer::start(settings.clone(), gated.clone(), None).await.unwrap();
    wait_until("the first consumer has both partitions", async || first.snapshot().partitions.len() == 2).await;
    let second = KafkaConsumer::start(settings, Recorder::done(), None).await.unwrap();
    wait_until("each consumer has a partition", async || {
        first.snapshot().partitions.len() == 1 && second.snapshot().partitions.len() == 1
    })
    .await;
    let kept = first.snapshot().partitions[0].at.partition;
    let records = |count: u32| -> Vec<NewRecord> {
        (0..count).map(|number| NewRecord::keyed(&number.to_string(), "v").to(kept)).collect()
    };
    cluster.produce(&topic, records(100));
    wait_until("the first consumer pauses", async || first.snapshot().paused_partitions == 1).await;
    // The load is gone before the consumer looks at it again after the assignment.
    let stopping = tokio::spawn(second.stop());
    let assigned = async {
        while first.snapshot().partitions.len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(WITHIN, assigned).await.expect("the partition moves");
    gated.open(1_000);
    stopping.await.unwrap();
    wait_until("the paused partition is read to its end", async || {
        cluster.committed(&group, &topic, 2).get(&kept).is_some_and(|(position, _)| *position == 100)
    })
    .await;
    first.stop().await;
}

/// The client library keeps a pause when the assignment ends.
async fn comes_back(change: impl Fn(&mut KafkaSettings)) {
    let (cluster, topic) = Cluster::with_topic("comes-back", 2).await;
    let mut settings = KafkaSettings {
        queue_max_messages: 10,
        poll_batch_size: 10,
        max_revoke_grace: Span::from_millis(100),
        ..cluster.settings(&topic)
    };
    change(&mut settings);
    let group = settings.group_id.clone();
    let records = |count: u32| -> Vec<NewRecord> {
        let of = |partition| (0..count).map(move |key| NewRecord::keyed(&key.to_string(), "v").to(partition));
        of(0).chain(of(1)).collect()
    };
    let gated = Gate::new(Recorder::done(), |_| true);
    let first = KafkaConsumer::start(settings.clone(), gated.clone(), None).await.unwrap();
    cluster.produce(&topic, records(100));
    wait_until("both partitions are paused", async || first.snapshot().paused_partitions == 2).await;
    let second = KafkaConsumer::start(settings, Recorder::done(), None).await.unwrap();
    wait_until("each consumer has a partition", async || {
        first.snapshot().partitions.len() == 1 && second.snapshot().partitions.len() == 1
    })
    .await;
    gated.open(1_000);
    cluster.wait_for_commits(&group, &topic, 2, 200).await;
    second.stop().await;
    wait_until("the partition comes back", async || first.snapshot().partitions.len() == 2).await;
    cluster.produce(&topic, records(10));
    cluster.wait_for_commits(&group, &topic, 2, 220).await;
    first.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partition_that_was_paused_and_comes_back_is_read() {
    comes_back(|_| {}).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partition_that_was_paused_and_comes_back_is_read_by_eager_consumers() {
    comes_back(eager).await;
}
