//! The DLQ topics: they must exist and keep letters before the first record is processed; those of topics that a regular
//! expression matches, before their first letter.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rdkafka::admin::{AdminClient, AdminOptions, ConfigResource, NewTopic, ResourceSpecifier, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::error::RDKafkaErrorCode;
use redrive_core::{Span, Time};
use redrive_store::Clock;
use tokio::sync::Mutex as AsyncMutex;

use super::probe;
use crate::error::text;
use crate::{KafkaError, KafkaSettings};

/// How long the broker has for each request.
const WITHIN: Duration = Duration::from_secs(15);

/// How long a topic that cannot have letters is not asked about again.
const ASK_AGAIN_AFTER: Span = Span::from_secs(1);

/// The DLQ topics that keep letters, each with the length of its longest record.
#[derive(Debug)]
pub(crate) struct DlqTopics {
    settings: Arc<KafkaSettings>,
    clock: Arc<dyn Clock>,
    bytes_max: Mutex<BTreeMap<String, usize>>,
    /// Why a topic cannot have letters, and since when. It is held while a topic is asked about.
    unusable: AsyncMutex<BTreeMap<String, (Time, String)>>,
}

impl DlqTopics {
    /// Checks that the topics exist and may be read, and creates or checks the DLQ topics that are known by name.
    pub(crate) async fn open(settings: &Arc<KafkaSettings>, clock: &Arc<dyn Clock>) -> Result<Self, KafkaError> {
        let uses_topics = settings.dlq_enabled && settings.dlq_target.has_topics();
        let dlq_topics = if uses_topics { dlq_topics(settings) } else { Vec::new() };
        let sources = plain_topics(settings).cloned().collect();
        let bytes_max = Mutex::new(prepare(settings, sources, dlq_topics).await?);
        let (settings, clock) = (Arc::clone(settings), Arc::clone(clock));
        Ok(Self { settings, clock, bytes_max, unusable: AsyncMutex::default() })
    }

    /// The longest record of a DLQ topic, if that is known.
    pub(crate) fn bytes_max_of(&self, dlq: &str) -> Option<usize> {
        self.bytes_max.lock().unwrap_or_else(PoisonError::into_inner).get(dlq).copied()
    }

    /// The smallest of the longest records.
    pub(crate) fn least_bytes_max(&self) -> Option<usize> {
        self.bytes_max.lock().unwrap_or_else(PoisonError::into_inner).values().min().copied()
    }

    /// Creates or checks the DLQ topic of a topic that a regular expression matches, before its first letter. Returns its
    /// longest record, or why it cannot have letters.
    pub(crate) async fn prepare(&self, dlq: &str, source: &str) -> Result<usize, String> {
        let mut unusable = self.unusable.lock().await;
        if let Some(bytes_max) = self.bytes_max_of(dlq) {
            return Ok(bytes_max);
        }
        if let Some((since, reason)) = unusable.get(dlq)
            && self.clock.now().since(*since) < ASK_AGAIN_AFTER
        {
            return Err(reason.clone());
        }
        match prepare(&self.settings, Vec::new(), vec![(dlq.to_owned(), source.to_owned())]).await {
            Ok(prepared) => {
                unusable.remove(dlq);
                self.bytes_max.lock().unwrap_or_else(PoisonError::into_inner).extend(prepared);
                Ok(self.bytes_max_of(dlq).unwrap_or(usize::MAX))
            }
            Err(error) => {
                let reason = error.to_string();
                unusable.insert(dlq.to_owned(), (self.clock.now(), reason.clone()));
                Err(reason)
            }
        }
    }
}

/// Checks that the sources exist, and creates or checks DLQ topics, each with a source topic. Returns the longest record
/// of each.
async fn prepare(
    settings: &Arc<KafkaSettings>,
    sources: Vec<String>,
    dlq_topics: Vec<(String, String)>,
) -> Result<BTreeMap<String, usize>, KafkaError> {
    let letters: Vec<String> = dlq_topics.iter().map(|(dlq, _)| dlq.clone()).collect();
    let probed = Arc::clone(settings);
    let topics = match tokio::task::spawn_blocking(move || probe::topics(&probed, &sources, &letters)).await {
        Ok(topics) => topics?,
        Err(error) => return Err(KafkaError::Client { doing: "reading the topics", reason: error.to_string() }),
    };
    let mut bytes_max = BTreeMap::new();
    if dlq_topics.is_empty() {
        return Ok(bytes_max);
    }
    let admin: AdminClient<DefaultClientContext> =
        settings.admin_config().create().map_err(|error| KafkaError::client("creating the client", &error))?;
    for (dlq, source) in dlq_topics {
        if !topics.contains_key(&dlq) {
            if !settings.dlq_create_topics {
                return Err(KafkaError::NoDlqTopic(dlq));
            }
            create(&admin, settings, &dlq, topics.get(&source).copied().unwrap_or(1)).await?;
        }
        let of_topic = check_dlq(&admin, &dlq).await?;
        bytes_max.insert(dlq, of_topic.unwrap_or(usize::MAX));
    }
    Ok(bytes_max)
}

/// The DLQ topics that are known by name, each with a source topic.
fn dlq_topics(settings: &KafkaSettings) -> Vec<(String, String)> {
    let of_topics =
        plain_topics(settings).map(|topic| (format!("{topic}{}", settings.dlq_topic_suffix), topic.clone()));
    let first = settings.topics.first().cloned().unwrap_or_default();
    let of_routes = settings.dlq_routes.values().map(|dlq| (dlq.clone(), first.clone()));
    let mut seen = BTreeSet::new();
    of_topics.chain(of_routes).filter(|(dlq, _)| seen.insert(dlq.clone())).collect()
}

/// The topics that are known by name.
fn plain_topics(settings: &KafkaSettings) -> impl Iterator<Item = &String> {
    settings.topics.iter().filter(|topic| !topic.starts_with('^'))
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
