//! The pages of a list that continues from its last entry.

use anyhow::Result;

/// The entries of a page.
pub(in crate::commands) const PAGE: i32 = 1_000;

/// Reads a list page by page. A page begins with the last entry of the one before, which is skipped.
pub(in crate::commands) struct PivotPages<T, F> {
    fetch: F,
    key: fn(&T) -> &str,
    last: String,
    is_over: bool,
}

impl<T, F: AsyncFn(String) -> Result<Vec<T>>> PivotPages<T, F> {
    /// `fetch` reads the page from an entry on, the first page from the empty key on; `key` names an entry.
    pub(in crate::commands) const fn new(key: fn(&T) -> &str, fetch: F) -> Self {
        Self { fetch, key, last: String::new(), is_over: false }
    }

    /// The next page; `None` at the end.
    pub(in crate::commands) async fn next(&mut self) -> Result<Option<Vec<T>>> {
        if self.is_over {
            return Ok(None);
        }
        let mut page = (self.fetch)(self.last.clone()).await?;
        page.retain(|entry| (self.key)(entry) != self.last);
        // A page may be shorter than the limit without being the last one.
        self.is_over = page.is_empty();
        if let Some(last) = page.last() {
            (self.key)(last).clone_into(&mut self.last);
        }
        Ok((!self.is_over).then_some(page))
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
}
