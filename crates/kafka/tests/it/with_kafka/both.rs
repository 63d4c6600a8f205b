//! Letters that go to a DLQ topic and into a dead queue.

use redrive_core::Failure;
use redrive_kafka::{DlqTarget, IngestSettings, KafkaConsumer, KafkaIngest, KafkaSettings, TroubleKind};
use redrive_model::{Event, GetStats, LetterOverrides, UpdateQueue};

use crate::fixture::{
    Cluster, MemoryQueue, NewRecord, Recorder, has_trouble, process, stop_after_commits, wait_for, wait_for_commits,
    wait_until,
};

fn settings(cluster: &Cluster, topic: &str) -> KafkaSettings {
    KafkaSettings { dlq_target: DlqTarget::Both, ..cluster.settings(topic) }
}

fn failing() -> Recorder {
    Recorder::new(|_| Err(Failure::new("no such order")))
}

fn records(count: u32) -> Vec<NewRecord> {
    (0..count).map(|number| NewRecord::keyed(&number.to_string(), &number.to_string())).collect()
}

/// The payloads of the letters in the DLQ topic and in the dead queue.
async fn letters(cluster: &Cluster, topic: &str, dead: &MemoryQueue) -> (Vec<String>, Vec<String>) {
    let mut published: Vec<String> = cluster.letters(topic).iter().map(crate::fixture::FoundRecord::text).collect();
    let text = |payload: &[u8]| String::from_utf8(payload.to_vec()).unwrap();
    let mut queued: Vec<String> = dead.letters().await.iter().map(|letter| text(&letter.content.payload)).collect();
    published.sort();
    queued.sort();
    (published, queued)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_letter_is_in_the_topic_and_in_the_queue_before_its_record_is_done() {
    let (cluster, topic) = Cluster::with_topic("both", 1).await;
    let dead = MemoryQueue::create().await;
    cluster.produce(&topic, records(9));
    let settings = settings(&cluster, &topic);
    let consumer = KafkaConsumer::start(settings.clone(), failing(), Some(dead.dead_queue())).await.unwrap();
    wait_for_commits(&consumer, &[9]).await;
    assert_eq!(consumer.snapshot().letters, 9);
    consumer.stop().await;
    let nine: Vec<String> = (0..9).map(|number: u32| number.to_string()).collect();
    assert_eq!(letters(&cluster, &topic, &dead).await, (nine.clone(), nine.clone()));

    // After a crash the records are processed again: the topic may have a letter twice, the queue has not.
    cluster.commit(&settings.group_id, &topic, 0, 0, "");
    process(settings, failing(), Some(dead.dead_queue()), &[9]).await;
    let (published, queued) = letters(&cluster, &topic, &dead).await;
    assert_eq!((published.len(), queued), (18, nine.clone()));

    // Nor does an ingest of the topic make other letters.
    let ingest = IngestSettings::new(&cluster.address, cluster.name("ingest"), format!("{topic}.dlq"));
    let ingest = KafkaIngest::start(ingest, dead.dead_queue()).await.unwrap();
    wait_until("the DLQ topic is ingested", async || {
        ingest.snapshot().partitions.iter().any(|partition| partition.committed == Some(18))
    })
    .await;
    ingest.stop().await;
    assert_eq!(letters(&cluster, &topic, &dead).await.1, nine);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_dead_queue_holds_the_offset_and_the_topic_has_the_letter_once() {
    let (cluster, topic) = Cluster::with_topic("both-full", 1).await;
    let dead = MemoryQueue::with(|queue| queue.letters.max_size = Some(2)).await;
    cluster.produce(&topic, records(5));
    let consumer = KafkaConsumer::start(settings(&cluster, &topic), failing(), Some(dead.dead_queue())).await.unwrap();
    wait_until("three letters are refused more than once", async || {
        let stats = dead.store.stats(GetStats { queue: dead.queue.clone() }).await.unwrap();
        stats.counts.of(Event::CaptureRejected) > 9
    })
    .await;
    let snapshot = consumer.snapshot();
    assert!(has_trouble(&snapshot, TroubleKind::HandOver));
    assert_eq!(snapshot.dlq_pending, 3);
    let (published, queued) = letters(&cluster, &topic, &dead).await;
    assert_eq!((published.len(), queued.len()), (5, 2), "the topic first, and once");
    assert!(consumer.snapshot().partitions[0].committed.unwrap_or(0) < 5);
    let larger = LetterOverrides { max_size: Some(100), ..LetterOverrides::default() };
    let update = UpdateQueue { letters: Some(larger), ..UpdateQueue::of(dead.queue.clone()) };
    dead.store.update_queue(update).await.unwrap();
    stop_after_commits(consumer, &[5]).await;
    let (published, queued) = letters(&cluster, &topic, &dead).await;
    assert_eq!((published.len(), queued.len()), (5, 5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_in_the_queue_while_the_topic_takes_no_letters() {
    let (cluster, topic) = Cluster::with_topic("both-refused", 1).await;
    let dead = MemoryQueue::create().await;
    cluster.produce(&topic, &[NewRecord { timestamp: Some(1_000), ..NewRecord::keyed("a", "order") }]);
    cluster.refuse_letters(&topic).await;
    let consumer = KafkaConsumer::start(settings(&cluster, &topic), failing(), Some(dead.dead_queue())).await.unwrap();
    wait_for("the letter is refused", &consumer, |snapshot| has_trouble(snapshot, TroubleKind::HandOver)).await;
    assert!(dead.letters().await.is_empty());
    cluster.take_letters(&topic).await;
    stop_after_commits(consumer, &[1]).await;
    assert_eq!((cluster.letters(&topic).len(), dead.letters().await.len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_is_too_large_for_its_topic_is_in_the_queue_and_the_topic_refers_to_it() {
    let (cluster, topic) = Cluster::with_topic("both-large", 1).await;
    cluster.alter(&format!("{topic}.dlq"), &[("retention.ms", "-1"), ("max.message.bytes", "2000")]).await;
    let dead = MemoryQueue::create().await;
    cluster.produce(&topic, &[NewRecord::keyed("a", &"x".repeat(5_000)), NewRecord::keyed("b", "small")]);
    process(settings(&cluster, &topic), failing(), Some(dead.dead_queue()), &[2]).await;
    let mut published = cluster.letters(&topic);
    published.sort_by_key(|letter| letter.source().2);
    assert_eq!((published.len(), dead.letters().await.len()), (2, 2));
    assert_eq!((published[0].value.as_ref(), published[1].text().as_str()), (None, "small"));
    assert_eq!(published[0].header("x-letter-queue").as_deref(), Some("orders-dead"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_needs_a_dead_queue() {
    let (cluster, topic) = Cluster::with_topic("both-none", 1).await;
    let error = KafkaConsumer::start(settings(&cluster, &topic), failing(), None).await.unwrap_err().to_string();
    assert!(error.contains("dlq_target") && error.contains("both"), "{error}");
}
