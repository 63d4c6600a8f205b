//! The settings of a route, as they are written in a configuration file and in the API.

use redrive_core::{Invalid, OnOutage, Policy, PolicySpec, Problem, QueueName, Span};
use redrive_kafka::{DlqTarget, IngestSettings, KafkaSettings};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use super::{RouteId, RouteSettingsError};

/// A route: a source, what its work is sent to, and what happens to work that fails. `docs/routes.md` describes each
/// setting.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteSettings {
    pub name: String,
    #[serde(default)]
    pub namespace: String,
    pub kafka: Option<KafkaRouteSource>,
    pub queue: Option<QueueRouteSource>,
    /// The name of its target.
    pub target: Option<String>,
    /// DLQ topics whose records become letters, instead of a source and a target.
    pub ingest: Option<IngestRouteSource>,
    /// The dead queue for the letters of Kafka records.
    pub dead_queue: Option<String>,
    #[serde(default)]
    pub policy: Option<PolicySpec>,
    /// What an outage of the target does.
    #[serde(default = "pause")]
    pub on_outage: OnOutage,
}

const fn pause() -> OnOutage {
    OnOutage::Pause
}

/// Topics of a Kafka cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct KafkaRouteSource {
    /// The name of the cluster; unset if the settings have its address.
    pub cluster: Option<String>,
    pub settings: KafkaSettings,
}

impl<'de> Deserialize<'de> for KafkaRouteSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (cluster, settings) = with_cluster(deserializer)?;
        Ok(Self { cluster, settings })
    }
}

/// DLQ topics of a Kafka cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct IngestRouteSource {
    /// The name of the cluster; unset if the settings have its address.
    pub cluster: Option<String>,
    pub settings: IngestSettings,
}

impl<'de> Deserialize<'de> for IngestRouteSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (cluster, settings) = with_cluster(deserializer)?;
        Ok(Self { cluster, settings })
    }
}

/// `cluster` beside settings that reject unknown names.
fn with_cluster<'de, D, S>(deserializer: D) -> Result<(Option<String>, S), D::Error>
where
    D: Deserializer<'de>,
    S: DeserializeOwned,
{
    let mut table = serde_json::Map::deserialize(deserializer)?;
    let cluster = table.remove("cluster").map(serde_json::from_value).transpose().map_err(D::Error::custom)?;
    let settings = serde_json::from_value(table.into()).map_err(D::Error::custom)?;
    Ok((cluster, settings))
}

/// A queue of this server or of another one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueueRouteSource {
    pub name: String,
    /// The name of the server; unset for this one.
    pub server: Option<String>,
    #[serde(default = "lease_ms")]
    pub lease_ms: u64,
    /// Maximum calls of the target at the same time.
    #[serde(default = "concurrency")]
    pub concurrency: usize,
    /// Maximum duration of an attempt.
    #[serde(default = "timeout_ms")]
    pub timeout_ms: u64,
}

const fn lease_ms() -> u64 {
    60_000
}

const fn concurrency() -> usize {
    16
}

const fn timeout_ms() -> u64 {
    30_000
}

impl RouteSettings {
    pub fn id(&self) -> RouteId {
        RouteId { namespace: self.namespace.clone(), name: self.name.clone() }
    }

    /// Checks everything that needs no connection and no other definition.
    pub fn check(&self) -> Result<(), RouteSettingsError> {
        queue_name("name", &self.name)?;
        let sources = [self.kafka.is_some(), self.queue.is_some(), self.ingest.is_some()];
        if sources.into_iter().filter(|is_set| *is_set).count() != 1 {
            return Err(RouteSettingsError::Source);
        }
        if self.target.is_some() == self.ingest.is_some() {
            return Err(RouteSettingsError::Target);
        }
        let combination = |setting, rule| Err(RouteSettingsError::Combination { setting, rule });
        if let Some(queue) = &self.dead_queue {
            queue_name("dead_queue", queue)?;
        }
        if let Some(queue) = &self.queue {
            if self.dead_queue.is_some() {
                return combination(
                    "dead_queue",
                    "is for a kafka source; the letters of a queue go to its own dead queue",
                );
            }
            queue.check()?;
        }
        let needs_queue = |kafka: &KafkaRouteSource| kafka.settings.dlq_target != DlqTarget::Topic;
        if self.dead_queue.is_none() && (self.ingest.is_some() || self.kafka.as_ref().is_some_and(needs_queue)) {
            return combination("dead_queue", "is missing: the queue for the letters");
        }
        if self.ingest.is_some() && self.policy.is_some() {
            return combination("policy", "is for a route with a target; an ingest gives no record up");
        }
        self.policy()?;
        Ok(())
    }

    /// The policy for failed work. A kafka source without one has that of its own settings.
    pub(super) fn policy(&self) -> Result<Policy, Invalid> {
        match (&self.policy, &self.kafka) {
            (Some(policy), _) => policy.build().map_err(|invalid| invalid.at("policy")),
            (None, Some(kafka)) => kafka.settings.policy(),
            (None, None) => Policy::builder().build(),
        }
    }
}

impl QueueRouteSource {
    fn check(&self) -> Result<(), Invalid> {
        queue_name("queue.name", &self.name)?;
        within("queue.lease_ms", self.lease_ms, 1_000, 3_600_000)?;
        within("queue.timeout_ms", self.timeout_ms, 1, 86_400_000)?;
        within("queue.concurrency", self.concurrency as u64, 1, 65_536)
    }

    pub(super) const fn lease(&self) -> Span {
        Span::from_millis(self.lease_ms)
    }

    pub(super) const fn timeout(&self) -> Span {
        Span::from_millis(self.timeout_ms)
    }
}

/// The name of a queue. A route has such a name, too.
pub(super) fn queue_name(field: &str, name: &str) -> Result<QueueName, Invalid> {
    let allowed = "a name of up to 512 bytes, without white space and '~'";
    QueueName::new(name).map_err(|_| Invalid::new(field, Problem::Malformed, name, allowed))
}

fn within(field: &str, value: u64, least: u64, most: u64) -> Result<(), Invalid> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Invalid::new(field, Problem::OutOfRange, value, format!("{least} to {most}")))
}
