//! Failed work before its assessment.

use std::sync::Arc;

use redrive_core::{CapturedBy, Category, Failure, Outcome, Priority, RequestedRetry, Time};

use crate::{CaptureContext, Content};

/// A report of failed work. Guards, sources, importers and the API all submit this type;
/// [`CaptureRules::assess`](super::CaptureRules::assess) assesses it.
#[derive(Debug, Clone)]
pub struct FailedWork {
    /// Unique among the live letters of a queue.
    pub source_id: Box<str>,
    pub content: Arc<Content>,
    pub context: CaptureContext,
    pub failure: Failure,
    /// The number of the attempt, counted from 1.
    pub attempt: u32,
    /// Whether the whole work failed or only a part.
    pub outcome: Outcome,
    pub started_at: Option<Time>,
    pub failed_at: Time,
    /// When it was reported.
    pub reported_at: Time,
    /// The retry settings that the caller requests. They take precedence over all others.
    pub requested: RequestedRetry,
    /// Overrides the category of the classifier.
    pub category: Option<Category>,
    /// The destination whose circuit breaker may delay the retries.
    pub destination: Option<Arc<str>>,
    /// Precedence: this field > metadata > medium.
    pub priority: Option<Priority>,
    pub by: CapturedBy,
    /// The consumer that reports it received the work from the topic or mailbox that its origin names. Never set for
    /// anything that a caller or a record only claims.
    pub is_of_source: bool,
}

impl FailedWork {
    /// A failure without further details, reported when it happened.
    pub fn new(source_id: impl Into<Box<str>>, failure: Failure, now: Time) -> Self {
        Self {
            source_id: source_id.into(),
            content: Arc::default(),
            context: CaptureContext::default(),
            failure,
            attempt: 1,
            outcome: Outcome::Failure,
            started_at: None,
            failed_at: now,
            reported_at: now,
            requested: RequestedRetry::default(),
            category: None,
            destination: None,
            priority: None,
            by: CapturedBy::Automatic,
            is_of_source: false,
        }
    }
}
