//! The fields of a document.
//!
//! The first fields have the names of the seed's index, so that its queries work here. `task` is the payload if that is
//! a JSON object, else empty; `repos` are the parts of the work.

use redrive_core::{
    Category, Fingerprint, LetterId, Metadata, PolicySource, Priority, QueueName, RetryPolicy, Status, Time,
};
use redrive_model::FullLetter;
use serde::Serialize;
use serde_json::{Map, Value};

/// The searchable fields of a letter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    pub task_id: String,
    pub task: Map<String, Value>,
    pub repos: Vec<String>,
    pub error: String,
    pub failed_at: Time,
    pub retry_count: u32,
    pub max_retries: u32,
    pub retry_policy: RetryPolicy,
    pub next_retry_at: Option<Time>,
    pub status: Status,
    pub metadata: Metadata,
    pub error_category: Category,
    pub last_error: String,
    pub total_attempts: u32,
    pub updated_at: Time,

    pub letter_id: LetterId,
    pub queue: QueueName,
    pub source_id: Option<Box<str>>,
    pub generation: u32,
    pub revision: u64,
    pub fingerprint: Fingerprint,
    pub matched_rule: Option<String>,
    pub priority: Priority,
    pub policy_source: PolicySource,
    pub outcome_unknown: bool,
    /// Origin of the work, for example `kafka:orders`.
    pub origin: String,
    pub trace_id: Option<String>,
    /// The parts still to be done, if some are done.
    pub failed_repos: Option<Vec<String>>,
}

impl Document {
    /// Returns the document of a letter; `None` for a plain item.
    pub fn of(queue: &QueueName, record: &FullLetter) -> Option<Self> {
        let info = &record.info;
        let letter = info.letter.as_deref()?;
        let context = record.context.clone().unwrap_or_default();
        let origin = &context.origin;
        Some(Self {
            task_id: info.task_id(),
            task: object(&record.content.payload),
            error: record.error().to_owned(),
            failed_at: letter.first_failed_at,
            retry_count: letter.retries,
            max_retries: letter.max_retries,
            retry_policy: letter.policy,
            next_retry_at: letter.next_retry_at,
            status: letter.status,
            error_category: letter.category,
            last_error: record.last_error().to_owned(),
            total_attempts: letter.total_attempts,
            updated_at: letter.updated_at,
            letter_id: letter.id,
            queue: queue.clone(),
            source_id: info.source_id.clone(),
            generation: letter.generation,
            revision: letter.revision,
            fingerprint: letter.fingerprint,
            matched_rule: record.matched_rule().map(str::to_owned),
            priority: info.priority,
            policy_source: letter.policy_source,
            outcome_unknown: letter.is_outcome_unknown,
            origin: format!("{}:{}", origin.transport, origin.name),
            trace_id: context.trace_id,
            failed_repos: record.parts.clone(),
            repos: context.parts,
            metadata: context.metadata,
        })
    }
}

/// Returns the payload if it is a JSON object. A duplicate key appears once here; the stored payload is unchanged.
fn object(payload: &[u8]) -> Map<String, Value> {
    serde_json::from_slice(payload).unwrap_or_default()
}
