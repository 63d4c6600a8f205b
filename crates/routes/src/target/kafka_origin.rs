//! The Kafka cluster to whose topics an origin target hands letters back.

use std::collections::BTreeMap;
use std::fmt;

use redrive_core::Invalid;
use redrive_kafka::{HandBackSettings, KafkaError};
use serde::Deserialize;

use super::secret_source::entry_name;
use super::{SecretSource, TargetError};

/// The settings of a `[targets.NAME.kafka]` section.
#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KafkaOriginSettings {
    /// Addresses of brokers, separated by commas.
    pub bootstrap_servers: String,
    /// The topics to which letters may be handed back. One that begins with `^` is a regular expression.
    pub topics: Vec<String>,
    /// The DLQ topics that are read into letters, in the same form: nothing is handed back to them.
    pub dlq_topics: Vec<String>,
    /// Further properties of the client library, for example `security.protocol`.
    pub properties: BTreeMap<String, SecretSource>,
}

impl KafkaOriginSettings {
    /// Reads the secrets, and checks everything without a connection.
    pub(super) fn checked(&self) -> Result<HandBackSettings, TargetError> {
        let mut settings = HandBackSettings::new(&self.bootstrap_servers, &self.topics);
        settings.dlq_topics.clone_from(&self.dlq_topics);
        for (name, source) in &self.properties {
            settings.properties.insert(name.clone(), source.plain("kafka.properties", name)?);
        }
        settings.check().map_err(of_kafka)?;
        if self.topics.is_empty() {
            let allowed = "the topics to which letters may be handed back";
            return Err(Invalid::missing("kafka.topics", allowed).into());
        }
        Ok(settings)
    }
}

/// An error of the Kafka client. What it says about a property may have its value.
pub(super) fn of_kafka(error: KafkaError) -> TargetError {
    match error {
        KafkaError::Settings(invalid) => {
            let field = format!("kafka.{}", invalid.field);
            TargetError::Invalid(invalid.at(field))
        }
        KafkaError::Property { property, .. } => TargetError::KafkaProperty(entry_name(&property).to_owned()),
        other => TargetError::Kafka(other),
    }
}

/// Without addresses and properties, which may be secrets.
impl fmt::Debug for KafkaOriginSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaOriginSettings")
            .field("topics", &self.topics)
            .field("dlq_topics", &self.dlq_topics)
            .finish_non_exhaustive()
    }
}
