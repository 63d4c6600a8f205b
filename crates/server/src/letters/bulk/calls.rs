//! List runs, show one, and cancel one.

use redrive_model::{GetQueue, KeyCondition};
use redrive_proto::redrive::v1::{
    LettersCancelRequest, LettersRun, LettersRunRequest, LettersRunResponse, LettersRunsRequest, LettersRunsResponse,
};

use super::confirm::wait;
use super::lists::Lists;
use super::run::{Run, RunState};
use crate::api_error::{ApiError, Code};
use crate::audit::AuditTarget;
use crate::auth::{Permission, namespace_of};
use crate::http::{BodyLimit, Endpoint};
use crate::letters::archive;
use crate::letters::fields::{letter_error, limit, targets};
use crate::records::{RecordTime, Records};
use crate::request_context::RequestContext;
use crate::wire::big_count;

/// How long a cancel waits for the end of the part that is being worked on.
const CANCEL_WAIT_SECONDS: i32 = 60;

/// Lists plans and runs.
#[derive(Debug)]
pub(crate) struct RunList;

impl Endpoint for RunList {
    type Request = LettersRunsRequest;
    type Answer = LettersRunsResponse;

    const PATH: &'static str = "/v1/letters.runs";
    const NEEDS: Permission = Permission::LettersRead;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: LettersRunsRequest) -> Result<LettersRunsResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let limit = limit(request.limit)?;
        let settings = ctx.store().queue(GetQueue { name: queue.clone() }).await.map_err(letter_error)?;
        let now = ctx.app.deadlines.now();
        let mut runs = Records(ctx.store()).all::<Run>(Run::prefix_of(namespace_of(&settings))).await?;
        runs.retain(|run| run.queue == queue && !run.is_expired(now));
        let is_before = |run: &Run| request.before.is_empty() || run.id < request.before;
        let mut newest = runs.iter().rev().filter(|run| is_before(run));
        let runs = newest.by_ref().take(limit).map(Run::view).collect();
        Ok(LettersRunsResponse { runs, more: newest.next().is_some() })
    }
}

/// Shows a plan or a run.
#[derive(Debug)]
pub(crate) struct RunDetails;

impl Endpoint for RunDetails {
    type Request = LettersRunRequest;
    type Answer = LettersRunResponse;

    const PATH: &'static str = "/v1/letters.run";
    const NEEDS: Permission = Permission::LettersRead;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: LettersRunRequest) -> Result<LettersRunResponse, ApiError> {
        ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let wait = wait(request.wait_seconds)?;
        let run = existing(ctx, &request.queue_name, &request.id).await?;
        let run = ctx.run_after(run, wait).await?;
        let mut answer = LettersRunResponse { run: Some(run.view()), ..LettersRunResponse::default() };
        if request.details {
            let after = usize::try_from(request.after);
            let after = after.map_err(|_| ApiError::bad("after is invalid; it is the next of the page before"))?;
            let mut parts = run.reports.iter().enumerate().skip(after);
            if let Some((number, part)) = parts.next() {
                let report = Lists(ctx.store()).report(part).await?;
                (answer.skips, answer.failures) = (report.skips, report.failures);
                answer.next = if parts.next().is_some() { big_count(number + 1) } else { 0 };
            }
        }
        Ok(answer)
    }
}

/// Cancels a plan or a run. The part that is being worked on is finished.
#[derive(Debug)]
pub(crate) struct Cancel;

impl Endpoint for Cancel {
    type Request = LettersCancelRequest;
    type Answer = LettersRun;

    const PATH: &'static str = "/v1/letters.cancel";
    const NEEDS: Permission = Permission::LettersRetry;
    const OR: &'static [Permission] = &[Permission::LettersArchive, Permission::LettersClear];
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    fn targets(request: &LettersCancelRequest) -> Option<Vec<AuditTarget>> {
        let mut targets = targets(&request.queue_name, &[])?;
        targets.push(AuditTarget::new("run", &request.id));
        Some(targets)
    }

    async fn call(ctx: &RequestContext, request: LettersCancelRequest) -> Result<LettersRun, ApiError> {
        ctx.may_act_on_letters(&request.queue_name).await?;
        let run = existing(ctx, &request.queue_name, &request.id).await?;
        ctx.dead_queue(&request.queue_name, run.act.permission()).await?;
        let cancelled = ctx.run_to_completion(move |ctx| async move {
            let changing = ctx.app.runs.changing().await;
            let run = existing(&ctx, &request.queue_name, &request.id).await?;
            let by = format!("'{}'", ctx.caller.user_name());
            if let Some(active) = ctx.app.runs.active(&run.id) {
                let storing = active.storing.lock().await;
                let run = existing(&ctx, &request.queue_name, &request.id).await?;
                if !run.state.is_active() {
                    return Ok(run);
                }
                let run = Run { cancelled_by: by.clone(), ..run };
                run.store_recorded(&ctx, KeyCondition::Any, &[]).await.map_err(archive::act_error)?;
                active.cancel(by);
                drop((storing, changing));
                let wait = wait(CANCEL_WAIT_SECONDS)?;
                return ctx.run_after(run, wait).await;
            }
            if matches!(run.state, RunState::Finished | RunState::Cancelled) {
                return Ok(run);
            }
            let (lists, parts) = (Lists(ctx.store()), run.parts);
            let run = Run {
                state: RunState::Cancelled,
                cause: format!("cancelled by {by}"),
                ended_at: Some(RecordTime(ctx.app.deadlines.now())),
                parts: Vec::new(),
                ..run
            };
            run.store_recorded(&ctx, KeyCondition::Any, &[]).await.map_err(archive::act_error)?;
            lists.discard(&parts).await;
            Ok(run)
        });
        Ok(cancelled.await?.view())
    }
}

/// The plan or run with this id.
async fn existing(ctx: &RequestContext, queue: &str, id: &str) -> Result<Run, ApiError> {
    let found = ctx.run_of(queue, id).await?.map(|found| found.record);
    found.filter(|run| !run.is_expired(ctx.app.deadlines.now())).ok_or_else(|| {
        let message = format!("there is no such run; list those of the queue with letters.runs: '{id}'");
        ApiError::new(Code::NotFound, message).because("no_such_run").grouped("not_found")
    })
}
