//! Make a plan: find the letters that a bulk action would apply to. Nothing is changed.

use redrive_core::Status;
use redrive_model::LetterRevision;
use redrive_proto::redrive::v1::{LettersPlanRequest, LettersPlanResponse, StatusBreakdown};

use super::act::Act;
use super::plans::{Planned, Plans};
use crate::api_error::ApiError;
use crate::audit::{AuditHash, AuditTarget, hex};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::letters::fields::{one_of, targets};
use crate::letters::filter::Filter;
use crate::letters::hand_back::WaysBack;
use crate::letters::letter_search::LetterSearch;
use crate::letters::process::processor;
use crate::request_context::RequestContext;
use crate::wire::big_count;

/// Maximum number of letters in one plan.
const LETTERS_MAX: usize = 100_000;
const PAGE: usize = 1_000;
const TOKEN_BYTES: usize = 16;

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

    async fn call(ctx: &RequestContext, request: LettersPlanRequest) -> Result<LettersPlanResponse, ApiError> {
        let act = Act::parse(&request.action)?;
        let queue = ctx.dead_queue(&request.queue_name, act.permission()).await?;
        check_scope(&request)?;
        let has_target = ctx.app.has_target(&queue);
        if act == Act::Resume {
            // A queue without a processor is rejected here, not letter by letter.
            processor(ctx, &queue).await?;
        }
        let statuses = request.statuses.iter().map(|status| one_of::<Status>("status", status));
        let statuses: Vec<Status> = statuses.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let mut ways = match act {
            Act::Retry if !has_target => Some(WaysBack::new(ctx, queue.clone()).await?),
            _ => None,
        };
        let search = LetterSearch::new(ctx, queue.clone(), statuses, Filter::parse(&request.filter)?);
        let reveals = search.reveals().await?;
        let found = ctx.until_shutdown(found(&search, act, request.include_archived, ways.as_mut())).await?;
        if reveals {
            ctx.record_act().await?;
        }
        let token = token()?;
        let now = ctx.app.deadlines.now();
        let expires_at = Plans::valid_until(now);
        let ids: Vec<String> = found.letters.iter().map(|seen| seen.id.to_string()).collect();
        let digest = AuditHash::of_json(&ids).into_text();
        let answer = LettersPlanResponse {
            token: token.clone(),
            expires_at: Some(expires_at.into()),
            letters: big_count(found.letters.len()),
            status_breakdown: Some(found.breakdown()),
            ineligible: big_count(found.ineligible),
            no_way_back: big_count(found.no_way_back),
            more: found.more,
            digest: digest.clone(),
        };
        let caller = ctx.caller.user.to_string();
        let planned = Planned { queue, act, caller, digest, expires_at };
        ctx.app.plans.keep(token, planned, found.letters, now);
        Ok(answer)
    }
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

/// The letters that match.
#[derive(Debug, Default)]
struct Found {
    letters: Vec<LetterRevision>,
    by_status: [u64; Status::ALL.len()],
    ineligible: u64,
    no_way_back: u64,
    more: bool,
}

impl Found {
    fn breakdown(&self) -> StatusBreakdown {
        let of = |status: Status| big_count(self.by_status[status as usize]);
        StatusBreakdown {
            pending: of(Status::Pending),
            retrying: of(Status::Retrying),
            exhausted: of(Status::Exhausted),
            completed: of(Status::Completed),
            archived: of(Status::Archived),
        }
    }
}

/// `ways` are those of the letters if they are to be handed back.
async fn found(
    search: &LetterSearch<'_>,
    act: Act,
    include_archived: bool,
    mut ways: Option<&mut WaysBack<'_>>,
) -> Result<Found, ApiError> {
    let mut found = Found::default();
    let mut after = None;
    loop {
        let page = search.page(after, PAGE).await?;
        for letter in page.letters.iter().filter_map(|listed| listed.info.letter.as_deref()) {
            if !act.applies_to(letter.status, include_archived) {
                found.ineligible += 1;
            } else if found.letters.len() as u64 + found.no_way_back >= LETTERS_MAX as u64 {
                found.more = true;
                return Ok(found);
            } else if let Some(ways) = ways.as_deref_mut()
                && ways.of(letter).await?.is_none()
            {
                found.no_way_back += 1;
            } else {
                found.letters.push(LetterRevision { id: letter.id, revision: letter.revision });
                found.by_status[letter.status as usize] += 1;
            }
        }
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(found),
        }
    }
}

fn token() -> Result<String, ApiError> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "the operating system provided no randomness");
        ApiError::internal()
    })?;
    Ok(hex(&bytes))
}
