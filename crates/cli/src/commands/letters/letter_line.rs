//! A letter as a line of JSON, or as a row of a list.

use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::Letter;
use serde::Serialize;

use crate::console::{Column, given, or_dash, relative};

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

/// A line of `letters list --output json`: a letter with the error of its newest failure.
#[derive(Debug, Serialize)]
pub(super) struct ListLine<'l> {
    #[serde(flatten)]
    letter: LetterLine<'l>,
    last_error: Option<&'l str>,
}

impl<'l> From<&'l Letter> for ListLine<'l> {
    fn from(letter: &'l Letter) -> Self {
        Self { letter: letter.into(), last_error: given(&letter.last_error) }
    }
}

/// The columns of a list. A narrow output has the most important ones.
pub(super) const COLUMNS: &[Column] = &columns(0, 100);
/// The columns of a list that is sorted by due time.
pub(super) const COLUMNS_BY_DUE: &[Column] = &columns(100, 0);

/// The columns, with the widths from which on the two times are shown.
const fn columns(failed: usize, next: usize) -> [Column; 10] {
    [
        Column::text("ID"),
        Column::text("STATUS"),
        Column::text("CATEGORY"),
        Column::text("FAILED").from(failed),
        Column::text("NEXT").from(next),
        Column::text("RETRIES").from(110),
        Column::text("POLICY").from(180),
        Column::text("DESTINATION").cut(11).from(160),
        Column::text("SOURCE ID").cut(9).from(120),
        Column::text("ERROR").cut(10),
    ]
}

/// A row of a list, with times relative to `now`.
pub(super) fn row(letter: &Letter, now: Option<Timestamp>) -> Vec<String> {
    vec![
        letter.id.clone(),
        letter.status.clone(),
        letter.category.clone(),
        relative(letter.last_failed_at, now),
        relative(letter.next_retry_at, now),
        retries(letter),
        letter.retry_policy.clone(),
        or_dash(&letter.destination).to_owned(),
        or_dash(&letter.source_id).to_owned(),
        or_dash(&letter.last_error).to_owned(),
    ]
}

/// Failed retries and maximum retries, as in `1/3`.
pub(super) fn retries(letter: &Letter) -> String {
    format!("{}/{}", letter.retry_count, letter.max_retries)
}

pub(super) fn time(time: Option<Timestamp>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| time.to_string())
}
