//! A Redis server or cluster of the configuration file, and its mailboxes.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::FutureExt;
use redrive_core::{Invalid, Problem};
use redrive_mailbox::{
    MailboxBackend, MailboxError, MailboxName, MailboxSettings, ReplyResolver, ReplyResolverBuilder,
};
use redrive_redis::{RedisClient, RedisError, RedisSettings, RedisTls};
use serde::Deserialize;
use tokio::sync::OnceCell;

use crate::target::{CERTIFICATE_BYTES_MAX, SecretSource, TargetError, read_file};

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

impl RedisServerSettings {
    /// Reads the secrets, and checks everything without a connection.
    pub(crate) fn checked(&self) -> Result<RedisSettings, TargetError> {
        let mut settings = match (&self.url, &self.cluster) {
            (Some(url), None) => RedisSettings::new(url),
            (None, Some(nodes)) => RedisSettings::cluster(nodes),
            (Some(_), Some(_)) => {
                let allowed = "either url, for a server, or cluster, for the nodes of a cluster";
                return Err(Invalid::new("cluster", Problem::Contradiction, "url and cluster", allowed).into());
            }
            (None, None) => return Err(Invalid::missing("url", "redis://host:port, or rediss://host:port").into()),
        };
        settings.namespace.clone_from(&self.key_prefix);
        let password = self.password.as_ref().map(|password| password.plain("redis", "password")).transpose()?;
        settings.login = match (&self.user, password) {
            (None, None) => None,
            (user, Some(password)) => Some((user.clone().unwrap_or_else(|| "default".to_owned()), password)),
            (Some(_), None) => return Err(TargetError::Needs { setting: "user", needed: "password" }),
        };
        settings.tls = self.certificates()?;
        RedisClient::check(&settings)?;
        Ok(settings)
    }

    fn certificates(&self) -> Result<RedisTls, TargetError> {
        let read = |setting, file: &PathBuf| read_file(setting, file, CERTIFICATE_BYTES_MAX);
        let ca = self.ca_file.as_ref().map(|file| read("ca_file", file)).transpose()?;
        let client = match (&self.client_certificate_file, &self.client_key_file) {
            (None, None) => None,
            (Some(certificate), Some(key)) => {
                Some((read("client_certificate_file", certificate)?, read("client_key_file", key)?))
            }
            (Some(_), None) => {
                return Err(TargetError::Needs { setting: "client_certificate_file", needed: "client_key_file" });
            }
            (None, Some(_)) => {
                return Err(TargetError::Needs { setting: "client_key_file", needed: "client_certificate_file" });
            }
        };
        Ok(RedisTls { ca, client })
    }
}

/// Without addresses and secrets.
impl fmt::Debug for RedisServerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisServerSettings").field("namespaces", &self.namespaces).finish_non_exhaustive()
    }
}

/// A client that connects when it is first used.
#[derive(Clone)]
pub(crate) struct RedisConnection {
    settings: RedisSettings,
    client: Arc<OnceCell<RedisClient>>,
}

impl RedisConnection {
    pub(crate) fn new(settings: RedisSettings) -> Self {
        Self { settings, client: Arc::default() }
    }

    pub(crate) async fn client(&self) -> Result<&RedisClient, RedisError> {
        self.client.get_or_try_init(|| RedisClient::connect(self.settings.clone())).await
    }

    pub(crate) const fn is_cluster(&self) -> bool {
        self.settings.is_cluster
    }

    /// The mailboxes with these names, opened when they are needed. One that ends in `*` allows all names that begin with
    /// the rest.
    pub(crate) fn mailboxes(
        &self,
        field: &str,
        names: &[String],
        settings: MailboxSettings,
    ) -> Result<ReplyResolver, Invalid> {
        let connection = self.clone();
        let builder = ReplyResolver::builder().factory(move |name| {
            let (connection, settings) = (connection.clone(), settings.clone());
            async move { connection.open(name, settings).await }.boxed()
        });
        let allowed = names.iter().try_fold(builder, |builder, name| allow(builder, field, name));
        Ok(allowed?.build())
    }

    async fn open(
        &self,
        name: MailboxName,
        settings: MailboxSettings,
    ) -> Result<Arc<dyn MailboxBackend>, MailboxError> {
        let opened = async { self.client().await?.mailbox(&name, settings).await };
        match opened.await {
            Ok(mailbox) => Ok(mailbox),
            Err(error) => Err(MailboxError::Connection { mailbox: name, reason: error.to_string() }),
        }
    }
}

fn allow(builder: ReplyResolverBuilder, field: &str, name: &str) -> Result<ReplyResolverBuilder, Invalid> {
    if let Some(prefix) = name.strip_suffix('*')
        && (prefix.is_empty() || MailboxName::new(prefix).is_ok())
    {
        return Ok(builder.allow_prefix(prefix));
    }
    mailbox_name(field, name).map(|name| builder.allow(name))
}

pub(crate) fn mailbox_name(field: &str, name: &str) -> Result<MailboxName, Invalid> {
    let allowed = "1 to 256 bytes without braces and control characters";
    MailboxName::new(name).map_err(|_| Invalid::new(field, Problem::Malformed, name, allowed))
}

/// The most bytes of a body, within what a letter about it can have.
pub(crate) fn body_bytes_max(field: &str, bytes: Option<u64>) -> Result<usize, Invalid> {
    const MOST: u64 = 256 << 20;
    let Some(bytes) = bytes else { return Ok(MailboxSettings::BODY_BYTES_MAX) };
    match usize::try_from(bytes) {
        Ok(bytes_max) if (1..=MOST).contains(&bytes) => Ok(bytes_max),
        _ => Err(Invalid::new(field, Problem::OutOfRange, bytes, format!("1 to {MOST}"))),
    }
}
