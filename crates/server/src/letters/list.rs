//! Letters in the order of their ids.

use redrive_core::{LetterId, QueueName, Status};
use redrive_model::{FindLetters, FoundLetters, FullLetter, GetLetter, ItemInfo, Rejection};
use redrive_proto::redrive::v1::{LettersListRequest, LettersListResponse};
use redrive_search::{Order, Query};
use redrive_store::StoreError;

use super::fields::{letter_id, limit, needs_reason, one_of, refused, targets};
use super::filter::Filter;
use super::view;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::search::{index, unsearched};

/// So many letters are looked at for one page; of those about which something must be read, fewer.
const LOOKS_MAX: usize = 20_000;
const READS_MAX: usize = 2_000;
const AT_ONCE: usize = 500;
/// So often the store is asked for one page.
const QUESTIONS_MAX: usize = 40;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = LettersListRequest;
    type Answer = LettersListResponse;

    const PATH: &'static str = "/v1/letters.list";
    const NEEDS: Permission = Permission::LettersRead;

    fn targets(request: &LettersListRequest) -> Option<Vec<AuditTarget>> {
        // To find out what is confidential is an act; to look at a list is none.
        let filter = Filter::parse(&request.filter).ok().flatten();
        filter.filter(Filter::reveals).and_then(|_| targets(&request.queue_name, &[]))
    }

    async fn call(desk: &Desk, request: LettersListRequest) -> Result<LettersListResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let statuses = request.statuses.iter().map(|status| one_of::<Status>("status", status));
        let statuses: Vec<Status> = statuses.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let after = (!request.after.is_empty()).then(|| letter_id(&request.after)).transpose()?;
        let limit = limit(request.limit)?;
        let filter = Filter::parse(&request.filter)?;
        let search = Search { desk, queue, statuses, filter };
        let reveals = search.reveals().await?;
        let (found, next) = match request.query.trim() {
            "" => search.page(after, limit).await?,
            words => search.page_of_query(words, after, limit).await?,
        };
        if reveals {
            desk.record_act().await?;
        }
        Ok(LettersListResponse {
            letters: found.iter().map(|info| view::letter(&request.queue_name, info)).collect(),
            next: next.map(|next| next.to_string()).unwrap_or_default(),
        })
    }
}

/// Looks for the letters of a queue that match.
pub(super) struct Search<'d> {
    pub(super) desk: &'d Desk,
    pub(super) queue: QueueName,
    pub(super) statuses: Vec<Status>,
    pub(super) filter: Option<Filter>,
}

impl Search<'_> {
    /// Whether it tells what is confidential; then its caller may know it, and says why.
    pub(super) async fn reveals(&self) -> Result<bool, Fault> {
        let reveals = self.filter.as_ref().is_some_and(Filter::reveals);
        if reveals {
            self.desk.dead_queue(self.queue.as_str(), Permission::LettersReveal).await?;
            needs_reason(self.desk)?;
        }
        Ok(reveals)
    }

    /// Those that match, and where to go on if there may be more.
    pub(super) async fn page(
        &self,
        mut after: Option<LetterId>,
        limit: usize,
    ) -> Result<(Vec<ItemInfo>, Option<LetterId>), Fault> {
        let needs_record = self.filter.as_ref().is_some_and(Filter::needs_record);
        let mut looks = if needs_record { READS_MAX } else { LOOKS_MAX };
        let mut found = Vec::new();
        let Some(mut find) = self.find() else { return Ok((found, None)) };
        for _ in 0..QUESTIONS_MAX {
            find.after = after;
            find.limit = if self.filter.is_some() { AT_ONCE } else { limit - found.len() }.min(looks);
            let FoundLetters { letters, next } = self.desk.store().find_letters(find.clone()).await.map_err(refused)?;
            looks -= letters.len();
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
            if looks == 0 {
                break;
            }
        }
        Ok((found, after))
    }

    /// What the store can find by itself; none where nothing can be meant.
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

    /// The same of those that the index finds. It may be a little behind: whether a letter is there, and what it is by now, the
    /// store says. Words that it had a moment ago and has no more are believed to the index.
    async fn page_of_query(
        &self,
        words: &str,
        mut after: Option<LetterId>,
        limit: usize,
    ) -> Result<(Vec<ItemInfo>, Option<LetterId>), Fault> {
        let index = index(self.desk)?.projection.search();
        let mut looks = READS_MAX;
        let mut found = Vec::new();
        loop {
            let query = Query {
                text: words.to_owned(),
                queue: Some(self.queue.clone()),
                statuses: self.statuses.clone(),
                cursor: after.map(|after| after.to_string()),
                limit: AT_ONCE.min(looks),
                order: Order::ById,
            };
            let page = index.find(&query).await.map_err(unsearched)?;
            looks -= page.letters.len();
            for (_, letter) in page.letters {
                after = Some(letter);
                tokio::task::yield_now().await;
                if let Some(record) = self.record(letter).await?
                    && self.is_wanted(&record)?
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
            if looks == 0 {
                return Ok((found, after));
            }
        }
    }

    /// Whether a letter is what was asked for, as it is now.
    fn is_wanted(&self, record: &FullLetter) -> Result<bool, Fault> {
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
        // One that is gone meanwhile is in no list.
        if needs_record && record.is_none() {
            return Ok(false);
        }
        // A condition may take a while, and a page looks at thousands of letters.
        tokio::task::yield_now().await;
        filter.holds(info, record.as_ref())
    }

    async fn record(&self, letter: LetterId) -> Result<Option<FullLetter>, Fault> {
        match self.desk.store().letter(GetLetter { queue: self.queue.clone(), letter }).await {
            Ok(record) => Ok(Some(record)),
            Err(StoreError::Rejected(Rejection::NoSuchLetter(_))) => Ok(None),
            Err(error) => Err(refused(error)),
        }
    }
}
