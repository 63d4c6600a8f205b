//! `redrive letters groups`.

use std::cmp::Reverse;
use std::io::Write;

use anyhow::Result;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{LetterGroup, LettersGroupsRequest, LettersGroupsResponse};
use redrive_core::Status;

use super::group::before;
use super::group_line::{COLUMNS, COUNTED_COLUMNS, GroupLine, TREND_COLUMNS, row};
use crate::console::{Column, FittedRows, Format, counted, output_width, say};
use crate::session::Session;
use crate::values::{at_least, parse_filter, parse_time_or_age};

/// The maximum page size of the server.
const PAGE: usize = 1_000;
/// Concurrent requests for samples.
const CONCURRENT_MAX: usize = 8;
/// The default limit of a table.
const TABLE_LIMIT: u32 = 50;

#[derive(clap::Args)]
#[command(
    after_help = "A group has the letters of a queue whose failures have the same fingerprint. A table begins with the
largest groups; JSON output of one queue has all groups, in the order of their fingerprints.

With --since, ARRIVED are the letters that arrived since, in any status, and BEFORE those of the time of the same length
before; a group without an earlier letter is new. Without QUEUE, and with --since, --status or --filter, the server
examines up to 100000 letters, or 5000 if the filter reads from disk, and lists the largest 1000 groups. The command says
so if there are more.

Examples:
  redrive letters groups --since 1h
  redrive letters groups orders-dead --limit 5
  redrive letters groups orders-dead --since 15m --filter \"category == 'network'\"
  redrive letters list orders-dead --group 489d256cf7c4
  redrive letters retry orders-dead --group 489d256cf7c4 --yes --reason 'the bank is back'"
)]
pub(crate) struct Arguments {
    /// Queue name [default: all queues whose letters the API key may read].
    queue: Option<String>,
    /// Without QUEUE: only queues of this namespace [default: that of the context, else all].
    #[arg(long, value_name = "NAME", conflicts_with = "queue")]
    namespace: Option<String>,
    /// Only letters captured at this time or later: a time, as in 2026-11-15T12:00:00Z, or how long ago it is by the clock
    /// of the server, as in 2h or 3d.
    #[arg(long, value_name = "TIME", value_parser = parse_time_or_age)]
    since: Option<String>,
    /// Only letters with these statuses: pending, retrying, exhausted, completed, archived [default: the live ones].
    #[arg(short, long, value_name = "STATUS", value_delimiter = ',')]
    status: Vec<Status>,
    /// Only letters that match this CEL condition over their fields; docs/letters.md lists the fields.
    #[arg(long, value_name = "CEL", default_value = "", hide_default_value = true, value_parser = parse_filter)]
    filter: String,
    /// Maximum groups to list [default: 50 in a table, no limit in JSON].
    #[arg(short, long, value_name = "COUNT", value_parser = at_least(1_u32))]
    limit: Option<u32>,
}

impl Arguments {
    fn limit(&self, default: usize) -> usize {
        self.limit.map_or(default, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
    }

    /// The name of the queue, if the server has counted the letters that are asked for.
    fn stored(&self) -> Option<&str> {
        let is_stored = self.since.is_none() && self.status.is_empty() && self.filter.trim().is_empty();
        self.queue.as_deref().filter(|_| is_stored)
    }
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Some(queue_name) = arguments.stored() else { return run_counted(arguments, session).await };
    let mut pages = Pages { session, queue_name, after: Some(String::new()), now: None };
    match session.format {
        Format::Json => {
            let mut left = arguments.limit(usize::MAX);
            let mut out = session.out();
            while left > 0
                && let Some(page) = pages.next(left, true).await?
            {
                for group in &page {
                    writeln!(out, "{}", serde_json::to_string(&GroupLine::new(queue_name, group))?)?;
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
            groups.truncate(arguments.limit(usize::try_from(TABLE_LIMIT)?));
            print(&pages.with_samples(groups).await?, COLUMNS, pages.now, session)?;
            say(summary(arguments.limit(usize::try_from(TABLE_LIMIT)?), totals, "live letter"));
            Ok(())
        }
    }
}

/// Lists groups of letters that the server counts for this call.
async fn run_counted(arguments: &Arguments, session: &Session) -> Result<()> {
    let default = if session.format == Format::Table { usize::try_from(TABLE_LIMIT)? } else { PAGE };
    let request = LettersGroupsRequest {
        queue_name: arguments.queue.clone().unwrap_or_default(),
        all_queues: arguments.queue.is_none(),
        namespace: match arguments.queue {
            Some(_) => String::new(),
            None => session.namespace_or(arguments.namespace.as_deref()),
        },
        since: arguments.since.clone().unwrap_or_default(),
        statuses: arguments.status.iter().map(ToString::to_string).collect(),
        filter: arguments.filter.clone(),
        limit: i32::try_from(arguments.limit(default).min(PAGE))?,
        samples: true,
        ..LettersGroupsRequest::default()
    };
    let answer = session.call(session.client.letter_groups(&request)).await?;
    let total = usize::try_from(answer.groups_total.unwrap_or_default())?;
    match session.format {
        Format::Json => {
            let mut out = session.out();
            for group in &answer.groups {
                writeln!(out, "{}", serde_json::to_string(&GroupLine::new(&group.queue_name, group))?)?;
            }
            out.flush()?;
            if total > answer.groups.len() {
                say(format_args!("the largest {} of {total} groups", answer.groups.len()));
            }
        }
        Format::Table => {
            let columns = if answer.since.is_some() { TREND_COLUMNS } else { COUNTED_COLUMNS };
            print(&answer.groups, columns, answer.now, session)?;
            let letters = if arguments.status.is_empty() { "live letter" } else { "letter" };
            let totals = (total, answer.letters_total.unwrap_or_default());
            say(summary(arguments.limit(default).min(PAGE), totals, letters));
        }
    }
    if answer.is_cut {
        say(
            "the counts are too low: the server has examined as many letters as it does for one call, the newest first; \
             name a queue, or a shorter time with --since",
        );
    }
    Ok(())
}

fn print(groups: &[LetterGroup], columns: &'static [Column], now: Option<Timestamp>, session: &Session) -> Result<()> {
    let width = output_width();
    let mut out = session.out();
    let mut rows = FittedRows::new(&mut out, columns, width);
    groups.iter().try_for_each(|group| rows.push(row(group, columns, now, width)))?;
    rows.finish()?;
    Ok(out.flush()?)
}

/// How many groups there are, and of how many letters.
fn summary(shown: usize, (all, letters): (usize, i64), letter: &str) -> String {
    let of_letters = counted(letters.unsigned_abs(), letter);
    match all {
        1 => format!("1 group of {of_letters}"),
        all if all <= shown => format!("{all} groups of {of_letters}"),
        all => format!("the largest {shown} of {all} groups of {of_letters}; list more with --limit COUNT"),
    }
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
        let request = LettersGroupsRequest { queue_name, after, limit, samples, ..LettersGroupsRequest::default() };
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
