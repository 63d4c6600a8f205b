//! The pages of a list that continues from its last entry.

use anyhow::Result;
use futures_util::future::LocalBoxFuture;
use redrive_client::ClientError;

use crate::console::{Align, Lines};
use crate::session::Session;

/// The entries of a page.
pub(in crate::commands) const PAGE: i32 = 1_000;

/// A page that is being read.
type Fetched<'s, T> = LocalBoxFuture<'s, Result<Vec<T>, ClientError>>;

/// Reads a list page by page. A page begins with the last entry of the one before, which is skipped.
pub(in crate::commands) struct PivotPages<'s, T> {
    session: &'s Session,
    fetch: Box<dyn Fn(String) -> Fetched<'s, T> + 's>,
    key: fn(&T) -> &str,
    last: String,
    is_over: bool,
}

impl<'s, T> PivotPages<'s, T> {
    /// `fetch` reads the page from an entry on, the first page from the empty key on; `key` names an entry.
    pub(in crate::commands) fn new(
        session: &'s Session,
        key: fn(&T) -> &str,
        fetch: impl Fn(String) -> Fetched<'s, T> + 's,
    ) -> Self {
        Self { session, fetch: Box::new(fetch), key, last: String::new(), is_over: false }
    }

    /// The next page; `None` at the end.
    pub(in crate::commands) async fn next(&mut self) -> Result<Option<Vec<T>>> {
        if self.is_over {
            return Ok(None);
        }
        let page = self.session.call((self.fetch)(self.last.clone())).await?;
        Ok(self.new_entries(page))
    }

    /// Like [`next`](Self::next); a list that the caller may not read is empty.
    pub(in crate::commands) async fn next_if_allowed(&mut self) -> Result<Option<Vec<T>>> {
        if self.is_over {
            return Ok(None);
        }
        let page = self.session.call_if_allowed((self.fetch)(self.last.clone())).await?;
        Ok(self.new_entries(page.unwrap_or_default()))
    }

    /// The entries of a page that were not in the one before; `None` if there are none.
    fn new_entries(&mut self, mut page: Vec<T>) -> Option<Vec<T>> {
        page.retain(|entry| (self.key)(entry) != self.last);
        // A page may be shorter than the limit without being the last one.
        self.is_over = page.is_empty();
        if let Some(last) = page.last() {
            (self.key)(last).clone_into(&mut self.last);
        }
        (!self.is_over).then_some(page)
    }

    /// The first entry that matches.
    pub(in crate::commands) async fn find(mut self, matches: impl Fn(&T) -> bool) -> Result<Option<T>> {
        while let Some(page) = self.next().await? {
            if let Some(found) = page.into_iter().find(&matches) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Prints all entries.
    pub(in crate::commands) async fn print(
        self,
        header: &'static [(&'static str, Align)],
        push: impl Fn(&mut Lines, &T) -> Result<()>,
    ) -> Result<()> {
        let mut lines = Lines::new(self.session.format, header);
        self.push_to(&mut lines, push).await?;
        lines.finish()
    }

    /// Adds all entries to a list.
    pub(in crate::commands) async fn push_to(
        mut self,
        lines: &mut Lines,
        push: impl Fn(&mut Lines, &T) -> Result<()>,
    ) -> Result<()> {
        while let Some(page) = self.next().await? {
            page.iter().try_for_each(|entry| push(lines, entry))?;
        }
        Ok(())
    }
}
