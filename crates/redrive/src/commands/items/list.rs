//! `redrive items list`.

use std::io::Write;

use anyhow::Result;

use super::item_line::{HEADER, ItemLine, State, row};
use super::pages::{Page, Pages, Which};
use crate::console::{Format, Rows};
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    queue: String,
    /// Of one partition.
    #[arg(long, value_name = "NUMBER")]
    partition: Option<i32>,
    /// In one state.
    #[arg(long)]
    state: Option<State>,
    /// So many at most.
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let which: &[Which] = match arguments.state {
        None => &[Which::Items, Which::Scheduled, Which::Damaged],
        Some(State::Ready | State::Leased) => &[Which::Items],
        Some(State::Scheduled) => &[Which::Scheduled],
        Some(State::Damaged) => &[Which::Damaged],
    };
    let pages = Pages::new(session, &arguments.queue, arguments.partition, which).await?;
    let mut wanted = Wanted { pages, state: arguments.state, left: arguments.limit.unwrap_or(usize::MAX) };
    let mut out = session.out();
    match session.format {
        Format::Json => {
            while let Some(page) = wanted.next().await? {
                for item in page.items {
                    writeln!(out, "{}", serde_json::to_string(&ItemLine::new(page.list, item))?)?;
                }
            }
        }
        Format::Table => {
            let mut rows = Rows::new(&mut out, HEADER);
            while let Some(page) = wanted.next().await? {
                page.items.iter().try_for_each(|item| rows.push(row(page.list, item)))?;
            }
            rows.finish()?;
        }
    }
    Ok(out.flush()?)
}

/// Pages without what was not asked for.
struct Wanted<'s> {
    pages: Pages<'s>,
    state: Option<State>,
    left: usize,
}

impl Wanted<'_> {
    async fn next(&mut self) -> Result<Option<Page>> {
        if self.left == 0 {
            return Ok(None);
        }
        let Some(mut page) = self.pages.next().await? else { return Ok(None) };
        page.items.retain(|item| self.state.is_none_or(|state| state == State::of(item, page.list.1)));
        page.items.truncate(self.left);
        self.left -= page.items.len();
        Ok(Some(page))
    }
}
