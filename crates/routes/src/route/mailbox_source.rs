//! A mailbox as the source of a route.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::{AttemptLimit, Backoff, Classifier, Invalid, Policy, Span};
use redrive_mailbox::{
    DeadLetter, MailboxBackend, MailboxError, MailboxName, MailboxSettings, MailboxSource, ReceiveSpec,
};
use redrive_redis::RedisError;
use redrive_run::{RunReport, Running};
use serde::Deserialize;

use super::call_limits::{concurrency, lease_ms, timeout_ms};
use super::source_status::{SourceMonitor, SourceStatus};
use super::started_route::{RouteStart, StartedRoute, StartedSource};
use super::{RouteSettingsError, RouteStartError};
use crate::MailboxOriginSettings;
use crate::redis_connection::{body_bytes_max, mailbox_name};

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
        Invalid::unless_within("mailbox.lease_ms", self.lease_ms, 1_000..=lease_ms_max)?;
        Invalid::unless_within("mailbox.timeout_ms", self.timeout_ms, 1..=86_400_000)?;
        Invalid::unless_within("mailbox.concurrency", self.concurrency as u64, 1..=65_536)?;
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

    pub(super) fn redis(&self) -> &str {
        &self.redis
    }

    /// Whether the route reads a mailbox.
    pub(super) fn reads(&self, mailbox: &str) -> bool {
        self.name == mailbox
    }

    /// The mailbox of the source, to hand letters back to.
    pub(super) fn origin(&self) -> MailboxOriginSettings {
        let mailboxes = vec![self.name.clone()];
        let body_bytes_max = self.body_bytes_max;
        MailboxOriginSettings {
            redis: self.redis.clone(),
            mailboxes,
            body_bytes_max,
            ..MailboxOriginSettings::default()
        }
    }

    pub(super) fn has_replies(&self) -> bool {
        !self.replies.is_empty()
    }

    pub(super) fn concurrency(&self) -> u64 {
        self.concurrency as u64
    }

    pub(super) async fn start(&self, start: &RouteStart<'_>) -> Result<StartedRoute, RouteStartError> {
        let policy = match start.route.policy(&start.env.classifier)? {
            Some(policy) => policy,
            None => mailbox_policy(&start.env.classifier)?,
        };
        let redis = start.connections.redis(&self.redis)?;
        let failed = |error: RedisError| RouteStartError::Redis { name: self.redis.clone(), error: error.into() };
        let (name, client) = (self.mailbox()?, redis.client().await.map_err(failed)?);
        let opened: Arc<dyn MailboxBackend> = client.mailbox(&name, self.settings()?).await.map_err(failed)?;
        let (lease, clock) = (self.lease(), Arc::clone(&start.env.clock));
        let source = match self.letters()? {
            Some(letters) => {
                let settings = self.letter_settings()?;
                // On one node with their self. A server has only one.
                let letters = match redis.is_cluster() {
                    true => client.letters(&name, &letters, settings).await,
                    false => client.mailbox(&letters, settings).await,
                };
                MailboxSource::new(Arc::clone(&opened), letters.map_err(failed)?, lease, clock)?
            }
            None => {
                let dead_queue = start.required_dead_queue(policy.clone()).await?;
                MailboxSource::with_dead_queue(Arc::clone(&opened), dead_queue, lease, clock)?
            }
        };
        let replies = redis.mailboxes("mailbox.replies", &self.replies, MailboxSettings::of_replies())?;
        let source = source
            .to(start.route.id().to_string())
            .limited_to(policy.max_attempts())
            .replying_through(replies)
            .for_any_body();
        let started = start.run(source, policy, self.concurrency, self.timeout()).await?;
        let monitor: Arc<dyn SourceMonitor> = Arc::new(MessageCount(Arc::clone(&opened)));
        let source = Box::new(StartedMailbox { runner: started.source, mailbox: opened });
        Ok(StartedRoute { source, monitor: Some(monitor), ..started })
    }
}

/// The policy of a mailbox without one: five attempts, with the delays of a mailbox.
fn mailbox_policy(classifier: &Arc<Classifier>) -> Result<Policy, Invalid> {
    let policy = Policy::builder().classifier(Arc::clone(classifier));
    policy.limit(AttemptLimit::of_mailbox(5)?).backoff(Backoff::MAILBOX).build()
}

/// How long the end of a route waits for messages that are being released.
const RELEASE_FOR: Duration = Duration::from_secs(2);
/// How long a mailbox has to answer how many messages it has.
const COUNT_FOR: Duration = Duration::from_secs(1);

struct StartedMailbox {
    runner: Box<dyn StartedSource>,
    mailbox: Arc<dyn MailboxBackend>,
}

#[async_trait]
impl StartedSource for StartedMailbox {
    fn running(&self) -> &Running {
        self.runner.running()
    }

    async fn close(self: Box<Self>) -> RunReport {
        let Self { runner, mailbox } = *self;
        let report = runner.close().await;
        // The process may end now, and must not take a lease with it of a message that no call got.
        if tokio::time::timeout(RELEASE_FOR, mailbox.in_transit().is_over()).await.is_err() {
            tracing::warn!(mailbox = %mailbox.name(), "messages were not released in time; their leases will end");
        }
        report
    }
}

/// Counts the messages of a mailbox.
struct MessageCount(Arc<dyn MailboxBackend>);

#[async_trait]
impl SourceMonitor for MessageCount {
    async fn status(&self) -> Option<SourceStatus> {
        let counts = tokio::time::timeout(COUNT_FOR, self.0.counts()).await.ok()?.ok()?;
        Some(SourceStatus {
            is_healthy: true,
            lag: i64::try_from(counts.total()).ok(),
            waiting: counts.delayed,
            letters_pending: 0,
            blocking: None,
            troubles: Vec::new(),
        })
    }
}

impl From<MailboxError> for RouteStartError {
    fn from(error: MailboxError) -> Self {
        Self::Mailbox(error.into())
    }
}
