//! What routes refer to by name: targets, Kafka clusters, Redis servers and other servers. Only the configuration file defines them,
//! because they hold addresses and secrets.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use redrive_client::{Client, RemoteStore};
use redrive_store::Store;
use serde::Deserialize;

use super::{RouteOrigin, RouteSettings, RouteSettingsError, RouteStartError};
#[cfg(feature = "kafka")]
use crate::cluster::ClusterConnection;
use crate::cluster::ClusterSettings;
#[cfg(feature = "redis")]
use crate::redis_connection::RedisConnection;
use crate::redis_server::RedisServerSettings;
use crate::{OriginConnections, SecretSource, TargetError, TargetSettings};

/// The named definitions of a configuration file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Connections {
    pub targets: BTreeMap<String, TargetSettings>,
    pub clusters: BTreeMap<String, ClusterSettings>,
    pub servers: BTreeMap<String, ServerSettings>,
    pub redis: BTreeMap<String, RedisServerSettings>,
}

/// Another Redrive server.
#[derive(Clone, PartialEq, Deserialize)]
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

/// Without the URL, which may have a password.
impl fmt::Debug for ServerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerSettings").field("namespaces", &self.namespaces).finish_non_exhaustive()
    }
}

impl Connections {
    /// Checks that a route uses only what is defined, and, if it comes from the API, only what its namespace may use and
    /// within the limits of such routes.
    pub fn check(&self, route: &RouteSettings, origin: RouteOrigin) -> Result<(), RouteSettingsError> {
        if origin == RouteOrigin::Api {
            route.check_api_limits()?;
        }
        if let Some(name) = &route.target
            && defined("target", &self.targets, |target| &target.namespaces, name, route, origin)?.origin
        {
            let rule = "must be an http, grpc or worker target; origin is for letters";
            return Err(RouteSettingsError::Combination { setting: "target", rule });
        }
        if let Some(name) = route.cluster() {
            let cluster = defined("cluster", &self.clusters, |cluster| &cluster.namespaces, name, route, origin)?;
            if let Some(kafka) = &route.kafka {
                kafka.check(cluster)?;
            }
            if let Some(ingest) = &route.ingest {
                ingest.check(cluster)?;
            }
        }
        if let Some(name) = route.queue.as_ref().and_then(|queue| queue.server.as_ref()) {
            defined("server", &self.servers, |server| &server.namespaces, name, route, origin)?;
        }
        if let Some(mailbox) = &route.mailbox {
            defined("Redis server", &self.redis, |server| &server.namespaces, mailbox.redis(), route, origin)?;
            let target = route.target.as_ref().and_then(|name| self.targets.get(name));
            let has_results = target.is_none_or(|target| target.http.is_none() || target.body_is_result == Some(true));
            if mailbox.has_replies() && !has_results {
                let rule = "need the results of the http target; set its body_is_result = true";
                return Err(RouteSettingsError::Combination { setting: "mailbox.replies", rule });
            }
        }
        Ok(())
    }

    /// What origin targets refer to.
    pub const fn origins(&self) -> OriginConnections<'_> {
        OriginConnections { clusters: &self.clusters, redis: &self.redis }
    }

    /// What a route refers to.
    pub(super) fn of(&self, route: &RouteSettings) -> ReferredTo<'_> {
        let server = route.queue.as_ref().and_then(|queue| queue.server.as_ref());
        ReferredTo {
            target: route.target.as_ref().and_then(|name| self.targets.get(name)),
            cluster: route.cluster().and_then(|name| self.clusters.get(name)),
            server: server.and_then(|name| self.servers.get(name)),
            redis: route.mailbox.as_ref().and_then(|mailbox| self.redis.get(mailbox.redis())),
        }
    }

    /// The address and the properties of a cluster.
    #[cfg(feature = "kafka")]
    pub(super) fn cluster(&self, name: &str) -> Result<ClusterConnection, RouteStartError> {
        let cluster = self.clusters.get(name).ok_or_else(|| unknown("cluster", name))?;
        Ok(cluster.connection()?)
    }

    /// A client of a Redis server, which connects when it is first used.
    #[cfg(feature = "redis")]
    pub(super) fn redis(&self, name: &str) -> Result<RedisConnection, RouteStartError> {
        let server = self.redis.get(name).ok_or_else(|| unknown("Redis server", name))?;
        Ok(RedisConnection::new(server.checked()?))
    }

    /// The store of another server.
    pub(super) fn server(&self, name: &str) -> Result<Arc<dyn Store>, RouteStartError> {
        let server = self.servers.get(name).ok_or_else(|| unknown("server", name))?;
        let failed = |reason: String| RouteStartError::Server { name: name.to_owned(), reason };
        if !["http://", "https://"].iter().any(|scheme| server.url.starts_with(scheme)) {
            return Err(failed("url must begin with http:// or https://".to_owned()));
        }
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
        // Before the targets, which may refer to them.
        for (name, cluster) in &self.clusters {
            cluster.check().map_err(|source| DefinitionError::Cluster { name: name.clone(), source })?;
        }
        for (name, target) in &self.targets {
            target.check(self.origins()).map_err(|source| DefinitionError::Target { name: name.clone(), source })?;
        }
        for (name, server) in &self.redis {
            server.check().map_err(|source| DefinitionError::Redis { name: name.clone(), source })?;
        }
        for name in self.servers.keys() {
            self.server(name).map_err(|source| DefinitionError::Server { name: name.clone(), source })?;
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
    redis: Option<&'c RedisServerSettings>,
}

/// A definition that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DefinitionError {
    #[error("targets.{name}")]
    Target { name: String, source: TargetError },
    #[error("clusters.{name}")]
    Cluster { name: String, source: TargetError },
    #[error("redis.{name}")]
    Redis { name: String, source: TargetError },
    #[error("servers.{name}")]
    Server { name: String, source: RouteStartError },
}

/// The definition of a name. What the namespace of a route of the API may not use does not exist for it.
fn defined<'d, T>(
    what: &'static str,
    all: &'d BTreeMap<String, T>,
    namespaces: fn(&T) -> &[String],
    name: &str,
    route: &RouteSettings,
    origin: RouteOrigin,
) -> Result<&'d T, RouteSettingsError> {
    let namespace = if route.namespace.is_empty() { "_system" } else { &route.namespace };
    let is_granted = |found: &T| origin == RouteOrigin::File || namespaces(found).iter().any(|one| one == namespace);
    all.get(name).filter(|found| is_granted(found)).ok_or_else(|| RouteSettingsError::Unknown {
        what,
        name: name.to_owned(),
        known: all.iter().filter(|(_, found)| is_granted(found)).map(|(name, _)| name.clone()).collect(),
    })
}

/// A name that was defined when its route was checked.
fn unknown(what: &'static str, name: &str) -> RouteSettingsError {
    RouteSettingsError::Unknown { what, name: name.to_owned(), known: Vec::new() }
}
