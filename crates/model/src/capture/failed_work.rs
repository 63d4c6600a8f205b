//! Work that failed, before anybody has said what its failure means.

use std::sync::Arc;

use redrive_core::{CapturedBy, Category, Failure, Outcome, Priority, RequestedRetry, Time};

use crate::{CaptureContext, Content};

/// What is known of work that failed. A guard, a source, an importer and the API all hand over this;
/// [`CaptureRules::assess`](super::CaptureRules::assess) says what becomes of it.
#[derive(Debug, Clone)]
pub struct FailedWork {
    /// Unique among the live letters of a queue.
    pub source_id: Box<str>,
    pub content: Arc<Content>,
    pub context: CaptureContext,
    pub failure: Failure,
    /// Which attempt it was, from 1 on.
    pub attempt: u32,
    /// Whether all of it failed, or only a part.
    pub outcome: Outcome,
    pub started_at: Option<Time>,
    pub failed_at: Time,
    /// When it was handed over.
    pub reported_at: Time,
    /// What its owner asks for; it goes before all that the failure suggests.
    pub requested: RequestedRetry,
    /// The category, where its owner knows better than the classifier.
    pub category: Option<Category>,
    /// Whose circuit breaker may hold its retries back.
    pub destination: Option<Arc<str>>,
    pub priority: Priority,
    pub by: CapturedBy,
}

impl FailedWork {
    /// A failure of which nothing else is known, reported when it happened.
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
            priority: Priority::default(),
            by: CapturedBy::Automatic,
        }
    }
}
