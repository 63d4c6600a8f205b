//! What is to be done, as its handler sees it.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_core::{AttemptLimit, RetryPolicy, Time, Trigger};
use redrive_queue::{Content, Origin};

/// A piece of work, and how far it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// Names the work in logs and records; the same over all its attempts.
    pub id: Box<str>,
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
    /// The same for every attempt at the same content: whoever receives the work twice can tell.
    pub idempotency_key: Box<str>,
    /// The named pieces that are still to be done; all of it, where there are none.
    pub parts: Vec<String>,
    /// What was decided for this piece of work alone.
    pub terms: Option<Terms>,
    pub trace_id: Option<String>,
    pub request_id: Option<String>,
    pub submitted_by: Option<String>,
    pub metadata: BTreeMap<String, String>,
}

/// A letter's own terms, which go before those of the runner's policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Terms {
    /// `custom` where the policy follows the newest failure, by the runner's own curves.
    pub policy: RetryPolicy,
    pub limit: AttemptLimit,
}
