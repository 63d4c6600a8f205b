//! The DLQ topics: they must exist and keep letters before the first record is processed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use rdkafka::admin::{AdminClient, AdminOptions, ConfigResource, NewTopic, ResourceSpecifier, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::error::RDKafkaErrorCode;

use super::probe;
use crate::error::text;
use crate::{KafkaError, KafkaSettings};

/// How long the broker has for each request.
const WITHIN: Duration = Duration::from_secs(15);

/// The longest record of each DLQ topic.
pub(crate) type DlqLimits = BTreeMap<String, usize>;

/// Checks that the topics exist and may be read, and creates or checks the DLQ topics.
pub(crate) async fn prepare(settings: Arc<KafkaSettings>, uses_dlq_topics: bool) -> Result<DlqLimits, KafkaError> {
    let dlq_topics = if uses_dlq_topics { dlq_topics(&settings) } else { Vec::new() };
    let letters: Vec<String> = dlq_topics.iter().map(|(dlq, _)| dlq.clone()).collect();
    let probed = Arc::clone(&settings);
    let topics = match tokio::task::spawn_blocking(move || probe::topics(&probed, &letters)).await {
        Ok(topics) => topics?,
        Err(error) => return Err(KafkaError::Client { doing: "reading the topics", reason: error.to_string() }),
    };
    let mut limits = DlqLimits::new();
    if uses_dlq_topics {
        let admin: AdminClient<DefaultClientContext> =
            settings.admin_config().create().map_err(|error| KafkaError::client("creating the client", &error))?;
        for (dlq, source) in dlq_topics {
            if topics.partitions_of(&dlq).is_none() {
                if !settings.dlq_create_topics {
                    return Err(KafkaError::NoDlqTopic(dlq));
                }
                create(&admin, &settings, &dlq, topics.partitions_of(&source).unwrap_or(1)).await?;
            }
            if let Some(bytes_max) = check_dlq(&admin, &dlq).await? {
                limits.insert(dlq, bytes_max);
            }
        }
    }
    Ok(limits)
}

/// The DLQ topics, each with a source topic. The letters of a topic that a regular expression matches wait until its DLQ
/// topic exists.
fn dlq_topics(settings: &KafkaSettings) -> Vec<(String, String)> {
    let plain = settings.topics.iter().filter(|topic| !topic.starts_with('^'));
    let of_topics = plain.map(|topic| (format!("{topic}{}", settings.dlq_topic_suffix), topic.clone()));
    let first = settings.topics.first().cloned().unwrap_or_default();
    let of_routes = settings.dlq_routes.values().map(|dlq| (dlq.clone(), first.clone()));
    let mut seen = BTreeSet::new();
    of_topics.chain(of_routes).filter(|(dlq, _)| seen.insert(dlq.clone())).collect()
}

async fn create(
    admin: &AdminClient<DefaultClientContext>,
    settings: &KafkaSettings,
    topic: &str,
    source_partitions: usize,
) -> Result<(), KafkaError> {
    let partitions = match settings.dlq_partitions {
        0 => i32::try_from(source_partitions).unwrap_or(i32::MAX).max(1),
        partitions => i32::try_from(partitions).unwrap_or(i32::MAX),
    };
    let replicas = match settings.dlq_replicas {
        0 => -1,
        replicas => i32::try_from(replicas).unwrap_or(i32::MAX),
    };
    let new = NewTopic::new(topic, partitions, TopicReplication::Fixed(replicas))
        .set("retention.ms", "-1")
        // A letter has the timestamp of its record, whatever that is.
        .set("message.timestamp.after.max.ms", "9223372036854775807");
    let created = admin.create_topics([&new], &AdminOptions::new().operation_timeout(Some(WITHIN))).await;
    let failed = |reason: String| KafkaError::DlqTopicNotCreated { topic: topic.to_owned(), reason };
    match created.map_err(|error| failed(text(&error)))?.pop() {
        Some(Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists))) => Ok(()),
        Some(Err((_, RDKafkaErrorCode::TopicAuthorizationFailed | RDKafkaErrorCode::ClusterAuthorizationFailed))) => {
            Err(KafkaError::NotAuthorized { what: format!("creating topic '{topic}' (Create)") })
        }
        Some(Err((_, code))) => Err(failed(code.to_string())),
        None => Err(failed("the broker gave no answer".to_owned())),
    }
}

/// Checks that the topic keeps letters: one has the timestamp of its record, which may be older than the retention of the
/// topic. Returns the longest record that the topic takes, if that is known.
async fn check_dlq(admin: &AdminClient<DefaultClientContext>, topic: &str) -> Result<Option<usize>, KafkaError> {
    let options = AdminOptions::new().request_timeout(Some(WITHIN));
    let described = admin.describe_configs([&ResourceSpecifier::Topic(topic)], &options).await;
    let mut described = described.map_err(|error| KafkaError::client("reading the settings of a DLQ topic", &error))?;
    let config: ConfigResource = match described.pop() {
        Some(Ok(config)) => config,
        Some(Err(RDKafkaErrorCode::TopicAuthorizationFailed)) => {
            // Without the right to describe the settings, the operator's word has to do.
            tracing::warn!(topic, "the retention of the DLQ topic is not known: no right to describe it");
            return Ok(None);
        }
        Some(Err(RDKafkaErrorCode::UnknownTopicOrPartition)) | None => {
            return Err(KafkaError::NoDlqTopic(topic.to_owned()));
        }
        Some(Err(code)) => {
            return Err(KafkaError::Client { doing: "reading the settings of a DLQ topic", reason: code.to_string() });
        }
    };
    let value = |name: &str| config.get(name).and_then(|entry| entry.value.as_deref()).unwrap_or_default();
    if value("cleanup.policy").contains("compact") {
        return Err(KafkaError::DlqCompacted(topic.to_owned()));
    }
    let retention_ms = value("retention.ms").parse().unwrap_or(-1);
    if retention_ms >= 0 && value("message.timestamp.type") != "LogAppendTime" {
        return Err(KafkaError::DlqRetention { topic: topic.to_owned(), retention_ms });
    }
    let retention_bytes = value("retention.bytes").parse().unwrap_or(-1);
    if retention_bytes >= 0 {
        return Err(KafkaError::DlqRetentionBytes { topic: topic.to_owned(), retention_bytes });
    }
    Ok(value("max.message.bytes").parse().ok())
}
