//! The connections that an origin target refers to by name.

use std::collections::BTreeMap;

#[cfg(any(feature = "kafka", feature = "redis"))]
use super::TargetError;
use crate::cluster::ClusterSettings;
use crate::redis_server::RedisServerSettings;

/// The named clusters and Redis servers of a configuration file.
#[derive(Debug, Clone, Copy)]
pub struct OriginConnections<'c> {
    pub clusters: &'c BTreeMap<String, ClusterSettings>,
    pub redis: &'c BTreeMap<String, RedisServerSettings>,
}

#[cfg(any(feature = "kafka", feature = "redis"))]
impl OriginConnections<'_> {
    #[cfg(feature = "kafka")]
    pub(super) fn cluster(&self, name: &str) -> Result<&ClusterSettings, TargetError> {
        find(self.clusters, "kafka.cluster", "clusters", name)
    }

    #[cfg(feature = "redis")]
    pub(super) fn redis(&self, name: &str) -> Result<&RedisServerSettings, TargetError> {
        find(self.redis, "mailbox.redis", "redis", name)
    }
}

#[cfg(any(feature = "kafka", feature = "redis"))]
fn find<'c, T>(
    all: &'c BTreeMap<String, T>,
    setting: &'static str,
    section: &'static str,
    name: &str,
) -> Result<&'c T, TargetError> {
    if name.is_empty() {
        return Err(TargetError::Unnamed { setting, section });
    }
    let known = || all.keys().cloned().collect();
    all.get(name).ok_or_else(|| TargetError::Undefined { setting, section, name: name.to_owned(), known: known() })
}
