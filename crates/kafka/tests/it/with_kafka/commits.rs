//! Positions and completion maps: what is committed, and what a restart processes again.

use std::collections::BTreeSet;

use redrive_core::Span;
use redrive_kafka::{ConsumerSnapshot, KafkaConsumer, KafkaSettings, OffsetMetadata, ShutdownPolicy, TroubleKind};
use redrive_run::Call;

use crate::fixture::{
    Cluster, Gate, Metrics, NewRecord, Recorder, commits, has_trouble, process, stop_after_commits, wait_for,
    wait_for_commits, wait_until,
};

fn numbered(numbers: impl IntoIterator<Item = i64>) -> Vec<NewRecord> {
    numbers.into_iter().map(|number| NewRecord::keyed(&format!("k{number}"), &format!("v{number}"))).collect()
}

fn offset(call: &Call) -> i64 {
    call.origin.offset.unwrap()
}

fn offsets(handler: &Recorder) -> Vec<i64> {
    let mut offsets: Vec<i64> = handler.seen().iter().map(|call| call.offset).collect();
    offsets.sort_unstable();
    offsets
}

/// Statistics often enough for a test that waits for the lag.
fn with_statistics(mut settings: KafkaSettings) -> KafkaSettings {
    settings.consumer_properties.insert("statistics.interval.ms".to_owned(), "100".to_owned());
    settings
}

async fn start(settings: &KafkaSettings) -> (KafkaConsumer, Recorder) {
    let handler = Recorder::done();
    (KafkaConsumer::start(settings.clone(), handler.clone(), None).await.unwrap(), handler)
}

/// Processes a topic until its commits have reached these positions. Returns the handler.
async fn processed(settings: &KafkaSettings, positions: &[i64]) -> Recorder {
    let handler = Recorder::done();
    process(settings.clone(), handler.clone(), None, positions).await;
    handler
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commits_reach_the_end_of_a_compacted_topic() {
    let (cluster, topic) = Cluster::with_topic("compacted", 1).await;
    let compact = [("cleanup.policy", "compact"), ("segment.ms", "50"), ("min.cleanable.dirty.ratio", "0.01")];
    cluster.alter(&topic, &compact).await;
    // Each round overwrites the keys of the one before; a later record closes the segment.
    wait_until("records are compacted", async || {
        cluster.produce(&topic, ["a", "b", "c", "a", "b", "a"].map(|key| NewRecord::keyed(key, "v")));
        let found = cluster.read(&topic, true);
        let end = cluster.end(&topic, 0);
        let has_gap = found.windows(2).any(|pair| pair[1].offset > pair[0].offset + 1);
        has_gap && end > 12
    })
    .await;
    let settings = with_statistics(cluster.settings(&topic));
    let (consumer, handler) = start(&settings).await;
    let end = cluster.end(&topic, 0);
    wait_for_commits(&consumer, &[end]).await;
    wait_for("no lag", &consumer, |snapshot| snapshot.partitions[0].lag == Some(0)).await;
    assert!(i64::try_from(handler.count()).unwrap() < end, "there was no gap");
    consumer.stop().await;
    assert_eq!(cluster.committed(&settings.group_id, &topic, 1)[&0], (end, String::new()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commits_reach_the_end_of_a_transactional_topic() {
    let (cluster, topic) = Cluster::with_topic("transactions", 1).await;
    cluster.produce_in_transaction(&topic, &numbered(0..5), true);
    cluster.produce_in_transaction(&topic, &numbered(6..11), false);
    cluster.produce_in_transaction(&topic, &numbered(12..15), true);
    cluster.produce_in_transaction(&topic, &numbered(16..18), false);
    let end = cluster.end(&topic, 0);
    assert_eq!(end, 19, "each transaction ends with a marker");
    let settings = with_statistics(cluster.settings(&topic));
    let (consumer, handler) = start(&settings).await;
    wait_for_commits(&consumer, &[end]).await;
    assert_eq!(offsets(&handler), (0..5).chain(12..15).collect::<Vec<_>>());
    wait_for("no lag", &consumer, |snapshot| snapshot.partitions[0].lag == Some(0)).await;
    consumer.stop().await;
}

/// A gap of aborted records is no open record: a record above it blocks nothing below it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_record_holds_the_commit_across_aborted_records() {
    let (cluster, topic) = Cluster::with_topic("gaps", 1).await;
    cluster.produce_in_transaction(&topic, &numbered(0..3), true);
    cluster.produce_in_transaction(&topic, &numbered(4..8), false);
    cluster.produce_in_transaction(&topic, &numbered(9..12), true);
    let gate = Gate::new(Recorder::done(), |call| offset(call) == 2 || offset(call) == 10);
    let settings = cluster.settings(&topic);
    let consumer = KafkaConsumer::start(settings.clone(), gate.clone(), None).await.unwrap();
    let is_blocked = |at: i64| {
        move |snapshot: &redrive_kafka::ConsumerSnapshot| {
            let partition = snapshot.partitions.first();
            let blocking = partition.and_then(|partition| partition.blocking.as_ref()).map(|record| record.offset);
            blocking == Some(at) && commits(snapshot) == [Some(if at == 2 { 2 } else { 10 })]
        }
    };
    wait_for("the record at 2 blocks", &consumer, is_blocked(2)).await;
    wait_until("all others are done", async || gate.inner.count() == 4).await;
    gate.open(1);
    wait_for("the record at 10 blocks", &consumer, is_blocked(10)).await;
    gate.open(1);
    stop_after_commits(consumer, &[13]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partition_with_only_aborted_records_is_committed_to_its_end() {
    let (cluster, topic) = Cluster::with_topic("aborted", 1).await;
    let settings = with_statistics(cluster.settings(&topic));
    cluster.produce(&topic, numbered(0..3));
    processed(&settings, &[3]).await;
    cluster.produce_in_transaction(&topic, &numbered(0..4), false);
    let (consumer, handler) = start(&settings).await;
    wait_for_commits(&consumer, &[8]).await;
    wait_for("no lag", &consumer, |snapshot| snapshot.partitions[0].lag == Some(0)).await;
    assert_eq!(handler.count(), 0);
    consumer.stop().await;
    // A group without a commit, too.
    let fresh = KafkaSettings { group_id: cluster.name("fresh"), ..settings };
    cluster.trim(&topic, 0, 3).await;
    let handler = processed(&fresh, &[8]).await;
    assert_eq!(handler.count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fresh_group_starts_at_the_start_of_a_trimmed_log() {
    let (cluster, topic) = Cluster::with_topic("trimmed", 1).await;
    cluster.produce(&topic, numbered(0..5_010));
    cluster.trim(&topic, 0, 5_000).await;
    let settings = cluster.settings(&topic);
    let handler = processed(&settings, &[5_010]).await;
    assert_eq!(offsets(&handler), (5_000..5_010).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_map_below_the_start_of_a_trimmed_log_still_counts() {
    let (cluster, topic) = Cluster::with_topic("trimmed", 1).await;
    cluster.produce(&topic, numbered(0..20));
    let settings = cluster.settings(&topic);
    // 12, 13 and 15.
    cluster.commit(&settings.group_id, &topic, 0, 10, "redrive1:r:AgIBAQ");
    cluster.trim(&topic, 0, 13).await;
    let handler = processed(&settings, &[20]).await;
    assert_eq!(offsets(&handler), [14].into_iter().chain(16..20).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commits_reach_the_end_with_offset_reset_latest() {
    let (cluster, topic) = Cluster::with_topic("latest", 1).await;
    cluster.produce(&topic, numbered(0..20));
    let mut settings = cluster.settings(&topic);
    settings.consumer_properties.insert("auto.offset.reset".to_owned(), "latest".to_owned());
    let (consumer, handler) = start(&settings).await;
    wait_for("the partition is assigned", &consumer, |snapshot| snapshot.partitions.len() == 1).await;
    // The client looks for the end some time after the assignment.
    wait_until("a record after the end is read", async || {
        cluster.produce(&topic, numbered([99]));
        handler.count() > 0
    })
    .await;
    let end = cluster.end(&topic, 0);
    wait_for_commits(&consumer, &[end]).await;
    let seen = offsets(&handler);
    assert!(seen[0] >= 20 && seen.ends_with(&[end - 1]), "{seen:?}");
    consumer.stop().await;
}

/// The first consumer leaves the map; the second one reads it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_runs_the_open_records_and_skips_those_in_the_map() {
    let (cluster, topic) = Cluster::with_topic("restart", 1).await;
    cluster.produce(&topic, numbered(0..16));
    let settings = KafkaSettings { shutdown_policy: ShutdownPolicy::Abort, ..cluster.settings(&topic) };
    let gate = Gate::new(Recorder::done(), |call| [10, 11, 14].contains(&offset(call)));
    let consumer = KafkaConsumer::start(settings.clone(), gate.clone(), None).await.unwrap();
    wait_for("the map is committed", &consumer, |snapshot| {
        let is_written = snapshot.partitions.first().is_some_and(|partition| partition.metadata_bytes > 0);
        is_written && commits(snapshot) == [Some(10)] && gate.inner.count() == 13
    })
    .await;
    consumer.stop().await;
    assert_eq!(cluster.committed(&settings.group_id, &topic, 1)[&0], (10, "redrive1:b:LA".to_owned()));
    cluster.produce(&topic, numbered(16..20));
    let (consumer, handler) = start(&settings).await;
    wait_for_commits(&consumer, &[20]).await;
    assert_eq!(offsets(&handler), [10, 11, 14, 16, 17, 18, 19]);
    assert_eq!(consumer.snapshot().restored_skipped, 3);
    consumer.stop().await;
    assert_eq!(cluster.committed(&settings.group_id, &topic, 1)[&0], (20, String::new()));
}

/// While a transaction is open, the broker does not tell the positions that it changes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_map_is_read_although_a_killed_process_has_left_its_transaction_open() {
    let (cluster, topic) = Cluster::with_topic("left-open", 1).await;
    cluster.produce(&topic, numbered(0..16));
    let id = cluster.name("left-open");
    let settings = KafkaSettings { dlq_transactional_id: Some(id.clone()), ..cluster.settings(&topic) };
    cluster.commit(&settings.group_id, &topic, 0, 10, "redrive1:b:LA");
    cluster.leave_transaction_open(&id, &settings.group_id, &topic, 12);
    let (consumer, handler) = start(&settings).await;
    wait_for_commits(&consumer, &[16]).await;
    assert_eq!(offsets(&handler), [10, 11, 14]);
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_forms_of_the_map_are_read_and_other_metadata_is_ignored() {
    let cluster = Cluster::shared();
    // 12, 13 and 15 as run lengths and as bits; every second offset.
    let maps = ["redrive1:r:AgIBAQ", "redrive1:b:LA", "redrive1:r:AQEBAQEBAQE"];
    let others = ["not ours", "redrive1:r:!!!", "redrive1:r:AQ", "redrive2:r:AgIBAQ", "redrive1:", ""];
    let partitions = i32::try_from(maps.len() + others.len()).unwrap();
    let topic = cluster.topic("metadata", partitions).await;
    let settings = cluster.settings(&topic);
    for (partition, metadata) in (0..).zip(maps.iter().chain(&others)) {
        let records = numbered(0..18).into_iter().map(|record| record.to(partition));
        cluster.produce(&topic, records);
        cluster.commit(&settings.group_id, &topic, partition, 10, metadata);
    }
    let (consumer, handler) = start(&settings).await;
    let ends = vec![18; usize::try_from(partitions).unwrap()];
    wait_for_commits(&consumer, &ends).await;
    for partition in 0..partitions {
        let calls = handler.seen();
        let run = calls.iter().filter(|call| call.partition == i64::from(partition)).map(|call| call.offset);
        let run: BTreeSet<i64> = run.collect();
        let skipped: BTreeSet<i64> = (10..18).filter(|offset| !run.contains(offset)).collect();
        match partition {
            0 | 1 => assert_eq!(skipped, BTreeSet::from([12, 13, 15])),
            2 => assert_eq!(skipped, BTreeSet::from([11, 13, 15, 17])),
            _ => assert_eq!(skipped, BTreeSet::new(), "partition {partition}"),
        }
        assert!(run.iter().all(|offset| *offset >= 10), "{run:?}");
    }
    consumer.stop().await;
    for (partition, (position, metadata)) in cluster.committed(&settings.group_id, &topic, partitions) {
        assert_eq!((position, metadata.as_str()), (18, ""), "partition {partition}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn contiguous_only_writes_no_map_and_reads_none() {
    let (cluster, topic) = Cluster::with_topic("contiguous", 1).await;
    cluster.produce(&topic, numbered(0..6));
    let settings = KafkaSettings {
        offset_metadata: OffsetMetadata::ContiguousOnly,
        shutdown_policy: ShutdownPolicy::Abort,
        ..cluster.settings(&topic)
    };
    let gate = Gate::new(Recorder::done(), |call| offset(call) == 2);
    let consumer = KafkaConsumer::start(settings.clone(), gate.clone(), None).await.unwrap();
    wait_for("all others are done", &consumer, |snapshot| commits(snapshot) == [Some(2)] && gate.inner.count() == 5)
        .await;
    consumer.stop().await;
    assert_eq!(cluster.committed(&settings.group_id, &topic, 1)[&0], (2, String::new()));
    let handler = processed(&settings, &[6]).await;
    assert_eq!(offsets(&handler), [2, 3, 4, 5]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_map_survives_an_assignment_that_reads_part_of_it() {
    let (cluster, topic) = Cluster::with_topic("partial", 1).await;
    cluster.produce(&topic, numbered(0..20));
    let settings = KafkaSettings {
        shutdown_policy: ShutdownPolicy::Abort,
        queue_max_messages: 1,
        poll_batch_size: 1,
        ..cluster.settings(&topic)
    };
    cluster.commit(&settings.group_id, &topic, 0, 10, "redrive1:r:AgIBAQ");
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings.clone(), gate.clone(), None).await.unwrap();
    wait_for("the first record runs and no more is read", &consumer, |snapshot| {
        snapshot.paused_partitions == 1 && snapshot.running == 1
    })
    .await;
    consumer.stop().await;
    let handler = processed(&settings, &[20]).await;
    assert_eq!(offsets(&handler), [10, 11, 14, 16, 17, 18, 19]);
}

/// Alternates between a key whose first record is held, and records without a key, which are done.
fn alternating(records: i64) -> Vec<NewRecord> {
    let record = |number: i64| match number % 2 {
        0 => NewRecord::keyed("held", "held").to(0),
        _ => NewRecord::without_key("free").to(0),
    };
    (0..records).map(record).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_nearly_full_map_stops_the_reading_of_its_partition_only() {
    let (cluster, topic) = Cluster::with_topic("full", 2).await;
    let settings =
        KafkaSettings { offset_metadata_bytes: 64, commit_interval: Span::from_millis(20), ..cluster.settings(&topic) };
    let gate = Gate::new(Recorder::done(), |call| *call.content.payload == *b"held");
    let consumer = KafkaConsumer::start(settings.clone(), gate.clone(), None).await.unwrap();
    wait_for("both partitions are assigned", &consumer, |snapshot| snapshot.partitions.len() == 2).await;
    let at = |snapshot: &redrive_kafka::ConsumerSnapshot| {
        let found = snapshot.partitions.iter().find(|partition| partition.at.partition == 0).unwrap();
        (found.is_map_full, found.next_offset)
    };
    let mut end = 0;
    while !at(&consumer.snapshot()).0 {
        assert!(end < 2_000, "the map never becomes full");
        cluster.produce(&topic, alternating(40));
        end += 40;
        wait_for("the records are read, or the map is full", &consumer, |snapshot| {
            let (is_full, next) = at(snapshot);
            let read = next.unwrap_or(0);
            let done = gate.inner.count() >= usize::try_from(read / 2).unwrap();
            is_full || (read == end && done)
        })
        .await;
    }
    let full = wait_for("reading stops", &consumer, |snapshot| snapshot.paused_partitions == 1).await;
    cluster.produce(&topic, alternating(400));
    end += 400;
    // The other partition is read and committed meanwhile.
    cluster.produce(&topic, (0..50).map(|_| NewRecord::without_key("other").to(1)));
    wait_for("the other partition is done", &consumer, |snapshot| commits(snapshot)[1] == Some(50)).await;
    let (is_full, next) = at(&consumer.snapshot());
    assert!(is_full && next.unwrap() <= at(&full).1.unwrap() + 40, "{next:?} of {end} was read");
    let (position, metadata) = cluster.committed(&settings.group_id, &topic, 2)[&0].clone();
    assert!(position == 0 && metadata.starts_with("redrive1:") && metadata.len() <= 64, "{position} {metadata}");
    gate.open_for_all();
    wait_for_commits(&consumer, &[end, 50]).await;
    assert_eq!(i64::try_from(gate.inner.count()).unwrap(), end + 50, "no record ran twice");
    consumer.stop().await;
}

/// The broker rejects metadata of more than 4096 bytes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejected_commit_is_repeated_with_the_newest_position() {
    let metrics = Metrics::install();
    let (cluster, topic) = Cluster::with_topic("rejected", 1).await;
    cluster.produce(&topic, alternating(26_000));
    let settings = KafkaSettings {
        offset_metadata_bytes: 20_000,
        queue_max_messages: 100_000,
        commit_interval: Span::from_millis(200),
        ..cluster.settings(&topic)
    };
    let gate = Gate::new(Recorder::done(), |call| *call.content.payload == *b"held");
    let consumer = KafkaConsumer::start(settings.clone(), gate.clone(), None).await.unwrap();
    let rejected =
        wait_for("the commit is rejected", &consumer, |snapshot| has_trouble(snapshot, TroubleKind::Commit)).await;
    assert!(!rejected.is_healthy() && rejected.troubles[0].error.to_lowercase().contains("metadata"), "{rejected:?}");
    let labels = [("group", settings.group_id.as_str()), ("reason", "OffsetMetadataTooLarge")];
    assert!(metrics.value("redrive_kafka_commit_failures_total", &labels).is_some_and(|failures| failures > 0.0));
    let (position, metadata) = cluster.committed(&settings.group_id, &topic, 1).remove(&0).unwrap_or_default();
    assert!(position == 0 && metadata.len() <= 4096, "{position}");
    gate.open_for_all();
    wait_for_commits(&consumer, &[26_000]).await;
    wait_for("the trouble is over", &consumer, ConsumerSnapshot::is_healthy).await;
    consumer.stop().await;
    assert_eq!(cluster.committed(&settings.group_id, &topic, 1)[&0], (26_000, String::new()));
    assert_eq!(gate.inner.count(), 26_000);
}

/// Deletes a topic and waits until the broker does not know it any more.
async fn delete(cluster: &Cluster, topic: &str) {
    cluster.delete(topic).await;
    wait_until("the topic is gone", async || !cluster.exists(topic)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_topic_that_is_created_again_is_processed_from_its_start() {
    let (cluster, topic) = Cluster::with_topic("recreated", 1).await;
    cluster.produce(&topic, numbered(0..20));
    let mut settings = cluster.settings(&topic);
    settings.consumer_properties.insert("topic.metadata.refresh.interval.ms".to_owned(), "200".to_owned());
    let (consumer, handler) = start(&settings).await;
    wait_for_commits(&consumer, &[20]).await;
    delete(&cluster, &topic).await;
    cluster.create(&topic, 1, &[]).await;
    // More records than before: the old position exists in the new topic.
    cluster.produce(&topic, (0..30).map(|number| NewRecord::keyed("k", &format!("new {number}"))));
    wait_until("the new records are processed", async || handler.values().contains(&"new 29".to_owned())).await;
    let new = handler.values().into_iter().filter(|value| value.starts_with("new")).collect::<BTreeSet<_>>();
    assert_eq!(new.len(), 30, "{new:?}");
    stop_after_commits(consumer, &[30]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_topic_that_was_created_again_while_the_consumer_was_down_is_processed_from_its_start() {
    let (cluster, topic) = Cluster::with_topic("recreated", 1).await;
    cluster.produce(&topic, numbered(0..20));
    let settings = KafkaSettings { shutdown_policy: ShutdownPolicy::Abort, ..cluster.settings(&topic) };
    // The map of the old topic names offsets that the new one uses again.
    let gate = Gate::new(Recorder::done(), |call| offset(call) == 3);
    let consumer = KafkaConsumer::start(settings.clone(), gate.clone(), None).await.unwrap();
    wait_for("the map is committed", &consumer, |snapshot| {
        commits(snapshot) == [Some(3)] && snapshot.partitions[0].metadata_bytes > 0 && gate.inner.count() == 19
    })
    .await;
    consumer.stop().await;
    delete(&cluster, &topic).await;
    cluster.create(&topic, 1, &[]).await;
    cluster.produce(&topic, numbered(0..10));
    let handler = processed(&settings, &[10]).await;
    assert_eq!(offsets(&handler), (0..10).collect::<Vec<_>>());
}

/// A position that is above the end of the log: its records are gone, and their offsets are used again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_map_of_a_position_above_the_end_of_the_log_skips_nothing() {
    let (cluster, topic) = Cluster::with_topic("above", 1).await;
    cluster.produce(&topic, numbered(0..10));
    let settings = cluster.settings(&topic);
    cluster.commit(&settings.group_id, &topic, 0, 50, "redrive1:r:AQU");
    let (consumer, handler) = start(&settings).await;
    wait_for_commits(&consumer, &[10]).await;
    assert_eq!(offsets(&handler), (0..10).collect::<Vec<_>>());
    // The offsets of the old map arrive later.
    cluster.produce(&topic, numbered(10..60));
    wait_for_commits(&consumer, &[60]).await;
    assert_eq!(offsets(&handler), (0..60).collect::<Vec<_>>());
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_moves_only_when_the_position_or_the_map_has_changed() {
    let (cluster, topic) = Cluster::with_topic("quiet", 1).await;
    cluster.produce(&topic, numbered(0..5));
    let settings = KafkaSettings { commit_interval: Span::from_millis(10), ..cluster.settings(&topic) };
    let (consumer, _) = start(&settings).await;
    wait_for_commits(&consumer, &[5]).await;
    let before = consumer.snapshot().commits;
    // Sixty intervals: time is the subject.
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(consumer.snapshot().commits, before);
    consumer.stop().await;
}
