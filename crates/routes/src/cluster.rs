//! A Kafka cluster that routes and origin targets refer to by name.

use std::collections::BTreeMap;

#[cfg(feature = "kafka")]
use redrive_kafka::{HandBackSettings, KafkaError};
use serde::Deserialize;

#[cfg(feature = "kafka")]
use crate::target::entry_name;
use crate::target::{SecretSource, TargetError};

/// A Kafka cluster: one `[clusters.NAME]` section.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterSettings {
    /// Addresses of brokers, separated by commas.
    pub bootstrap_servers: String,
    /// Properties of the client library, for example `security.protocol`.
    #[serde(default)]
    pub properties: BTreeMap<String, SecretSource>,
    /// The namespaces whose routes of the API may use it.
    #[serde(default)]
    pub namespaces: Vec<String>,
}

impl ClusterSettings {
    /// How a client connects. Reads the secrets.
    #[cfg(feature = "kafka")]
    pub(crate) fn connection(&self) -> Result<ClusterConnection, TargetError> {
        let mut properties = BTreeMap::new();
        for (property, value) in &self.properties {
            properties.insert(property.clone(), value.plain("properties", property)?);
        }
        Ok(ClusterConnection { bootstrap_servers: self.bootstrap_servers.clone(), properties })
    }

    /// The same. Fails if a client would reject it, without connecting.
    #[cfg(feature = "kafka")]
    pub(crate) fn check(&self) -> Result<ClusterConnection, TargetError> {
        let ClusterConnection { bootstrap_servers, properties } = self.connection()?;
        let client = HandBackSettings { bootstrap_servers, properties, ..HandBackSettings::default() };
        client.check()?;
        let HandBackSettings { bootstrap_servers, properties, .. } = client;
        Ok(ClusterConnection { bootstrap_servers, properties })
    }

    #[cfg(not(feature = "kafka"))]
    pub(crate) fn check(&self) -> Result<(), TargetError> {
        Err(TargetError::LeftOut(crate::missing_feature::reason("kafka")))
    }
}

/// How a Kafka client connects. It has secrets.
#[cfg(feature = "kafka")]
pub(crate) struct ClusterConnection {
    pub(crate) bootstrap_servers: String,
    pub(crate) properties: BTreeMap<String, String>,
}

/// What the client library says about a property may have its value, which may be a secret.
#[cfg(feature = "kafka")]
impl From<KafkaError> for TargetError {
    fn from(error: KafkaError) -> Self {
        match error {
            KafkaError::Settings(invalid) => Self::Invalid(invalid),
            KafkaError::Property { property, .. } => Self::KafkaProperty(entry_name(&property).to_owned()),
            other => Self::Kafka(other.into()),
        }
    }
}
