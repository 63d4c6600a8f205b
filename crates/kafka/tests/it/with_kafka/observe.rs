//! What an operator sees: snapshot, metrics and health.

use redrive_core::Span;
use redrive_kafka::{
    BlockingRecord, ConsumerSnapshot, KafkaConsumer, KafkaSettings, RecordState, ShutdownPolicy, TroubleKind,
};

use crate::fixture::{
    Cluster, Gate, Metrics, NewRecord, Recorder, blocking, busy, commits, has_trouble, is_value, not_found,
    stop_after_commits, wait_for, wait_for_commits, wait_until,
};

/// Waits until the first open record of the only partition is in a state, and returns it.
async fn blocked(consumer: &KafkaConsumer, is_it: impl Fn(&RecordState) -> bool) -> (ConsumerSnapshot, BlockingRecord) {
    let snapshot =
        wait_for("a record blocks", consumer, |snapshot| blocking(snapshot).is_some_and(|record| is_it(&record.state)))
            .await;
    let record = blocking(&snapshot).unwrap().clone();
    (snapshot, record)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_snapshot_names_the_record_that_runs() {
    let (cluster, topic) = Cluster::with_topic("running", 1).await;
    cluster.produce(&topic, ["0", "1", "held", "3", "4"].map(|value| NewRecord::keyed(&format!("k{value}"), value)));
    let gate = Gate::new(Recorder::done(), |call| is_value(call, "held"));
    let consumer = KafkaConsumer::start(cluster.settings(&topic), gate.clone(), None).await.unwrap();
    let snapshot = wait_for("the others are committed", &consumer, |snapshot| {
        commits(snapshot) == [Some(2)] && gate.inner.count() == 4
    })
    .await;
    let partition = &snapshot.partitions[0];
    let record = blocking(&snapshot).unwrap();
    assert_eq!((record.offset, record.key.as_deref()), (2, Some(b"kheld".as_slice())));
    assert_eq!((record.state, record.attempt, &record.error), (RecordState::Running, 1, &None));
    assert_eq!((&*partition.at.topic, partition.at.partition), (topic.as_str(), 0));
    assert_eq!((partition.position, partition.next_offset), (Some(2), Some(5)));
    assert_eq!((partition.running, partition.queued, partition.waiting, partition.dlq_pending), (1, 0, 0, 0));
    assert_eq!((partition.gaps, partition.is_draining, partition.is_map_full), (1, false, false));
    assert!(snapshot.is_healthy() && snapshot.bytes > 0 && snapshot.commits > 0);
    let older = wait_for("the age grows", &consumer, |snapshot| {
        blocking(snapshot).is_some_and(|record| record.age > Span::from_millis(300))
    })
    .await;
    assert_eq!(blocking(&older).unwrap().offset, 2);
    gate.open_for_all();
    wait_for_commits(&consumer, &[5]).await;
    let snapshot = consumer.snapshot();
    assert_eq!((blocking(&snapshot), snapshot.bytes, snapshot.partitions[0].gaps), (None, 0, 0));
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_snapshot_tells_a_record_that_waits_for_a_slot() {
    let cluster = Cluster::shared();
    let (busy, waiting) = (cluster.topic("busy", 1).await, cluster.topic("waiting", 1).await);
    let gate = Gate::closed();
    let settings =
        KafkaSettings { max_in_flight: 1, topics: vec![busy.clone(), waiting.clone()], ..cluster.settings("both") };
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    cluster.produce(&busy, &[NewRecord::keyed("a", "slow")]);
    wait_until("the slot is taken", async || gate.started().len() == 1).await;
    cluster.produce(&waiting, &[NewRecord::keyed("b", "1"), NewRecord::keyed("b", "2")]);
    let snapshot = wait_for("the record waits", &consumer, |snapshot| snapshot.queued == 2).await;
    let partition = snapshot.partitions.iter().find(|partition| *partition.at.topic == *waiting).unwrap();
    let record = partition.blocking.as_ref().unwrap();
    assert_eq!((record.state, record.attempt, record.offset), (RecordState::Runnable, 0, 0));
    assert_eq!((partition.queued, partition.running), (2, 0));
    gate.open_for_all();
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_snapshot_tells_a_record_that_waits_for_its_retry_and_why() {
    let (cluster, topic) = Cluster::with_topic("retry", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "fails")]);
    let settings = cluster.settings_without_retries(&topic);
    let consumer = KafkaConsumer::start(settings, Recorder::new(|_| Err(busy())), None).await.unwrap();
    let (snapshot, record) = blocked(&consumer, |state| matches!(state, RecordState::Retry(_))).await;
    assert_eq!((record.attempt, record.error.as_deref()), (1, Some("busy")));
    assert_eq!((snapshot.waiting, snapshot.running, snapshot.dlq_pending), (1, 0, 0));
    assert!(snapshot.is_healthy(), "a record that is retried is no trouble");
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_snapshot_tells_a_letter_that_is_on_its_way() {
    let (cluster, topic) = Cluster::with_topic("way", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead")]);
    let mut settings = cluster.settings(&topic);
    // The letter is sent after a second.
    settings.producer_properties.insert("linger.ms".to_owned(), "1000".to_owned());
    let consumer = KafkaConsumer::start(settings, Recorder::new(|_| Err(not_found())), None).await.unwrap();
    let (snapshot, record) = blocked(&consumer, |state| *state == RecordState::HandingOver).await;
    assert_eq!((record.attempt, record.error.as_deref()), (1, Some("no such order")));
    assert_eq!((snapshot.dlq_pending, snapshot.waiting, snapshot.running, snapshot.letters), (1, 0, 0, 0));
    assert!(snapshot.is_healthy());
    wait_for_commits(&consumer, &[1]).await;
    assert_eq!(consumer.snapshot().letters, 1);
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_is_degraded_while_letters_are_refused_and_restored_after() {
    let (cluster, topic) = Cluster::with_refused_letters("refused", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead")]);
    let consumer = KafkaConsumer::start(cluster.settings(&topic), Recorder::new(|_| Err(not_found())), None);
    let consumer = consumer.await.unwrap();
    let (snapshot, record) = blocked(&consumer, |state| matches!(state, RecordState::HandOverRetry(_))).await;
    assert_eq!((snapshot.dlq_pending, snapshot.waiting, snapshot.queued, snapshot.running), (1, 0, 0, 0));
    let error = record.error.unwrap();
    assert!(error.to_lowercase().contains("timestamp"), "the error of the broker: {error}");
    assert!(!snapshot.is_healthy());
    let trouble = snapshot.troubles.iter().find(|trouble| trouble.kind == TroubleKind::HandOver).unwrap();
    assert_eq!(trouble.error, error);
    let health = consumer.health().await;
    assert!(!health.is_progressing() && health.hand_over_trouble.is_some());
    assert!(!consumer.has_ended());
    cluster.take_letters(&topic).await;
    wait_for_commits(&consumer, &[1]).await;
    let snapshot = consumer.snapshot();
    assert!(snapshot.is_healthy() && snapshot.troubles.is_empty(), "{:?}", snapshot.troubles);
    wait_until("the runner is healthy", async || consumer.health().await.is_progressing()).await;
    consumer.stop().await;
}

/// One slot and many refused letters that are due at the same time: most of them wait for the next claim.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_letters_that_wait_for_a_slot_are_counted_once() {
    let (cluster, topic) = Cluster::with_refused_letters("counted", 1).await;
    cluster.produce(&topic, (0..60).map(|key| NewRecord::keyed(&format!("k{key}"), "dead")));
    let settings =
        KafkaSettings { max_in_flight: 1, commit_interval: Span::from_millis(1), ..cluster.settings(&topic) };
    let handler = Recorder::new(|_| Err(not_found()));
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for("all have failed", &consumer, |_| handler.count() == 60).await;
    for _ in 0..500 {
        let snapshot = consumer.snapshot();
        let parts = [snapshot.running, snapshot.queued, snapshot.waiting, snapshot.dlq_pending];
        assert_eq!(parts.iter().sum::<usize>(), 60, "{snapshot:#?}");
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    assert!(!has_trouble(&consumer.snapshot(), TroubleKind::Fatal));
    cluster.take_letters(&topic).await;
    stop_after_commits(consumer, &[60]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_are_published_by_their_names() {
    let metrics = Metrics::install();
    let (cluster, topic) = Cluster::with_topic("metrics", 1).await;
    let mut settings = cluster.settings(&topic);
    settings.consumer_properties.insert("statistics.interval.ms".to_owned(), "100".to_owned());
    let group = settings.group_id.clone();
    let of_group = |name: &str| metrics.value(name, &[("group", &group)]);
    let labelled = |name: &str, label: &str, value: &str| metrics.value(name, &[("group", &group), (label, value)]);
    let of_partition = |name: &str| metrics.value(name, &[("group", &group), ("topic", &topic), ("partition", "0")]);
    cluster.produce(
        &topic,
        ["0", "1", "retried", "dead", "held", "5", "6"].map(|value| NewRecord::keyed(&format!("k{value}"), value)),
    );
    let inner = Recorder::new(|call| match &*call.content.payload {
        b"retried" if call.attempt < 3 => Err(busy()),
        b"dead" => Err(not_found()),
        _ => Ok(()),
    });
    let gate = Gate::new(inner, |call| is_value(call, "held"));
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    let held = wait_for("all others are done", &consumer, |snapshot| {
        commits(snapshot) == [Some(4)] && snapshot.partitions[0].metadata_bytes > 0 && gate.inner.count() == 8
    })
    .await;
    wait_until("the gauges follow", async || {
        of_partition("redrive_kafka_blocking_offset") == Some(4.0)
            && of_partition("redrive_kafka_lag") == Some(3.0)
            && of_group("redrive_kafka_running") == Some(1.0)
    })
    .await;
    let gauges = [
        ("redrive_kafka_queued", 0.0),
        ("redrive_kafka_waiting_retry", 0.0),
        ("redrive_kafka_dlq_pending", 0.0),
        ("redrive_kafka_paused_partitions", 0.0),
    ];
    for (name, value) in gauges {
        assert_eq!(of_group(name), Some(value), "{name}");
    }
    assert!(of_group("redrive_kafka_bytes_held").unwrap() > 0.0);
    assert!(of_group("redrive_kafka_commit_age_seconds").is_some());
    assert_eq!(of_partition("redrive_kafka_gaps"), Some(1.0));
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let epoch = held.partitions[0].epoch as f64;
    assert_eq!(of_partition("redrive_kafka_epoch"), Some(epoch));
    assert!(of_partition("redrive_kafka_metadata_bytes").unwrap() > 0.0);
    assert!(of_partition("redrive_kafka_blocking_seconds").unwrap() > 0.0);
    let counters = [
        ("redrive_kafka_processed_total", "result", "success", 5.0),
        ("redrive_kafka_processed_total", "result", "dead_letter", 1.0),
        ("redrive_kafka_retries_total", "attempt", "1", 1.0),
        ("redrive_kafka_retries_total", "attempt", "2", 1.0),
        ("redrive_kafka_rebalances_total", "kind", "assign", 1.0),
    ];
    for (name, label, value, count) in counters {
        assert_eq!(labelled(name, label, value), Some(count), "{name} {value}");
    }
    assert_eq!(of_group("redrive_kafka_dlq_published_total"), Some(1.0));
    assert_eq!(of_group("redrive_kafka_dlq_publish_failures_total"), Some(0.0));
    assert_eq!(of_group("redrive_kafka_stale_results_dropped_total"), Some(0.0));
    assert_eq!(of_group("redrive_kafka_restored_skipped_total"), Some(0.0));
    assert_eq!(of_group("redrive_kafka_queue_wait_seconds_count"), Some(7.0));
    assert_eq!(of_group("redrive_kafka_end_to_end_seconds_count"), Some(6.0));
    assert!(metrics.value("redrive_run_attempt_seconds_count", &[("runner", &group)]).unwrap() >= 8.0);
    gate.open_for_all();
    wait_until("no lag and no blocking record", async || {
        of_partition("redrive_kafka_lag") == Some(0.0) && of_partition("redrive_kafka_blocking_offset") == Some(-1.0)
    })
    .await;
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_letter_that_was_refused_counts_once() {
    let metrics = Metrics::install();
    let (cluster, topic) = Cluster::with_refused_letters("once", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead")]);
    let settings = cluster.settings(&topic);
    let group = settings.group_id.clone();
    let of_group = |name: &str| metrics.value(name, &[("group", &group)]);
    let consumer = KafkaConsumer::start(settings, Recorder::new(|_| Err(not_found())), None).await.unwrap();
    wait_until("the letter was refused three times", async || {
        of_group("redrive_kafka_dlq_publish_failures_total").is_some_and(|failures| failures >= 3.0)
    })
    .await;
    let dead = || metrics.value("redrive_kafka_processed_total", &[("group", &group), ("result", "dead_letter")]);
    assert_eq!(dead().unwrap_or(0.0), 0.0, "the record is not done");
    cluster.take_letters(&topic).await;
    wait_for_commits(&consumer, &[1]).await;
    wait_until("the letter is counted", async || of_group("redrive_kafka_dlq_published_total") == Some(1.0)).await;
    assert_eq!(dead(), Some(1.0));
    assert_eq!(of_group("redrive_kafka_end_to_end_seconds_count"), Some(1.0));
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_that_an_earlier_assignment_has_done_are_counted() {
    let metrics = Metrics::install();
    let (cluster, topic) = Cluster::with_topic("counted", 1).await;
    cluster.produce(&topic, (0..20).map(|key| NewRecord::keyed(&format!("k{key}"), "v")));
    let settings = cluster.settings(&topic);
    let group = settings.group_id.clone();
    // 12, 13 and 15.
    cluster.commit(&group, &topic, 0, 10, "redrive1:r:AgIBAQ");
    let consumer = KafkaConsumer::start(settings, Recorder::done(), None).await.unwrap();
    wait_for_commits(&consumer, &[20]).await;
    wait_until("the counter follows", async || {
        metrics.value("redrive_kafka_restored_skipped_total", &[("group", &group)]) == Some(3.0)
    })
    .await;
    assert_eq!(consumer.snapshot().restored_skipped, 3);
    consumer.stop().await;
}

/// A gauge that keeps its last value after the partition has moved raises an alarm for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gauges_of_a_partition_that_has_moved_are_reset() {
    let metrics = Metrics::install();
    let (cluster, topic) = Cluster::with_topic("moved", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "held")]);
    let settings = KafkaSettings { shutdown_policy: ShutdownPolicy::Abort, ..cluster.settings(&topic) };
    let group = settings.group_id.clone();
    let labels = [("group", group.as_str()), ("topic", topic.as_str()), ("partition", "0")];
    let consumer = KafkaConsumer::start(settings, Gate::closed(), None).await.unwrap();
    wait_until("the gauge shows the blocking record", async || {
        metrics.value("redrive_kafka_blocking_offset", &labels) == Some(0.0)
            && metrics.value("redrive_kafka_blocking_seconds", &labels).is_some_and(|age| age > 0.0)
    })
    .await;
    consumer.stop().await;
    assert_eq!(metrics.value("redrive_kafka_blocking_offset", &labels), Some(-1.0));
    assert_eq!(metrics.value("redrive_kafka_blocking_seconds", &labels), Some(0.0));
    assert_eq!(metrics.value("redrive_kafka_running", &[("group", &group)]), Some(0.0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_is_degraded_while_a_record_blocks_for_too_long() {
    let (cluster, topic) = Cluster::with_topic("blocked", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "held")]);
    let gate = Gate::closed();
    let settings = KafkaSettings { blocking_warn_seconds: 1, ..cluster.settings(&topic) };
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    let young = wait_for("the record runs", &consumer, |snapshot| snapshot.running == 1).await;
    assert!(young.is_healthy());
    wait_for("health is degraded", &consumer, |snapshot| !snapshot.is_healthy()).await;
    gate.open_for_all();
    wait_for_commits(&consumer, &[1]).await;
    wait_for("health is restored", &consumer, ConsumerSnapshot::is_healthy).await;
    consumer.stop().await;
}
