//! What became of a guarded failure.

use redrive_core::{CaptureReason, Category, PersistOutcome, RetryPolicy};
use serde::Serialize;

/// What became of a guarded failure: given to the caller beside its own error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disposition {
    pub workflow_id: String,
    /// Always `failed`.
    pub status: &'static str,
    pub error: String,
    pub error_type: Option<String>,
    /// Whether a letter holds it now.
    pub dlq_enqueued: bool,
    /// The name under which the letter is found.
    pub dlq_task_id: Option<String>,
    pub retry_policy: RetryPolicy,
    pub max_retries: u32,
    pub error_category: Category,
    pub matched_rule: String,
    /// What became of the request to store it, where there was one.
    pub persist_outcome: Option<PersistOutcome>,
    pub dlq_reason: CaptureReason,
}

impl Disposition {
    pub(super) const STATUS: &'static str = "failed";
}
