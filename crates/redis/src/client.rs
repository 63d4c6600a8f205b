//! A connected client, which opens mailboxes.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use redrive_mailbox::{MailboxName, MailboxSettings};

use crate::connection::{Connections, check_settings};
use crate::error::RedisError;
use crate::keys::MailboxKeys;
use crate::mailbox::RedisMailbox;
use crate::scripts::{ScriptClock, Scripts};
use crate::server_checks::{check_permissions, check_version};
use crate::settings::RedisSettings;

/// A connection to Redis. Clones share it, and so do the mailboxes that it opens.
#[derive(Debug, Clone)]
pub struct RedisClient {
    connections: Arc<Connections>,
    scripts: Arc<Scripts>,
}

impl RedisClient {
    /// Connects, and checks the version of the server.
    ///
    /// # Errors
    ///
    /// When the address is not valid, the server cannot be reached, rejects the login, or is older than 6.2.
    pub fn connect(settings: RedisSettings) -> BoxFuture<'static, Result<Self, RedisError>> {
        Box::pin(async move {
            #[cfg(feature = "manual-clock")]
            let clock = if settings.has_manual_clock { ScriptClock::Key } else { ScriptClock::Server };
            #[cfg(not(feature = "manual-clock"))]
            let clock = ScriptClock::Server;
            let connections = Connections::open(settings).await?;
            check_version(&connections).await?;
            Ok(Self { connections: Arc::new(connections), scripts: Arc::new(Scripts::new(clock)) })
        })
    }

    /// Checks the addresses, the certificates and the namespace, without a connection.
    ///
    /// # Errors
    ///
    /// The first setting that cannot be used.
    pub fn check(settings: &RedisSettings) -> Result<(), RedisError> {
        check_settings(settings)
    }

    /// Opens a mailbox. It exists as long as it has messages; there is nothing to create.
    ///
    /// # Errors
    ///
    /// `NotPermitted` if the user may not run a command that mailboxes need; those of the connection.
    pub fn mailbox<'f>(
        &'f self,
        name: &'f MailboxName,
        settings: MailboxSettings,
    ) -> BoxFuture<'f, Result<Arc<RedisMailbox>, RedisError>> {
        Box::pin(async move { self.open(name, MailboxKeys::new(self.namespace(), name), settings).await })
    }

    /// Opens the mailbox of letters of another mailbox, on the same node of a cluster: the hand-over between both is
    /// atomic. On a single server, the hand-over to any other mailbox is.
    ///
    /// # Errors
    ///
    /// As [`mailbox`](Self::mailbox).
    pub fn letters<'f>(
        &'f self,
        source: &'f MailboxName,
        name: &'f MailboxName,
        settings: MailboxSettings,
    ) -> BoxFuture<'f, Result<Arc<RedisMailbox>, RedisError>> {
        Box::pin(
            async move { self.open(name, MailboxKeys::of_letters(self.namespace(), source, name), settings).await },
        )
    }

    fn namespace(&self) -> &str {
        &self.connections.settings().namespace
    }

    async fn open(
        &self,
        name: &MailboxName,
        keys: MailboxKeys,
        settings: MailboxSettings,
    ) -> Result<Arc<RedisMailbox>, RedisError> {
        check_permissions(&self.connections, &self.scripts, &keys).await?;
        let (connections, scripts) = (Arc::clone(&self.connections), Arc::clone(&self.scripts));
        Ok(Arc::new(RedisMailbox::new(connections, scripts, name.clone(), keys, settings)))
    }
}
