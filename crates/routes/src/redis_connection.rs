//! A client of a Redis server of the configuration file, and its mailboxes.

use std::sync::Arc;

use futures_util::FutureExt;
use redrive_core::{Invalid, Problem};
use redrive_mailbox::{
    MailboxBackend, MailboxError, MailboxName, MailboxSettings, ReplyResolver, ReplyResolverBuilder,
};
use redrive_redis::{RedisClient, RedisError, RedisSettings, RedisTls};
use redrive_run::ClientCertificate;
use tokio::sync::OnceCell;

use crate::RedisServerSettings;
use crate::target::{CERTIFICATE_BYTES_MAX, TargetError, read_client_certificate, read_file};

impl RedisServerSettings {
    /// Checks everything without a connection.
    pub(crate) fn check(&self) -> Result<(), TargetError> {
        self.checked().map(drop)
    }

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
        RedisClient::check(&settings).map_err(|error| TargetError::RedisSettings(error.into()))?;
        Ok(settings)
    }

    fn certificates(&self) -> Result<RedisTls, TargetError> {
        let ca = self.ca_file.as_ref().map(|file| read_file("ca_file", file, CERTIFICATE_BYTES_MAX)).transpose()?;
        let (certificate, key) = (self.client_certificate_file.as_deref(), self.client_key_file.as_deref());
        let client = read_client_certificate(certificate, key)?;
        let client = client.map(|ClientCertificate { certificate, key }| (certificate, key));
        Ok(RedisTls { ca, client })
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
    Ok(usize::try_from(Invalid::unless_within(field, bytes, 1..=MOST)?).unwrap_or(usize::MAX))
}
