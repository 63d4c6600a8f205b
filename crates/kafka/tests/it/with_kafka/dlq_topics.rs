//! The DLQ topics: created and checked at the start, or before their first letter.

use redrive_core::{Category, Span};
use redrive_kafka::{KafkaConsumer, KafkaError, KafkaSettings};

use super::letters::failing;
use crate::fixture::{
    Cluster, Gate, NewRecord, Recorder, commits, process, stop_after_commits, wait_for, wait_for_commits, wait_until,
};

async fn start_error(settings: KafkaSettings) -> KafkaError {
    KafkaConsumer::start(settings, failing(), None).await.unwrap_err()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_dlq_topic_is_an_error_at_the_start() {
    let (cluster, topic) = Cluster::with_bare_topic("missing", 1).await;
    let error = start_error(cluster.settings(&topic)).await;
    assert!(matches!(&error, KafkaError::NoDlqTopic(missing) if *missing == format!("{topic}.dlq")), "{error}");
    assert!(error.to_string().contains("dlq_create_topics"), "{error}");
    cluster.create(&format!("{topic}.dlq"), 1, &[("retention.ms", "-1")]).await;
    let route = cluster.name("route");
    let routed = KafkaSettings { dlq_routes: [(Category::Network, route.clone())].into(), ..cluster.settings(&topic) };
    let error = start_error(routed).await;
    assert!(matches!(&error, KafkaError::NoDlqTopic(missing) if *missing == route), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_dlq_topics_are_created_with_unlimited_retention() {
    let (cluster, topic) = Cluster::with_bare_topic("created", 3).await;
    let (dlq, route) = (format!("{topic}.failed"), cluster.name("route"));
    let settings = KafkaSettings {
        dlq_create_topics: true,
        dlq_topic_suffix: ".failed".to_owned(),
        dlq_routes: [(Category::Network, route.clone())].into(),
        ..cluster.settings(&topic)
    };
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead")]);
    for _ in 0..2 {
        // The second start finds them.
        let consumer = KafkaConsumer::start(settings.clone(), failing(), None).await.unwrap();
        wait_for("the letter is stored and committed", &consumer, |snapshot| commits(snapshot).contains(&Some(1)))
            .await;
        consumer.stop().await;
    }
    assert_eq!(cluster.read(&dlq, true).len(), 1);
    for created in [&dlq, &route] {
        let settings = cluster.described(created).await;
        assert_eq!((settings["retention.ms"].as_str(), settings["cleanup.policy"].as_str()), ("-1", "delete"));
        assert_eq!(cluster.partitions(created), 3);
    }
    let more = cluster.name("more");
    cluster.create(&more, 1, &[]).await;
    let settings =
        KafkaSettings { dlq_create_topics: true, dlq_partitions: 7, dlq_replicas: 1, ..cluster.settings(&more) };
    KafkaConsumer::start(settings, failing(), None).await.unwrap().stop().await;
    assert_eq!(cluster.partitions(&format!("{more}.dlq")), 7);
}

/// The broker rejects records whose timestamp is more than an hour ahead, unless the topic allows them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_created_dlq_topic_takes_letters_of_any_timestamp() {
    let cluster = Cluster::shared();
    let topic = cluster.name("timestamps");
    cluster.create(&topic, 1, &[("message.timestamp.after.max.ms", "9223372036854775807")]).await;
    let far = Some(4_102_444_800_000);
    cluster.produce(
        &topic,
        &[
            NewRecord { timestamp: far, ..NewRecord::keyed("a", "dead in the year 2100") },
            NewRecord { timestamp: Some(1), ..NewRecord::keyed("b", "dead in the year 1970") },
        ],
    );
    let settings = KafkaSettings { dlq_create_topics: true, ..cluster.settings(&topic) };
    process(settings, failing(), None, &[2]).await;
    let mut timestamps: Vec<Option<i64>> = cluster.letters(&topic).iter().map(|letter| letter.timestamp).collect();
    timestamps.sort_unstable();
    assert_eq!(timestamps, [Some(1), far]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dlq_topic_that_would_delete_letters_is_an_error_at_the_start() {
    let (cluster, topic) = Cluster::with_topic("retention", 1).await;
    let dlq = format!("{topic}.dlq");
    let settings = cluster.settings(&topic);

    cluster.alter(&dlq, &[("retention.ms", "604800000")]).await;
    let error = start_error(settings.clone()).await;
    assert!(matches!(&error, KafkaError::DlqRetention { retention_ms: 604_800_000, .. }), "{error}");
    assert!(error.to_string().contains("retention.ms to -1"), "{error}");

    cluster.alter(&dlq, &[("retention.ms", "-1"), ("retention.bytes", "1000000")]).await;
    let error = start_error(settings.clone()).await;
    assert!(matches!(&error, KafkaError::DlqRetentionBytes { retention_bytes: 1_000_000, .. }), "{error}");

    for policy in ["compact", "compact,delete"] {
        cluster.alter(&dlq, &[("retention.ms", "-1"), ("cleanup.policy", policy)]).await;
        let error = start_error(settings.clone()).await;
        assert!(matches!(&error, KafkaError::DlqCompacted(found) if *found == dlq), "{error}");
    }

    // Counted from the arrival of the letter, the retention is the decision of the operator.
    cluster.alter(&dlq, &[("retention.ms", "604800000"), ("message.timestamp.type", "LogAppendTime")]).await;
    KafkaConsumer::start(settings, failing(), None).await.unwrap().stop().await;
}

/// Checks that a consumer with a regular expression reads this topic and no other, and ends with this many records.
async fn check_only_topic(cluster: &Cluster, topic: &str, settings: KafkaSettings, records: usize) {
    let handler = failing();
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for("the letter is stored", &consumer, |snapshot| snapshot.letters == 1).await;
    // A further record proves that the subscription is complete.
    cluster.produce(topic, &[NewRecord::keyed("c", "2")]);
    let end = i64::try_from(records).unwrap();
    wait_for("all records are committed", &consumer, |snapshot| commits(snapshot).contains(&Some(end))).await;
    let topics: Vec<String> =
        consumer.snapshot().partitions.iter().map(|partition| partition.at.topic.to_string()).collect();
    assert_eq!((topics, handler.count()), (vec![topic.to_owned()], records));
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_regular_expression_does_not_read_the_dlq_topics_of_the_consumer() {
    let cluster = Cluster::shared();
    let prefix = cluster.name("regex");
    let topic = cluster.topic("regex", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead"), NewRecord::keyed("b", "1")]);
    check_only_topic(&cluster, &topic, cluster.settings(&format!("^{prefix}.*")), 3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_regular_expression_does_not_read_the_topics_of_the_routes() {
    let cluster = Cluster::shared();
    let prefix = cluster.name("regex-routes");
    let topic = cluster.topic("regex-routes", 1).await;
    let route = format!("{prefix}.permanent");
    cluster.create(&route, 1, &[("retention.ms", "-1")]).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead")]);
    let routes = [(Category::Permanent, route.clone())].into();
    let settings = KafkaSettings { dlq_routes: routes, ..cluster.settings(&format!("^{prefix}.*")) };
    check_only_topic(&cluster, &topic, settings, 2).await;
    assert_eq!(cluster.read(&route, true).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_dlq_topics_of_matching_topics_are_created_or_checked_before_their_first_letter() {
    let cluster = Cluster::shared();
    let prefix = cluster.name("regex-dlq");
    let (missing, limited) = (format!("{prefix}-missing"), format!("{prefix}-limited"));
    cluster.create(&missing, 3, &[]).await;
    cluster.create(&limited, 1, &[]).await;
    cluster.create(&format!("{limited}.dlq"), 1, &[("retention.ms", "604800000")]).await;
    for topic in [&missing, &limited] {
        cluster.produce(topic, &[NewRecord::keyed("a", "dead").to(0), NewRecord::keyed("b", "1").to(0)]);
    }
    let settings = KafkaSettings { dlq_create_topics: true, ..cluster.settings(&format!("^{prefix}-.*")) };
    let consumer = KafkaConsumer::start(settings, failing(), None).await.unwrap();
    let waiting = wait_for("one letter is stored, the other waits", &consumer, |snapshot| {
        snapshot.letters == 1 && snapshot.troubles.iter().any(|trouble| trouble.error.contains("retention.ms to -1"))
    })
    .await;
    assert_eq!((waiting.dlq_pending, waiting.is_healthy()), (1, false));
    let created = cluster.described(&format!("{missing}.dlq")).await;
    assert_eq!((created["retention.ms"].as_str(), cluster.partitions(&format!("{missing}.dlq"))), ("-1", 3));
    assert_eq!(cluster.letters(&limited).len(), 0, "the letter would be deleted");
    cluster.take_letters(&limited).await;
    wait_for("both letters are stored", &consumer, |snapshot| snapshot.letters == 2 && snapshot.is_healthy()).await;
    consumer.stop().await;
    assert_eq!((cluster.letters(&missing).len(), cluster.letters(&limited).len()), (1, 1));
}

/// Letters are processed again by a consumer of their topics.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_dlq_topics_a_regular_expression_reads_topics_with_the_suffix() {
    let cluster = Cluster::shared();
    let prefix = cluster.name("letters");
    let topic = cluster.topic("letters", 1).await;
    cluster.produce(&format!("{topic}.dlq"), &[NewRecord::keyed("a", "1")]);
    let handler = Recorder::done();
    let settings = KafkaSettings { dlq_enabled: false, ..cluster.settings(&format!("^{prefix}.*dlq$")) };
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for_commits(&consumer, &[1]).await;
    assert_eq!(handler.values(), ["1"]);
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_letter_for_a_deleted_topic_waits_until_the_topic_exists_again() {
    let (cluster, topic) = Cluster::with_topic("timeout", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead")]);
    // Without its topic, the publish can only time out.
    let settings = KafkaSettings { dlq_delivery_timeout: Span::from_millis(500), ..cluster.settings(&topic) };
    let gate = Gate::new(failing(), |_| true);
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_until("the record runs", async || gate.started().len() == 1).await;
    cluster.delete(&format!("{topic}.dlq")).await;
    wait_until("the topic is gone", async || !cluster.exists(&format!("{topic}.dlq"))).await;
    gate.open_for_all();
    let degraded = wait_for("the publish has failed", &consumer, |snapshot| !snapshot.is_healthy()).await;
    assert_eq!((degraded.dlq_pending, commits(&degraded)[0].unwrap_or(0)), (1, 0));
    cluster.create(&format!("{topic}.dlq"), 1, &[("retention.ms", "-1")]).await;
    stop_after_commits(consumer, &[1]).await;
    assert_eq!(cluster.letters(&topic).len(), 1);
}
