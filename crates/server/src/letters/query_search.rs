//! A search for letters by the words of a query, in the search index.

use redrive_core::LetterId;
use redrive_model::{FullLetter, LetterOrder};
use redrive_search::{Order, Query};

use super::letter_search::{BATCH, LetterSearch, ListedLetter, ListedPage, READS_MAX};
use super::list_position::ListPosition;
use super::view;
use crate::api_error::ApiError;
use crate::search::{index, search_error};

impl LetterSearch<'_> {
    /// Like [`page`](Self::page) for the letters that match a query of the search index. The index may be slightly
    /// behind: whether a letter exists, and its current state, is read from the store. That a letter contains the words
    /// is not checked again.
    pub(super) async fn page_of_query(
        &self,
        words: &str,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<ListedPage, ApiError> {
        let index = index(self.ctx)?.projection.search();
        let order = match self.order {
            LetterOrder::NewestFirst => Order::ByIdDescending,
            LetterOrder::OldestFirst | LetterOrder::DueFirst | LetterOrder::DueLast => Order::ById,
        };
        let mut after = self.begin_of_query(after.and_then(ListPosition::letter), order);
        let mut budget = READS_MAX;
        let mut page = ListedPage::default();
        loop {
            let query = Query {
                text: words.to_owned(),
                queue: Some(self.queue.clone()),
                statuses: self.statuses.clone(),
                cursor: after.map(|after| after.to_string()),
                limit: BATCH.min(budget),
                order,
            };
            let hits = index.find(&query).await.map_err(search_error)?;
            budget -= hits.letters.len();
            for (_, letter) in hits.letters {
                // In either order, no later letter was captured in time.
                if !self.captured.contains(letter) {
                    return Ok(page);
                }
                after = Some(letter);
                tokio::task::yield_now().await;
                if let Some(mut record) = self.record(letter).await? {
                    record.info = view::planned(record.info, self.has_target);
                    if !self.matches_record(&record)? {
                        continue;
                    }
                    let last_error = Some(record.last_error().to_owned());
                    page.letters.push(ListedLetter { info: record.info, last_error });
                }
                if page.letters.len() == limit {
                    page.next = after.map(ListPosition::Letter);
                    return Ok(page);
                }
            }
            if hits.cursor.is_none() {
                return Ok(page);
            }
            if budget == 0 {
                page.next = after.map(ListPosition::Letter);
                return Ok(page);
            }
        }
    }

    /// Where a query begins: after the page before, and with the first letter that was captured in time.
    fn begin_of_query(&self, after: Option<LetterId>, order: Order) -> Option<LetterId> {
        match order {
            Order::ByIdDescending => {
                let up_to = self.captured.up_to().map(|up_to| up_to.unwrap_or(LetterId::new(redrive_core::Ksuid::MIN)));
                up_to.into_iter().chain(after).min()
            }
            Order::ById | Order::Newest => self.captured.above().max(after),
        }
    }

    /// Whether a letter matches in its current state.
    fn matches_record(&self, record: &FullLetter) -> Result<bool, ApiError> {
        let info = &record.info;
        let status = info.letter.as_ref().map(|letter| letter.status);
        let is_of_status = self.statuses.is_empty() || status.is_some_and(|status| self.statuses.contains(&status));
        match &self.filter {
            Some(filter) if is_of_status => filter.holds(self.now, info, Some(record)),
            _ => Ok(is_of_status),
        }
    }
}
