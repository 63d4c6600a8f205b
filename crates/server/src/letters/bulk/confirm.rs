//! Carry out a plan, one part per call.

use std::sync::Arc;

use futures_util::StreamExt;
use redrive_core::{QueueName, Status};
use redrive_model::{
    BulkAction, BulkResult, ChangeIfUnchanged, GetLetter, HandBackLetters, HandBackResult, ItemState, LetterRevision,
    Rejection, RestoreIfUnchanged, Resume,
};
use redrive_proto::redrive::v1::{FailedRetry, LettersConfirmRequest, LettersConfirmResponse, SkippedLetter};
use redrive_run::{ManualRetry, ProcessorError, Retried};
use redrive_store::{StoreError, Transactional};

use super::act::Act;
use super::plans::{Planned, Progress, Unreported};
use crate::api_error::{ApiError, Code};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::letters::archive;
use crate::letters::fields::{letter_error, targets};
use crate::letters::hand_back::{self, WaysBack};
use crate::letters::process::{self, processor};
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};
use crate::wire::big_count;

/// Maximum number of letters that one call resumes, archives, restores or purges.
const CHANGES: usize = 1_000;
/// Maximum number of letters that one call retries; fewer, because a retry takes longer.
const RETRIES: usize = 100;
/// Maximum number of letters that one call hands back, and the size of their contents at which it stops.
const HAND_BACKS: usize = 200;
const HAND_BACK_BYTES: usize = 1024 * 1024;
/// Maximum number of concurrent retries.
const CONCURRENT_MAX: usize = 16;

#[derive(Debug)]
pub(crate) struct Confirm;

impl Endpoint for Confirm {
    type Request = LettersConfirmRequest;
    type Answer = LettersConfirmResponse;

    const PATH: &'static str = "/v1/letters.confirm";
    const NEEDS: Permission = Permission::LettersRetry;
    const OR: &'static [Permission] = &[Permission::LettersArchive, Permission::LettersClear];

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    fn targets(request: &LettersConfirmRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &[])
    }

    async fn call(ctx: &RequestContext, request: LettersConfirmRequest) -> Result<LettersConfirmResponse, ApiError> {
        let now = ctx.app.deadlines.now();
        let plan = ctx.app.plans.find(&request.token, &ctx.caller.user, now);
        let plan = plan.filter(|(planned, _)| planned.queue.as_str() == request.queue_name);
        let Some((planned, progress)) = plan else {
            let message = "there is no such plan; it has expired or belongs to another caller: plan it again";
            return Err(ApiError::new(Code::NotFound, message).because("no_such_plan").grouped("not_found"));
        };
        // The caller's permissions may have changed since the plan was made.
        ctx.dead_queue(&request.queue_name, planned.act.permission()).await?;
        if ctx.reason.as_ref().is_none_or(|reason| reason.trim().is_empty()) {
            let message = "reason is required; state it in the header X-Redrive-Reason";
            return Err(ApiError::bad(message).because("reason_required"));
        }
        let Ok(mut progress) = progress.try_lock_owned() else {
            let message = "the plan is being worked on; wait for the answer of the other call";
            return Err(ApiError::new(Code::Conflict, message).because("conflict"));
        };
        let done = ctx.run_to_completion(move |ctx| async move {
            let Unreported { skips, failures } = next_part(&ctx, &planned, &mut progress).await?;
            Ok(LettersConfirmResponse {
                changed: big_count(progress.changed),
                skipped: big_count(progress.skipped),
                failed: big_count(progress.failed),
                remaining: big_count(progress.remaining.len()),
                skips,
                failures,
            })
        });
        done.await
    }
}

/// Works on the next letters of a plan.
async fn next_part(ctx: &RequestContext, planned: &Planned, progress: &mut Progress) -> Result<Unreported, ApiError> {
    let change = |act| move |queue, letters| ChangeIfUnchanged { queue, letters, act };
    match planned.act {
        Act::Retry if !ctx.app.has_target(&planned.queue) => hand_back_part(ctx, planned, progress).await,
        Act::Retry => retry_part(ctx, planned, progress).await,
        Act::Resume => {
            let actor = Some(Arc::from(&*ctx.caller.user));
            let resume = |queue, letters: Vec<LetterRevision>| Resume {
                queue,
                letters: letters.into_iter().map(Into::into).collect(),
                actor,
            };
            change_part(ctx, planned, progress, resume).await
        }
        Act::Archive => change_part(ctx, planned, progress, change(BulkAction::Archive)).await,
        Act::Purge => change_part(ctx, planned, progress, change(BulkAction::Purge)).await,
        Act::Restore => {
            change_part(ctx, planned, progress, |queue, letters| RestoreIfUnchanged { queue, letters }).await
        }
    }
}

/// Resumes, archives, restores or purges the letters that have not changed since the plan. The check of the revisions,
/// the change and the audit record are one transaction.
async fn change_part<O>(
    ctx: &RequestContext,
    planned: &Planned,
    progress: &mut Progress,
    op: impl FnOnce(QueueName, Vec<LetterRevision>) -> O,
) -> Result<Unreported, ApiError>
where
    O: Transactional<Reply = Vec<BulkResult>> + Clone + Sync,
{
    let letters: Vec<LetterRevision> = progress.remaining.iter().take(CHANGES).copied().collect();
    if letters.is_empty() {
        record_act(ctx, planned).await?;
        return Ok(Unreported::default());
    }
    let count = letters.len();
    let change = record(planned, Change::of(op(planned.queue.clone(), letters)));
    let (results, ()) = ctx.change(|| async { Ok((change.clone(), ())) }).await.map_err(archive::act_error)?;
    let mut skips = Vec::new();
    for (seen, result) in progress.remaining.drain(..count).zip(results) {
        match result {
            BulkResult::Done => progress.changed += 1,
            BulkResult::Changed | BulkResult::NotExhausted => skips.push(skip(seen, "changed")),
            BulkResult::Gone => skips.push(skip(seen, "gone")),
            BulkResult::Held => skips.push(skip(seen, "held")),
            BulkResult::NoRetries => skips.push(skip(seen, "no_retries")),
            BulkResult::Damaged => skips.push(skip(seen, "damaged")),
        }
    }
    progress.skipped += skips.len() as u64;
    Ok(Unreported { skips, failures: Vec::new() })
}

/// Retries the letters that have not changed since the plan. The check of the revision and the claim are one operation.
/// A letter that another holder has claimed is skipped; a letter that could not be tried stays in the plan for the next
/// call.
async fn retry_part(ctx: &RequestContext, planned: &Planned, progress: &mut Progress) -> Result<Unreported, ApiError> {
    let processor = processor(ctx, &planned.queue).await?;
    ctx.check_recordable()?;
    let letters: Vec<LetterRevision> = progress.remaining.iter().take(RETRIES).copied().collect();
    progress.remaining.drain(..letters.len());
    let tries = futures_util::stream::iter(letters).map(|seen| {
        let processor = &processor;
        let retry = ManualRetry { letter: seen.into(), actor: &ctx.caller.user, force: false };
        async move { (seen, processor.retry_until(&planned.queue, retry, &ctx.app.closing).await) }
    });
    let mut tries = tries.buffer_unordered(CONCURRENT_MAX);
    let mut failed = None;
    while let Some((seen, outcome)) = tries.next().await {
        match outcome {
            Ok(retried) => {
                progress.changed += 1;
                if !retried.is_success() {
                    progress.failed += 1;
                    progress.unreported.failures.push(failure(seen, &retried));
                }
            }
            Err(error) => match skip_reason(&error) {
                Some(reason) => {
                    progress.skipped += 1;
                    progress.unreported.skips.push(skip(seen, reason));
                }
                None => {
                    progress.remaining.push_front(seen);
                    failed = Some(process::processor_error(error));
                }
            },
        }
    }
    // Some letters may have been tried, so the act is recorded before an error is reported.
    record_act(ctx, planned).await?;
    failed.map_or_else(|| Ok(std::mem::take(&mut progress.unreported)), Err)
}

/// Hands back the letters that have not changed since the plan. The check of the revisions, the completion of the letters,
/// their items and the audit record are one transaction.
async fn hand_back_part(
    ctx: &RequestContext,
    planned: &Planned,
    progress: &mut Progress,
) -> Result<Unreported, ApiError> {
    let mut ways = WaysBack::new(ctx, planned.queue.clone()).await?;
    let (mut letters, mut skips, mut read, mut bytes) = (Vec::new(), Vec::new(), 0, 0);
    for seen in progress.remaining.iter().take(HAND_BACKS) {
        if bytes >= HAND_BACK_BYTES {
            break;
        }
        read += 1;
        let get = GetLetter { queue: planned.queue.clone(), letter: seen.id };
        let record = match ctx.store().letter(get).await {
            Ok(record) => record,
            Err(error) => match skip_reason(&ProcessorError::Store(error.clone())) {
                Some(reason) => {
                    skips.push(skip(*seen, reason));
                    continue;
                }
                None => return Err(letter_error(error)),
            },
        };
        if record.info.state == ItemState::Damaged {
            skips.push(skip(*seen, "damaged"));
            continue;
        }
        let to = ways.of_record(&record).await?;
        match to.and_then(|to| hand_back::as_item(&record, to)) {
            Some(letter) if letter.letter == *seen => {
                bytes += record.content.bytes();
                letters.push(letter);
            }
            Some(_) => skips.push(skip(*seen, "changed")),
            None => skips.push(skip(*seen, "no_way_back")),
        }
    }
    if letters.is_empty() {
        record_act(ctx, planned).await?;
    } else {
        let ids: Vec<LetterRevision> = letters.iter().map(|letter| letter.letter).collect();
        let actor = Some(Arc::from(&*ctx.caller.user));
        let change = record(planned, Change::of(HandBackLetters { queue: planned.queue.clone(), letters, actor }));
        let (results, ()) = ctx.change(|| async { Ok((change.clone(), ())) }).await.map_err(archive::act_error)?;
        for (seen, result) in ids.into_iter().zip(results) {
            match not_handed_back(result) {
                None => progress.changed += 1,
                Some(reason) => skips.push(skip(seen, reason)),
            }
        }
    }
    progress.remaining.drain(..read);
    progress.skipped += skips.len() as u64;
    Ok(Unreported { skips, failures: Vec::new() })
}

/// Why a letter was not handed back; `None` if it was.
const fn not_handed_back(result: HandBackResult) -> Option<&'static str> {
    match result {
        HandBackResult::Done(_) => None,
        HandBackResult::Changed => Some("changed"),
        HandBackResult::Gone => Some("gone"),
        HandBackResult::Held => Some("quarantined"),
        HandBackResult::Damaged => Some("damaged"),
        HandBackResult::NoQueue => Some("no_way_back"),
        HandBackResult::QueuePaused => Some("queue_paused"),
        HandBackResult::QueueFull => Some("queue_full"),
        HandBackResult::Duplicate(_) => Some("duplicate"),
    }
}

/// Why a letter is skipped; `None` if the retry failed for another reason and the letter stays in the plan.
const fn skip_reason(error: &ProcessorError) -> Option<&'static str> {
    let rejection = match error {
        ProcessorError::BreakerOpen(_) => return Some("breaker_open"),
        ProcessorError::Store(StoreError::Rejected(rejection)) => rejection,
        _ => return None,
    };
    match rejection {
        Rejection::NoSuchLetter(_) => Some("gone"),
        Rejection::LetterDamaged(_) => Some("damaged"),
        Rejection::LetterConflict { status: Status::Retrying, .. } => Some("conflict"),
        Rejection::LetterConflict { .. } | Rejection::LetterChanged { .. } => Some("changed"),
        _ => None,
    }
}

/// Records that a plan was worked on, if no data is changed in the same transaction.
async fn record_act(ctx: &RequestContext, planned: &Planned) -> Result<(), ApiError> {
    let recorded = ctx.change(|| async { Ok((record(planned, Change::of_keys(Vec::new())), ())) }).await;
    recorded.map(|_| ()).map_err(archive::act_error)
}

fn record<O: Transactional>(planned: &Planned, change: Change<O>) -> Change<O> {
    change.target("action", planned.act.name()).target("plan", &planned.digest)
}

fn failure(seen: LetterRevision, retried: &Retried) -> FailedRetry {
    let attempt = retried.attempt.as_ref();
    let category = attempt.and_then(|attempt| attempt.category);
    FailedRetry {
        id: seen.id.to_string(),
        error: attempt.map(|_| retried.letter.last_error().to_owned()).unwrap_or_default(),
        category: category.map(|category| category.to_string()).unwrap_or_default(),
        status: retried.status().map(|status| status.to_string()).unwrap_or_default(),
    }
}

fn skip(seen: LetterRevision, reason: &str) -> SkippedLetter {
    SkippedLetter { id: seen.id.to_string(), reason: reason.to_owned() }
}
