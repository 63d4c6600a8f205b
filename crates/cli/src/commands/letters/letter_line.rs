//! A letter as a line of JSON, or as a row of a table.

use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::Letter;
use serde::Serialize;

use crate::console::{Align, or_dash};

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
pub(super) struct LetterLine<'l> {
    id: &'l str,
    queue_name: &'l str,
    source_id: Option<&'l str>,
    generation: i32,
    revision: i64,
    status: &'l str,
    category: &'l str,
    retry_policy: &'l str,
    policy_source: &'l str,
    fingerprint: &'l str,
    retry_count: i32,
    max_retries: i32,
    total_attempts: i32,
    priority: &'l str,
    destination: Option<&'l str>,
    next_retry_at: Option<Timestamp>,
    first_failed_at: Option<Timestamp>,
    last_failed_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    lease_deadline: Option<Timestamp>,
    expire_deadline: Option<Timestamp>,
    outcome_unknown: bool,
    overflow: bool,
    blocked: bool,
    damaged: bool,
    before: Option<&'l str>,
    task_id: &'l str,
    failed_at: Option<Timestamp>,
    error_category: &'l str,
    exhausted_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
    archived_at: Option<Timestamp>,
    archived_from: Option<&'l str>,
    updated_at: Option<Timestamp>,
}

impl<'l> From<&'l Letter> for LetterLine<'l> {
    fn from(letter: &'l Letter) -> Self {
        Self {
            id: &letter.id,
            queue_name: &letter.queue_name,
            source_id: given(&letter.source_id),
            generation: letter.generation,
            revision: letter.revision,
            status: &letter.status,
            category: &letter.category,
            retry_policy: &letter.retry_policy,
            policy_source: &letter.policy_source,
            fingerprint: &letter.fingerprint,
            retry_count: letter.retry_count,
            max_retries: letter.max_retries,
            total_attempts: letter.total_attempts,
            priority: &letter.priority,
            destination: given(&letter.destination),
            next_retry_at: letter.next_retry_at,
            first_failed_at: letter.first_failed_at,
            last_failed_at: letter.last_failed_at,
            ended_at: letter.ended_at,
            lease_deadline: letter.lease_deadline,
            expire_deadline: letter.expire_deadline,
            outcome_unknown: letter.outcome_unknown,
            overflow: letter.overflow,
            blocked: letter.blocked,
            damaged: letter.damaged,
            before: given(&letter.before),
            task_id: &letter.task_id,
            failed_at: letter.failed_at,
            error_category: &letter.error_category,
            exhausted_at: letter.exhausted_at,
            completed_at: letter.completed_at,
            archived_at: letter.archived_at,
            archived_from: given(&letter.archived_from),
            updated_at: letter.updated_at,
        }
    }
}

/// An empty text of the wire format means that there is no value.
pub(super) fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

pub(super) const HEADER: &[(&str, Align)] = &[
    ("ID", Align::Text),
    ("STATUS", Align::Text),
    ("CATEGORY", Align::Text),
    ("POLICY", Align::Text),
    ("RETRIES", Align::Number),
    ("NEXT RETRY", Align::Text),
    ("LAST FAILED", Align::Text),
    ("SOURCE ID", Align::Text),
];

pub(super) fn row(letter: &Letter) -> Vec<String> {
    vec![
        letter.id.clone(),
        letter.status.clone(),
        letter.category.clone(),
        letter.retry_policy.clone(),
        retries(letter),
        time(letter.next_retry_at),
        time(letter.last_failed_at),
        or_dash(&letter.source_id).to_owned(),
    ]
}

/// Failed retries and maximum retries, as in `1/3`.
pub(super) fn retries(letter: &Letter) -> String {
    format!("{}/{}", letter.retry_count, letter.max_retries)
}

pub(super) fn time(time: Option<Timestamp>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| time.to_string())
}
