//! A letter as it is shown: a line of JSON, or a row.

use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::Letter;
use serde::Serialize;

use crate::console::{Align, or_dash};

/// For programs. Every field is always there.
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
        }
    }
}

/// What is empty on the wire is not there.
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

/// Retries that failed, of those that there are.
pub(super) fn retries(letter: &Letter) -> String {
    format!("{}/{}", letter.retry_count, letter.max_retries)
}

pub(super) fn time(time: Option<Timestamp>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| time.to_string())
}
