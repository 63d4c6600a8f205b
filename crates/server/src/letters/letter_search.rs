//! A search for letters of one queue: by the store's indexes, a filter, and the words of a query.

use futures_util::{StreamExt, TryStreamExt};
use redrive_core::{LetterId, QueueName, Status, Time};
use redrive_model::{CaptureTimes, FindLetters, FoundLetters, FullLetter, GetLetter, ItemInfo, LetterOrder, Rejection};
use redrive_store::StoreError;

use super::fields::{letter_error, needs_reason};
use super::filter::Filter;
use super::list_position::ListPosition;
use super::view;
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::request_context::RequestContext;

/// Maximum number of letters that are examined for one page if the filter needs no reads from disk.
const EXAMINED_MAX: usize = 20_000;
/// Maximum number of letters that are read from disk for one page.
pub(super) const READS_MAX: usize = 2_000;
pub(super) const BATCH: usize = 500;
/// Maximum number of searches in the store for one page.
const SEARCHES_MAX: usize = 40;
/// Maximum number of concurrent reads from disk.
const CONCURRENT_MAX: usize = 16;

/// A search for letters of one queue.
#[derive(Debug)]
pub(super) struct LetterSearch<'d> {
    pub(super) ctx: &'d RequestContext,
    pub(super) queue: QueueName,
    pub(super) statuses: Vec<Status>,
    pub(super) filter: Option<Filter>,
    pub(super) captured: CaptureTimes,
    pub(super) order: LetterOrder,
    /// The time of the request, which is `now()` of its filter.
    pub(super) now: Time,
    /// Whether the letters of the queue are retried automatically.
    pub(super) has_target: bool,
}

/// A letter that was found.
#[derive(Debug)]
pub(super) struct ListedLetter {
    pub(super) info: ItemInfo,
    /// The error of its newest failure, if it was read.
    pub(super) last_error: Option<String>,
}

/// A page of a search.
#[derive(Debug, Default)]
pub(super) struct ListedPage {
    pub(super) letters: Vec<ListedLetter>,
    /// Where to continue if there may be more.
    pub(super) next: Option<ListPosition>,
    /// The number of all matching letters, if it is known.
    pub(super) total: Option<u64>,
    /// Letters that were examined for the page.
    pub(super) examined: usize,
}

impl<'d> LetterSearch<'d> {
    /// A search for the letters with these statuses that match a filter, the oldest first.
    pub(super) fn new(
        ctx: &'d RequestContext,
        queue: QueueName,
        statuses: Vec<Status>,
        filter: Option<Filter>,
    ) -> Self {
        let now = ctx.app.deadlines.now();
        let (captured, order) = (CaptureTimes::default(), LetterOrder::default());
        let has_target = ctx.app.has_target(&queue);
        Self { ctx, queue, statuses, filter, captured, order, now, has_target }
    }

    /// The same search in another order, for the letters captured at certain times. Without a target, no letter has a
    /// next retry to be sorted by.
    pub(super) fn in_order(self, order: LetterOrder, captured: CaptureTimes) -> Self {
        let order = match order {
            LetterOrder::DueFirst | LetterOrder::DueLast if !self.has_target => LetterOrder::NewestFirst,
            order => order,
        };
        Self { captured, order, ..self }
    }

    /// Whether the filter uses confidential fields. If so, the caller needs the permission to reveal and a reason.
    pub(super) async fn reveals(&self) -> Result<bool, ApiError> {
        let reveals = self.filter.as_ref().is_some_and(Filter::reveals);
        if reveals {
            self.ctx.dead_queue(self.queue.as_str(), Permission::LettersReveal).await?;
            needs_reason(self.ctx)?;
        }
        Ok(reveals)
    }

    /// The matching letters after a position.
    pub(super) async fn page(&self, after: Option<ListPosition>, limit: usize) -> Result<ListedPage, ApiError> {
        self.page_within(after, limit, usize::MAX).await
    }

    /// Like [`page`](Self::page), for at most this number of examined letters, which is not 0.
    pub(super) async fn page_within(
        &self,
        after: Option<ListPosition>,
        limit: usize,
        examined_max: usize,
    ) -> Result<ListedPage, ApiError> {
        let Some(mut find) = self.find() else { return Ok(ListedPage { total: Some(0), ..ListedPage::default() }) };
        // The search in the store may be the whole filter.
        let filter = self.filter.as_ref().filter(|filter| !filter.is_indexed());
        let needs_record = filter.is_some_and(Filter::needs_record);
        let mut budget = examined_max.min(if needs_record { READS_MAX } else { EXAMINED_MAX });
        let mut page = ListedPage { next: after, ..ListedPage::default() };
        for _ in 0..SEARCHES_MAX {
            (find.after, find.after_due) = match page.next {
                Some(ListPosition::Letter(letter)) => (Some(letter), None),
                Some(ListPosition::Due(due)) => (None, Some(due)),
                None => (None, None),
            };
            find.limit = if filter.is_some() { BATCH } else { limit - page.letters.len() }.min(budget);
            let searched = self.ctx.store().find_letters(find.clone()).await;
            let FoundLetters { letters, next, next_due, total } = searched.map_err(letter_error)?;
            page.total = total.filter(|_| filter.is_none());
            let next = next.map(ListPosition::Letter).or(next_due.map(ListPosition::Due));
            budget -= letters.len();
            page.examined += letters.len();
            let mut letters = letters.into_iter().peekable();
            while let Some(info) = letters.next() {
                let at = self.position(&info);
                if let Some(letter) = self.matching(info, filter, needs_record).await? {
                    page.letters.push(letter);
                }
                // The last letter of the last search is not followed by another page.
                if page.letters.len() == limit && (letters.peek().is_some() || next.is_some()) {
                    page.next = at;
                    return Ok(page);
                }
            }
            page.next = next;
            if page.next.is_none() {
                let is_whole = filter.is_some() && after.is_none();
                page.total = if is_whole { Some(page.letters.len() as u64) } else { page.total };
                return Ok(page);
            }
            if budget == 0 {
                break;
            }
        }
        Ok(page)
    }

    /// The position of a letter in the order of this search.
    fn position(&self, info: &ItemInfo) -> Option<ListPosition> {
        let letter = info.letter.as_ref()?;
        let is_by_due = matches!(self.order, LetterOrder::DueFirst | LetterOrder::DueLast);
        let due = letter.next_retry_at.filter(|_| is_by_due);
        let due = due.map(|at| ListPosition::Due(redrive_model::DuePosition { at, item: info.id }));
        Some(due.unwrap_or(ListPosition::Letter(letter.id)))
    }

    /// The search for the store, narrowed by the filter as far as the store's indexes allow; `None` if no letter can
    /// match.
    fn find(&self) -> Option<FindLetters> {
        let mut find = FindLetters {
            statuses: self.statuses.clone(),
            captured: self.captured,
            order: self.order,
            ..FindLetters::all(self.queue.clone(), 0)
        };
        let Some(filter) = &self.filter else { return Some(find) };
        for (field, text) in filter.demands() {
            match field {
                "status" => {
                    let only = exactly(text)?;
                    if !find.statuses.is_empty() && !find.statuses.contains(&only) {
                        return None;
                    }
                    find.statuses = vec![only];
                }
                "category" => demand(&mut find.category, exactly(text)?)?,
                "fingerprint" => demand(&mut find.fingerprint, exactly(text)?)?,
                "source_id" => demand(&mut find.source_id, text.to_owned())?,
                _ => {}
            }
        }
        Some(find)
    }

    /// The letter, if it matches the filter.
    async fn matching(
        &self,
        info: ItemInfo,
        filter: Option<&Filter>,
        needs_record: bool,
    ) -> Result<Option<ListedLetter>, ApiError> {
        let info = view::planned(info, self.has_target);
        let Some(filter) = filter else { return Ok(Some(ListedLetter { info, last_error: None })) };
        let record = match &info.letter {
            Some(letter) if needs_record => self.record(letter.id).await?,
            _ => None,
        };
        // A letter that was removed meanwhile does not match.
        if needs_record && record.is_none() {
            return Ok(None);
        }
        // Evaluating a condition takes time, and a page may examine thousands of letters.
        tokio::task::yield_now().await;
        let holds = filter.holds(self.now, &info, record.as_ref())?;
        let last_error = record.map(|record| record.last_error().to_owned());
        Ok(holds.then_some(ListedLetter { info, last_error }))
    }

    /// Reads the errors of letters that were found without reading them. One that was removed meanwhile has none.
    pub(super) async fn with_errors(&self, letters: Vec<ListedLetter>) -> Result<Vec<ListedLetter>, ApiError> {
        let read = futures_util::stream::iter(letters).map(|listed| async move {
            let ListedLetter { info, last_error } = listed;
            let last_error = match (last_error, &info.letter) {
                (None, Some(letter)) => self.record(letter.id).await?.map(|record| record.last_error().to_owned()),
                (last_error, _) => last_error,
            };
            Ok::<_, ApiError>(ListedLetter { info, last_error })
        });
        read.buffered(CONCURRENT_MAX).try_collect().await
    }

    pub(super) async fn record(&self, letter: LetterId) -> Result<Option<FullLetter>, ApiError> {
        self.ctx.record_of(&self.queue, letter).await
    }
}

impl RequestContext {
    /// A letter with its documents; `None` if it does not exist.
    pub(in crate::letters) async fn record_of(
        &self,
        queue: &QueueName,
        letter: LetterId,
    ) -> Result<Option<FullLetter>, ApiError> {
        match self.store().letter(GetLetter { queue: queue.clone(), letter }).await {
            Ok(record) => Ok(Some(record)),
            Err(StoreError::Rejected(Rejection::NoSuchLetter(_))) => Ok(None),
            Err(error) => Err(letter_error(error)),
        }
    }
}

/// The value that is written exactly like this. Another spelling of a value equals no field of a letter.
fn exactly<T: std::str::FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|value: &T| value.to_string() == text)
}

/// Requires a value; `None` if another one is required already.
fn demand<T: PartialEq>(only: &mut Option<T>, value: T) -> Option<()> {
    if only.as_ref().is_some_and(|other| *other != value) {
        return None;
    }
    *only = Some(value);
    Some(())
}
