//! Letters that were removed because their time was over.
//!
//! The store removes them by itself, and counts them for good. What is recorded is the difference to what was recorded
//! before, which stands in the key space and is written together with the record. So nothing is recorded twice, and what
//! went while no server was there, the next one records.

use std::collections::BTreeSet;

use bytes::Bytes;
use redrive_core::{QueueName, Span};
use redrive_model::{
    EndReason, Event, GetQueue, GetStats, KeyCondition, KeyWrite, LifetimeCounts, ListQueues, QueueSettings, Rejection,
};
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};

use super::chain::ATTEMPTS_MAX;
use super::{AuditTarget, Change, Entry, Undone};
use crate::app::App;
use crate::fault::{Code, Fault};
use crate::records::{At, Record, Records, key, value};

/// Letters go one by one, as their time comes. Were there a record each time, they would push out those of what people
/// did.
const BETWEEN: Span = Span::from_hours(1);
/// What could not be recorded is tried again.
const AGAIN_AFTER: Span = Span::from_mins(1);
const PAGE: usize = 1_000;

/// How many letters of a queue were removed because their time was over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Forgotten {
    /// Another queue of the same name begins anew.
    queue_created_at: At,
    completed: u64,
    archived: u64,
    expired: u64,
}

impl Record for Forgotten {}

impl Forgotten {
    fn of(settings: &QueueSettings, tally: &LifetimeCounts) -> Self {
        Self {
            queue_created_at: At(settings.created_at),
            completed: tally.of(Event::CompletedForgotten),
            archived: tally.ended(EndReason::Forgotten),
            expired: tally.of(Event::LetterExpired),
        }
    }

    fn none_of(settings: &QueueSettings) -> Self {
        Self { queue_created_at: At(settings.created_at), completed: 0, archived: 0, expired: 0 }
    }

    /// What came since, by what the letters were.
    fn since(&self, before: &Self) -> impl Iterator<Item = (&'static str, u64)> {
        let more = [
            ("completed", self.completed.saturating_sub(before.completed)),
            ("archived", self.archived.saturating_sub(before.archived)),
            ("expired", self.expired.saturating_sub(before.expired)),
        ];
        more.into_iter().filter(|(_, count)| *count > 0)
    }
}

/// Where it stands what was recorded of a queue; it goes with the queue.
pub(crate) fn forgotten_key(queue: &QueueName) -> Bytes {
    key(["forgotten", queue.as_str()])
}

impl App {
    /// Records what is removed in any queue, from what nobody has recorded yet on, until the server ends. What it leaves
    /// behind, the next server finds.
    pub(crate) async fn keep_recording_forgotten(&self) {
        tokio::select! {
            () = self.closing.cancelled() => {}
            () = self.record_forgotten_by_and_by() => {}
        }
    }

    async fn record_forgotten_by_and_by(&self) {
        let mut queues = loop {
            match self.all_queues().await {
                Ok(queues) => break queues,
                Err(error) => {
                    tracing::error!(%error, "letters whose time was over could not be looked for; it is tried again");
                    self.deadlines.passed(self.deadlines.after(AGAIN_AFTER)).await;
                }
            }
        };
        loop {
            let (next, again) = (self.deadlines.after(BETWEEN), self.deadlines.after(AGAIN_AFTER));
            let mut left = BTreeSet::new();
            let mut recorded = false;
            for queue in queues {
                match self.record_forgotten(&queue).await {
                    Ok(is_news) => recorded |= is_news,
                    Err(error) => {
                        tracing::error!(?error, %queue, "letters whose time was over are not recorded; it is tried again");
                        left.insert(queue);
                    }
                }
            }
            if !left.is_empty() {
                self.deadlines.passed(again).await;
                queues = left;
                continue;
            }
            if recorded {
                self.deadlines.passed(next).await;
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

    /// Records what was removed in a queue since the last time; whether there was anything.
    pub(crate) async fn record_forgotten(&self, queue: &QueueName) -> Result<bool, Undone> {
        let store = &*self.store;
        let mut chain = self.audit.turn().await;
        for _ in 0..ATTEMPTS_MAX {
            let Some(settings) = there(store.queue(GetQueue { name: queue.clone() }).await)? else { return Ok(false) };
            let Some(stats) = there(store.stats(GetStats { queue: queue.clone() }).await)? else { return Ok(false) };
            let forgotten = Forgotten::of(&settings, &stats.tally);
            let none = Forgotten::none_of(&settings);
            if forgotten == none {
                return Ok(false);
            }
            let key = forgotten_key(queue);
            let recorded = Records(store).get::<Forgotten>(key.clone()).await?;
            let condition = recorded.as_ref().map_or(KeyCondition::Absent, |read| KeyCondition::Version(read.version));
            let recorded = recorded.map(|read| read.record);
            let before = recorded.filter(|before| before.queue_created_at == none.queue_created_at).unwrap_or(none);
            let mut targets = vec![AuditTarget::new("queue", queue.as_str())];
            targets.extend(forgotten.since(&before).map(|(kind, count)| AuditTarget::new(kind, &count.to_string())));
            if targets.len() == 1 {
                return Ok(false);
            }
            let reason = Some("their time was over".to_owned());
            let entry = Entry { targets, reason, ..Entry::of_server("letters.forget", self.deadlines.now()) };
            let write = KeyWrite { key, value: Some(value(&forgotten)), condition };
            let change = Change::of_keys(vec![write]).before(&before).after(&forgotten);
            if chain.append(store, entry, change).await?.is_some() {
                return Ok(true);
            }
        }
        Err(Undone::Decided(Fault::new(Code::RetryRequest, "internal error, try your request again")))
    }
}

/// What was asked of a queue, unless it is gone.
fn there<T>(answer: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(None),
        Err(error) => Err(error),
    }
}
