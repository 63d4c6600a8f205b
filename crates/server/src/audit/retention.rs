//! Audit records of letters that were removed at the end of their retention.
//!
//! The store removes such letters automatically and keeps a durable count of them. A record contains the difference to
//! the counts that were recorded last, which stand in the key space and are written in the same transaction. So no
//! removal is recorded twice, and removals that happened while no server ran are recorded by the next one.

use std::collections::BTreeSet;

use bytes::Bytes;
use redrive_core::{QueueName, Span};
use redrive_model::{
    EndReason, Event, GetQueue, GetStats, KeyCondition, KeyWrite, LifetimeCounts, ListQueues, QueueSettings, Rejection,
};
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use super::chain::ATTEMPTS_MAX;
use super::{AuditRecord, AuditTarget, Change, ChangeError};
use crate::api_error::{ApiError, Code};
use crate::app::App;
use crate::auth::namespace_of;
use crate::records::{Record, RecordTime, Records, key, value};

/// Minimum time between two records. The retention of letters ends one by one: with a record for each of them, the
/// limit of audit records would push out those of callers' acts.
const RECORD_INTERVAL: Span = Span::from_hours(1);
/// Delay before a failed attempt is repeated.
const RETRY_DELAY: Span = Span::from_mins(1);
const PAGE: usize = 1_000;

/// How many letters of a queue were removed at the end of their retention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct RetentionCounts {
    /// Identifies the queue: a new queue with the same name starts at 0.
    queue_created_at: RecordTime,
    completed: u64,
    archived: u64,
    expired: u64,
}

impl Record for RetentionCounts {}

impl RetentionCounts {
    fn of(settings: &QueueSettings, counts: &LifetimeCounts) -> Self {
        Self {
            queue_created_at: RecordTime(settings.created_at),
            completed: counts.of(Event::CompletedForgotten),
            archived: counts.ended(EndReason::Forgotten),
            expired: counts.of(Event::LetterExpired),
        }
    }

    fn none_of(settings: &QueueSettings) -> Self {
        Self { queue_created_at: RecordTime(settings.created_at), completed: 0, archived: 0, expired: 0 }
    }

    /// The increases since `before`, by the status of the letters.
    fn since(&self, before: &Self) -> impl Iterator<Item = (&'static str, u64)> {
        let more = [
            ("completed", self.completed.saturating_sub(before.completed)),
            ("archived", self.archived.saturating_sub(before.archived)),
            ("expired", self.expired.saturating_sub(before.expired)),
        ];
        more.into_iter().filter(|(_, count)| *count > 0)
    }
}

/// The key of the counts that were recorded last for a queue. It is deleted with the queue.
pub(crate) fn retention_key(queue: &QueueName) -> Bytes {
    key(["forgotten", queue.as_str()])
}

impl App {
    /// Records the removals of all queues until the server shuts down, starting with those that are not recorded yet.
    /// The next start records what is left.
    pub(crate) async fn record_retention_until_shutdown(&self) {
        tokio::select! {
            () = self.closing.cancelled() => {}
            () = self.record_retention_loop() => {}
        }
    }

    async fn record_retention_loop(&self) {
        let mut queues = loop {
            match self.all_queues().await {
                Ok(queues) => break queues,
                Err(error) => {
                    tracing::error!(%error, retry_in = %RETRY_DELAY, "listing queues for retention records failed");
                    self.deadlines.sleep_until(self.deadlines.after(RETRY_DELAY)).await;
                }
            }
        };
        loop {
            let (next, retry) = (self.deadlines.after(RECORD_INTERVAL), self.deadlines.after(RETRY_DELAY));
            let mut failed = BTreeSet::new();
            let mut recorded = false;
            for queue in queues {
                match self.record_retention(&queue).await {
                    Ok(is_recorded) => recorded |= is_recorded,
                    Err(error) => {
                        tracing::error!(?error, %queue, retry_in = %RETRY_DELAY, "recording removed letters failed");
                        failed.insert(queue);
                    }
                }
            }
            if !failed.is_empty() {
                self.deadlines.sleep_until(retry).await;
                queues = failed;
                continue;
            }
            if recorded {
                self.deadlines.sleep_until(next).await;
            }
            queues = self.store.retention_notices().await;
        }
    }

    async fn all_queues(&self) -> Result<BTreeSet<QueueName>, StoreError> {
        let mut names = BTreeSet::new();
        loop {
            let pivot = names.last().map(|last: &QueueName| last.as_str().into());
            let page = self.store.queues(ListQueues { namespace: None, pivot, limit: PAGE }).await?;
            let is_last = page.len() < PAGE;
            names.extend(page.into_iter().map(|settings| settings.name));
            if is_last {
                return Ok(names);
            }
        }
    }

    /// Records the letters that were removed in a queue since the last record. Returns whether there were any.
    pub(crate) async fn record_retention(&self, queue: &QueueName) -> Result<bool, ChangeError> {
        let store = &*self.store;
        let mut chain = self.audit.lock().await;
        for _ in 0..ATTEMPTS_MAX {
            let settings = unless_deleted(store.queue(GetQueue { name: queue.clone() }).await)?;
            let Some(settings) = settings else { return Ok(false) };
            let stats = unless_deleted(store.stats(GetStats { queue: queue.clone() }).await)?;
            let Some(stats) = stats else { return Ok(false) };
            let counts = RetentionCounts::of(&settings, &stats.counts);
            let none = RetentionCounts::none_of(&settings);
            if counts == none {
                return Ok(false);
            }
            let key = retention_key(queue);
            let recorded = Records(store).read::<RetentionCounts>(key.clone()).await?;
            let condition = recorded.as_ref().map_or(KeyCondition::Absent, |read| KeyCondition::Version(read.version));
            let recorded = recorded.map(|read| read.record);
            let before = recorded.filter(|before| before.queue_created_at == none.queue_created_at).unwrap_or(none);
            let mut targets = vec![AuditTarget::new("queue", queue.as_str())];
            targets.extend(counts.since(&before).map(|(kind, count)| AuditTarget::new(kind, &count.to_string())));
            if targets.len() == 1 {
                return Ok(false);
            }
            let reason = Some("their time was over".to_owned());
            let namespace = Some(namespace_of(&settings).to_owned());
            let record = AuditRecord {
                namespace,
                targets,
                reason,
                ..AuditRecord::of_server("letters.forget", self.deadlines.now())
            };
            let write = KeyWrite { key, value: Some(value(&counts)), condition };
            let change = Change::of_keys(vec![write]).before(&before).after(&counts);
            if chain.append(store, record, change.erased()).await?.is_some() {
                return Ok(true);
            }
        }
        Err(ChangeError::ApiError(ApiError::new(Code::RetryRequest, "internal error, try your request again")))
    }
}

/// The answer about a queue; `None` if the queue was deleted.
fn unless_deleted<T>(answer: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(None),
        Err(error) => Err(error),
    }
}
