//! A Redis server or cluster of the configuration file.

use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;

use crate::target::SecretSource;
#[cfg(not(feature = "redis"))]
use crate::target::TargetError;

/// The settings of a `[redis.NAME]` section.
#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RedisServerSettings {
    /// `redis://host:port` or `rediss://host:port`, of a server.
    pub url: Option<String>,
    /// The same of some nodes, for a cluster.
    pub cluster: Option<Vec<String>>,
    pub user: Option<String>,
    pub password: Option<SecretSource>,
    /// What the keys of mailboxes begin with.
    #[serde(default)]
    pub key_prefix: String,
    /// Certificates to trust instead of those of the system.
    pub ca_file: Option<PathBuf>,
    pub client_certificate_file: Option<PathBuf>,
    pub client_key_file: Option<PathBuf>,
    /// The namespaces whose routes of the API may use it.
    #[serde(default)]
    pub namespaces: Vec<String>,
}

#[cfg(not(feature = "redis"))]
impl RedisServerSettings {
    pub(crate) fn check(&self) -> Result<(), TargetError> {
        Err(TargetError::LeftOut(crate::missing_feature::reason("redis")))
    }
}

/// Without addresses and secrets.
impl fmt::Debug for RedisServerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisServerSettings").field("namespaces", &self.namespaces).finish_non_exhaustive()
    }
}
