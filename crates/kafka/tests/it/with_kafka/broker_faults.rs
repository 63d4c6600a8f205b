//! Brokers that are killed or suspended, and answers of brokers that are lost.

use std::ops::Range;
use std::time::Duration;

use redrive_core::Span;
use redrive_kafka::{KafkaConsumer, KafkaSettings, RecordState, TroubleKind};
use redrive_run::Call;

use crate::fixture::{
    Api, Cluster, Fault, Gate, LoadHandler, NewRecord, Recorder, SharedBroker, WITHIN, check_letters, has_trouble,
    load, not_found, rounds, stop_when_healthy, to_produce, wait_for, wait_until,
};

/// With the setting, the broker aborts a transaction soon after its time is over.
static BROKER: SharedBroker = SharedBroker::new("transaction.abort.timed.out.transaction.cleanup.interval.ms=200");

fn numbered(numbers: Range<u32>) -> Vec<NewRecord> {
    numbers.map(|number| NewRecord::keyed(&format!("k{number}"), &format!("v{number}"))).collect()
}

/// Fails for good for one value.
fn failing(value: &'static str) -> Recorder {
    Recorder::new(move |call: &Call| match &*call.content.payload {
        payload if payload == value.as_bytes() => Err(not_found()),
        _ => Ok(()),
    })
}

/// Settings of a consumer whose producer of letters has a name for the faults of the proxy.
fn settings(cluster: &Cluster, topic: &str, client: &str) -> KafkaSettings {
    let mut settings = KafkaSettings { dlq_delivery_timeout: Span::from_secs(1), ..cluster.settings(topic) };
    settings.producer_properties.insert("client.id".to_owned(), client.to_owned());
    // The default waits for up to ten seconds before it connects again.
    settings.properties.insert("reconnect.backoff.max.ms".to_owned(), "500".to_owned());
    settings
}

fn transactional(cluster: &Cluster, topic: &str, client: &str) -> KafkaSettings {
    KafkaSettings { dlq_transactional_id: Some(cluster.name(client)), ..settings(cluster, topic, client) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long; `cargo xtask soak with_kafka --service kafka` runs it"]
async fn after_a_kill_before_the_report_the_letter_comes_first_and_the_commit_second() {
    let mut locked = BROKER.exclusive().await;
    let (cluster, topic) = locked.with_topic("report", 1).await;
    cluster.produce(&topic, numbered(0..20));
    let settings = settings(&cluster, &topic, "report");
    let group = settings.group_id.clone();
    let committed = || cluster.committed(&group, &topic, 1).get(&0).cloned();
    let handler = failing("v7");
    locked.proxy.inject("report", Api::Produce, Fault::LoseAnswer);
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_until("the broker has the letter", async || !cluster.letters(&topic).is_empty()).await;
    wait_until("the other records are done", async || committed().is_some_and(|(_, map)| !map.is_empty())).await;
    assert_eq!(committed().unwrap().0, 7, "no report, no commit");
    locked.broker.kill();
    wait_for("the consumer is degraded", &consumer, |snapshot| has_trouble(snapshot, TroubleKind::HandOver)).await;
    let snapshot = consumer.snapshot();
    assert_eq!((snapshot.letters, snapshot.dlq_pending), (0, 1));
    assert!(!snapshot.is_healthy() && !consumer.has_ended());

    // The broker is up again, and letters do not reach it.
    locked.proxy.heal("report");
    locked.proxy.inject("report", Api::Produce, Fault::Hold);
    locked.broker.restart();
    let map_before = committed().unwrap().1;
    cluster.produce(&topic, numbered(20..30));
    wait_until("records are processed", async || handler.count() >= 30).await;
    wait_until("their commit", async || committed().unwrap().1 != map_before).await;
    assert_eq!(committed().unwrap().0, 7, "the commit waits for the letter");
    assert_eq!(consumer.snapshot().letters, 0);

    locked.proxy.heal("report");
    wait_until("the commit", async || committed().unwrap().0 == 30).await;
    stop_when_healthy(consumer).await;
    let mut sources: Vec<_> = cluster.letters(&topic).iter().map(|letter| letter.source().2).collect();
    sources.dedup();
    assert_eq!(sources, [7], "exactly one letter after collapsing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long; `cargo xtask soak with_kafka --service kafka` runs it"]
async fn with_no_broker_a_letter_is_never_published_and_the_consumer_can_stop() {
    let mut locked = BROKER.exclusive().await;
    let (cluster, topic) = locked.with_topic("no-broker", 1).await;
    cluster.produce(&topic, numbered(0..5));
    let settings = settings(&cluster, &topic, "no-broker");
    let group = settings.group_id.clone();
    let handler = Gate::new(failing("v2"), |call| &*call.content.payload == b"v2");
    let consumer = KafkaConsumer::start(settings.clone(), handler.clone(), None).await.unwrap();
    wait_until("the other records are committed", async || {
        handler.inner.count() == 4 && cluster.committed_sum(&group, &topic, 1) == 2
    })
    .await;
    locked.broker.kill();
    handler.open(1);
    wait_until("the letter waits for its next hand-over", async || {
        let snapshot = consumer.snapshot();
        let blocking = snapshot.partitions.first().and_then(|partition| partition.blocking.clone());
        blocking.is_some_and(|blocking| matches!(blocking.state, RecordState::HandOverRetry(_)))
    })
    .await;
    assert_eq!(consumer.snapshot().letters, 0);
    assert!(consumer.health().await.hand_over_trouble.is_some() && !consumer.has_ended());
    let stopped = tokio::time::timeout(WITHIN, consumer.stop()).await;
    assert_eq!(stopped.expect("a stop needs no broker").dead_lettered, 0);

    locked.broker.restart();
    assert_eq!(cluster.committed_sum(&group, &topic, 1), 2);
    assert_eq!(cluster.letters(&topic), []);
    handler.open(1);
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_until("the commit", async || cluster.committed_sum(&group, &topic, 1) == 5).await;
    consumer.stop().await;
    assert_eq!(cluster.letters(&topic).len(), 1);
    assert_eq!(handler.inner.count(), 6, "only the record without a letter runs again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long; `cargo xtask soak with_kafka --service kafka` runs it"]
async fn a_broker_that_stops_to_answer_costs_no_record_and_no_letter() {
    let locked = BROKER.exclusive().await;
    let (cluster, topic) = locked.with_topic("suspended", 4).await;
    let load = load(20, 60);
    cluster.produce(&topic, to_produce(&load));
    let settings = KafkaSettings { max_in_flight: 10, ..settings(&cluster, &topic, "suspended") };
    let group = settings.group_id.clone();
    let handler = LoadHandler::new(Duration::from_millis(5));
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    for round in 1..=rounds(2, 10) {
        wait_until("records are processed", async || handler.count() >= 300 * round.min(3)).await;
        locked.broker.suspend();
        wait_for("letters wait", &consumer, |snapshot| has_trouble(snapshot, TroubleKind::HandOver)).await;
        locked.broker.resume();
    }
    cluster.wait_for_commits(&group, &topic, 4, 1_200).await;
    stop_when_healthy(consumer).await;
    handler.history().check_all_ended(&load);
    let repeated = check_letters(&load, &cluster.letters(&topic));
    println!("{repeated} letters are there a second time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long; `cargo xtask soak with_kafka --service kafka` runs it"]
async fn with_transactions_kills_of_the_broker_leave_exactly_one_letter_per_failure() {
    let mut locked = BROKER.exclusive().await;
    let (cluster, topic) = locked.with_topic("transactions", 4).await;
    let kills = rounds(2, 10);
    let load = load(20, 20 * (kills + 1));
    cluster.produce(&topic, to_produce(&load));
    let settings = KafkaSettings { max_in_flight: 10, ..transactional(&cluster, &topic, "transactions") };
    let group = settings.group_id.clone();
    let handler = LoadHandler::new(Duration::from_millis(5));
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    for kill in 1..=kills {
        wait_until("records are processed", async || handler.count() >= 300 * kill).await;
        locked.broker.kill();
        locked.broker.restart();
    }
    let end = i64::try_from(load.len()).unwrap();
    cluster.wait_for_commits(&group, &topic, 4, end).await;
    stop_when_healthy(consumer).await;
    handler.history().check_all_ended(&load);
    assert_eq!(check_letters(&load, &cluster.letters(&topic)), 0, "letters are there a second time");
}

/// A consumer with transactions on a topic with five records, of which only the third has not ended. Its handler is
/// held, and it fails for good.
struct HeldLetter {
    cluster: Cluster,
    topic: String,
    group: String,
    handler: Gate,
    consumer: KafkaConsumer,
}

impl HeldLetter {
    async fn start(cluster: Cluster, topic: String, settings: KafkaSettings) -> Self {
        cluster.produce(&topic, numbered(0..5));
        let group = settings.group_id.clone();
        let handler = Gate::new(failing("v2"), |call| &*call.content.payload == b"v2");
        let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
        let held = Self { cluster, topic, group, handler, consumer };
        wait_until("the other records are committed", async || {
            held.handler.inner.count() == 4
                && held.committed().is_some_and(|(position, map)| position == 2 && !map.is_empty())
        })
        .await;
        held
    }

    fn committed(&self) -> Option<(i64, String)> {
        self.cluster.committed(&self.group, &self.topic, 1).remove(&0)
    }

    async fn check_the_only_letter(self) {
        wait_until("the commit", async || self.committed().unwrap().0 == 5).await;
        wait_until("the consumer is healthy", async || self.consumer.snapshot().is_healthy()).await;
        assert!(!self.consumer.has_ended());
        self.consumer.stop().await;
        assert_eq!(self.cluster.letters(&self.topic).len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long; `cargo xtask soak with_kafka --service kafka` runs it"]
async fn a_lost_answer_to_the_commit_of_a_transaction_makes_no_second_letter() {
    let locked = BROKER.running().await;
    let (cluster, topic) = locked.with_topic("lost-answer", 1).await;
    let settings = transactional(&cluster, &topic, "lost-answer");
    let held = HeldLetter::start(cluster, topic, settings).await;
    locked.proxy.inject("lost-answer", Api::EndTxn, Fault::LoseAnswer);
    held.handler.open(1);
    wait_until("the transaction is committed", async || !held.cluster.letters(&held.topic).is_empty()).await;
    // Longer than the time-outs of the commit, whatever the consumer does about them.
    wait_until("the consumer is degraded", async || !held.consumer.snapshot().is_healthy()).await;
    locked.proxy.heal("lost-answer");
    held.check_the_only_letter().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long; `cargo xtask soak with_kafka --service kafka` runs it"]
async fn a_transaction_that_the_broker_aborted_is_tried_again() {
    let locked = BROKER.running().await;
    let (cluster, topic) = locked.with_topic("aborted", 1).await;
    let mut settings = transactional(&cluster, &topic, "aborted");
    settings.dlq_delivery_timeout = Span::from_secs(3);
    settings.producer_properties.insert("transaction.timeout.ms".to_owned(), "3000".to_owned());
    let held = HeldLetter::start(cluster, topic, settings).await;
    locked.proxy.inject("aborted", Api::EndTxn, Fault::Hold);
    held.handler.open(1);
    let dlq = format!("{}.dlq", held.topic);
    wait_until("the broker aborts the transaction", async || held.cluster.try_end(&dlq, 0) == Some(2)).await;
    assert_eq!(held.cluster.letters(&held.topic), [], "a letter and a marker that aborts it");
    locked.proxy.heal("aborted");
    held.check_the_only_letter().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long; `cargo xtask soak with_kafka --service kafka` runs it"]
async fn the_letters_of_a_revoked_partition_are_committed_with_its_position() {
    let locked = BROKER.running().await;
    let (cluster, topic) = locked.with_topic("revoked", 1).await;
    cluster.produce(&topic, numbered(0..1));
    let mut first = transactional(&cluster, &topic, "first");
    // The letter waits for the revocation. An eager assignor revokes the partition when another consumer joins.
    first.commit_interval = Span::from_mins(10);
    first.consumer_properties.insert("partition.assignment.strategy".to_owned(), "range".to_owned());
    let group = first.group_id.clone();
    let mut second = transactional(&cluster, &topic, "second");
    second.group_id.clone_from(&group);
    second.consumer_properties.clone_from(&first.consumer_properties);
    // The first in the order of the names gets the partition.
    for (settings, name) in [(&mut first, "b"), (&mut second, "a")] {
        settings.consumer_properties.insert("client.id".to_owned(), name.to_owned());
    }

    let first = KafkaConsumer::start(first, failing("v0"), None).await.unwrap();
    wait_until("the letter waits", async || first.snapshot().dlq_pending == 1).await;
    locked.proxy.inject("first", Api::TxnOffsetCommit, Fault::Hold);
    let second = KafkaConsumer::start(second, failing("v0"), None).await.unwrap();
    wait_until("the position is held", async || locked.proxy.has_hit("first")).await;
    assert_eq!(cluster.letters(&topic), [], "a letter without a position is not committed");
    wait_until("the revocation does not wait", async || first.snapshot().partitions.is_empty()).await;
    locked.proxy.heal("first");
    wait_until("the commit", async || cluster.committed_sum(&group, &topic, 1) == 1).await;
    first.stop().await;
    second.stop().await;
    assert_eq!(cluster.letters(&topic).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long; `cargo xtask soak with_kafka --service kafka` runs it"]
async fn a_commit_whose_answer_is_lost_is_repeated() {
    let locked = BROKER.running().await;
    let (cluster, topic) = locked.with_topic("commit", 1).await;
    let mut settings = settings(&cluster, &topic, "unused");
    settings.consumer_properties.insert("client.id".to_owned(), "commit".to_owned());
    settings.consumer_properties.insert("socket.timeout.ms".to_owned(), "2000".to_owned());
    let group = settings.group_id.clone();
    let handler = Recorder::done();
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    locked.proxy.inject("commit", Api::OffsetCommit, Fault::LoseAnswer);
    cluster.produce(&topic, numbered(0..10));
    wait_until("the broker has the commit", async || cluster.committed_sum(&group, &topic, 1) == 10).await;
    let confirmed = consumer.snapshot().partitions.first().and_then(|partition| partition.committed);
    assert_eq!(confirmed, None, "no answer, no confirmation");
    cluster.produce(&topic, numbered(10..20));
    wait_until("records are processed", async || handler.count() >= 20).await;
    locked.proxy.heal("commit");
    wait_until("the commit", async || cluster.committed_sum(&group, &topic, 1) == 20).await;
    stop_when_healthy(consumer).await;
}
