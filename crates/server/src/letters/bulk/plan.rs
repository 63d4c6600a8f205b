//! Make a plan: find the letters that a bulk action would apply to. Nothing is changed.

use std::collections::BTreeMap;

use redrive_core::{QueueName, Status};
use redrive_model::{GetQueue, GetStats, LetterInfo, LetterRevision};
use redrive_proto::redrive::v1::{LettersPlanRequest, LettersPlanResponse, StatusBreakdown};
use redrive_store::{Store, StoreError};
use sha2::{Digest, Sha256};

use super::act::Act;
use super::lists::{Lists, PART_LETTERS};
use super::run::{ListPart, Run, RunState, WaitingLetter};
use super::worker::WAITING_MAX;
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, hex};
use crate::auth::{Permission, namespace_of};
use crate::http::Endpoint;
use crate::letters::fields::{letter_error, statuses, targets};
use crate::letters::filter::Filter;
use crate::letters::hand_back::WaysBack;
use crate::letters::letter_search::LetterSearch;
use crate::letters::process::processor;
use crate::letters::view;
use crate::problems::Problems;
use crate::records::RecordTime;
use crate::request_context::RequestContext;
use crate::wire::big_count;

/// Maximum number of letters in one plan.
const LETTERS_MAX: u64 = 100_000;
const PAGE: usize = 1_000;

#[derive(Debug)]
pub(crate) struct Plan;

impl Endpoint for Plan {
    type Request = LettersPlanRequest;
    type Answer = LettersPlanResponse;

    const PATH: &'static str = "/v1/letters.plan";
    const NEEDS: Permission = Permission::LettersRetry;
    const OR: &'static [Permission] = &[Permission::LettersArchive, Permission::LettersClear];

    /// A plan changes nothing, so it is recorded only if its filter uses confidential fields. A rejected plan is
    /// recorded in any case.
    fn targets(request: &LettersPlanRequest) -> Option<Vec<AuditTarget>> {
        let mut targets = targets(&request.queue_name, &[])?;
        targets.push(AuditTarget::new("action", &request.action));
        Some(targets)
    }

    /// The plan is made to its end, also if the caller leaves: what it has written counts for the limit of the namespace.
    async fn call(ctx: &RequestContext, request: LettersPlanRequest) -> Result<LettersPlanResponse, ApiError> {
        ctx.run_to_completion(move |ctx| async move { plan(&ctx, request).await }).await
    }
}

async fn plan(ctx: &RequestContext, request: LettersPlanRequest) -> Result<LettersPlanResponse, ApiError> {
    let act = Act::parse(&request.action)?;
    let queue = ctx.dead_queue(&request.queue_name, act.permission()).await?;
    check_scope(&request)?;
    let has_target = ctx.app.has_target(&queue);
    if act == Act::Resume {
        // A queue without a processor is rejected here, not letter by letter.
        processor(ctx, &queue).await?;
    }
    let mut problems = Problems::default();
    let statuses = problems.field("statuses", statuses(&request.statuses));
    let filter = problems.field("filter", Filter::parse(&request.filter));
    problems.finish(())?;
    let mut ways = match act {
        Act::Retry if !has_target => Some(WaysBack::new(ctx, queue.clone()).await?),
        _ => None,
    };
    let search = LetterSearch::new(ctx, queue.clone(), statuses, filter);
    let reveals = search.reveals().await?;
    let not_letters = not_letters(ctx, &queue).await?;
    let mut found = Found::new(act, ctx.store());
    let searched = ctx.until_shutdown(found.search(&search, request.include_archived, ways.as_mut())).await;
    let kept = match searched {
        Ok(()) => keep(ctx, &queue, &found).await,
        Err(error) => Err(error),
    };
    if kept.is_err() {
        found.lists.discard(&found.parts).await;
    }
    let run = kept?;
    if reveals {
        ctx.record_act().await?;
    }
    Ok(LettersPlanResponse {
        token: run.id.clone(),
        expires_at: run.expires_at().map(Into::into),
        letters: big_count(run.letters),
        status_breakdown: Some(found.breakdown()),
        ineligible: big_count(found.ineligible),
        no_way_back: big_count(found.no_way_back),
        more: found.more,
        digest: run.digest,
        not_letters: big_count(not_letters),
    })
}

/// Stores a plan whose lists have been written.
async fn keep(ctx: &RequestContext, queue: &QueueName, found: &Found<'_>) -> Result<Run, ApiError> {
    let settings = ctx.store().queue(GetQueue { name: queue.clone() }).await.map_err(letter_error)?;
    let namespace = namespace_of(&settings).to_owned();
    let now = ctx.app.deadlines.now();
    let run = Run {
        id: ctx.app.record_ids.next(now).to_string(),
        namespace,
        queue: queue.clone(),
        act: found.act,
        user: ctx.caller.user.to_string(),
        user_name: ctx.caller.user_name().to_owned(),
        key: None,
        reason: String::new(),
        digest: found.digest(),
        letters: found.letters,
        parts: found.parts.clone(),
        done_of_part: 0,
        waiting: found.unlisted.clone(),
        reports: Vec::new(),
        planned_at: RecordTime(now),
        confirmed_at: None,
        ended_at: None,
        state: RunState::Planned,
        cause: String::new(),
        waiting_since: None,
        changed: 0,
        skipped: 0,
        failed: 0,
        skips: BTreeMap::new(),
        failures: BTreeMap::new(),
        rate: 0,
        give_up_after_seconds: 0,
        cancelled_by: String::new(),
    };
    let _changing = ctx.app.runs.changing().await;
    ctx.app.make_space(&run.namespace, run.bytes()).await?;
    run.store(ctx.store()).await?;
    Ok(run)
}

/// The items of a queue that carry no failure.
async fn not_letters(ctx: &RequestContext, queue: &QueueName) -> Result<u64, ApiError> {
    let stats = ctx.store().stats(GetStats { queue: queue.clone() }).await.map_err(letter_error)?;
    Ok(stats.items().saturating_sub(stats.letters.live()))
}

/// Checks that a plan for all letters is explicit: it must repeat the name of the queue in `all`.
fn check_scope(request: &LettersPlanRequest) -> Result<(), ApiError> {
    let is_narrow = !request.filter.trim().is_empty() || !request.statuses.is_empty();
    let invalid = |message: &'static str| Err(ApiError::bad(message));
    match (is_narrow, request.all.as_str()) {
        (true, "") => Ok(()),
        (true, _) => invalid("all is invalid; it cannot be combined with filter or statuses"),
        (false, "") => invalid(
            "filter is invalid; cannot be empty: give a filter or statuses, or the name of the queue in all to mean all letters",
        ),
        (false, all) if all == request.queue_name => Ok(()),
        (false, _) => invalid("all is invalid; it must be the name of the queue"),
    }
}

/// The letters that match, in lists on disk.
struct Found<'s> {
    act: Act,
    lists: Lists<'s>,
    parts: Vec<ListPart>,
    /// Letters that are not in a list, because the disk is full.
    unlisted: Vec<WaitingLetter>,
    is_cut: bool,
    /// The letters that are not written yet.
    next: Vec<(LetterRevision, Status)>,
    letters: u64,
    by_status: [u64; Status::ALL.len()],
    ineligible: u64,
    no_way_back: u64,
    more: bool,
    /// The hash of the ids as a JSON list.
    hash: Sha256,
}

impl<'s> Found<'s> {
    fn new(act: Act, store: &'s dyn Store) -> Self {
        Self {
            act,
            lists: Lists(store),
            parts: Vec::new(),
            unlisted: Vec::new(),
            is_cut: false,
            next: Vec::new(),
            letters: 0,
            by_status: [0; Status::ALL.len()],
            ineligible: 0,
            no_way_back: 0,
            more: false,
            hash: Sha256::new(),
        }
    }

    /// `ways` are those of the letters if they are to be handed back.
    async fn search(
        &mut self,
        search: &LetterSearch<'_>,
        include_archived: bool,
        mut ways: Option<&mut WaysBack<'_>>,
    ) -> Result<(), ApiError> {
        let mut after = None;
        loop {
            let page = search.page(after, PAGE).await?;
            for letter in page.letters.iter().filter_map(|listed| listed.info.letter.as_deref()) {
                // Without a target, a letter that is being retried is one that another holder has leased: it is skipped, and
                // named.
                let is_leased = ways.is_some() && letter.status == Status::Retrying;
                if !is_leased && !self.act.applies_to(letter.status, include_archived) {
                    self.ineligible += 1;
                } else if self.letters + self.next.len() as u64 + self.no_way_back >= LETTERS_MAX {
                    self.more = true;
                    return self.write().await;
                } else if let Some(ways) = ways.as_deref_mut()
                    && ways.of(letter).await?.is_none()
                {
                    self.no_way_back += 1;
                } else {
                    self.add(letter).await?;
                }
                if self.is_cut {
                    return Ok(());
                }
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return self.write().await,
            }
        }
    }

    async fn add(&mut self, letter: &LetterInfo) -> Result<(), ApiError> {
        self.next.push((LetterRevision { id: letter.id, revision: letter.revision }, letter.status));
        if self.next.len() == PART_LETTERS { self.write().await } else { Ok(()) }
    }

    async fn write(&mut self) -> Result<(), ApiError> {
        if self.next.is_empty() {
            return Ok(());
        }
        let mut next = std::mem::take(&mut self.next);
        let seen: Vec<LetterRevision> = next.iter().map(|(seen, _)| *seen).collect();
        match self.lists.append(&seen).await {
            Ok(part) => self.parts.push(part),
            // A plan that frees space is cut, and made again for the rest.
            Err(StoreError::Full) if self.act.frees_space() => {
                self.more = true;
                self.is_cut = true;
                next.truncate(if self.parts.is_empty() { WAITING_MAX } else { 0 });
                self.unlisted = next.iter().map(|(seen, _)| WaitingLetter::of(*seen)).collect();
            }
            Err(error) => return Err(error.into()),
        }
        for (seen, status) in next {
            let before = if self.letters == 0 { "[" } else { "," };
            self.hash.update(format!("{before}\"{}\"", seen.id));
            self.letters += 1;
            self.by_status[status as usize] += 1;
        }
        Ok(())
    }

    fn digest(&self) -> String {
        let mut hash = self.hash.clone();
        hash.update(if self.letters == 0 { "[]" } else { "]" });
        hex(&hash.finalize())
    }

    fn breakdown(&self) -> StatusBreakdown {
        view::breakdown(|status| self.by_status[status as usize])
    }
}
