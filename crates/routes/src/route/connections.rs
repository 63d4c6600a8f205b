//! What routes refer to by name: targets, Kafka clusters and other servers. Only the configuration file defines them,
//! because they hold addresses and secrets.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use redrive_client::{Client, RemoteStore};
use redrive_core::Invalid;
use redrive_kafka::{IngestSettings, KafkaSettings};
use redrive_store::Store;
use serde::Deserialize;

use super::{IngestRouteSource, KafkaRouteSource, RouteOrigin, RouteSettings, RouteSettingsError, RouteStartError};
use crate::{SecretSource, TargetError, TargetSettings};

/// The named definitions of a configuration file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Connections {
    pub targets: BTreeMap<String, TargetSettings>,
    pub clusters: BTreeMap<String, ClusterSettings>,
    pub servers: BTreeMap<String, ServerSettings>,
}

/// A Kafka cluster.
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

/// Another Redrive server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    pub url: String,
    /// Its API key.
    pub key: Option<SecretSource>,
    /// Certificates to trust in addition to those of the system.
    pub ca_file: Option<PathBuf>,
    /// The namespaces whose routes of the API may use it.
    #[serde(default)]
    pub namespaces: Vec<String>,
}

impl Connections {
    /// Checks that a route uses only what is defined, and, if it comes from the API, only what its namespace may use.
    pub fn check(&self, route: &RouteSettings, origin: RouteOrigin) -> Result<(), RouteSettingsError> {
        let may_use = |what, name: &str, namespaces: &[String]| {
            if origin == RouteOrigin::File || namespaces.contains(&route.namespace) {
                return Ok(());
            }
            let (name, namespace) = (name.to_owned(), route.namespace.clone());
            Err(RouteSettingsError::OtherNamespace { what, name, namespace })
        };
        if let Some(name) = &route.target {
            let target = defined("target", &self.targets, name)?;
            if target.origin {
                let rule = "must be an http, grpc or worker target; origin is for letters";
                return Err(RouteSettingsError::Combination { setting: "target", rule });
            }
            may_use("target", name, &target.namespaces)?;
        }
        if let Some((cluster, has_own)) = route.kafka_connection() {
            match cluster {
                Some(name) => may_use("cluster", name, &defined("cluster", &self.clusters, name)?.namespaces)?,
                None if origin == RouteOrigin::Api => {
                    let rule = "is missing: a route of the API uses a cluster of the configuration file";
                    return Err(RouteSettingsError::Combination { setting: "cluster", rule });
                }
                None => {}
            }
            if has_own && (cluster.is_some() || origin == RouteOrigin::Api) {
                let rule = "defines bootstrap_servers and properties; remove them from the route";
                return Err(RouteSettingsError::Combination { setting: "cluster", rule });
            }
            let bootstrap_servers = |own: &str| match cluster {
                Some(name) => Ok(defined("cluster", &self.clusters, name)?.bootstrap_servers.clone()),
                None => Ok::<_, RouteSettingsError>(own.to_owned()),
            };
            let at = |source: &str, invalid: Invalid| {
                let field = format!("{source}.{}", invalid.field);
                invalid.at(field)
            };
            if let Some(KafkaRouteSource { settings, .. }) = &route.kafka {
                let bootstrap_servers = bootstrap_servers(&settings.bootstrap_servers)?;
                let settings = KafkaSettings { bootstrap_servers, ..settings.clone() };
                settings.check().map_err(|invalid| at("kafka", invalid))?;
            }
            if let Some(IngestRouteSource { settings, .. }) = &route.ingest {
                let bootstrap_servers = bootstrap_servers(&settings.bootstrap_servers)?;
                let settings = IngestSettings { bootstrap_servers, ..settings.clone() };
                settings.check().map_err(|invalid| at("ingest", invalid))?;
            }
        }
        if let Some(name) = route.queue.as_ref().and_then(|queue| queue.server.as_ref()) {
            may_use("server", name, &defined("server", &self.servers, name)?.namespaces)?;
        }
        Ok(())
    }

    /// What a route refers to.
    pub(super) fn of(&self, route: &RouteSettings) -> ReferredTo<'_> {
        let cluster = route.kafka_connection().and_then(|(cluster, _)| cluster);
        let server = route.queue.as_ref().and_then(|queue| queue.server.as_ref());
        ReferredTo {
            target: route.target.as_ref().and_then(|name| self.targets.get(name)),
            cluster: cluster.and_then(|name| self.clusters.get(name)),
            server: server.and_then(|name| self.servers.get(name)),
        }
    }

    /// The address and the properties of a cluster.
    pub(super) fn cluster(&self, name: &str) -> Result<ClusterConnection, RouteStartError> {
        let cluster = defined("cluster", &self.clusters, name)?;
        let mut properties = BTreeMap::new();
        for (property, value) in &cluster.properties {
            properties.insert(property.clone(), value.value("properties", property)?.reveal().to_owned());
        }
        Ok(ClusterConnection { bootstrap_servers: cluster.bootstrap_servers.clone(), properties })
    }

    /// The store of another server.
    pub(super) fn server(&self, name: &str) -> Result<Arc<dyn Store>, RouteStartError> {
        let server = defined("server", &self.servers, name)?;
        let failed = |reason: String| RouteStartError::Server { name: name.to_owned(), reason };
        let mut builder = Client::builder(&server.url);
        if let Some(key) = &server.key {
            builder = builder.key(key.value(name, "key")?.reveal());
        }
        if let Some(file) = &server.ca_file {
            let pem = std::fs::read(file).map_err(|error| failed(format!("ca_file {}: {error}", file.display())))?;
            builder = builder.trust_pem(&pem).map_err(|error| failed(error.to_string()))?;
        }
        let client = builder.build().map_err(|error| failed(error.to_string()))?;
        Ok(Arc::new(RemoteStore::new(client)))
    }

    /// Checks the definitions themselves: files are read, nothing is called.
    pub fn check_definitions(&self) -> Result<(), DefinitionError> {
        for (name, target) in &self.targets {
            target.check().map_err(|error| DefinitionError::Target { name: name.clone(), error })?;
        }
        for name in self.clusters.keys() {
            self.cluster(name).map_err(|error| DefinitionError::Cluster { name: name.clone(), error })?;
        }
        for name in self.servers.keys() {
            self.server(name).map_err(|error| DefinitionError::Server { name: name.clone(), error })?;
        }
        Ok(())
    }
}

/// The definitions that a route refers to.
#[derive(Debug, PartialEq)]
pub(super) struct ReferredTo<'c> {
    target: Option<&'c TargetSettings>,
    cluster: Option<&'c ClusterSettings>,
    server: Option<&'c ServerSettings>,
}

/// A definition that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DefinitionError {
    #[error("targets.{name}: {error}")]
    Target { name: String, error: TargetError },
    #[error("clusters.{name}: {error}")]
    Cluster { name: String, error: RouteStartError },
    #[error("servers.{name}: {error}")]
    Server { name: String, error: RouteStartError },
}

/// How a Kafka client connects.
pub(super) struct ClusterConnection {
    pub(super) bootstrap_servers: String,
    pub(super) properties: BTreeMap<String, String>,
}

impl RouteSettings {
    /// The cluster of a route over Kafka, and whether it has an address or properties of its own.
    fn kafka_connection(&self) -> Option<(Option<&str>, bool)> {
        if let Some(KafkaRouteSource { cluster, settings }) = &self.kafka {
            let properties = [&settings.properties, &settings.consumer_properties, &settings.producer_properties];
            let has_properties = properties.into_iter().any(|properties| !properties.is_empty());
            return Some((cluster.as_deref(), has_properties || !settings.bootstrap_servers.is_empty()));
        }
        let IngestRouteSource { cluster, settings } = self.ingest.as_ref()?;
        let has_own = !settings.properties.is_empty() || !settings.bootstrap_servers.is_empty();
        Some((cluster.as_deref(), has_own))
    }
}

fn defined<'d, T>(what: &'static str, all: &'d BTreeMap<String, T>, name: &str) -> Result<&'d T, RouteSettingsError> {
    all.get(name).ok_or_else(|| RouteSettingsError::Unknown {
        what,
        name: name.to_owned(),
        known: all.keys().cloned().collect(),
    })
}
