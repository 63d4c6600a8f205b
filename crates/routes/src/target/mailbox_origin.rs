//! The mailboxes to which an origin target hands letters back.

use std::num::NonZeroU64;
use std::sync::Arc;

use redrive_core::{Invalid, Problem, Span};
use redrive_mailbox::{MailboxHandBack, MailboxSettings};
use serde::Deserialize;

use super::{CheckedHandBack, OriginConnections, TargetError};
use crate::redis_connection::{RedisConnection, body_bytes_max};

/// The settings of a `[targets.NAME.mailbox]` section.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailboxOriginSettings {
    /// The name of the Redis server.
    pub redis: String,
    /// The mailboxes to which letters may be handed back. One that ends in `*` allows all names that begin with the rest.
    pub mailboxes: Vec<String>,
    /// As the programs have it that send to the mailboxes.
    pub capacity: Option<u64>,
    pub retention_ms: Option<u64>,
    pub body_bytes_max: Option<u64>,
}

impl MailboxOriginSettings {
    pub(crate) fn redis(&self) -> &str {
        &self.redis
    }

    /// Reads the secrets, and checks everything without a connection.
    pub(super) fn checked(&self, connections: OriginConnections<'_>) -> Result<CheckedHandBack, TargetError> {
        let server = connections.redis(&self.redis)?;
        if self.mailboxes.is_empty() {
            let allowed = "the mailboxes to which letters may be handed back";
            return Err(Invalid::missing("mailbox.mailboxes", allowed).into());
        }
        let server = server.checked().map_err(|error| TargetError::Redis(self.redis.clone(), Box::new(error)))?;
        let mailboxes = RedisConnection::new(server);
        let mailboxes = mailboxes.mailboxes("mailbox.mailboxes", &self.mailboxes, self.settings()?)?;
        Ok(CheckedHandBack::new(move || Ok(Arc::new(MailboxHandBack::new(mailboxes)))))
    }

    fn settings(&self) -> Result<MailboxSettings, Invalid> {
        const RETENTION_MAX: u64 = 3650 * 86_400_000;
        let mut settings = MailboxSettings {
            body_bytes_max: body_bytes_max("mailbox.body_bytes_max", self.body_bytes_max)?,
            // Letters are handed back to any number of mailboxes.
            is_labelled: false,
            ..MailboxSettings::default()
        };
        if let Some(capacity) = self.capacity {
            let capacity = NonZeroU64::new(capacity);
            let at_least = || Invalid::new("mailbox.capacity", Problem::OutOfRange, 0, "at least 1");
            settings.capacity = Some(capacity.ok_or_else(at_least)?);
        }
        if let Some(millis) = self.retention_ms {
            let millis = Invalid::unless_within("mailbox.retention_ms", millis, 0..=RETENTION_MAX)?;
            settings.retention = Span::from_millis(millis);
        }
        Ok(settings)
    }
}
