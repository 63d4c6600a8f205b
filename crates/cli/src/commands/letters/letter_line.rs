//! A letter as a line of JSON, or as a row of a list.

use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::Letter;
use serde::{Serialize, Serializer};

use crate::console::{Column, given, or_dash, relative};

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(super) struct LetterLine<'l>(#[serde(with = "LetterFields")] pub(super) &'l Letter);

/// The fields of a line, in their order.
#[derive(Serialize)]
#[serde(remote = "Letter")]
struct LetterFields {
    id: String,
    queue_name: String,
    #[serde(serialize_with = "null_if_empty")]
    source_id: String,
    generation: i32,
    revision: i64,
    status: String,
    category: String,
    retry_policy: String,
    policy_source: String,
    fingerprint: String,
    retry_count: i32,
    max_retries: i32,
    total_attempts: i32,
    priority: String,
    #[serde(serialize_with = "null_if_empty")]
    destination: String,
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
    #[serde(serialize_with = "null_if_empty")]
    before: String,
    task_id: String,
    failed_at: Option<Timestamp>,
    error_category: String,
    exhausted_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
    archived_at: Option<Timestamp>,
    #[serde(serialize_with = "null_if_empty")]
    archived_from: String,
    updated_at: Option<Timestamp>,
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
        Self { letter: LetterLine(letter), last_error: given(&letter.last_error) }
    }
}

fn null_if_empty<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    given(text).serialize(serializer)
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
