//! Settings: names, defaults, and what is rejected.

use redrive_core::{BreakerConfig, Category, OnOutage, Span};
use redrive_kafka::{
    DlqTarget, KafkaConsumer, KafkaError, KafkaSettings, OffsetMetadata, OrderingMode, ShutdownPolicy,
};
use serde_json::{Value, json};

use crate::fixture::{Cluster, Recorder};

/// Every setting by its name in a configuration file, with its default.
fn defaults() -> Value {
    json!({
        "bootstrap_servers": "",
        "group_id": "",
        "topics": [],
        "ordering_mode": "key",
        "max_retries": 3,
        "retry_backoff_ms": 1000,
        "exponential_backoff": true,
        "max_retry_backoff_ms": 30000,
        "retry_jitter_ms": 200,
        "task_timeout_ms": 30000,
        "on_outage": "dead_letter",
        "dlq_enabled": true,
        "dlq_target": "topic",
        "dlq_topic_suffix": ".dlq",
        "dlq_routes": {},
        "dlq_create_topics": false,
        "dlq_partitions": 0,
        "dlq_replicas": 0,
        "dlq_delivery_timeout_ms": 5000,
        "dlq_transactional_id": null,
        "max_in_flight": 1000,
        "poll_batch_size": 1000,
        "queue_max_messages": 5000,
        "queue_max_bytes": 67_108_864,
        "resume_percent": 70,
        "commit_interval_ms": 1000,
        "offset_metadata": "completion_map",
        "offset_metadata_bytes": 4000,
        "max_revoke_grace_ms": 500,
        "drain_timeout_ms": 5000,
        "shutdown_policy": "graceful",
        "blocking_warn_seconds": 5,
        "max_blocking_duration_ms": 0,
        "properties": {},
        "consumer_properties": {},
        "producer_properties": {},
    })
}

fn read(value: Value) -> Result<KafkaSettings, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn valid() -> KafkaSettings {
    KafkaSettings::new("localhost:9092", "billing", "orders")
}

#[test]
fn names_and_defaults_are_those_of_the_reference() {
    assert_eq!(serde_json::to_value(KafkaSettings::default()).unwrap(), defaults());
    assert_eq!(read(json!({})), Ok(KafkaSettings::default()));
    assert_eq!(read(defaults()), Ok(KafkaSettings::default()));
    assert_eq!(valid().check(), Ok(()));
}

#[test]
fn every_setting_is_read_by_its_name() {
    let given = json!({
        "bootstrap_servers": "a:1,b:2",
        "group_id": "billing",
        "topics": ["orders", "^returns-.*"],
        "ordering_mode": "partition",
        "max_retries": 7,
        "retry_backoff_ms": 11,
        "exponential_backoff": false,
        "max_retry_backoff_ms": 12,
        "retry_jitter_ms": 13,
        "task_timeout_ms": 14,
        "on_outage": "pause",
        "dlq_enabled": true,
        "dlq_target": "queue",
        "dlq_topic_suffix": "-dead",
        "dlq_routes": { "validation": "invalid", "network": "unreachable" },
        "dlq_create_topics": true,
        "dlq_partitions": 15,
        "dlq_replicas": 16,
        "dlq_delivery_timeout_ms": 17,
        "dlq_transactional_id": "t",
        "max_in_flight": 18,
        "poll_batch_size": 19,
        "queue_max_messages": 20,
        "queue_max_bytes": 21,
        "resume_percent": 22,
        "commit_interval_ms": 23,
        "offset_metadata": "contiguous_only",
        "offset_metadata_bytes": 24,
        "max_revoke_grace_ms": 25,
        "drain_timeout_ms": 26,
        "shutdown_policy": "abort",
        "blocking_warn_seconds": 27,
        "max_blocking_duration_ms": 28,
        "properties": { "security.protocol": "ssl" },
        "consumer_properties": { "isolation.level": "read_uncommitted" },
        "producer_properties": { "linger.ms": "1" },
    });
    let settings = read(given.clone()).unwrap();
    assert_eq!(serde_json::to_value(&settings).unwrap(), given);
    assert_eq!(settings.ordering_mode, OrderingMode::Partition);
    assert_eq!((settings.dlq_target, settings.offset_metadata), (DlqTarget::Queue, OffsetMetadata::ContiguousOnly));
    assert_eq!((settings.shutdown_policy, settings.on_outage), (ShutdownPolicy::Abort, OnOutage::Pause));
    assert_eq!(settings.dlq_routes[&Category::Validation], "invalid");
    let spans = [
        (settings.retry_backoff, 11),
        (settings.max_retry_backoff, 12),
        (settings.retry_jitter, 13),
        (settings.task_timeout, 14),
        (settings.dlq_delivery_timeout, 17),
        (settings.commit_interval, 23),
        (settings.max_revoke_grace, 25),
        (settings.drain_timeout, 26),
        (settings.max_blocking_duration, 28),
    ];
    for (span, millis) in spans {
        assert_eq!(span, Span::from_millis(millis));
    }
    // No setting is left out here.
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&given), names(&defaults()));
}

#[test]
fn a_consumer_that_pauses_has_a_circuit_breaker_and_no_other() {
    let runner = |on_outage| KafkaSettings { on_outage, ..valid() }.runner();
    assert_eq!(
        (runner(OnOutage::DeadLetter).breaker, runner(OnOutage::DeadLetter).on_outage),
        (None, OnOutage::DeadLetter)
    );
    let pausing = runner(OnOutage::Pause);
    assert_eq!((pausing.breaker, pausing.on_outage), (Some(BreakerConfig::default()), OnOutage::Pause));
}

#[test]
fn unknown_settings_and_values_are_errors_that_name_what_is_known() {
    let error = read(json!({ "max_retry": 3 })).unwrap_err();
    assert!(error.contains("unknown field `max_retry`") && error.contains("`max_retries`"), "{error}");
    let error = read(json!({ "retry_backoff": 3 })).unwrap_err();
    assert!(error.contains("`retry_backoff_ms`"), "{error}");
    let error = read(json!({ "ordering_mode": "keys" })).unwrap_err();
    assert!(error.contains("`key`, `partition`, `unordered`"), "{error}");
    for (name, value) in [("dlq_target", "topics"), ("offset_metadata", "none"), ("shutdown_policy", "now")] {
        let error = read(json!({ name: value })).unwrap_err();
        assert!(error.contains(value) && error.contains("expected"), "{error}");
    }
    let error = read(json!({ "dlq_routes": { "netwrok": "t" } })).unwrap_err();
    assert!(error.contains("netwrok") && error.contains("network"), "{error}");
    for (name, value) in [("max_retries", json!(-1)), ("task_timeout_ms", json!("1s")), ("resume_percent", json!(700))]
    {
        assert!(read(json!({ name: value })).is_err(), "{name}");
    }
}

/// The error of settings with one change.
fn rejected(change: impl FnOnce(&mut KafkaSettings)) -> String {
    let mut settings = valid();
    change(&mut settings);
    settings.check().expect_err("the settings are invalid").to_string()
}

#[test]
fn what_is_required_is_missing() {
    assert_eq!(
        rejected(|settings| settings.bootstrap_servers = " ".to_owned()),
        "bootstrap_servers is missing; allowed: host:port, several separated by commas"
    );
    assert_eq!(
        rejected(|settings| settings.group_id.clear()),
        "group_id is missing; allowed: the name of a consumer group"
    );
    assert_eq!(rejected(|settings| settings.topics.clear()), "topics is missing; allowed: one topic or more");
    assert_eq!(
        rejected(|settings| settings.dlq_topic_suffix.clear()),
        "dlq_topic_suffix is missing; allowed: a suffix: without one, letters would go back to their topic"
    );
}

#[test]
fn names_of_topics_follow_the_rules_of_the_broker() {
    let allowed = "allowed: 1 to 249 letters, digits, '.', '_' or '-'";
    for name in ["", ".", "..", "with space", "ümlaut", &"x".repeat(250)] {
        let error = rejected(|settings| settings.topics.push(name.to_owned()));
        assert!(error.starts_with("topics is invalid: '") && error.ends_with(allowed), "{error}");
    }
    let error = rejected(|settings| settings.dlq_topic_suffix = "/dlq".to_owned());
    assert!(error.starts_with("dlq_topic_suffix is invalid: '") && error.ends_with(allowed), "{error}");
    let error = rejected(|settings| settings.dlq_routes = [(Category::Network, "a b".to_owned())].into());
    assert!(error.starts_with("dlq_routes is invalid: 'a b'") && error.ends_with(allowed), "{error}");
    assert_eq!(
        rejected(|settings| settings.dlq_routes = [(Category::Network, "orders".to_owned())].into()),
        "dlq_routes is invalid: 'orders'; allowed: a topic that the consumer does not read"
    );
    assert_eq!(
        rejected(|settings| settings.topics.push("orders.dlq".to_owned())),
        "topics is invalid: 'orders.dlq'; allowed: topics without the letters of the consumer"
    );
    // The name of the DLQ topic must be valid, too.
    let error = rejected(|settings| settings.topics = vec!["x".repeat(246)]);
    assert!(error.contains("dlq_topic_suffix") || error.contains("topics"), "{error}");
}

#[test]
fn numbers_out_of_range_are_rejected_with_the_range() {
    let cases: [(&str, &str, fn(&mut KafkaSettings)); 15] = [
        ("max_retries", "1 or more; for no retry, use 1", |settings| settings.max_retries = 0),
        ("max_in_flight", "1 to 65536", |settings| settings.max_in_flight = 0),
        ("max_in_flight", "1 to 65536", |settings| settings.max_in_flight = 65_537),
        ("poll_batch_size", "1 to 100000", |settings| settings.poll_batch_size = 0),
        ("queue_max_messages", "1 to 10000000", |settings| settings.queue_max_messages = 0),
        ("queue_max_bytes", "1 to 1099511627776", |settings| settings.queue_max_bytes = 0),
        ("resume_percent", "1 to 100", |settings| settings.resume_percent = 0),
        ("resume_percent", "1 to 100", |settings| settings.resume_percent = 101),
        ("offset_metadata_bytes", "64 to 1048576", |settings| settings.offset_metadata_bytes = 63),
        ("commit_interval_ms", "1ms to 1h0m0s", |settings| settings.commit_interval = Span::ZERO),
        ("task_timeout_ms", "1ms to 24h0m0s", |settings| settings.task_timeout = Span::ZERO),
        ("max_revoke_grace_ms", "0s to 1m0s", |settings| settings.max_revoke_grace = Span::from_mins(2)),
        ("drain_timeout_ms", "0s to 1h0m0s", |settings| settings.drain_timeout = Span::from_hours(2)),
        ("dlq_delivery_timeout_ms", "10ms to 1h0m0s", |settings| settings.dlq_delivery_timeout = Span::ZERO),
        ("retry_backoff_ms", "at most max_retry_backoff_ms (30s)", |settings| {
            settings.retry_backoff = Span::from_secs(31);
        }),
    ];
    for (name, allowed, change) in cases {
        let error = rejected(change);
        assert!(error.starts_with(&format!("{name} is invalid: '")), "{error}");
        assert!(error.ends_with(&format!("; allowed: {allowed}")), "{error}");
    }
}

#[test]
fn settings_without_effect_are_rejected() {
    let off: [fn(&mut KafkaSettings); 3] = [
        |settings| settings.dlq_routes = [(Category::Network, "t".to_owned())].into(),
        |settings| settings.dlq_create_topics = true,
        |settings| settings.dlq_transactional_id = Some("t".to_owned()),
    ];
    for change in off {
        let error = rejected(|settings| {
            settings.dlq_enabled = false;
            change(settings);
        });
        assert!(error.ends_with("allowed: nothing while dlq_enabled is false"), "{error}");
    }
    let transactional: [fn(&mut KafkaSettings); 3] = [
        |settings| settings.dlq_target = DlqTarget::Queue,
        |settings| settings.dlq_target = DlqTarget::Both,
        |settings| settings.offset_metadata = OffsetMetadata::ContiguousOnly,
    ];
    for change in transactional {
        let error = rejected(|settings| {
            settings.dlq_transactional_id = Some("t".to_owned());
            change(settings);
        });
        assert!(error.contains("dlq_transactional_id"), "{error}");
    }
    let ineffective: [(&str, fn(&mut KafkaSettings)); 5] = [
        ("dlq_partitions", |settings| settings.dlq_partitions = 3),
        ("dlq_replicas", |settings| settings.dlq_replicas = 3),
        ("dlq_create_topics", |settings| {
            settings.dlq_target = DlqTarget::Queue;
            settings.dlq_create_topics = true;
        }),
        ("producer_properties", |settings| {
            settings.dlq_target = DlqTarget::Queue;
            settings.producer_properties.insert("linger.ms".to_owned(), "1".to_owned());
        }),
        ("dlq_routes", |settings| {
            settings.dlq_target = DlqTarget::Queue;
            settings.dlq_routes = [(Category::Network, "t".to_owned())].into();
        }),
    ];
    for (name, change) in ineffective {
        let error = rejected(change);
        assert!(error.starts_with(name), "{error}");
    }
}

#[test]
fn properties_that_the_consumer_sets_are_rejected_with_what_to_use() {
    let own = [
        ("bootstrap.servers", "bootstrap_servers"),
        ("metadata.broker.list", "bootstrap_servers"),
        ("group.id", "group_id"),
        ("enable.auto.commit", "commit_interval_ms"),
        ("auto.commit.interval.ms", "commit_interval_ms"),
        ("enable.auto.offset.store", "commit_interval_ms"),
        ("acks", "nothing"),
        ("request.required.acks", "nothing"),
        ("enable.idempotence", "nothing"),
        ("delivery.timeout.ms", "dlq_delivery_timeout_ms"),
        ("message.timeout.ms", "dlq_delivery_timeout_ms"),
        ("transactional.id", "dlq_transactional_id"),
        ("delivery.report.only.error", "nothing"),
        ("topic.blacklist", "topics"),
    ];
    for (name, instead) in own {
        let places: [fn(&mut KafkaSettings) -> &mut std::collections::BTreeMap<String, String>; 3] = [
            |settings| &mut settings.properties,
            |settings| &mut settings.consumer_properties,
            |settings| &mut settings.producer_properties,
        ];
        for place in places {
            let error = rejected(|settings| {
                place(settings).insert(name.to_owned(), "1".to_owned());
            });
            assert!(error.contains(&format!("'{name}'")) && error.contains(instead), "{error}");
        }
    }
}

async fn start_error(settings: KafkaSettings) -> KafkaError {
    KafkaConsumer::start(settings, Recorder::done(), None).await.expect_err("the consumer must not start")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_property_is_an_error_that_names_it() {
    let (cluster, topic) = Cluster::with_topic("orders", 1).await;
    let unknown = || [("no.such.property".to_owned(), "1".to_owned())].into();
    let settings = || cluster.settings(&topic);
    let cases = [
        KafkaSettings { properties: unknown(), ..settings() },
        KafkaSettings { consumer_properties: unknown(), ..settings() },
        KafkaSettings { producer_properties: unknown(), ..settings() },
        KafkaSettings { producer_properties: unknown(), dlq_transactional_id: Some(cluster.name("id")), ..settings() },
    ];
    for case in cases {
        let error = start_error(case).await;
        assert!(matches!(&error, KafkaError::Property { property, .. } if property == "no.such.property"), "{error}");
        assert!(error.to_string().contains("no.such.property"), "{error}");
    }
    let invalid = [("session.timeout.ms".to_owned(), "soon".to_owned())].into();
    let error = start_error(KafkaSettings { consumer_properties: invalid, ..settings() }).await;
    assert!(matches!(&error, KafkaError::Property { property, .. } if property == "session.timeout.ms"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_topic_is_an_error_that_names_it() {
    let cluster = Cluster::shared();
    let known = cluster.topic("known", 1).await;
    let unknown = cluster.name("unknown");
    let settings = KafkaSettings { topics: vec![known, unknown.clone()], ..cluster.settings("both") };
    let error = start_error(settings).await;
    assert!(matches!(&error, KafkaError::NoSuchTopic(name) if *name == unknown), "{error}");
    assert_eq!(error.to_string(), format!("topic '{unknown}' does not exist; create it, or correct `topics`"));
    assert!(!cluster.exists(&unknown), "the topic was created");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_regular_expression_is_an_error() {
    let error = start_error(Cluster::shared().settings("^orders-[")).await;
    assert!(error.to_string().contains("^orders-["), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broker_that_cannot_be_reached_is_an_error_that_names_it() {
    // A port that was free a moment ago.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let error = start_error(Cluster::at(address.clone()).settings("orders")).await;
    assert!(matches!(&error, KafkaError::Unreachable { servers, .. } if *servers == address), "{error}");
    assert!(error.to_string().contains("check bootstrap_servers"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn properties_reach_the_client_of_their_part() {
    let (cluster, topic) = Cluster::with_topic("aborted", 1).await;
    // Only a reader of uncommitted records sees these.
    cluster.produce_in_transaction(&topic, &[crate::fixture::NewRecord::keyed("a", "aborted")], false);
    let mut settings = cluster.settings(&topic);
    settings.consumer_properties.insert("isolation.level".to_owned(), "read_uncommitted".to_owned());
    let handler = Recorder::done();
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    crate::fixture::wait_until("the aborted record is processed", async || handler.values() == ["aborted"]).await;
    consumer.stop().await;
}
