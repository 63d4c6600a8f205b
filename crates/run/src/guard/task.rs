//! Work that is guarded, described before it runs: it may not live to describe itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_core::{Priority, RetryPolicy};
use redrive_model::Content;

/// A piece of work, with all that a letter about it would need.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Names the work: a second failure of the same name goes to the same letter. Made up, if nothing is said.
    pub id: Option<String>,
    /// What kind of work it is.
    pub kind: String,
    /// What a retry needs to do it again.
    pub content: Arc<Content>,
    /// Its named pieces, where it has several.
    pub parts: Vec<String>,
    /// Whose breaker holds its retries back; its kind, if nothing is said.
    pub destination: Option<String>,
    /// Goes before rules and categories.
    pub policy: Option<RetryPolicy>,
    pub max_retries: Option<u32>,
    pub priority: Priority,
    pub metadata: BTreeMap<String, String>,
    pub submitted_by: Option<String>,
    pub reply_to: Option<String>,
    pub trace_id: Option<String>,
    pub request_id: Option<String>,
    /// The attempt that this is part of, where another process makes it: its `Redrive-Id`. Whoever makes that attempt
    /// settles its letter, so no other is made.
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
            priority: Priority::default(),
            metadata: BTreeMap::new(),
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

    /// Its own id, or one made of a random number and its kind.
    pub(super) fn name(&self, random: u64) -> String {
        self.id.clone().unwrap_or_else(|| format!("wf_{:08x}_{}", random >> 32, self.kind))
    }
}
