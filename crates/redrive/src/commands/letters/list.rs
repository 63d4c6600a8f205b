//! `redrive letters list`.

use std::io::Write;

use anyhow::Result;
use redrive_client::Letters;
use redrive_client::proto::redrive::v1::{Letter, LettersListRequest};
use redrive_core::Status;

use super::letter_line::{HEADER, LetterLine, row};
use crate::console::{Format, Rows, say};
use crate::session::Session;

/// A server gives no longer pages.
const PAGE_MAX: usize = 1_000;
/// What fits on a screen or two; a program wants all.
const TABLE_LIMIT: usize = 50;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters list orders-dead --status pending,exhausted --limit 200
  redrive letters list orders-dead --filter \"category == 'network' && retry_count >= 2\"
  redrive letters list orders-dead --query 'connection reset'
  redrive letters list orders-dead -s exhausted --output json | redrive letters archive orders-dead -")]
pub(crate) struct Arguments {
    queue: String,
    /// In one of these states: pending, retrying, exhausted, completed, archived.
    #[arg(short, long, value_name = "STATUS", value_delimiter = ',')]
    status: Vec<Status>,
    /// A condition in CEL over the fields of a letter; docs/letters.md has them.
    #[arg(long, value_name = "CEL", default_value = "", hide_default_value = true)]
    filter: String,
    /// Words that letters have in their error, names or metadata; the server needs an index of letters. `-word` must not be
    /// there, `"two words"` stand side by side, `wor*` begins so.
    #[arg(
        short,
        long,
        value_name = "WORDS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    query: String,
    /// So many at most [default: 50 in a table, all as JSON].
    #[arg(short, long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let usual = if session.format == Format::Table { TABLE_LIMIT } else { usize::MAX };
    let limit = arguments.limit.map_or(usual, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let request = LettersListRequest {
        statuses: arguments.status.iter().map(ToString::to_string).collect(),
        filter: arguments.filter.clone(),
        query: arguments.query.clone(),
        ..LettersListRequest::default()
    };
    let letters = session.client.letters(&arguments.queue);
    let mut pages = Pages { session, letters, request, left: limit, is_over: false };
    let mut out = session.out();
    match session.format {
        Format::Json => {
            while let Some(page) = pages.next().await? {
                for letter in &page {
                    writeln!(out, "{}", serde_json::to_string(&LetterLine::from(letter))?)?;
                }
                // A filter that finds little must not keep what it found to itself.
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
        say(format_args!("these are the first {limit}, and there may be more: --limit COUNT shows them"));
    }
    Ok(())
}

/// Letters, a page at a time, until there are enough.
struct Pages<'s> {
    session: &'s Session,
    letters: Letters,
    request: LettersListRequest,
    left: usize,
    is_over: bool,
}

impl Pages<'_> {
    /// A page may be empty, and not be the last.
    async fn next(&mut self) -> Result<Option<Vec<Letter>>> {
        if self.is_over || self.left == 0 {
            return Ok(None);
        }
        self.request.limit = i32::try_from(self.left.min(PAGE_MAX))?;
        let mut page = self.session.ask(self.letters.list(self.request.clone())).await?;
        self.is_over = page.next.is_empty();
        self.request.after = page.next;
        page.letters.truncate(self.left);
        self.left -= page.letters.len();
        Ok(Some(page.letters))
    }
}
