//! A piece of work, as its handler sees it.

use std::fmt;
use std::sync::Arc;

use redrive_core::{AttemptLimit, Ksuid, LetterDelays, LetterTerms, Metadata, RetryPolicy, Time, Trigger};
use redrive_model::{Content, LetterSettings, Origin};

/// A piece of work and its progress: attempts, deliveries, remaining parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// Identifies the work in logs and records. Constant over all attempts.
    pub id: WorkId,
    /// Name of the source that issued the id.
    pub source: Arc<str>,
    /// Where the work first came from.
    pub origin: Origin,
    pub content: Arc<Content>,
    /// Number of this attempt, counting charged attempts only. The first is 1.
    pub attempt: u32,
    /// Number of deliveries, including this one and those that were not charged.
    pub deliveries: u32,
    /// When the work was first due. Deadlines count from this time.
    pub since: Time,
    pub trigger: Trigger,
    /// The destination whose circuit breaker applies to the work.
    pub destination: Arc<str>,
    /// Distinguishes edited content from the content before the edit; `None` if the content was never edited.
    pub edition: Option<u128>,
    /// The named parts that remain to be done. Empty means the whole work.
    pub parts: Vec<String>,
    /// Retry terms of this piece of work alone.
    pub terms: Option<LetterRetry>,
    /// The mailbox that expects the reply, as the sender of the work named it.
    pub reply_to: Option<String>,
    pub trace_id: Option<String>,
    pub request_id: Option<String>,
    pub submitted_by: Option<String>,
    pub metadata: Metadata,
}

/// The id of a piece of work: set by its producer, assigned by the store, or its place in a log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkId {
    /// Assigned by the store.
    Given(Ksuid),
    /// Set by the producer.
    Own(Box<str>),
    /// The place of a record in a log.
    Record { topic: Arc<str>, partition: i32, offset: i64 },
}

impl From<&str> for WorkId {
    fn from(name: &str) -> Self {
        Self::Own(name.into())
    }
}

impl fmt::Display for WorkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(id) => id.fmt(f),
            Self::Own(name) => f.write_str(name),
            Self::Record { topic, partition, offset } => write!(f, "{topic}/{partition}/{offset}"),
        }
    }
}

impl Work {
    /// The first attempt of whole work of an unknown origin, without ids of its sender.
    pub fn new(id: WorkId, source: Arc<str>, destination: Arc<str>, content: Arc<Content>, since: Time) -> Self {
        Self {
            id,
            source,
            origin: Origin::default(),
            content,
            attempt: 1,
            deliveries: 1,
            since,
            trigger: Trigger::Automatic,
            destination,
            edition: None,
            parts: Vec::new(),
            terms: None,
            reply_to: None,
            trace_id: None,
            request_id: None,
            submitted_by: None,
            metadata: Metadata::new(),
        }
    }

    /// Deduplication key for the receiver: the same for every attempt at the same content, and different for any other
    /// work or content.
    pub fn idempotency_key(&self) -> String {
        let Self { source, id, edition, .. } = self;
        match edition {
            None => format!("{source}/{id}"),
            Some(edition) => format!("{source}/{id}/{edition:032x}"),
        }
    }
}

/// The retry terms of a letter. They take precedence over the runner's policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterRetry {
    /// `None` derives the delay from the category of the latest failure, by the runner's backoff curves.
    pub policy: Option<RetryPolicy>,
    pub limit: AttemptLimit,
    /// The effective settings of the queue, which define the delays of the policies `custom` and `immediate`.
    pub settings: Arc<LetterSettings>,
}

impl LetterRetry {
    pub(crate) fn terms(&self) -> LetterTerms<'_> {
        let delays = match self.policy {
            None => LetterDelays::ByCategory,
            Some(policy) => LetterDelays::named(policy, self.settings.custom_backoff()),
        };
        LetterTerms { delays, limit: self.limit, retry_interval: self.settings.retry_interval }
    }
}
