//! The settings of a hand-back.

use std::collections::BTreeMap;
use std::fmt;

use redrive_core::{Invalid, Span};
use serde::{Deserialize, Serialize};

use super::topic_rules::TopicRules;
use crate::settings::{check_properties, millis, range, span};
use crate::{KafkaError, KafkaSettings};

/// The brokers and the topics to which letters are handed back. In configuration files, durations are in milliseconds
/// and their names end in `_ms`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HandBackSettings {
    /// Addresses of brokers, separated by commas.
    pub bootstrap_servers: String,
    /// The topics to which letters may be handed back. One that begins with `^` is a regular expression.
    pub topics: Vec<String>,
    /// The DLQ topics that are read into letters, in the same form. Nothing is handed back to them, even if `topics`
    /// matches: it would be read again at once.
    pub dlq_topics: Vec<String>,
    /// How long the broker has to confirm a record.
    #[serde(rename = "delivery_timeout_ms", with = "millis")]
    pub delivery_timeout: Span,
    /// Maximum number of records without a confirmation. Further hand-backs wait.
    pub max_in_flight: usize,
    /// Further properties of the client library, for example `security.protocol`.
    pub properties: BTreeMap<String, String>,
}

impl Default for HandBackSettings {
    fn default() -> Self {
        Self {
            bootstrap_servers: String::new(),
            topics: Vec::new(),
            dlq_topics: Vec::new(),
            delivery_timeout: Span::from_secs(5),
            max_in_flight: 1_000,
            properties: BTreeMap::new(),
        }
    }
}

impl HandBackSettings {
    /// Settings with defaults for everything else.
    pub fn new(bootstrap_servers: impl Into<String>, topics: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let topics = topics.into_iter().map(Into::into).collect();
        Self { bootstrap_servers: bootstrap_servers.into(), topics, ..Self::default() }
    }

    /// Checks the settings, without a connection.
    pub fn check(&self) -> Result<(), KafkaError> {
        self.check_fields()?;
        TopicRules::new(&self.topics, &self.dlq_topics)?;
        let checked = self.of_producer().producer_config(None).create_native_config();
        checked.map(drop).map_err(|error| KafkaError::client("checking the properties", &error))
    }

    /// Whether letters may be handed back to a topic. `false` for settings that are wrong.
    pub fn allows(&self, topic: &str) -> bool {
        TopicRules::new(&self.topics, &self.dlq_topics).is_ok_and(|rules| rules.check(topic).is_ok())
    }

    fn check_fields(&self) -> Result<(), Invalid> {
        if self.bootstrap_servers.trim().is_empty() {
            return Err(Invalid::missing("bootstrap_servers", "host:port, several separated by commas"));
        }
        span("delivery_timeout_ms", self.delivery_timeout, Span::from_millis(10), Span::from_hours(1))?;
        range("max_in_flight", self.max_in_flight, 1, 65_536)?;
        check_properties(self.properties.keys())
    }

    /// A hand-back has the producer of a consumer's letters: idempotent, confirmed by all replicas.
    pub(super) fn of_producer(&self) -> KafkaSettings {
        KafkaSettings {
            bootstrap_servers: self.bootstrap_servers.clone(),
            dlq_delivery_timeout: self.delivery_timeout,
            properties: self.properties.clone(),
            ..KafkaSettings::default()
        }
    }
}

/// Without the values of properties: some are secrets.
impl fmt::Debug for HandBackSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HandBackSettings")
            .field("bootstrap_servers", &self.bootstrap_servers)
            .field("topics", &self.topics)
            .field("dlq_topics", &self.dlq_topics)
            .field("properties", &self.properties.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
