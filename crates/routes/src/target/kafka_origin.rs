//! The topics of a Kafka cluster to which an origin target hands letters back.

use std::sync::Arc;

use redrive_core::Invalid;
use redrive_kafka::{HandBackSettings, KafkaError, KafkaHandBack};
use serde::Deserialize;

use super::{CheckedHandBack, OriginConnections, TargetError};
use crate::cluster::ClusterConnection;

/// The settings of a `[targets.NAME.kafka]` section.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KafkaOriginSettings {
    /// The name of the cluster.
    pub cluster: String,
    /// The topics to which letters may be handed back. One that begins with `^` is a regular expression.
    pub topics: Vec<String>,
    /// The DLQ topics that are read into letters, in the same form: nothing is handed back to them.
    pub dlq_topics: Vec<String>,
}

impl KafkaOriginSettings {
    pub(crate) fn cluster(&self) -> &str {
        &self.cluster
    }

    /// Reads the secrets of the cluster, and checks everything without a connection.
    pub(super) fn checked(&self, connections: OriginConnections<'_>) -> Result<CheckedHandBack, TargetError> {
        let ClusterConnection { bootstrap_servers, properties } = connections
            .cluster(&self.cluster)?
            .check()
            .map_err(|error| TargetError::Cluster { name: self.cluster.clone(), source: Box::new(error) })?;
        if self.topics.is_empty() {
            let allowed = "the topics to which letters may be handed back";
            return Err(Invalid::missing("kafka.topics", allowed).into());
        }
        let settings = HandBackSettings {
            bootstrap_servers,
            topics: self.topics.clone(),
            dlq_topics: self.dlq_topics.clone(),
            properties,
            ..HandBackSettings::default()
        };
        settings.check().map_err(within_kafka)?;
        Ok(CheckedHandBack::new(move || match KafkaHandBack::open(&settings) {
            Ok(hand_back) => Ok(Arc::new(hand_back)),
            Err(error) => Err(within_kafka(error)),
        }))
    }
}

/// An error of the Kafka client about a setting of the section.
fn within_kafka(error: KafkaError) -> TargetError {
    match error.into() {
        TargetError::Invalid(invalid) => {
            let field = format!("kafka.{}", invalid.field);
            TargetError::Invalid(invalid.at(field))
        }
        other => other,
    }
}
