//! `redrive letters list`.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{Letter, LettersListRequest};
use redrive_core::Status;

use super::letter_line::{HEADER, LetterLine, row};
use crate::console::{Format, Rows, say};
use crate::session::Session;

/// The maximum page size of the server.
const PAGE_MAX: usize = 1_000;
/// The default limit of a table. JSON output has no limit.
const TABLE_LIMIT: usize = 50;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters list orders-dead --status pending,exhausted --limit 200
  redrive letters list orders-dead --filter \"category == 'network' && retry_count >= 2\"
  redrive letters list orders-dead --query 'connection reset'
  redrive letters list orders-dead -s exhausted --output json | redrive letters archive orders-dead -")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Only letters with these statuses: pending, retrying, exhausted, completed, archived.
    #[arg(short, long, value_name = "STATUS", value_delimiter = ',')]
    status: Vec<Status>,
    /// Only letters that match this CEL condition over their fields; docs/letters.md lists the fields.
    #[arg(long, value_name = "CEL", default_value = "", hide_default_value = true)]
    filter: String,
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
    #[arg(short, long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let default = if session.format == Format::Table { TABLE_LIMIT } else { usize::MAX };
    let limit = arguments.limit.map_or(default, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let request = LettersListRequest {
        queue_name: arguments.queue.clone(),
        statuses: arguments.status.iter().map(ToString::to_string).collect(),
        filter: arguments.filter.clone(),
        query: arguments.query.clone(),
        ..LettersListRequest::default()
    };
    let mut pages = Pages { session, request, left: limit, is_over: false };
    let mut out = session.out();
    match session.format {
        Format::Json => {
            while let Some(page) = pages.next().await? {
                for letter in &page {
                    writeln!(out, "{}", serde_json::to_string(&LetterLine::from(letter))?)?;
                }
                // A selective filter may take long between two matches, so each page is printed at once.
                out.flush()?;
            }
        }
        Format::Table => {
            let mut rows = Rows::new(&mut out, HEADER);
            while let Some(page) = pages.next().await? {
                page.iter().try_for_each(|letter| rows.push(row(letter)))?;
            }
            rows.finish()?;
        }
    }
    out.flush()?;
    if session.format == Format::Table && !pages.is_over {
        say(format_args!("only the first {limit} letters are listed; list more with --limit COUNT"));
    }
    Ok(())
}

/// The pages of the list, up to the limit.
struct Pages<'s> {
    session: &'s Session,
    request: LettersListRequest,
    left: usize,
    is_over: bool,
}

impl Pages<'_> {
    /// The next page. It may be empty without being the last.
    async fn next(&mut self) -> Result<Option<Vec<Letter>>> {
        if self.is_over || self.left == 0 {
            return Ok(None);
        }
        self.request.limit = i32::try_from(self.left.min(PAGE_MAX))?;
        let mut page = self.session.call(self.session.client.list_letters(&self.request)).await?;
        self.is_over = page.next.is_empty();
        self.request.after = page.next;
        page.letters.truncate(self.left);
        self.left -= page.letters.len();
        Ok(Some(page.letters))
    }
}
