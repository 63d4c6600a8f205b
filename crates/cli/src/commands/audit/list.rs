//! `redrive audit list`.

use anyhow::Result;

use super::audit_line::{AuditLine, HEADER, row};
use super::audit_pages::AuditPages;
use super::filter_options::FilterOptions;
use crate::commands::identity::note_others;
use crate::console::{Format, Lines, say};
use crate::session::Session;
use crate::values::at_least;

/// The default limit of a table. JSON output has no limit.
const TABLE_LIMIT: usize = 50;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive audit list --since 24h --actor ann
  redrive audit list --queue orders-dead --action letters.purge --output json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    filter: FilterOptions,
    /// List the oldest records first.
    #[arg(long)]
    oldest_first: bool,
    /// Maximum records to list [default: 50 in a table, no limit in JSON].
    #[arg(short, long, value_name = "COUNT", value_parser = at_least(1_u32))]
    limit: Option<u32>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let default = if session.format == Format::Table { TABLE_LIMIT } else { usize::MAX };
    let limit = arguments.limit.map_or(default, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let mut request = arguments.filter.request(session);
    request.oldest_first = arguments.oldest_first;
    let mut pages = AuditPages::new(session, request, limit);
    let mut lines = Lines::new(session.format, HEADER);
    while let Some(page) = pages.next().await? {
        page.iter().try_for_each(|record| lines.push(|| row(record), &AuditLine::from(record)))?;
    }
    lines.finish()?;
    let namespace = arguments.filter.namespace(session);
    if !namespace.is_empty() {
        note_others(session, &namespace, "audit.read").await?;
    }
    if session.format == Format::Table && !pages.is_over() {
        say(format_args!("there may be more; list more with --limit, or fewer with a filter"));
    }
    Ok(())
}
