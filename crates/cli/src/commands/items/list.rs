//! `redrive items list`.

use std::io::Write;

use anyhow::Result;

use super::item_line::{HEADER, ItemLine, State, row};
use super::pages::{ItemList, Page, Pages};
use crate::console::{Format, Rows};
use crate::session::Session;
use crate::values::at_least;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive items list orders --limit 20
  redrive items list orders --state leased --json")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Only items of this partition.
    #[arg(long, value_name = "NUMBER", value_parser = at_least(0))]
    partition: Option<i32>,
    /// Only items in this state.
    #[arg(long)]
    state: Option<State>,
    /// Maximum items to list [default: no limit].
    #[arg(long, value_name = "COUNT", value_parser = at_least(1_usize))]
    limit: Option<usize>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let lists: &[ItemList] = match arguments.state {
        None => &[ItemList::Items, ItemList::Scheduled, ItemList::Damaged],
        Some(State::Ready | State::Leased) => &[ItemList::Items],
        Some(State::Scheduled) => &[ItemList::Scheduled],
        Some(State::Damaged) => &[ItemList::Damaged],
    };
    let pages = Pages::new(session, &arguments.queue, arguments.partition, lists).await?;
    let mut pages = FilteredPages { pages, state: arguments.state, left: arguments.limit.unwrap_or(usize::MAX) };
    let mut out = session.out();
    match session.format {
        Format::Json => {
            while let Some(page) = pages.next().await? {
                for item in page.items {
                    writeln!(out, "{}", serde_json::to_string(&ItemLine::new(page.list, item))?)?;
                }
            }
        }
        Format::Table => {
            let mut rows = Rows::new(&mut out, HEADER);
            while let Some(page) = pages.next().await? {
                page.items.iter().try_for_each(|item| rows.push(row(page.list, item)))?;
            }
            rows.finish()?;
        }
    }
    Ok(out.flush()?)
}

/// Pages with items of one state, up to the limit.
struct FilteredPages<'s> {
    pages: Pages<'s>,
    state: Option<State>,
    left: usize,
}

impl FilteredPages<'_> {
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
