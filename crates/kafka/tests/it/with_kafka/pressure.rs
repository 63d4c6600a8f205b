//! Bounds of what a consumer holds.

use std::time::Duration;

use redrive_core::{Evidence, Failure};
use redrive_kafka::{ConsumerSnapshot, KafkaConsumer, KafkaSettings};

use crate::fixture::{
    Cluster, Gate, NewRecord, Recorder, busy, open_records, stop_after_commits, wait_for, wait_for_commits,
};

/// Longer than a paused consumer waits between two polls: time is the subject.
async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(1_300)).await;
}

fn records(count: i32, value: &str) -> Vec<NewRecord> {
    (0..count).map(|key| NewRecord::keyed(&format!("k{key}"), value)).collect()
}

fn is_paused(snapshot: &ConsumerSnapshot) -> bool {
    snapshot.paused_partitions == 1
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_records_are_bounded_and_the_member_stays_in_the_group() {
    let (cluster, topic) = Cluster::with_topic("bounded", 1).await;
    cluster.produce(&topic, records(1_000, "v"));
    let mut settings = KafkaSettings { queue_max_messages: 100, poll_batch_size: 20, ..cluster.settings(&topic) };
    settings.consumer_properties.insert("max.poll.interval.ms".to_owned(), "6000".to_owned());
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    let paused = wait_for("the consumer is paused", &consumer, is_paused).await;
    let epoch = paused.partitions[0].epoch;
    // Longer than the session and the poll interval of 6 s.
    for _ in 0..6 {
        a_moment().await;
        let snapshot = consumer.snapshot();
        assert!((100..120).contains(&open_records(&snapshot)), "{snapshot:#?}");
        assert_eq!(snapshot.partitions[0].epoch, epoch, "the member left the group");
    }
    gate.open_for_all();
    wait_for_commits(&consumer, &[1_000]).await;
    assert_eq!(gate.inner.count(), 1_000);
    assert_eq!(consumer.snapshot().partitions[0].epoch, epoch);
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_goes_on_below_the_resume_level_and_not_before() {
    let (cluster, topic) = Cluster::with_topic("resume", 1).await;
    cluster.produce(&topic, records(1_000, "v"));
    let settings = KafkaSettings { queue_max_messages: 100, poll_batch_size: 10, ..cluster.settings(&topic) };
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for("the consumer is paused", &consumer, is_paused).await;
    a_moment().await;
    let full = consumer.snapshot();
    let read = full.partitions[0].next_offset;
    gate.open(open_records(&full) - 75);
    wait_for("75 records are open", &consumer, |snapshot| open_records(snapshot) == 75).await;
    a_moment().await;
    let between = consumer.snapshot();
    assert_eq!((between.partitions[0].next_offset, between.paused_partitions), (read, 1), "70 % is the resume level");
    gate.open(10);
    wait_for("more records are read", &consumer, |snapshot| snapshot.partitions[0].next_offset > read).await;
    gate.open_for_all();
    stop_after_commits(consumer, &[1_000]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_bytes_are_bounded() {
    let (cluster, topic) = Cluster::with_topic("bytes", 1).await;
    let value = "x".repeat(10_000);
    cluster.produce(&topic, records(300, &value));
    let settings = KafkaSettings { queue_max_bytes: 200_000, poll_batch_size: 5, ..cluster.settings(&topic) };
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for("the consumer is paused", &consumer, is_paused).await;
    a_moment().await;
    let snapshot = consumer.snapshot();
    // One batch is 5 records of 10,000 bytes, with something for what is kept beside them.
    assert!((200_000..260_000).contains(&snapshot.bytes), "{}", snapshot.bytes);
    assert!(open_records(&snapshot) <= 25, "{snapshot:#?}");
    gate.open_for_all();
    wait_for_commits(&consumer, &[300]).await;
    assert_eq!(consumer.snapshot().bytes, 0);
    consumer.stop().await;
}

/// A batch is bounded by the number of its records; large ones must not make it unbounded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_bytes_are_bounded_with_large_batches_of_large_records() {
    let (cluster, topic) = Cluster::with_topic("large", 1).await;
    let value = "x".repeat(100_000);
    cluster.produce(&topic, records(300, &value));
    let settings = KafkaSettings { queue_max_bytes: 1_000_000, ..cluster.settings(&topic) };
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for("the consumer is paused", &consumer, is_paused).await;
    a_moment().await;
    let snapshot = consumer.snapshot();
    assert!(snapshot.bytes < 2_000_000, "{} bytes are open; 1,000,000 are allowed", snapshot.bytes);
    gate.open_for_all();
    stop_after_commits(consumer, &[300]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_that_wait_for_a_retry_count() {
    let (cluster, topic) = Cluster::with_topic("retries", 1).await;
    cluster.produce(&topic, records(500, "v"));
    let settings =
        KafkaSettings { queue_max_messages: 50, poll_batch_size: 10, ..cluster.settings_without_retries(&topic) };
    let handler = Recorder::new(|_| Err(busy()));
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for("all open records wait", &consumer, |snapshot| is_paused(snapshot) && snapshot.waiting >= 50).await;
    a_moment().await;
    let snapshot = consumer.snapshot();
    assert!(open_records(&snapshot) < 60 && handler.count() < 60, "{snapshot:#?}");
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_that_wait_for_their_letter_count() {
    let (cluster, topic) = Cluster::with_refused_letters("letters", 1).await;
    cluster.produce(&topic, records(500, "v"));
    let settings = KafkaSettings { queue_max_messages: 50, poll_batch_size: 10, ..cluster.settings(&topic) };
    let handler = Recorder::new(|_| Err(Failure::new("gone").with_evidence(Evidence::http(404))));
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for("all open records wait", &consumer, |snapshot| is_paused(snapshot) && snapshot.dlq_pending >= 50).await;
    a_moment().await;
    let snapshot = consumer.snapshot();
    assert!(open_records(&snapshot) < 60 && handler.count() < 60, "{snapshot:#?}");
    cluster.take_letters(&topic).await;
    stop_after_commits(consumer, &[500]).await;
    assert_eq!(cluster.letters(&topic).len(), 500);
}

/// A queue of one record still makes progress.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_smallest_bounds_make_progress() {
    let (cluster, topic) = Cluster::with_topic("smallest", 2).await;
    cluster.produce(&topic, records(40, "v"));
    let settings = KafkaSettings {
        max_in_flight: 1,
        queue_max_messages: 1,
        queue_max_bytes: 1,
        poll_batch_size: 1,
        resume_percent: 1,
        ..cluster.settings(&topic)
    };
    let handler = Recorder::done();
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for("all is committed", &consumer, |snapshot| {
        snapshot.partitions.iter().filter_map(|partition| partition.committed).sum::<i64>() == 40
    })
    .await;
    assert_eq!(handler.count(), 40);
    consumer.stop().await;
}
