//! The settings of a route, as they are written in a configuration file and in the API.

use std::sync::Arc;

use redrive_core::{Classifier, Invalid, NamespaceName, OnOutage, Policy, PolicySpec, Problem, QueueName, Span};
use redrive_model::Origin;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use super::call_limits::{CALLS_MAX_OF_API, concurrency, lease_ms, timeout_ms};
use super::named_errors::named_errors;
use super::{IngestRouteSource, KafkaRouteSource, MailboxRouteSource, RouteId, RouteSettingsError};
use crate::TargetSettings;

/// The transports of origins, as `Origin::transport` has them.
const KAFKA: &str = "kafka";
const MAILBOX: &str = "mailbox";

/// A route: a source, what its work is sent to, and what happens to work that fails. `docs/routes.md` describes each
/// setting.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteSettings {
    pub name: String,
    #[serde(default)]
    pub namespace: String,
    pub kafka: Option<KafkaRouteSource>,
    #[serde(default, deserialize_with = "named_table")]
    pub queue: Option<QueueRouteSource>,
    #[serde(default, deserialize_with = "named_table")]
    pub mailbox: Option<MailboxRouteSource>,
    /// The name of its target.
    pub target: Option<String>,
    /// DLQ topics whose records become letters, instead of a source and a target.
    pub ingest: Option<IngestRouteSource>,
    /// The dead queue for the letters of Kafka records and messages.
    pub dead_queue: Option<String>,
    #[serde(default, deserialize_with = "named_table")]
    pub policy: Option<PolicySpec>,
    /// What an outage of the target does.
    #[serde(default = "pause")]
    pub on_outage: OnOutage,
}

const fn pause() -> OnOutage {
    OnOutage::Pause
}

/// A table whose errors name the setting that is wrong.
fn named_table<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let table = serde_json::Value::deserialize(deserializer)?;
    named_errors(&table).map(Some).map_err(D::Error::custom)
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

impl RouteSettings {
    pub fn id(&self) -> RouteId {
        RouteId { namespace: self.namespace.clone(), name: self.name.clone() }
    }

    /// The queues of this server that the route uses.
    pub(super) fn own_queues(&self) -> impl Iterator<Item = &str> {
        let source = self.queue.as_ref().filter(|queue| queue.server.is_none()).map(|queue| queue.name.as_str());
        source.into_iter().chain(self.dead_queue.as_deref())
    }

    /// Whether the route reads the topic or mailbox of an origin.
    pub(super) fn reads(&self, origin: &Origin) -> bool {
        match &*origin.transport {
            KAFKA => self.kafka.as_ref().is_some_and(|kafka| kafka.reads(&origin.name)),
            MAILBOX => self.mailbox.as_ref().is_some_and(|mailbox| mailbox.reads(&origin.name)),
            _ => false,
        }
    }

    /// The cluster or Redis server of the source.
    pub(super) fn server_of_source(&self) -> Option<&str> {
        let redis = self.mailbox.as_ref().map(MailboxRouteSource::redis);
        self.kafka.as_ref().map(KafkaRouteSource::cluster).or(redis)
    }

    /// A target that hands letters back to the source of the route; `None` for a queue and an ingest.
    pub(super) fn origin_target(&self) -> Option<TargetSettings> {
        let kafka = self.kafka.as_ref().map(KafkaRouteSource::origin);
        let mailbox = self.mailbox.as_ref().map(MailboxRouteSource::origin);
        let is_known = kafka.is_some() || mailbox.is_some();
        is_known.then(|| TargetSettings { origin: true, kafka, mailbox, ..TargetSettings::default() })
    }

    /// The name of the cluster of a route over Kafka.
    pub(super) fn cluster(&self) -> Option<&str> {
        let of_kafka = self.kafka.as_ref().map(KafkaRouteSource::cluster);
        of_kafka.or_else(|| self.ingest.as_ref().map(IngestRouteSource::cluster))
    }

    /// Checks everything that needs no connection and no other definition.
    pub(super) fn check(&self, classifier: &Arc<Classifier>) -> Result<(), RouteSettingsError> {
        queue_name("name", &self.name)?;
        let is_namespace = NamespaceName::new(&self.namespace).is_ok_and(|name| !name.is_reserved());
        if !self.namespace.is_empty() && !is_namespace {
            let allowed = "the name of a namespace, or none";
            return Err(Invalid::new("namespace", Problem::Malformed, &self.namespace, allowed).into());
        }
        let sources = [self.kafka.is_some(), self.queue.is_some(), self.mailbox.is_some(), self.ingest.is_some()];
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
                    "is for a kafka or mailbox source; the letters of a queue go to its own dead queue",
                );
            }
            queue.check()?;
        }
        if let Some(mailbox) = &self.mailbox {
            mailbox.check(self.dead_queue.is_some())?;
        }
        let needs_queue = self.kafka.as_ref().is_some_and(KafkaRouteSource::needs_dead_queue);
        if self.dead_queue.is_none() && (self.ingest.is_some() || needs_queue) {
            return combination("dead_queue", "is missing: the queue for the letters");
        }
        if self.ingest.is_some() && self.policy.is_some() {
            return combination("policy", "is for a route with a target; an ingest gives no record up");
        }
        self.policy(classifier)?;
        Ok(())
    }

    /// The policy for failed work. A kafka source without one has that of its own settings. `None` for a queue or a mailbox
    /// without one, and for an ingest.
    pub(super) fn policy(&self, classifier: &Arc<Classifier>) -> Result<Option<Policy>, Invalid> {
        match (&self.policy, &self.kafka) {
            (Some(policy), _) => {
                policy.build_with(classifier).map(Some).map_err(|invalid| within_table("policy", invalid))
            }
            (None, Some(kafka)) => {
                let policy = kafka.policy().map_err(|invalid| within_table("kafka", invalid))?;
                Ok(Some(policy.with_classifier(Arc::clone(classifier))))
            }
            (None, None) => Ok(None),
        }
    }

    /// Checks what a route of the API may ask of the server, which other namespaces share.
    pub(super) fn check_api_limits(&self) -> Result<(), RouteSettingsError> {
        if let Some(kafka) = &self.kafka {
            kafka.check_api_limits()?;
        }
        if let Some(ingest) = &self.ingest {
            ingest.check_api_limits()?;
        }
        if let Some(queue) = &self.queue {
            Invalid::unless_within("queue.concurrency", queue.concurrency as u64, 1..=CALLS_MAX_OF_API)?;
        }
        if let Some(mailbox) = &self.mailbox {
            Invalid::unless_within("mailbox.concurrency", mailbox.concurrency(), 1..=CALLS_MAX_OF_API)?;
        }
        Ok(())
    }
}

impl QueueRouteSource {
    fn check(&self) -> Result<(), Invalid> {
        queue_name("queue.name", &self.name)?;
        Invalid::unless_within("queue.lease_ms", self.lease_ms, 1_000..=3_600_000)?;
        Invalid::unless_within("queue.timeout_ms", self.timeout_ms, 1..=86_400_000)?;
        Invalid::unless_within("queue.concurrency", self.concurrency as u64, 1..=65_536).map(drop)
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

/// An error of a setting in a table.
pub(super) fn within_table(table: &str, invalid: Invalid) -> Invalid {
    let field = format!("{table}.{}", invalid.field);
    invalid.at(field)
}
