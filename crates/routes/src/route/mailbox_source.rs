//! A mailbox as the source of a route.

use redrive_core::{Invalid, Span};
use redrive_mailbox::{DeadLetter, MailboxName, MailboxSettings, ReceiveSpec};
use serde::Deserialize;

use super::RouteSettingsError;
use super::call_limits::{concurrency, lease_ms, timeout_ms, within};
use crate::redis_server::{body_bytes_max, mailbox_name};

/// A mailbox on a Redis server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailboxRouteSource {
    pub name: String,
    /// The name of the Redis server.
    pub redis: String,
    /// The mailbox of dead letters, on the same server; unset if they go to the dead queue of the route.
    pub letters: Option<String>,
    /// The mailboxes to which replies may be sent. One that ends in `*` allows all names that begin with the rest.
    #[serde(default)]
    pub replies: Vec<String>,
    #[serde(default = "lease_ms")]
    pub lease_ms: u64,
    /// Maximum calls of the target at the same time.
    #[serde(default = "concurrency")]
    pub concurrency: usize,
    /// Maximum duration of an attempt.
    #[serde(default = "timeout_ms")]
    pub timeout_ms: u64,
    /// As the programs have it that send to the mailbox.
    pub body_bytes_max: Option<u64>,
}

impl MailboxRouteSource {
    /// Checks everything but the names that the route refers to.
    pub(super) fn check(&self, has_dead_queue: bool) -> Result<(), RouteSettingsError> {
        let lease_ms_max = ReceiveSpec::VISIBILITY_MAX.as_micros() / 1_000;
        let name = self.mailbox()?;
        within("mailbox.lease_ms", self.lease_ms, 1_000, lease_ms_max)?;
        within("mailbox.timeout_ms", self.timeout_ms, 1, 86_400_000)?;
        within("mailbox.concurrency", self.concurrency as u64, 1, 65_536)?;
        self.settings()?;
        for reply in &self.replies {
            let name = reply.strip_suffix('*').filter(|prefix| !prefix.is_empty());
            if reply != "*" {
                mailbox_name("mailbox.replies", name.unwrap_or(reply))?;
            }
        }
        let combination = |setting, rule| Err(RouteSettingsError::Combination { setting, rule });
        match self.letters()? {
            Some(letters) if letters == name => {
                combination("mailbox.letters", "must be another mailbox than its source")
            }
            Some(_) if has_dead_queue => {
                combination("dead_queue", "excludes mailbox.letters; the letters of a mailbox go to one of them")
            }
            None if !has_dead_queue => combination(
                "dead_queue",
                "is missing: the queue for the letters, unless mailbox.letters names a mailbox",
            ),
            _ => Ok(()),
        }
    }

    pub(super) fn mailbox(&self) -> Result<MailboxName, Invalid> {
        mailbox_name("mailbox.name", &self.name)
    }

    pub(super) fn letters(&self) -> Result<Option<MailboxName>, Invalid> {
        self.letters.as_deref().map(|letters| mailbox_name("mailbox.letters", letters)).transpose()
    }

    pub(super) fn settings(&self) -> Result<MailboxSettings, Invalid> {
        let body_bytes_max = body_bytes_max("mailbox.body_bytes_max", self.body_bytes_max)?;
        Ok(MailboxSettings { body_bytes_max, ..MailboxSettings::default() })
    }

    pub(super) fn letter_settings(&self) -> Result<MailboxSettings, Invalid> {
        let body_bytes_max = DeadLetter::bytes_max(self.settings()?.body_bytes_max);
        Ok(MailboxSettings { body_bytes_max, ..MailboxSettings::of_letters() })
    }

    pub(super) const fn lease(&self) -> Span {
        Span::from_millis(self.lease_ms)
    }

    pub(super) const fn timeout(&self) -> Span {
        Span::from_millis(self.timeout_ms)
    }
}
