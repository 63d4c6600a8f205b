//! `redrive letters groups`.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{LetterGroup, LettersGroupsRequest};
use serde::Serialize;

use super::letter_line::time;
use crate::console::{Align, Format, Rows};
use crate::session::Session;

/// The maximum page size of the server.
const PAGE: i32 = 1_000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters groups orders-dead
  redrive letters list orders-dead --filter \"fingerprint == '2b0f…'\"")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
}

const HEADER: &[(&str, Align)] = &[
    ("FINGERPRINT", Align::Text),
    ("LETTERS", Align::Number),
    ("FIRST SEEN", Align::Text),
    ("LAST SEEN", Align::Text),
];

/// A line of `--output json`.
#[derive(Debug, Serialize)]
struct GroupLine<'g> {
    queue_name: &'g str,
    fingerprint: &'g str,
    count: i64,
    first_seen: Option<Timestamp>,
    last_seen: Option<Timestamp>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let mut pages = Pages { session, queue_name: &arguments.queue, after: Some(String::new()) };
    let mut out = session.out();
    match session.format {
        Format::Json => {
            while let Some(page) = pages.next().await? {
                for group in &page {
                    writeln!(out, "{}", serde_json::to_string(&line(&arguments.queue, group))?)?;
                }
            }
        }
        Format::Table => {
            let mut rows = Rows::new(&mut out, HEADER);
            while let Some(page) = pages.next().await? {
                page.iter().try_for_each(|group| rows.push(row(group)))?;
            }
            rows.finish()?;
        }
    }
    Ok(out.flush()?)
}

struct Pages<'s> {
    session: &'s Session,
    queue_name: &'s str,
    /// The start of the next page; `None` after the last page.
    after: Option<String>,
}

impl Pages<'_> {
    async fn next(&mut self) -> Result<Option<Vec<LetterGroup>>> {
        let Some(after) = self.after.take() else { return Ok(None) };
        let request = LettersGroupsRequest { queue_name: self.queue_name.to_owned(), after, limit: PAGE };
        let page = self.session.call(self.session.client.letter_groups(&request)).await?;
        self.after = Some(page.next).filter(|next| !next.is_empty());
        Ok(Some(page.groups))
    }
}

fn line<'g>(queue_name: &'g str, group: &'g LetterGroup) -> GroupLine<'g> {
    let LetterGroup { fingerprint, count, first_seen, last_seen } = group;
    GroupLine { queue_name, fingerprint, count: *count, first_seen: *first_seen, last_seen: *last_seen }
}

fn row(group: &LetterGroup) -> Vec<String> {
    vec![group.fingerprint.clone(), group.count.to_string(), time(group.first_seen), time(group.last_seen)]
}
