//! The fields of a document.
//!
//! The first are the seed's, by its names: whoever knows its index finds the way here. `task` is the payload where that is
//! a JSON object, and empty otherwise; `repos` are the parts of the work. `updated_at` is the latest time that the letter
//! itself tells, so the same letter is the same document whenever it is written.

use std::collections::BTreeMap;

use redrive_core::{
    Category, Fingerprint, ItemId, LetterId, Outcome, PolicySource, Priority, QueueName, RetryPolicy, Status, Time,
};
use redrive_model::{Attempt, Cause, DeathReason, FullLetter, LetterInfo};
use serde::Serialize;
use serde_json::{Map, Value};

/// A letter as it is searched.
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
    pub metadata: BTreeMap<String, String>,
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
    /// Where the work came from: `kafka:orders`.
    pub origin: String,
    pub trace_id: Option<String>,
    /// The parts that are still to be done, where some are done.
    pub failed_repos: Option<Vec<String>>,
}

impl Document {
    /// The document of a letter; `None` for a record of a plain item.
    pub fn of(queue: &QueueName, record: &FullLetter) -> Option<Self> {
        let info = &record.info;
        let letter = info.letter.as_deref()?;
        let context = record.context.clone().unwrap_or_default();
        // Of an attempt whose holder said nothing, nothing can be told.
        let newest = record.attempts.iter().rev().find(|attempt| is_failure(attempt) && told(attempt).is_some());
        let died_of = context.death.as_ref().map(|death| reason(death.reason));
        let or_death = |attempt: Option<&Attempt>| attempt.and_then(told).or(died_of).unwrap_or_default().to_owned();
        let origin = &context.origin;
        Some(Self {
            task_id: info.source_id.as_deref().map_or_else(|| letter.id.to_string(), str::to_owned),
            task: object(&record.content.payload),
            error: or_death(record.attempts.first()),
            failed_at: letter.first_failed_at,
            retry_count: letter.retries,
            max_retries: letter.max_retries,
            retry_policy: letter.policy,
            next_retry_at: letter.next_retry_at,
            status: letter.status,
            error_category: letter.category,
            last_error: or_death(newest),
            total_attempts: letter.total_attempts,
            updated_at: updated_at(record, letter),
            letter_id: letter.id,
            queue: queue.clone(),
            source_id: info.source_id.clone(),
            generation: letter.generation,
            revision: letter.revision,
            fingerprint: letter.fingerprint,
            matched_rule: newest.and_then(|attempt| attempt.rule.clone()),
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

/// Whether it is a failure that counts: a result that came too late changed nothing.
fn is_failure(attempt: &Attempt) -> bool {
    matches!(attempt.outcome, Outcome::Failure | Outcome::Partial) && attempt.cause != Some(Cause::Late)
}

/// What is told of an attempt that failed; a lost one left no text.
fn told(attempt: &Attempt) -> Option<&str> {
    let cause = attempt.cause.map(|cause| match cause {
        Cause::Lost => "lost",
        Cause::Aborted => "aborted",
        Cause::TimedOut => "timed out",
        Cause::Late => "late",
        Cause::LostDependency => "lost dependency",
    });
    let error = Some(attempt.error.as_str()).filter(|error| !error.is_empty());
    error.or(attempt.error_type.as_deref()).or(cause)
}

const fn reason(reason: DeathReason) -> &'static str {
    match reason {
        DeathReason::MaxAttempts => "max attempts",
        DeathReason::Expired => "expired",
        DeathReason::GivenUp => "given up",
    }
}

/// The payload, where it is a JSON object. One that names a key twice has it once here; the payload itself is kept as
/// it was.
fn object(payload: &[u8]) -> Map<String, Value> {
    serde_json::from_slice(payload).unwrap_or_default()
}

fn updated_at(record: &FullLetter, letter: &LetterInfo) -> Time {
    let given = |id: ItemId| id.ksuid().time();
    let times = [Some(record.info.created_at), Some(letter.last_failed_at), letter.ended_at];
    let attempts = record.attempts.iter().map(|attempt| attempt.ended_at);
    // Most changes give a new id, and an id tells the second in which it was given.
    let known = times.into_iter().chain(attempts).flatten();
    known.max().map_or(given(record.info.id), |known| known.max(given(record.info.id)))
}
