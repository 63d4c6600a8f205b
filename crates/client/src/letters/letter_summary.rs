//! A letter without its content and history.

use redrive_core::{Category, Fingerprint, LetterId, Priority, RetryPolicy, Status, Time};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::{Letter, LettersRetryResponse};

use crate::wire::{count, text};

/// A letter without its content and history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterSummary {
    pub id: LetterId,
    pub source_id: Option<String>,
    /// The number of the letter among those of its source id, counted from 1.
    pub generation: u32,
    /// Incremented by every change.
    pub revision: u64,
    pub status: Status,
    pub category: Category,
    pub policy: RetryPolicy,
    pub fingerprint: Fingerprint,
    pub priority: Priority,
    /// The destination whose circuit breaker may delay the retries.
    pub destination: String,
    /// Failed retries.
    pub retries: u32,
    pub max_retries: u32,
    pub total_attempts: u32,
    /// The time of the next automatic retry.
    pub next_retry_at: Option<Time>,
    pub first_failed_at: Time,
    pub last_failed_at: Time,
    /// When it became exhausted, completed or archived.
    pub ended_at: Option<Time>,
    /// The time of the last change.
    pub updated_at: Time,
}

/// The outcome of a manual retry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetriedLetter {
    pub is_success: bool,
    /// The letter after the retry.
    pub letter: LetterSummary,
    /// The error of the attempt, if it failed with one.
    pub error: Option<String>,
}

impl LetterSummary {
    pub(super) fn of(letter: Letter) -> Option<Self> {
        Some(Self {
            id: letter.id.parse().ok()?,
            source_id: text(letter.source_id),
            generation: count(letter.generation)?,
            revision: u64::try_from(letter.revision).ok()?,
            status: letter.status.parse().ok()?,
            category: letter.category.parse().ok()?,
            policy: letter.retry_policy.parse().ok()?,
            fingerprint: letter.fingerprint.parse().ok()?,
            priority: letter.priority.parse().ok()?,
            destination: letter.destination,
            retries: count(letter.retry_count)?,
            max_retries: count(letter.max_retries)?,
            total_attempts: count(letter.total_attempts)?,
            next_retry_at: letter.next_retry_at.and_then(Timestamp::time),
            first_failed_at: letter.first_failed_at?.time()?,
            last_failed_at: letter.last_failed_at?.time()?,
            ended_at: letter.ended_at.and_then(Timestamp::time),
            updated_at: letter.updated_at?.time()?,
        })
    }
}

impl RetriedLetter {
    pub(super) fn of(answer: LettersRetryResponse) -> Option<Self> {
        let attempt = answer.attempt.and_then(|attempt| attempt.attempt);
        Some(Self {
            is_success: answer.success,
            letter: LetterSummary::of(answer.letter?)?,
            error: attempt.and_then(|attempt| text(attempt.error)),
        })
    }
}
