//! The description of guarded work. It is complete before the work runs, since the work may panic.

use std::sync::Arc;

use redrive_core::{Metadata, Priority, RetryPolicy};
use redrive_model::Content;

/// A piece of work, with everything that its letter would need.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Source id of the letter: a second failure with the same id merges into the same letter. Generated if unset.
    pub id: Option<String>,
    /// The type of the work.
    pub kind: String,
    /// The input of a retry.
    pub content: Arc<Content>,
    /// The named parts of the work, if it has several.
    pub parts: Vec<String>,
    /// The destination whose circuit breaker applies to retries; `kind` if unset.
    pub destination: Option<String>,
    /// Takes precedence over rules and categories.
    pub policy: Option<RetryPolicy>,
    pub max_retries: Option<u32>,
    /// Default: the metadata field `priority`, or else medium.
    pub priority: Option<Priority>,
    pub metadata: Metadata,
    pub submitted_by: Option<String>,
    pub reply_to: Option<String>,
    pub trace_id: Option<String>,
    pub request_id: Option<String>,
    /// The `Redrive-Id` of the attempt that this work is part of, if another process makes that attempt. The runner of
    /// the attempt settles its letter, so the guard captures none.
    pub within: Option<String>,
}

impl Task {
    pub fn new(kind: impl Into<String>, content: Content) -> Self {
        Self {
            id: None,
            kind: kind.into(),
            content: Arc::new(content),
            parts: Vec::new(),
            destination: None,
            policy: None,
            max_retries: None,
            priority: None,
            metadata: Metadata::new(),
            submitted_by: None,
            reply_to: None,
            trace_id: None,
            request_id: None,
            within: None,
        }
    }

    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    #[must_use]
    pub fn with_parts<P: Into<String>>(mut self, parts: impl IntoIterator<Item = P>) -> Self {
        self.parts = parts.into_iter().map(Into::into).collect();
        self
    }

    /// The id of the task, or one generated from a random number and the kind.
    pub(super) fn name(&self, random: u64) -> String {
        self.id.clone().unwrap_or_else(|| format!("wf_{:08x}_{}", random >> 32, self.kind))
    }
}
