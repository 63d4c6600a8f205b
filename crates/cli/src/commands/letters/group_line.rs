//! A group of letters as a row of a table, or as an object.

use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{GroupSample, LetterGroup, StatusBreakdown};
use serde::Serialize;

use super::status_counts::status_counts;
use crate::console::{Column, given, or_dash, relative};

/// The digits of a fingerprint in a table that is narrower than [`WIDE`]. They are enough for `--group`.
const SHORT: usize = 12;
const WIDE: usize = 160;

/// The columns of the groups of one queue, of counted letters, and of counted letters with a trend.
pub(super) const COLUMNS: &[Column] = &[
    Column::text("GROUP"),
    Column::number("LETTERS"),
    Column::text("STATUSES").from(120),
    Column::text("CATEGORY"),
    Column::text("DESTINATION").cut(11).from(100),
    Column::text("FIRST").from(140),
    Column::text("LAST"),
    Column::text("ERROR").cut(10),
];

pub(super) const COUNTED_COLUMNS: &[Column] = &[
    Column::text("GROUP"),
    Column::text("QUEUE").cut(8),
    Column::number("LETTERS"),
    Column::text("STATUSES").from(140),
    Column::text("CATEGORY"),
    Column::text("DESTINATION").cut(11).from(120),
    Column::text("FIRST").from(160),
    Column::text("LAST"),
    Column::text("ERROR").cut(10),
];

pub(super) const TREND_COLUMNS: &[Column] = &[
    Column::text("GROUP"),
    Column::text("QUEUE").cut(8),
    Column::number("LETTERS"),
    Column::number("ARRIVED"),
    Column::number("BEFORE"),
    Column::text("TREND"),
    Column::text("CATEGORY").from(100),
    Column::text("DESTINATION").cut(11).from(140),
    Column::text("LAST").from(120),
    Column::text("ERROR").cut(10),
];

/// A line of `--output json`.
#[derive(Debug, Serialize)]
pub(super) struct GroupLine<'g> {
    queue_name: &'g str,
    fingerprint: &'g str,
    count: i64,
    pending: i64,
    retrying: i64,
    exhausted: i64,
    completed: i64,
    archived: i64,
    first_seen: Option<Timestamp>,
    last_seen: Option<Timestamp>,
    arrived: Option<i64>,
    arrived_before: Option<i64>,
    is_new: Option<bool>,
    sample_id: Option<&'g str>,
    sample_error: Option<&'g str>,
    category: Option<&'g str>,
    destination: Option<&'g str>,
}

impl<'g> GroupLine<'g> {
    pub(super) fn new(queue_name: &'g str, group: &'g LetterGroup) -> Self {
        let counts = group.status_breakdown.unwrap_or_default();
        let StatusBreakdown { pending, retrying, exhausted, completed, archived } = counts;
        let sample = |field: fn(&GroupSample) -> &str| group.sample.as_ref().and_then(|sample| given(field(sample)));
        Self {
            queue_name,
            fingerprint: &group.fingerprint,
            count: group.count,
            pending,
            retrying,
            exhausted,
            completed,
            archived,
            first_seen: group.first_seen,
            last_seen: group.last_seen,
            arrived: group.arrived,
            arrived_before: group.arrived_before,
            is_new: group.arrived.map(|_| group.is_new),
            sample_id: sample(|sample| &sample.id),
            sample_error: sample(|sample| &sample.error),
            category: sample(|sample| &sample.category),
            destination: sample(|sample| &sample.destination),
        }
    }
}

/// A row of the columns, for an output of this width.
pub(super) fn row(
    group: &LetterGroup,
    columns: &[Column],
    now: Option<Timestamp>,
    width: Option<usize>,
) -> Vec<String> {
    columns.iter().map(|column| cell(group, column.name, now, width)).collect()
}

fn cell(group: &LetterGroup, column: &str, now: Option<Timestamp>, width: Option<usize>) -> String {
    let sample = |field: fn(&GroupSample) -> &str| or_dash(group.sample.as_ref().map_or("", field)).to_owned();
    match column {
        "GROUP" => {
            let is_short = width.is_some_and(|width| width < WIDE);
            group.fingerprint.chars().take(if is_short { SHORT } else { usize::MAX }).collect()
        }
        "QUEUE" => group.queue_name.clone(),
        "LETTERS" => group.count.to_string(),
        "STATUSES" => status_counts(&group.status_breakdown.unwrap_or_default()),
        "ARRIVED" => group.arrived.unwrap_or_default().to_string(),
        "BEFORE" => group.arrived_before.unwrap_or_default().to_string(),
        "TREND" => trend(group).to_owned(),
        "CATEGORY" => sample(|sample| &sample.category),
        "DESTINATION" => sample(|sample| &sample.destination),
        "FIRST" => relative(group.first_seen, now),
        "LAST" => relative(group.last_seen, now),
        _ => sample(|sample| &sample.error),
    }
}

/// How the arrivals compare with those of the time before.
fn trend(group: &LetterGroup) -> &'static str {
    match group.arrived.cmp(&group.arrived_before) {
        _ if group.is_new => "new",
        std::cmp::Ordering::Greater => "up",
        std::cmp::Ordering::Equal => "same",
        std::cmp::Ordering::Less => "down",
    }
}
