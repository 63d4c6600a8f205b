//! Do what was planned, a part at a time.

use futures_util::StreamExt;
use redrive_core::Status;
use redrive_model::{BulkAction, BulkResult, ChangeIfUnchanged, LetterRevision, Rejection};
use redrive_proto::redrive::v1::{LettersConfirmRequest, LettersConfirmResponse, SkippedLetter};
use redrive_run::{ManualRetry, ProcessorError};
use redrive_store::{StoreError, Transactional};

use super::act::Act;
use super::plans::{Planned, Progress};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
use crate::letters::archive;
use crate::letters::fields::targets;
use crate::letters::process::{self, processor};
use crate::settings::{SMALL_BODY_MAX, Settings};
use crate::wire::big_count;

/// So many letters are changed by one call. Retries take their time, so there are fewer of them.
const CHANGES: usize = 1_000;
const RETRIES: usize = 100;
/// So many letters are retried at the same time.
const AT_ONCE: usize = 16;

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

    async fn call(desk: &Desk, request: LettersConfirmRequest) -> Result<LettersConfirmResponse, Fault> {
        let now = desk.app.deadlines.now();
        let plan = desk.app.plans.find(&request.token, &desk.caller.user, now);
        let plan = plan.filter(|(planned, _)| planned.queue.as_str() == request.queue_name);
        let Some((planned, progress)) = plan else {
            let message = "there is no such plan; it is over, or somebody else's: plan it again";
            return Err(Fault::new(Code::NotFound, message).because("not_found"));
        };
        // What somebody was allowed then may be denied now.
        desk.dead_queue(&request.queue_name, planned.act.permission()).await?;
        if desk.reason.as_ref().is_none_or(|reason| reason.trim().is_empty()) {
            let message = "reason is required; say in the header X-Redrive-Reason why it is done";
            return Err(Fault::bad(message).because("reason_required"));
        }
        let Ok(mut progress) = progress.try_lock_owned() else {
            let message = "the plan is being worked on; wait for the answer of the other call";
            return Err(Fault::new(Code::Conflict, message).because("conflict"));
        };
        let done = desk.to_its_end(move |desk| async move {
            let skips = part(&desk, &planned, &mut progress).await?;
            Ok(LettersConfirmResponse {
                changed: big_count(progress.changed),
                skipped: big_count(progress.skipped),
                failed: big_count(progress.failed),
                remaining: big_count(progress.left.len()),
                skips,
            })
        });
        done.await
    }
}

type Skips = Vec<SkippedLetter>;

/// Works on the next letters of a plan.
async fn part(desk: &Desk, planned: &Planned, progress: &mut Progress) -> Result<Skips, Fault> {
    match planned.act {
        Act::Retry => retried(desk, planned, progress).await,
        Act::Archive => changed(desk, planned, BulkAction::Archive, progress).await,
        Act::Purge => changed(desk, planned, BulkAction::Purge, progress).await,
    }
}

/// Archives or removes those that are as they were planned; the second look, the change and its record are one.
async fn changed(desk: &Desk, planned: &Planned, act: BulkAction, progress: &mut Progress) -> Result<Skips, Fault> {
    let letters: Vec<LetterRevision> = progress.left.iter().take(CHANGES).copied().collect();
    if letters.is_empty() {
        record_act(desk, planned).await?;
        return Ok(Vec::new());
    }
    let op = ChangeIfUnchanged { queue: planned.queue.clone(), letters: letters.clone(), act };
    let change = record(planned, Change::of(op));
    let (results, ()) = desk.change(|| async { Ok((change.clone(), ())) }).await.map_err(archive::undone)?;
    let mut skips = Vec::new();
    for (seen, acted) in progress.left.drain(..letters.len()).zip(results) {
        match acted {
            BulkResult::Done => progress.changed += 1,
            BulkResult::Changed => skips.push(skip(seen, "changed")),
            BulkResult::Gone => skips.push(skip(seen, "gone")),
        }
    }
    progress.skipped += skips.len() as u64;
    Ok(skips)
}

/// Tries those that are as they were planned; the second look and the claim are one. Who has one of them meanwhile keeps it;
/// what could not be tried is left for the next confirmation.
async fn retried(desk: &Desk, planned: &Planned, progress: &mut Progress) -> Result<Skips, Fault> {
    let processor = processor(desk, &planned.queue).await?;
    let letters: Vec<LetterRevision> = progress.left.iter().take(RETRIES).copied().collect();
    progress.left.drain(..letters.len());
    let tries = futures_util::stream::iter(letters).map(|seen| {
        let processor = &processor;
        let retry = ManualRetry { letter: seen.into(), actor: &desk.caller.user, force: false };
        async move { (seen, processor.retry_until(&planned.queue, retry, &desk.app.closing).await) }
    });
    let mut tries = tries.buffer_unordered(AT_ONCE);
    let mut trouble = None;
    while let Some((seen, outcome)) = tries.next().await {
        match outcome {
            Ok(retried) => {
                progress.changed += 1;
                progress.failed += u64::from(!retried.is_success());
            }
            Err(error) => match passed_over(&error) {
                Some(reason) => {
                    progress.skipped += 1;
                    progress.unsaid.push(skip(seen, reason));
                }
                None => {
                    progress.left.push_front(seen);
                    trouble = Some(process::undone(error));
                }
            },
        }
    }
    // Some were tried: that is recorded before anything is said of the others.
    record_act(desk, planned).await?;
    trouble.map_or_else(|| Ok(std::mem::take(&mut progress.unsaid)), Err)
}

/// Why a letter is not to be tried; none where it only could not be.
const fn passed_over(error: &ProcessorError) -> Option<&'static str> {
    let refusal = match error {
        ProcessorError::BreakerOpen(_) => return Some("breaker_open"),
        ProcessorError::Store(StoreError::Rejected(refusal)) => refusal,
        _ => return None,
    };
    match refusal {
        Rejection::NoSuchLetter(_) => Some("gone"),
        Rejection::LetterDamaged(_) => Some("damaged"),
        Rejection::LetterConflict { status: Status::Retrying, .. } => Some("conflict"),
        Rejection::LetterConflict { .. } | Rejection::LetterChanged { .. } => Some("changed"),
        _ => None,
    }
}

/// Records that a plan was worked on, where nothing is changed together with the record.
async fn record_act(desk: &Desk, planned: &Planned) -> Result<(), Fault> {
    let recorded = desk.change(|| async { Ok((record(planned, Change::of_keys(Vec::new())), ())) }).await;
    recorded.map(|_| ()).map_err(archive::undone)
}

fn record<O: Transactional>(planned: &Planned, change: Change<O>) -> Change<O> {
    let action = match planned.act {
        Act::Retry => "retry",
        Act::Archive => "archive",
        Act::Purge => "purge",
    };
    change.target("action", action).target("plan", &planned.digest)
}

fn skip(seen: LetterRevision, reason: &str) -> SkippedLetter {
    SkippedLetter { id: seen.id.to_string(), reason: reason.to_owned() }
}
