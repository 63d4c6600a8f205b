//! Logins, certificates and rights on the listener SASL_SSL of the shared broker.

use std::time::Duration;

use redrive_core::Span;
use redrive_kafka::{KafkaConsumer, KafkaError, KafkaSettings};
use redrive_run::Call;

use crate::fixture::{
    Cluster, NewRecord, Operation, Recorder, Resource, allow, not_found, stop_when_healthy, wait_until,
};

/// How long a start may take until it reports what is wrong.
const ERROR_WITHIN: Duration = Duration::from_secs(30);

/// Settings of a consumer that logs in.
fn settings(cluster: &Cluster, topic: &str, mechanism: &str, (user, password): (&str, &str)) -> KafkaSettings {
    let variable = |name: &str| std::env::var(name).expect("run `cargo xtask services up kafka`");
    let mut settings = cluster.settings(topic);
    settings.bootstrap_servers = variable("REDRIVE_TEST_KAFKA_SASL_SSL");
    let ca = variable("REDRIVE_TEST_KAFKA_CA");
    for (name, value) in [
        ("security.protocol", "SASL_SSL"),
        ("sasl.mechanism", mechanism),
        ("sasl.username", user),
        ("sasl.password", password),
        ("ssl.ca.location", &ca),
    ] {
        settings.properties.insert(name.to_owned(), value.to_owned());
    }
    settings
}

const SCRAM: &str = "SCRAM-SHA-512";
/// A user with all rights, and one with none.
const REDRIVE: (&str, &str) = ("redrive", "redrive-secret");
const READER: (&str, &str) = ("reader", "reader-secret");

fn failing() -> Recorder {
    Recorder::new(|call: &Call| match &*call.content.payload {
        b"bad" => Err(not_found()),
        _ => Ok(()),
    })
}

async fn start_error(settings: KafkaSettings) -> KafkaError {
    let started = tokio::time::timeout(ERROR_WITHIN, KafkaConsumer::start(settings, Recorder::done(), None)).await;
    started.expect("the start ends").expect_err("the start fails")
}

/// Processes a record and a letter with these settings.
async fn check_source_and_dlq(cluster: &Cluster, topic: &str, settings: KafkaSettings) {
    cluster.produce(topic, &[NewRecord::keyed("a", "good"), NewRecord::keyed("b", "bad")]);
    let group = settings.group_id.clone();
    let consumer = KafkaConsumer::start(settings, failing(), None).await.unwrap();
    wait_until("the commit", async || cluster.committed_sum(&group, topic, 1) == 2).await;
    assert!(consumer.snapshot().is_healthy());
    consumer.stop().await;
    assert_eq!(cluster.letters(topic).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn source_and_dlq_work_over_sasl_ssl_with_scram_and_with_plain() {
    for mechanism in [SCRAM, "PLAIN"] {
        let (cluster, topic) = Cluster::with_topic("login", 1).await;
        check_source_and_dlq(&cluster, &topic, settings(&cluster, &topic, mechanism, REDRIVE)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transactions_work_over_sasl_ssl() {
    let (cluster, topic) = Cluster::with_topic("login-transactions", 1).await;
    let transactional = KafkaSettings {
        dlq_transactional_id: Some(cluster.name("login")),
        ..settings(&cluster, &topic, SCRAM, REDRIVE)
    };
    check_source_and_dlq(&cluster, &topic, transactional).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_password_is_reported_as_a_failed_login() {
    let cluster = Cluster::shared();
    for mechanism in [SCRAM, "PLAIN"] {
        let error = start_error(settings(&cluster, "unused", mechanism, ("redrive", "wrong"))).await.to_string();
        assert!(error.to_lowercase().contains("authentication"), "{error}");
        assert!(!error.contains("wrong"), "the password is a secret: {error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_of_an_unknown_authority_is_reported() {
    let cluster = Cluster::shared();
    let mut unknown = settings(&cluster, "unused", SCRAM, REDRIVE);
    unknown.properties.remove("ssl.ca.location");
    let error = start_error(unknown).await.to_string();
    assert!(error.to_lowercase().contains("certificate"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_right_to_the_topic_is_a_start_error_that_names_it() {
    let (cluster, topic) = Cluster::with_topic("no-rights", 1).await;
    let error = start_error(settings(&cluster, &topic, SCRAM, READER)).await;
    assert!(matches!(error, KafkaError::NotAuthorized { .. }), "{error}");
    assert!(error.to_string().contains(&topic), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dlq_topic_without_rights_is_not_reported_as_missing() {
    let (cluster, topic) = Cluster::with_topic("no-dlq-rights", 1).await;
    allow(&cluster.address, "reader", Operation::Read, Resource::Topic, &topic);
    let error = start_error(settings(&cluster, &topic, SCRAM, READER)).await;
    assert!(matches!(error, KafkaError::NotAuthorized { .. }), "{error}");
    assert!(error.to_string().contains(&format!("{topic}.dlq")), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_right_to_the_group_is_reported_for_as_long_as_it_is_missing() {
    let (cluster, topic) = Cluster::with_topic("no-group", 1).await;
    allow(&cluster.address, "reader", Operation::Read, Resource::Topic, &topic);
    allow(&cluster.address, "reader", Operation::Write, Resource::Topic, &format!("{topic}.dlq"));
    cluster.produce(&topic, &[NewRecord::keyed("a", "good")]);
    let mut settings = settings(&cluster, &topic, SCRAM, READER);
    // The client tells its state more often than usual.
    settings.consumer_properties.insert("statistics.interval.ms".to_owned(), "200".to_owned());
    let group = settings.group_id.clone();
    let consumer = match KafkaConsumer::start(settings.clone(), Recorder::done(), None).await {
        Ok(consumer) => consumer,
        // An error at the start is as clear.
        Err(error) => {
            assert!(matches!(error, KafkaError::NotAuthorized { .. }) && error.to_string().contains(&group), "{error}");
            return;
        }
    };
    let is_reported = || {
        let snapshot = consumer.snapshot();
        !snapshot.is_healthy() && snapshot.troubles.iter().any(|trouble| trouble.error.to_lowercase().contains("group"))
    };
    wait_until("the missing right is reported", async || is_reported()).await;
    // Over several reports of the client's state.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(is_reported(), "{:?}", consumer.snapshot().troubles);
    allow(&cluster.address, "reader", Operation::Read, Resource::Group, &group);
    wait_until("the commit", async || cluster.committed_sum(&group, &topic, 1) == 1).await;
    stop_when_healthy(consumer).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_wait_until_the_right_to_write_them_is_granted() {
    let (cluster, topic) = Cluster::with_topic("no-write", 1).await;
    let dlq = format!("{topic}.dlq");
    let settings =
        KafkaSettings { dlq_delivery_timeout: Span::from_secs(2), ..settings(&cluster, &topic, SCRAM, READER) };
    let group = settings.group_id.clone();
    allow(&cluster.address, "reader", Operation::Read, Resource::Topic, &topic);
    allow(&cluster.address, "reader", Operation::Describe, Resource::Topic, &dlq);
    allow(&cluster.address, "reader", Operation::Read, Resource::Group, &group);
    cluster.produce(&topic, &[NewRecord::keyed("a", "good"), NewRecord::keyed("b", "bad")]);
    let consumer = KafkaConsumer::start(settings, failing(), None).await.unwrap();
    wait_until("the missing right is reported", async || {
        let troubles = consumer.snapshot().troubles;
        troubles.iter().any(|trouble| trouble.error.to_lowercase().contains("authori"))
    })
    .await;
    assert!(!consumer.snapshot().is_healthy());
    assert!(cluster.committed_sum(&group, &topic, 1) <= 1, "no letter, no commit");
    allow(&cluster.address, "reader", Operation::Write, Resource::Topic, &dlq);
    wait_until("the commit", async || cluster.committed_sum(&group, &topic, 1) == 2).await;
    stop_when_healthy(consumer).await;
    assert_eq!(cluster.letters(&topic).len(), 1);
}
