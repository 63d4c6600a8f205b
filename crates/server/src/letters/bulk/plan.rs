//! Say what an act on all letters that match would do.

use redrive_core::Status;
use redrive_model::LetterRevision;
use redrive_proto::redrive::v1::{LettersPlanRequest, LettersPlanResponse, StatusBreakdown};

use super::act::Act;
use super::plans::{Planned, Plans};
use crate::audit::{AuditHash, AuditTarget, hex};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::letters::fields::{one_of, targets};
use crate::letters::filter::Filter;
use crate::letters::list::Search;
use crate::letters::process::processor;
use crate::wire::big_count;

/// So many letters go into one plan.
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

    /// A plan changes nothing, and is not recorded unless it tells what is confidential; that somebody wanted to make one
    /// and may not is.
    fn targets(request: &LettersPlanRequest) -> Option<Vec<AuditTarget>> {
        let mut targets = targets(&request.queue_name, &[])?;
        targets.push(AuditTarget::new("action", &request.action));
        Some(targets)
    }

    async fn call(desk: &Desk, request: LettersPlanRequest) -> Result<LettersPlanResponse, Fault> {
        let act = Act::parse(&request.action)?;
        let queue = desk.dead_queue(&request.queue_name, act.permission()).await?;
        check_scope(&request)?;
        if act == Act::Retry {
            // What nothing can retry is refused now, and not letter by letter.
            processor(desk, &queue).await?;
        }
        let statuses = request.statuses.iter().map(|status| one_of::<Status>("status", status));
        let statuses: Vec<Status> = statuses.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let search = Search { desk, queue: queue.clone(), statuses, filter: Filter::parse(&request.filter)? };
        let reveals = search.reveals().await?;
        let found = desk.while_open(found(&search, act, request.include_archived)).await?;
        if reveals {
            desk.record_act().await?;
        }
        let token = token()?;
        let now = desk.app.deadlines.now();
        let expires_at = Plans::valid_until(now);
        let ids: Vec<String> = found.letters.iter().map(|seen| seen.id.to_string()).collect();
        let digest = AuditHash::of_json(&ids).into_text();
        let answer = LettersPlanResponse {
            token: token.clone(),
            expires_at: Some(expires_at.into()),
            letters: big_count(found.letters.len()),
            status_breakdown: Some(found.breakdown()),
            ineligible: big_count(found.ineligible),
            more: found.more,
            digest: digest.clone(),
        };
        let caller = desk.caller.user.to_string();
        let planned = Planned { queue, act, caller, digest, expires_at };
        desk.app.plans.keep(token, planned, found.letters, now);
        Ok(answer)
    }
}

/// Everything is only meant where somebody says so twice.
fn check_scope(request: &LettersPlanRequest) -> Result<(), Fault> {
    let is_narrow = !request.filter.trim().is_empty() || !request.statuses.is_empty();
    let invalid = |message: &'static str| Err(Fault::bad(message).because("invalid"));
    match (is_narrow, request.all.as_str()) {
        (true, "") => Ok(()),
        (true, _) => invalid("all is invalid; it is said together with filter or statuses: say one of them"),
        (false, "") => invalid(
            "filter is invalid; cannot be empty: give a filter or statuses, or the name of the queue in all to mean all letters",
        ),
        (false, all) if all == request.queue_name => Ok(()),
        (false, _) => invalid("all is invalid; it must be the name of the queue"),
    }
}

/// What matches.
#[derive(Debug, Default)]
struct Found {
    letters: Vec<LetterRevision>,
    by_status: [u64; Status::ALL.len()],
    ineligible: u64,
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

async fn found(search: &Search<'_>, act: Act, include_archived: bool) -> Result<Found, Fault> {
    let mut found = Found::default();
    let mut after = None;
    loop {
        let (page, next) = search.page(after, PAGE).await?;
        for letter in page.iter().filter_map(|info| info.letter.as_deref()) {
            if !act.takes(letter.status, include_archived) {
                found.ineligible += 1;
            } else if found.letters.len() == LETTERS_MAX {
                found.more = true;
                return Ok(found);
            } else {
                found.letters.push(LetterRevision { id: letter.id, revision: letter.revision });
                found.by_status[letter.status as usize] += 1;
            }
        }
        match next {
            Some(next) => after = Some(next),
            None => return Ok(found),
        }
    }
}

fn token() -> Result<String, Fault> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "the machine gives no randomness");
        Fault::internal()
    })?;
    Ok(hex(&bytes))
}
