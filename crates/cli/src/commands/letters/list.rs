//! `redrive letters list`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersListRequest;
use redrive_core::Status;

use super::group::GroupOption;
use super::letter_line::{COLUMNS, COLUMNS_BY_DUE, ListLine, row};
use super::letter_pages::LetterPages;
use crate::console::{Format, Lines, counted, letters, say};
use crate::session::Session;
use crate::values::{at_least, parse_filter, parse_time_or_age};

/// The default limit of a table. JSON output has no limit.
const TABLE_LIMIT: usize = 50;

#[derive(clap::Args)]
#[command(
    after_help = "Live letters are pending, retrying or exhausted. --since and --until are about the time of capture;
a filter can select by other times: \"last_failed_at > now() - duration('2h')\".

Examples:
  redrive letters list orders-dead
  redrive letters list orders-dead --since 2h --status exhausted --limit 200
  redrive letters list orders-dead --sort due --filter \"category == 'network' && retry_count >= 2\"
  redrive letters list orders-dead --group 489d256cf7c4 --all
  redrive letters list orders-dead -s exhausted -j | redrive letters archive orders-dead -"
)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Only letters with these statuses: pending, retrying, exhausted, completed, archived [default: the live ones].
    #[arg(short, long, value_name = "STATUS", value_delimiter = ',')]
    status: Vec<Status>,
    /// Completed and archived letters, too.
    #[arg(short, long, conflicts_with = "status")]
    all: bool,
    /// Only letters captured at this time or later: a time, as in 2026-11-15T12:00:00Z, or how long ago it is by the clock
    /// of the server, as in 2h or 3d.
    #[arg(long, value_name = "TIME", value_parser = parse_time_or_age)]
    since: Option<String>,
    /// Only letters captured before this time.
    #[arg(long, value_name = "TIME", value_parser = parse_time_or_age)]
    until: Option<String>,
    /// Order: id or -id for the oldest or the newest first, due or -due for the next or the last retry first.
    #[arg(long, value_name = "ORDER", default_value = "-id", allow_hyphen_values = true,
        value_parser = ["id", "-id", "due", "-due"])]
    sort: String,
    /// Only letters that match this CEL condition over their fields; docs/letters.md lists the fields.
    #[arg(long, value_name = "CEL", default_value = "", hide_default_value = true, value_parser = parse_filter)]
    filter: String,
    #[command(flatten)]
    group: GroupOption,
    /// Only letters whose error, names or metadata contain these words. -word excludes a word, "two words" is a phrase,
    /// wor* is a prefix. Requires a search index on the server.
    #[arg(
        short,
        long,
        value_name = "WORDS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    query: String,
    /// Maximum letters to list [default: 50 in a table, no limit in JSON].
    #[arg(short, long, value_name = "COUNT", value_parser = at_least(1_u32))]
    limit: Option<u32>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let default = if session.format == Format::Table { TABLE_LIMIT } else { usize::MAX };
    let limit = arguments.limit.map_or(default, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let statuses = arguments.statuses();
    let request = LettersListRequest {
        queue_name: arguments.queue.clone(),
        statuses: statuses.iter().map(ToString::to_string).collect(),
        filter: arguments.group.narrow(&arguments.filter, &arguments.queue, session).await?,
        query: arguments.query.clone(),
        sort: arguments.sort.clone(),
        since: arguments.since.clone().unwrap_or_default(),
        until: arguments.until.clone().unwrap_or_default(),
        errors: true,
        ..LettersListRequest::default()
    };
    let mut pages = LetterPages::new(session, request, limit);
    let columns = if arguments.sort.ends_with("due") { COLUMNS_BY_DUE } else { COLUMNS };
    let mut lines = Lines::fitted(session.format, columns);
    while let Some(page) = pages.next().await? {
        page.iter().try_for_each(|letter| lines.push(|| row(letter, pages.now), &ListLine::from(letter)))?;
        // A selective filter may take long between two matches, so each page is printed at once.
        lines.flush()?;
    }
    lines.finish()?;
    if session.format == Format::Table {
        say(summary(&pages, arguments.is_live_only()));
    }
    Ok(())
}

impl Arguments {
    /// Whether the statuses of the list are not chosen by the user.
    const fn is_live_only(&self) -> bool {
        self.status.is_empty() && !self.all
    }

    fn statuses(&self) -> Vec<Status> {
        if self.is_live_only() {
            return Status::ALL.iter().copied().filter(|status| status.is_live()).collect();
        }
        self.status.clone()
    }
}

/// How many letters are listed, and of how many.
fn summary(pages: &LetterPages<'_>, is_live_only: bool) -> String {
    let kind = if is_live_only { "live " } else { "" };
    let some = |count| counted(count, &format!("{kind}letter"));
    match pages.total.filter(|_| !pages.is_over) {
        _ if pages.is_over && pages.listed == 0 && is_live_only => {
            "no live letters; include completed and archived ones with --all".to_owned()
        }
        _ if pages.is_over => some(pages.listed),
        Some(total) => format!("{} of {}; list more with --limit COUNT", pages.listed, some(total)),
        None => format!("the first {}; list more with --limit COUNT", letters(pages.listed)),
    }
}
