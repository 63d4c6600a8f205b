//! Letters that are larger than their topic allows.

use redrive_kafka::{KafkaConsumer, KafkaSettings, TroubleKind};

use super::letters::{failing, text};
use crate::fixture::{Cluster, MemoryQueue, NewRecord, commits, has_trouble, process, wait_for, wait_for_commits};

/// The value of a record that is larger than a limit of 3,000 bytes.
fn oversized() -> String {
    format!("dead {}", "x".repeat(5_000))
}

/// Processes one oversized record between small ones, of which two fail as well. The oversized record is whole in the dead
/// queue, and the DLQ topic has a record that refers to it.
async fn assert_captured(cluster: &Cluster, topic: &str, settings: KafkaSettings) {
    let values = ["1", "dead 1", &oversized(), "dead 2", "2"];
    let records = (0..).zip(values).map(|(key, value)| NewRecord::keyed(&format!("k{key}"), value));
    cluster.produce(topic, records);
    let queue = MemoryQueue::create().await;
    let consumer = KafkaConsumer::start(settings, failing(), Some(queue.dead_queue())).await.unwrap();
    wait_for_commits(&consumer, &[5]).await;
    assert!(consumer.snapshot().is_healthy());
    consumer.stop().await;
    let kept = queue.letters().await;
    assert_eq!(kept.len(), 1);
    assert_eq!(text(&kept[0].content.payload), oversized());
    let mut letters = cluster.letters(topic);
    letters.sort_by_key(|letter| letter.source().2);
    let values: Vec<Option<String>> = letters.iter().map(|letter| letter.value.as_deref().map(text)).collect();
    assert_eq!(values, [Some("dead 1".to_owned()), None, Some("dead 2".to_owned())]);
    let reference = &letters[1];
    assert_eq!(reference.key.as_deref(), Some(b"k2".as_slice()));
    assert_eq!(reference.header("x-letter-queue").unwrap(), "orders-dead");
    let id = kept[0].info.letter.as_ref().unwrap().id.to_string();
    assert_eq!(reference.header("x-letter-id").unwrap(), id);
    assert_eq!(reference.header("x-error-reason").unwrap(), "no such order");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_above_the_limit_of_the_producer_is_kept_in_the_dead_queue() {
    let (cluster, topic) = Cluster::with_topic("producer", 1).await;
    let mut settings = cluster.settings(&topic);
    settings.producer_properties.insert("message.max.bytes".to_owned(), "3000".to_owned());
    assert_captured(&cluster, &topic, settings).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_above_the_limit_of_the_topic_is_kept_in_the_dead_queue() {
    let (cluster, topic) = Cluster::with_topic("broker", 1).await;
    cluster.alter(&format!("{topic}.dlq"), &[("retention.ms", "-1"), ("max.message.bytes", "3000")]).await;
    assert_captured(&cluster, &topic, cluster.settings(&topic)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_dead_queue_an_oversized_record_stops_the_commits_of_its_partition_only() {
    let (cluster, topic) = Cluster::with_topic("alone", 2).await;
    let dlq = format!("{topic}.dlq");
    cluster.alter(&dlq, &[("retention.ms", "-1"), ("max.message.bytes", "3000")]).await;
    let values = ["1", "dead 1", &oversized(), "dead 2", "2"];
    let of_first = (0..).zip(values).map(|(key, value)| NewRecord::keyed(&format!("k{key}"), value).to(0));
    let of_second = (0..20).map(|key| NewRecord::keyed(&format!("k{key}"), "dead too").to(1));
    cluster.produce(&topic, of_first.chain(of_second));
    let settings = cluster.settings(&topic);
    let consumer = KafkaConsumer::start(settings.clone(), failing(), None).await.unwrap();
    let blocked = wait_for("all other letters are stored", &consumer, |snapshot| {
        snapshot.letters == 22 && commits(snapshot) == [Some(2), Some(20)] && !snapshot.is_healthy()
    })
    .await;
    let blocking = blocked.partitions.iter().find_map(|partition| partition.blocking.clone()).unwrap();
    assert_eq!(blocking.offset, 2);
    let error = blocking.error.unwrap().to_lowercase();
    assert!(error.contains("size") || error.contains("larger"), "{error}");
    assert!(has_trouble(&blocked, TroubleKind::HandOver));
    // An operator raises the limit.
    cluster.alter(&dlq, &[("retention.ms", "-1")]).await;
    wait_for_commits(&consumer, &[5, 20]).await;
    wait_for("health is restored", &consumer, redrive_kafka::ConsumerSnapshot::is_healthy).await;
    consumer.stop().await;
    assert!(cluster.letters(&topic).iter().any(|letter| letter.text() == oversized()));
}

/// Not even a reference with this key fits the topic.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_with_an_oversized_key_is_kept_in_the_dead_queue() {
    let (cluster, topic) = Cluster::with_topic("key", 1).await;
    cluster.alter(&format!("{topic}.dlq"), &[("retention.ms", "-1"), ("max.message.bytes", "3000")]).await;
    cluster.produce(&topic, &[NewRecord::keyed(&oversized(), "dead"), NewRecord::keyed("a", "1")]);
    let queue = MemoryQueue::create().await;
    process(cluster.settings(&topic), failing(), Some(queue.dead_queue()), &[2]).await;
    let kept = queue.letters().await;
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].content.key.as_deref(), Some(oversized().as_bytes()));
    let letter = cluster.only_letter(&topic);
    assert!(letter.header("x-letter-id").is_some() && letter.value.is_none());
}

/// One batch of the client must not exceed what the topic allows for one batch.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_burst_of_letters_fits_a_topic_that_allows_only_small_batches() {
    let (cluster, topic) = Cluster::with_topic("burst", 1).await;
    cluster.alter(&format!("{topic}.dlq"), &[("retention.ms", "-1"), ("max.message.bytes", "3000")]).await;
    let value = format!("dead {}", "x".repeat(1_000));
    cluster.produce(&topic, (0..50).map(|key| NewRecord::keyed(&format!("k{key}"), &value)));
    process(cluster.settings(&topic), failing(), None, &[50]).await;
    assert_eq!(cluster.letters(&topic).len(), 50);
}

/// The client library allows 1,000,000 bytes by default.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_record_fits_a_topic_that_allows_it() {
    let (cluster, topic) = Cluster::with_topic("large", 1).await;
    let large = [("max.message.bytes", "5000000"), ("retention.ms", "-1")];
    cluster.alter(&topic, &large).await;
    cluster.alter(&format!("{topic}.dlq"), &large).await;
    cluster.produce_large(&topic, &[NewRecord::keyed("a", &format!("dead {}", "x".repeat(2_000_000)))]);
    process(cluster.settings(&topic), failing(), None, &[1]).await;
    assert_eq!(cluster.letters(&topic)[0].value.as_ref().unwrap().len(), 2_000_005);
}
