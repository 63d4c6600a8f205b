//! Topics of a Kafka cluster as the source of a route, and DLQ topics whose records become letters.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{Invalid, Policy, Span};
use redrive_kafka::{
    BlockingRecord, ConsumerSnapshot, DlqTarget, HandBackSettings, IngestSettings, KafkaConsumer, KafkaError,
    KafkaIngest, KafkaSettings, KafkaSource, PartitionSnapshot, RecordState, ShutdownPolicy, TroubleKind,
};
use redrive_run::{RunReport, RunnerSettings, Running};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use super::call_limits::CALLS_MAX_OF_API;
use super::named_errors::named_errors;
use super::settings::within_table;
use super::source_status::{BlockingWork, SourceMonitor, SourceStatus, SourceTrouble};
use super::started_route::{RouteStart, StartedRoute, StartedSource, timeout};
use super::{RouteSettingsError, RouteStartError};
use crate::KafkaOriginSettings;
use crate::cluster::{ClusterConnection, ClusterSettings};
use crate::target::entry_name;

/// Limits of routes of the API.
const RECORDS_MAX: u64 = 100_000;
const BYTES_MAX: u64 = 256 << 20;
const DRAIN_MS_MAX: u64 = 300_000;

/// A capture has at most this time to finish when an ingest stops. It is repeated without a second letter.
const INGEST_DRAIN: Span = Span::from_secs(5);

/// A Kafka cluster, and the settings of what reads from it.
#[derive(Debug, Clone, PartialEq)]
pub struct OnCluster<S> {
    /// The name of the cluster.
    pub cluster: String,
    /// Without the address of the cluster.
    pub settings: S,
}

/// Topics of a Kafka cluster.
pub type KafkaRouteSource = OnCluster<KafkaSettings>;

/// DLQ topics of a Kafka cluster.
pub type IngestRouteSource = OnCluster<IngestSettings>;

/// `cluster` beside the settings of a consumer, without those that are not the source's.
impl<'de, S: DeserializeOwned> Deserialize<'de> for OnCluster<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = serde_json::Map::deserialize(deserializer)?;
        for setting in ["bootstrap_servers", "properties"] {
            if table.contains_key(setting) {
                return Err(D::Error::custom(format!("{setting} is a setting of [clusters.NAME], not of a source")));
            }
        }
        if table.contains_key("on_outage") {
            return Err(D::Error::custom("on_outage is a setting of the route, not of its source"));
        }
        let cluster = table.remove("cluster").ok_or_else(|| D::Error::missing_field("cluster"))?;
        let cluster = serde_json::from_value(cluster).map_err(D::Error::custom)?;
        let settings = named_errors(&table.into()).map_err(D::Error::custom)?;
        Ok(Self { cluster, settings })
    }
}

impl<S> OnCluster<S> {
    pub(super) fn cluster(&self) -> &str {
        &self.cluster
    }
}

impl KafkaRouteSource {
    pub(super) fn needs_dead_queue(&self) -> bool {
        self.settings.dlq_target != DlqTarget::Topic
    }

    pub(super) fn policy(&self) -> Result<Policy, Invalid> {
        self.settings.policy()
    }

    /// Whether the route reads a topic.
    pub(super) fn reads(&self, topic: &str) -> bool {
        HandBackSettings::new("", self.settings.topics.clone()).allows(topic)
    }

    /// The topics of the source, to hand letters back to.
    pub(super) fn origin(&self) -> KafkaOriginSettings {
        let topics = self.settings.topics.clone();
        KafkaOriginSettings { cluster: self.cluster.clone(), topics, dlq_topics: Vec::new() }
    }

    pub(super) fn check_api_limits(&self) -> Result<(), RouteSettingsError> {
        let settings = &self.settings;
        if !(settings.consumer_properties.is_empty() && settings.producer_properties.is_empty()) {
            let rule = "must not have consumer_properties or producer_properties; the cluster has the properties";
            return Err(RouteSettingsError::Combination { setting: "kafka", rule });
        }
        Invalid::unless_within("kafka.max_in_flight", settings.max_in_flight as u64, 1..=CALLS_MAX_OF_API)?;
        Invalid::unless_within("kafka.queue_max_messages", settings.queue_max_messages as u64, 1..=RECORDS_MAX)?;
        Invalid::unless_within("kafka.queue_max_bytes", settings.queue_max_bytes, 1..=BYTES_MAX)?;
        Invalid::unless_within("kafka.drain_timeout_ms", settings.drain_timeout.as_micros() / 1_000, 0..=DRAIN_MS_MAX)?;
        Invalid::unless_within("kafka.dlq_partitions", settings.dlq_partitions, 0..=1_000)?;
        Ok(())
    }

    /// Checks the settings with the address of their cluster, and the properties that a route of the file has itself.
    pub(super) fn check(&self, cluster: &ClusterSettings) -> Result<(), RouteSettingsError> {
        let bootstrap_servers = cluster.bootstrap_servers.clone();
        let settings = KafkaSettings { bootstrap_servers, ..self.settings.clone() };
        settings.check().map_err(|invalid| within_table("kafka", invalid))?;
        match settings.check_properties() {
            Err(KafkaError::Property { property, .. }) => {
                Err(RouteSettingsError::Property(entry_name(&property).to_owned()))
            }
            // Others are about the connection.
            _ => Ok(()),
        }
    }

    pub(super) async fn start(&self, start: &RouteStart<'_>) -> Result<StartedRoute, RouteStartError> {
        let mut settings = self.settings.clone();
        ClusterConnection { bootstrap_servers: settings.bootstrap_servers, properties: settings.properties } =
            start.connections.cluster(&self.cluster)?;
        settings.on_outage = start.route.on_outage;
        settings.check()?;
        let policy = match start.route.policy(&start.env.classifier)? {
            Some(policy) => policy,
            None => settings.policy()?,
        };
        let dead_queue = start.dead_queue(policy.clone()).await?;
        let (target, handler) = start.target().await?;
        let runner = RunnerSettings { breaker: start.breaker(), starts_paused: start.is_paused, ..settings.runner() };
        let drain = match settings.shutdown_policy {
            ShutdownPolicy::Graceful => settings.drain_timeout.max(timeout(&*handler, &runner)),
            ShutdownPolicy::Abort => Span::ZERO,
        };
        let clock = Arc::clone(&start.env.clock);
        let consumer = KafkaConsumer::start_with(settings, handler, policy, runner, dead_queue, clock).await?;
        let monitor: Arc<dyn SourceMonitor> = Arc::new(consumer.source().clone());
        Ok(StartedRoute { source: Box::new(consumer), monitor: Some(monitor), drain, _target: Some(target) })
    }
}

impl IngestRouteSource {
    pub(super) fn check_api_limits(&self) -> Result<(), RouteSettingsError> {
        let settings = &self.settings;
        Invalid::unless_within("ingest.max_in_flight", settings.max_in_flight as u64, 1..=CALLS_MAX_OF_API)?;
        Invalid::unless_within("ingest.queue_max_messages", settings.queue_max_messages as u64, 1..=RECORDS_MAX)?;
        Invalid::unless_within("ingest.queue_max_bytes", settings.queue_max_bytes, 1..=BYTES_MAX)?;
        Ok(())
    }

    /// Checks the settings with the address of their cluster.
    pub(super) fn check(&self, cluster: &ClusterSettings) -> Result<(), RouteSettingsError> {
        let bootstrap_servers = cluster.bootstrap_servers.clone();
        let settings = IngestSettings { bootstrap_servers, ..self.settings.clone() };
        Ok(settings.check().map_err(|invalid| within_table("ingest", invalid))?)
    }

    pub(super) async fn start(&self, start: &RouteStart<'_>) -> Result<StartedRoute, RouteStartError> {
        let mut settings = self.settings.clone();
        ClusterConnection { bootstrap_servers: settings.bootstrap_servers, properties: settings.properties } =
            start.connections.cluster(&self.cluster)?;
        let policy = Policy::default().with_classifier(Arc::clone(&start.env.classifier));
        let dead_queue = start.required_dead_queue(policy).await?;
        let ingest = KafkaIngest::start(settings, dead_queue).await?;
        let monitor: Arc<dyn SourceMonitor> = Arc::new(ingest.source().clone());
        Ok(StartedRoute { source: Box::new(ingest), monitor: Some(monitor), drain: INGEST_DRAIN, _target: None })
    }
}

#[async_trait]
impl StartedSource for KafkaConsumer {
    fn running(&self) -> &Running {
        self.running()
    }

    async fn close(self: Box<Self>) -> RunReport {
        self.stop().await
    }
}

#[async_trait]
impl StartedSource for KafkaIngest {
    fn running(&self) -> &Running {
        self.running()
    }

    async fn close(self: Box<Self>) -> RunReport {
        self.stop().await
    }
}

#[async_trait]
impl SourceMonitor for KafkaSource {
    async fn status(&self) -> Option<SourceStatus> {
        Some(source_status(self.snapshot()))
    }
}

fn source_status(consumer: ConsumerSnapshot) -> SourceStatus {
    SourceStatus {
        is_healthy: consumer.is_healthy(),
        lag: consumer.partitions.iter().filter_map(|partition| partition.lag).reduce(|sum, lag| sum + lag),
        waiting: (consumer.queued + consumer.waiting) as u64,
        letters_pending: consumer.dlq_pending as u64,
        blocking: blocking(&consumer),
        troubles: consumer
            .troubles
            .into_iter()
            .map(|trouble| SourceTrouble {
                kind: trouble_kind(trouble.kind),
                since: trouble.since,
                error: trouble.error,
            })
            .collect(),
    }
}

fn blocking(consumer: &ConsumerSnapshot) -> Option<BlockingWork> {
    let blocking = |partition: &PartitionSnapshot| Some((partition.at.clone(), partition.blocking.clone()?));
    let longest = consumer.partitions.iter().filter_map(blocking).max_by_key(|(_, record)| record.age)?;
    let (at, BlockingRecord { offset, state, attempt, age, error, .. }) = longest;
    let (topic, partition, state) = (at.topic.to_string(), at.partition, record_state(state));
    Some(BlockingWork { topic, partition, offset, state, attempt, age, error })
}

const fn trouble_kind(kind: TroubleKind) -> &'static str {
    match kind {
        TroubleKind::Client => "client",
        TroubleKind::Denied => "denied",
        TroubleKind::Commit => "commit",
        TroubleKind::HandOver => "hand_over",
        TroubleKind::Fatal => SourceTrouble::FATAL,
    }
}

const fn record_state(state: RecordState) -> &'static str {
    match state {
        RecordState::Queued => "queued",
        RecordState::Runnable => "runnable",
        RecordState::Running => "running",
        RecordState::Retry(_) => "retry",
        RecordState::HandingOver => "handing_over",
        RecordState::HandOverRetry(_) => "hand_over_retry",
        _ => "unknown",
    }
}

/// What the client library says about a property may have its value, which may be a secret.
impl From<KafkaError> for RouteStartError {
    fn from(error: KafkaError) -> Self {
        match error {
            KafkaError::Settings(invalid) => Self::Setting(invalid),
            KafkaError::Property { property, .. } => Self::Property(entry_name(&property).to_owned()),
            other => Self::Kafka(other.into()),
        }
    }
}
