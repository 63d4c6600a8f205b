//! The disposition of a guarded failure.

use redrive_core::{CaptureReason, Category, PersistOutcome, RetryPolicy};
use serde::Serialize;

/// How a guard disposed of a failure. The caller gets it in addition to its own error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disposition {
    pub workflow_id: String,
    /// Always `failed`.
    pub status: &'static str,
    pub error: String,
    pub error_type: Option<String>,
    /// Whether the failure was captured in a letter.
    pub dlq_enqueued: bool,
    /// The source id of the letter.
    pub dlq_task_id: Option<String>,
    pub retry_policy: RetryPolicy,
    pub max_retries: u32,
    pub error_category: Category,
    pub matched_rule: String,
    /// The result of the capture request; `None` if no letter was requested.
    pub persist_outcome: Option<PersistOutcome>,
    pub dlq_reason: CaptureReason,
}

impl Disposition {
    pub(super) const STATUS: &'static str = "failed";
}
