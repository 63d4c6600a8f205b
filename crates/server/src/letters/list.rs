//! List letters in the order of their ids.

use redrive_core::{LetterId, QueueName, Status};
use redrive_model::{FindLetters, FoundLetters, FullLetter, GetLetter, ItemInfo, Rejection};
use redrive_proto::redrive::v1::{LettersListRequest, LettersListResponse};
use redrive_search::{Order, Query};
use redrive_store::StoreError;

use super::fields::{letter_fault, letter_id, limit, needs_reason, one_of, targets};
use super::filter::Filter;
use super::view;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::search::{index, search_fault};

/// Maximum number of letters that are examined for one page if the filter needs no reads from disk.
const EXAMINED_MAX: usize = 20_000;
/// Maximum number of letters that are read from disk for one page.
const READS_MAX: usize = 2_000;
const BATCH: usize = 500;
/// Maximum number of searches in the store for one page.
const SEARCHES_MAX: usize = 40;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = LettersListRequest;
    type Answer = LettersListResponse;

    const PATH: &'static str = "/v1/letters.list";
    const NEEDS: Permission = Permission::LettersRead;

    fn targets(request: &LettersListRequest) -> Option<Vec<AuditTarget>> {
        // A filter over confidential fields is an administrative act; any other list is not.
        let filter = Filter::parse(&request.filter).ok().flatten();
        filter.filter(Filter::reveals).and_then(|_| targets(&request.queue_name, &[]))
    }

    async fn call(ctx: &RequestContext, request: LettersListRequest) -> Result<LettersListResponse, Fault> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let statuses = request.statuses.iter().map(|status| one_of::<Status>("status", status));
        let statuses: Vec<Status> = statuses.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let after = (!request.after.is_empty()).then(|| letter_id(&request.after)).transpose()?;
        let limit = limit(request.limit)?;
        let filter = Filter::parse(&request.filter)?;
        let search = Search { ctx, queue, statuses, filter };
        let reveals = search.reveals().await?;
        let (found, next) = match request.query.trim() {
            "" => search.page(after, limit).await?,
            words => search.page_of_query(words, after, limit).await?,
        };
        if reveals {
            ctx.record_act().await?;
        }
        Ok(LettersListResponse {
            letters: found.iter().map(|info| view::letter(&request.queue_name, info)).collect(),
            next: next.map(|next| next.to_string()).unwrap_or_default(),
        })
    }
}

/// A search for letters of one queue.
pub(super) struct Search<'d> {
    pub(super) ctx: &'d RequestContext,
    pub(super) queue: QueueName,
    pub(super) statuses: Vec<Status>,
    pub(super) filter: Option<Filter>,
}

impl Search<'_> {
    /// Whether the filter uses confidential fields. If so, the caller needs the permission to reveal and a reason.
    pub(super) async fn reveals(&self) -> Result<bool, Fault> {
        let reveals = self.filter.as_ref().is_some_and(Filter::reveals);
        if reveals {
            self.ctx.dead_queue(self.queue.as_str(), Permission::LettersReveal).await?;
            needs_reason(self.ctx)?;
        }
        Ok(reveals)
    }

    /// The matching letters, and the id to continue after if there may be more.
    pub(super) async fn page(
        &self,
        mut after: Option<LetterId>,
        limit: usize,
    ) -> Result<(Vec<ItemInfo>, Option<LetterId>), Fault> {
        let needs_record = self.filter.as_ref().is_some_and(Filter::needs_record);
        let mut budget = if needs_record { READS_MAX } else { EXAMINED_MAX };
        let mut found = Vec::new();
        let Some(mut find) = self.find() else { return Ok((found, None)) };
        for _ in 0..SEARCHES_MAX {
            find.after = after;
            find.limit = if self.filter.is_some() { BATCH } else { limit - found.len() }.min(budget);
            let searched = self.ctx.store().find_letters(find.clone()).await;
            let FoundLetters { letters, next } = searched.map_err(letter_fault)?;
            budget -= letters.len();
            for info in letters {
                after = info.letter.as_ref().map(|letter| letter.id);
                if self.matches(&info, needs_record).await? {
                    found.push(info);
                }
                if found.len() == limit {
                    return Ok((found, after));
                }
            }
            if next.is_none() {
                return Ok((found, None));
            }
            after = next;
            if budget == 0 {
                break;
            }
        }
        Ok((found, after))
    }

    /// The search for the store, narrowed by the filter as far as the store's indexes allow; `None` if no letter can
    /// match.
    fn find(&self) -> Option<FindLetters> {
        let mut find = FindLetters { statuses: self.statuses.clone(), ..FindLetters::all(self.queue.clone(), 0) };
        let Some(filter) = &self.filter else { return Some(find) };
        for (field, text) in filter.demands() {
            match field {
                "status" => {
                    let only = text.parse().ok()?;
                    if !find.statuses.is_empty() && !find.statuses.contains(&only) {
                        return None;
                    }
                    find.statuses = vec![only];
                }
                "category" => find.category = Some(text.parse().ok()?),
                "fingerprint" => find.fingerprint = Some(text.parse().ok()?),
                "source_id" => find.source_id = Some(text.to_owned()),
                _ => {}
            }
        }
        Some(find)
    }

    /// Like [`page`](Self::page) for the letters that match a query of the search index. The index may be slightly
    /// behind: whether a letter exists, and its current state, is read from the store. That a letter contains the words
    /// is not checked again.
    async fn page_of_query(
        &self,
        words: &str,
        mut after: Option<LetterId>,
        limit: usize,
    ) -> Result<(Vec<ItemInfo>, Option<LetterId>), Fault> {
        let index = index(self.ctx)?.projection.search();
        let mut budget = READS_MAX;
        let mut found = Vec::new();
        loop {
            let query = Query {
                text: words.to_owned(),
                queue: Some(self.queue.clone()),
                statuses: self.statuses.clone(),
                cursor: after.map(|after| after.to_string()),
                limit: BATCH.min(budget),
                order: Order::ById,
            };
            let page = index.find(&query).await.map_err(search_fault)?;
            budget -= page.letters.len();
            for (_, letter) in page.letters {
                after = Some(letter);
                tokio::task::yield_now().await;
                if let Some(record) = self.record(letter).await?
                    && self.matches_record(&record)?
                {
                    found.push(record.info);
                }
                if found.len() == limit {
                    return Ok((found, after));
                }
            }
            if page.cursor.is_none() {
                return Ok((found, None));
            }
            if budget == 0 {
                return Ok((found, after));
            }
        }
    }

    /// Whether a letter matches in its current state.
    fn matches_record(&self, record: &FullLetter) -> Result<bool, Fault> {
        let info = &record.info;
        let status = info.letter.as_ref().map(|letter| letter.status);
        let is_of_status = self.statuses.is_empty() || status.is_some_and(|status| self.statuses.contains(&status));
        match &self.filter {
            Some(filter) if is_of_status => filter.holds(info, Some(record)),
            _ => Ok(is_of_status),
        }
    }

    async fn matches(&self, info: &ItemInfo, needs_record: bool) -> Result<bool, Fault> {
        let Some(filter) = &self.filter else { return Ok(true) };
        let record = match &info.letter {
            Some(letter) if needs_record => self.record(letter.id).await?,
            _ => None,
        };
        // A letter that was removed meanwhile does not match.
        if needs_record && record.is_none() {
            return Ok(false);
        }
        // Evaluating a condition takes time, and a page may examine thousands of letters.
        tokio::task::yield_now().await;
        filter.holds(info, record.as_ref())
    }

    async fn record(&self, letter: LetterId) -> Result<Option<FullLetter>, Fault> {
        match self.ctx.store().letter(GetLetter { queue: self.queue.clone(), letter }).await {
            Ok(record) => Ok(Some(record)),
            Err(StoreError::Rejected(Rejection::NoSuchLetter(_))) => Ok(None),
            Err(error) => Err(letter_fault(error)),
        }
    }
}
