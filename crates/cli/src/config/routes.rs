//! Routes, and what they refer to by name.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use redrive_routes::{Connections, OriginConnections, RouteDefinition, RouteOrigin};
use serde_json::Value;

use super::Config;

impl Config {
    /// What routes refer to by name.
    pub(crate) fn connections(&self) -> Connections {
        let targets = self.targets.iter().map(|(name, settings)| (name.to_string(), settings.clone())).collect();
        let (clusters, servers, redis) = (self.clusters.clone(), self.servers.clone(), self.redis.clone());
        Connections { targets, clusters, servers, redis }
    }

    /// What origin targets refer to by name.
    pub(crate) const fn origins(&self) -> OriginConnections<'_> {
        OriginConnections { clusters: &self.clusters, redis: &self.redis }
    }

    /// The routes of the file. Fails with the first one that is invalid.
    pub(crate) fn routes(&self) -> Result<Vec<RouteDefinition>> {
        let (connections, classifier) = (self.connections(), self.classify.classifier()?);
        connections.check_definitions()?;
        let mut routes = BTreeMap::new();
        for (index, written) in self.routes.iter().enumerate() {
            let name = written.get("name").and_then(Value::as_str).unwrap_or_default();
            let which = || format!("routes[{index}] '{name}'");
            let definition = RouteDefinition::parse(written.clone(), &classifier).with_context(which)?;
            connections.check(&definition.settings, RouteOrigin::File).with_context(which)?;
            if routes.insert(definition.settings.id(), definition).is_some() {
                bail!("{}: there are two routes of this name; rename one of them", which());
            }
        }
        Ok(routes.into_values().collect())
    }
}
