//! `redrive letters groups`.

use std::cmp::Reverse;
use std::io::Write;

use anyhow::Result;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{
    GroupSample, LetterGroup, LettersGroupsRequest, LettersGroupsResponse, StatusBreakdown,
};
use serde::Serialize;

use super::group::before;
use super::status_counts::status_counts;
use crate::console::{Column, FittedRows, Format, counted, given, or_dash, output_width, relative, say};
use crate::session::Session;
use crate::values::at_least;

/// The maximum page size of the server.
const PAGE: usize = 1_000;
/// Concurrent requests for samples.
const CONCURRENT_MAX: usize = 8;
/// The default limit of a table. JSON output has no limit.
const TABLE_LIMIT: u32 = 50;
/// The digits of a fingerprint in a table that is narrower than [`WIDE`]. They are enough for `--group`.
const SHORT: usize = 12;
const WIDE: usize = 160;

#[derive(clap::Args)]
#[command(
    after_help = "A group has the live letters whose failures have the same fingerprint. A table begins with the largest
groups; JSON output has all groups, in the order of their fingerprints.

Examples:
  redrive letters groups orders-dead
  redrive letters groups orders-dead --limit 5
  redrive letters list orders-dead --group 489d256cf7c4
  redrive letters retry orders-dead --group 489d256cf7c4 --yes --reason 'the bank is back'"
)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Maximum groups to list [default: 50 in a table, no limit in JSON].
    #[arg(short, long, value_name = "COUNT", value_parser = at_least(1_u32))]
    limit: Option<u32>,
}

const COLUMNS: &[Column] = &[
    Column::text("GROUP"),
    Column::number("LETTERS"),
    Column::text("STATUSES").from(120),
    Column::text("CATEGORY"),
    Column::text("DESTINATION").cut(11).from(100),
    Column::text("FIRST").from(140),
    Column::text("LAST"),
    Column::text("ERROR").cut(10),
];

/// A line of `--output json`.
#[derive(Debug, Serialize)]
struct GroupLine<'g> {
    queue_name: &'g str,
    fingerprint: &'g str,
    count: i64,
    pending: i64,
    retrying: i64,
    exhausted: i64,
    first_seen: Option<Timestamp>,
    last_seen: Option<Timestamp>,
    sample_id: Option<&'g str>,
    sample_error: Option<&'g str>,
    category: Option<&'g str>,
    destination: Option<&'g str>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let mut pages = Pages { session, queue_name: &arguments.queue, after: Some(String::new()), now: None };
    let limit = |limit: u32| usize::try_from(limit).unwrap_or(usize::MAX);
    match session.format {
        Format::Json => {
            let mut left = arguments.limit.map_or(usize::MAX, limit);
            let mut out = session.out();
            while left > 0
                && let Some(page) = pages.next(left, true).await?
            {
                for group in &page {
                    writeln!(out, "{}", serde_json::to_string(&line(&arguments.queue, group))?)?;
                }
                left -= page.len().min(left);
            }
            Ok(out.flush()?)
        }
        Format::Table => {
            // The largest groups are known when all are: only then samples are read, and only theirs.
            let mut groups = Vec::new();
            while let Some(page) = pages.next(PAGE, false).await? {
                groups.extend(page);
            }
            let totals = (groups.len(), groups.iter().map(|group| group.count).sum());
            groups.sort_by_key(|group| Reverse(group.count));
            groups.truncate(limit(arguments.limit.unwrap_or(TABLE_LIMIT)));
            print(&pages.with_samples(groups).await?, totals, pages.now, session)
        }
    }
}

/// Prints groups, of which there are more: `totals` are the numbers of all groups and of their letters.
fn print(groups: &[LetterGroup], totals: (usize, i64), now: Option<Timestamp>, session: &Session) -> Result<()> {
    let (all, letters) = totals;
    let width = output_width();
    let mut out = session.out();
    let mut rows = FittedRows::new(&mut out, COLUMNS, width);
    let is_short = width.is_some_and(|width| width < WIDE);
    groups.iter().try_for_each(|group| rows.push(row(group, now, is_short)))?;
    rows.finish()?;
    out.flush()?;
    let of_letters = counted(letters.unsigned_abs(), "live letter");
    say(match (all, groups.len()) {
        (1, _) => format!("1 group of {of_letters}"),
        (all, shown) if shown == all => format!("{all} groups of {of_letters}"),
        (all, shown) => format!("the largest {shown} of {all} groups of {of_letters}; list more with --limit COUNT"),
    });
    Ok(())
}

struct Pages<'s> {
    session: &'s Session,
    queue_name: &'s str,
    /// The start of the next page; `None` after the last page.
    after: Option<String>,
    /// The time of the server.
    now: Option<Timestamp>,
}

impl Pages<'_> {
    /// The next groups, up to a number of them.
    async fn next(&mut self, most: usize, samples: bool) -> Result<Option<Vec<LetterGroup>>> {
        let Some(after) = self.after.take() else { return Ok(None) };
        let page = self.read(after, most.min(PAGE), samples).await?;
        self.after = Some(page.next).filter(|next| !next.is_empty());
        self.now = page.now;
        Ok(Some(page.groups))
    }

    async fn read(&self, after: String, limit: usize, samples: bool) -> Result<LettersGroupsResponse> {
        let (queue_name, limit) = (self.queue_name.to_owned(), i32::try_from(limit)?);
        let request = LettersGroupsRequest { queue_name, after, limit, samples };
        self.session.call(self.session.client.letter_groups(&request)).await
    }

    /// The groups as they are now, each with its sample. One whose letters are no longer live stays as it was.
    async fn with_samples(&self, groups: Vec<LetterGroup>) -> Result<Vec<LetterGroup>> {
        let read = stream::iter(groups).map(|group| async move {
            let found = self.read(before(&group.fingerprint), 1, true).await?.groups;
            let found = found.into_iter().find(|found| found.fingerprint == group.fingerprint);
            anyhow::Ok(found.unwrap_or(group))
        });
        read.buffered(CONCURRENT_MAX).try_collect().await
    }
}

fn line<'g>(queue_name: &'g str, group: &'g LetterGroup) -> GroupLine<'g> {
    let StatusBreakdown { pending, retrying, exhausted, .. } = group.status_breakdown.unwrap_or_default();
    let sample = |field: fn(&GroupSample) -> &str| group.sample.as_ref().and_then(|sample| given(field(sample)));
    GroupLine {
        queue_name,
        fingerprint: &group.fingerprint,
        count: group.count,
        pending,
        retrying,
        exhausted,
        first_seen: group.first_seen,
        last_seen: group.last_seen,
        sample_id: sample(|sample| &sample.id),
        sample_error: sample(|sample| &sample.error),
        category: sample(|sample| &sample.category),
        destination: sample(|sample| &sample.destination),
    }
}

fn row(group: &LetterGroup, now: Option<Timestamp>, is_short: bool) -> Vec<String> {
    let GroupSample { error, category, destination, .. } = group.sample.clone().unwrap_or_default();
    let digits = if is_short { SHORT.min(group.fingerprint.len()) } else { group.fingerprint.len() };
    vec![
        group.fingerprint.chars().take(digits).collect(),
        group.count.to_string(),
        status_counts(&group.status_breakdown.unwrap_or_default()),
        or_dash(&category).to_owned(),
        or_dash(&destination).to_owned(),
        relative(group.first_seen, now),
        relative(group.last_seen, now),
        or_dash(&error).to_owned(),
    ]
}
