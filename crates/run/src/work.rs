//! What is to be done, as its handler sees it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use redrive_core::{AttemptLimit, Ksuid, LetterDelays, LetterTerms, RetryPolicy, Time, Trigger};
use redrive_model::{Content, LetterSettings, Origin};

/// A piece of work, and how far it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// Names the work in logs and records; the same over all its attempts.
    pub id: WorkId,
    /// Whose names these are: the source's.
    pub source: Arc<str>,
    /// Where it came from first.
    pub origin: Arc<Origin>,
    pub content: Arc<Content>,
    /// Which attempt this is, of those that count; the first is 1.
    pub attempt: u32,
    /// All deliveries, those included that cost nothing.
    pub deliveries: u32,
    /// When it was first due: what a deadline counts from.
    pub since: Time,
    pub trigger: Trigger,
    /// Whose breaker holds it back.
    pub destination: Arc<str>,
    /// Tells the content that somebody edited from the one before.
    pub edition: Option<u128>,
    /// The named pieces that are still to be done; all of it, where there are none.
    pub parts: Vec<String>,
    /// What was decided for this piece of work alone.
    pub terms: Option<LetterRetry>,
    pub trace_id: Option<String>,
    pub request_id: Option<String>,
    pub submitted_by: Option<String>,
    pub metadata: BTreeMap<String, String>,
}

/// The name of a piece of work: one that it brought along, or one that it was given.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkId {
    Given(Ksuid),
    Own(Box<str>),
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
        }
    }
}

impl Work {
    /// The same for every attempt at the same content, and for nothing else: whoever receives the work twice can tell.
    pub fn idempotency_key(&self) -> String {
        let Self { source, id, edition, .. } = self;
        match edition {
            None => format!("{source}/{id}"),
            Some(edition) => format!("{source}/{id}/{edition:032x}"),
        }
    }
}

/// A letter's own terms, which go before those of the runner's policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterRetry {
    /// None where it follows the latest failure, by the runner's own curves.
    pub policy: Option<RetryPolicy>,
    pub limit: AttemptLimit,
    /// The effective settings of its queue, which say what the policies `custom` and `immediate` stand for.
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
