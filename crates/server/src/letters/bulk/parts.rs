//! The acts on a few letters of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_core::{Cause, QueueName, Status, Trigger};
use redrive_model::{
    Attempt, BulkAction, BulkResult, ChangeIfUnchanged, FullLetter, GetLetter, HandBackLetter, HandBackLetters,
    HandBackResult, ItemState, LetterRevision, Rejection, RestoreIfUnchanged, Resume,
};
use redrive_proto::redrive::v1::{FailedRetry, SkippedLetter};
use redrive_routes::RouteId;
use redrive_run::{ProcessorError, Retried, WhileDown};
use redrive_store::{Op, StoreError};

use super::act::Act;
use super::lists::Report;
use super::run::Run;
use crate::api_error::ApiError;
use crate::letters::fields::letter_error;
use crate::letters::hand_back::{self, SourceLetters, WayBack, WaysBack};
use crate::letters::process::{self, processor};
use crate::request_context::RequestContext;

/// Maximum number of letters that are resumed, archived, restored or purged at once.
const CHANGES: usize = 1_000;
/// Maximum number of letters that are retried between two writes of the progress, as many at a time as the runner has slots.
const RETRIES: usize = 500;
/// Maximum number of letters that are handed back at once, and the size of their contents at which they are not increased.
const HAND_BACKS: usize = 200;
const HAND_BACK_BYTES: usize = 1024 * 1024;

/// Why a letter is blocked that was claimed, and left as it was.
pub(super) const RELEASED: &str = "released";

/// What has become of the letters of a part. Those that are in none of the lists have been changed.
#[derive(Debug, Default)]
pub(super) struct PartResult {
    /// The number of letters that were looked at, from the first on.
    pub(super) taken: usize,
    pub(super) changed: u64,
    pub(super) failed: u64,
    pub(super) report: Report,
    /// Letters that cannot be worked on now, with the reason.
    pub(super) blocked: Vec<(LetterRevision, &'static str)>,
    /// Letters that could not be tried because of an error.
    pub(super) untried: Vec<LetterRevision>,
    pub(super) error: Option<ApiError>,
}

impl PartResult {
    fn skip(&mut self, seen: LetterRevision, reason: &str) {
        self.report.skips.push(SkippedLetter { id: seen.id.to_string(), reason: reason.to_owned() });
    }

    /// Whether a letter was changed as the run is to, or skipped. Failed retries are none: in an outage all retries fail.
    pub(super) fn has_progress(&self) -> bool {
        self.changed > self.failed || !self.report.skips.is_empty()
    }

    /// Adds a letter whose claim ended before its attempt. It is not tried again: its target may have accepted it.
    fn outcome_unknown(&mut self, id: String, status: String) {
        (self.changed, self.failed) = (self.changed + 1, self.failed + 1);
        let error = ProcessorError::ClaimLost.to_string();
        self.report.failures.push(FailedRetry { id, error, category: String::new(), status });
    }

    /// Adds the result of a retry.
    fn note(&mut self, seen: LetterRevision, outcome: Result<Retried, ProcessorError>) {
        match outcome {
            Ok(retried) if retried.is_success() => self.changed += 1,
            Ok(retried) => match (&retried.attempt, retried.letter.info.letter.as_deref()) {
                // It was claimed and released.
                (None, Some(letter)) if matches!(letter.status, Status::Pending | Status::Exhausted) => {
                    self.blocked.push((LetterRevision { id: seen.id, revision: letter.revision }, RELEASED));
                }
                (None, letter) => {
                    let status = letter.map(|letter| letter.status.to_string());
                    self.outcome_unknown(seen.id.to_string(), status.unwrap_or_default());
                }
                (Some(attempt), _) => {
                    (self.changed, self.failed) = (self.changed + 1, self.failed + 1);
                    self.report.failures.push(failure(seen, &retried, attempt));
                }
            },
            Err(ProcessorError::ClaimLost) => self.outcome_unknown(seen.id.to_string(), String::new()),
            Err(ProcessorError::BreakerOpen(_)) => self.blocked.push((seen, "breaker_open")),
            Err(error) => match skip_reason(&error) {
                Some(reason) => self.skip(seen, reason),
                None => {
                    self.untried.push(seen);
                    self.error = Some(process::processor_error(error));
                }
            },
        }
    }
}

/// The maximum number of letters of one part of a run.
pub(super) fn letters_max(ctx: &RequestContext, run: &Run) -> usize {
    match run.act {
        Act::Retry if !ctx.app.has_target(&run.queue) => HAND_BACKS,
        Act::Retry => RETRIES,
        Act::Resume | Act::Archive | Act::Restore | Act::Purge => CHANGES,
    }
}

/// Works on letters. `while_down` is what happens to those whose destination is down. `is_uncertain` says that the run may
/// have worked on them before, without knowing the result: what it has done counts as changed then, not as skipped.
pub(super) async fn work(
    ctx: &RequestContext,
    run: &Run,
    letters: &[LetterRevision],
    while_down: WhileDown,
    is_uncertain: bool,
) -> PartResult {
    let actor = || Some(Arc::from(&*run.user));
    let queue = || run.queue.clone();
    let letters_of = || letters.to_vec();
    let change = |act| ChangeIfUnchanged { queue: queue(), letters: letters_of(), act };
    let worked = match run.act {
        Act::Retry if !ctx.app.has_target(&run.queue) => hand_back(ctx, run, letters, while_down).await,
        Act::Retry => retry(ctx, run, letters, while_down).await,
        Act::Resume => {
            let selected = letters.iter().copied().map(Into::into).collect();
            changed(ctx, letters, Resume { queue: queue(), letters: selected, actor: actor() }).await
        }
        Act::Archive => changed(ctx, letters, change(BulkAction::Archive)).await,
        Act::Purge => changed(ctx, letters, change(BulkAction::Purge)).await,
        Act::Restore => changed(ctx, letters, RestoreIfUnchanged { queue: queue(), letters: letters_of() }).await,
    };
    let mut result = worked.unwrap_or_else(|error| PartResult { error: Some(error), ..PartResult::default() });
    if is_uncertain {
        recognise(ctx, run, &mut result).await;
    }
    result
}

/// Resumes, archives, restores or purges letters that have not changed since the plan. The check of the revisions and the
/// change are one operation.
async fn changed<O>(ctx: &RequestContext, letters: &[LetterRevision], op: O) -> Result<PartResult, ApiError>
where
    O: Op<Reply = Vec<BulkResult>>,
{
    let reply = ctx.store().submit(op.into(), Vec::new()).await.map_err(letter_error)?;
    let results = O::unwrap(reply).ok_or(StoreError::WrongAnswer)?;
    let mut result = PartResult { taken: letters.len(), ..PartResult::default() };
    for (seen, done) in letters.iter().zip(results) {
        match done {
            BulkResult::Done => result.changed += 1,
            BulkResult::Changed | BulkResult::NotExhausted => result.skip(*seen, "changed"),
            BulkResult::Gone => result.skip(*seen, "gone"),
            BulkResult::Held => result.skip(*seen, "held"),
            BulkResult::NoRetries => result.skip(*seen, "no_retries"),
            BulkResult::Damaged => result.skip(*seen, "damaged"),
        }
    }
    Ok(result)
}

/// Retries letters that have not changed since the plan. The check of the revision and the claim are one operation. A
/// letter that another holder has claimed is skipped.
async fn retry(
    ctx: &RequestContext,
    run: &Run,
    letters: &[LetterRevision],
    while_down: WhileDown,
) -> Result<PartResult, ApiError> {
    let processor = processor(ctx, &run.queue).await?;
    let selected = letters.iter().map(|seen| (*seen).into()).collect();
    let retried = processor.retry_many(&run.queue, selected, &run.user, while_down, &ctx.app.closing).await;
    let mut result = PartResult { taken: letters.len(), ..PartResult::default() };
    for (seen, outcome) in letters.iter().zip(retried.map_err(process::processor_error)?) {
        result.note(*seen, outcome);
    }
    Ok(result)
}

/// Hands back letters that have not changed since the plan. For queues, the check of the revisions, the completion of the
/// letters and their items are one operation.
async fn hand_back(
    ctx: &RequestContext,
    run: &Run,
    letters: &[LetterRevision],
    while_down: WhileDown,
) -> Result<PartResult, ApiError> {
    let mut ways = WaysBack::of_run(ctx, run.queue.clone()).await?;
    let (mut result, mut items, mut bytes) = (PartResult::default(), Vec::new(), 0);
    let mut by_route: BTreeMap<RouteId, Vec<LetterRevision>> = BTreeMap::new();
    for seen in letters {
        if bytes >= HAND_BACK_BYTES {
            break;
        }
        result.taken += 1;
        let Some(record) = read(ctx, &run.queue, *seen, &mut result).await? else { continue };
        let status = record.info.letter.as_deref().map(|letter| (letter.status, letter.revision));
        match status {
            Some((Status::Retrying, _)) => result.skip(*seen, "conflict"),
            Some((_, revision)) if revision == seen.revision => {
                let item = match ways.of_record(&record).await? {
                    Some(WayBack::Queue(to)) => hand_back::as_item(&record, to),
                    Some(WayBack::Source(route, _)) => {
                        by_route.entry(route).or_default().push(*seen);
                        continue;
                    }
                    None => None,
                };
                match item {
                    Some(item) => {
                        bytes += record.content.bytes();
                        items.push(item);
                    }
                    None => result.skip(*seen, "no_way_back"),
                }
            }
            _ => result.skip(*seen, "changed"),
        }
    }
    if !items.is_empty() {
        to_queues(ctx, run, items, &mut result).await;
    }
    for (route, letters) in by_route {
        let to_retry = SourceLetters { route, letters, while_down };
        to_source(ctx, run, to_retry, &mut result).await;
    }
    Ok(result)
}

async fn to_source(ctx: &RequestContext, run: &Run, to_retry: SourceLetters, result: &mut PartResult) {
    let letters = to_retry.letters.clone();
    match hand_back::retry_through(ctx, &run.queue, to_retry, &run.user).await {
        Ok(Some(retried)) => letters.into_iter().zip(retried).for_each(|(seen, retried)| result.note(seen, retried)),
        Ok(None) => letters.into_iter().for_each(|seen| result.skip(seen, "no_way_back")),
        Err(error) => {
            result.untried.extend(letters);
            result.error = Some(error);
        }
    }
}

async fn to_queues(ctx: &RequestContext, run: &Run, items: Vec<HandBackLetter>, result: &mut PartResult) {
    let seen: Vec<LetterRevision> = items.iter().map(|item| item.letter).collect();
    let op = HandBackLetters { queue: run.queue.clone(), letters: items, actor: Some(Arc::from(&*run.user)) };
    match ctx.store().hand_back(op).await {
        Ok(results) => {
            for (seen, done) in seen.into_iter().zip(results) {
                match done {
                    HandBackResult::Done(_) => result.changed += 1,
                    HandBackResult::QueuePaused => result.blocked.push((seen, "queue_paused")),
                    HandBackResult::QueueFull => result.blocked.push((seen, "queue_full")),
                    HandBackResult::Changed => result.skip(seen, "changed"),
                    HandBackResult::Gone => result.skip(seen, "gone"),
                    HandBackResult::Held => result.skip(seen, "quarantined"),
                    HandBackResult::Damaged => result.skip(seen, "damaged"),
                    HandBackResult::NoQueue => result.skip(seen, "no_way_back"),
                    HandBackResult::Duplicate(_) => result.skip(seen, "duplicate"),
                }
            }
        }
        Err(error) => {
            result.untried = seen;
            result.error = Some(letter_error(error));
        }
    }
}

/// A letter with its documents; `None` if it is skipped.
async fn read(
    ctx: &RequestContext,
    queue: &QueueName,
    seen: LetterRevision,
    result: &mut PartResult,
) -> Result<Option<Box<FullLetter>>, ApiError> {
    match ctx.store().letter(GetLetter { queue: queue.clone(), letter: seen.id }).await {
        Ok(record) if record.info.state == ItemState::Damaged => {
            result.skip(seen, "damaged");
            Ok(None)
        }
        Ok(record) => Ok(Some(Box::new(record))),
        Err(error) => match skip_reason(&ProcessorError::Store(error.clone())) {
            Some(reason) => {
                result.skip(seen, reason);
                Ok(None)
            }
            None => Err(letter_error(error)),
        },
    }
}

/// Counts skipped letters that the run itself has changed as changed, and names those whose attempt by the run was lost.
async fn recognise(ctx: &RequestContext, run: &Run, result: &mut PartResult) {
    for skip in std::mem::take(&mut result.report.skips) {
        match changed_by(ctx, run, &skip).await {
            ChangedBy::Run => result.changed += 1,
            ChangedBy::LostAttempt(status) => result.outcome_unknown(skip.id, status.to_string()),
            ChangedBy::Other => result.report.skips.push(skip),
        }
    }
}

/// Who has changed a letter since the plan.
enum ChangedBy {
    Run,
    /// An attempt of the run whose claim ended with an earlier process.
    LostAttempt(Status),
    Other,
}

async fn changed_by(ctx: &RequestContext, run: &Run, skip: &SkippedLetter) -> ChangedBy {
    let run_if = |is_own: bool| if is_own { ChangedBy::Run } else { ChangedBy::Other };
    if skip.reason == "gone" {
        // Letters that were purged, or completed in a queue without a retention.
        return run_if(matches!(run.act, Act::Purge | Act::Retry));
    }
    let letter = crate::letters::letter_id(&skip.id);
    let (Ok(letter), "changed") = (letter, &*skip.reason) else { return ChangedBy::Other };
    let Ok(record) = ctx.store().letter(GetLetter { queue: run.queue.clone(), letter }).await else {
        return ChangedBy::Other;
    };
    let Some(info) = record.info.letter.as_deref() else { return ChangedBy::Other };
    let since = run.confirmed_at.map(|at| at.0);
    match run.act {
        Act::Retry => {
            let is_own = |attempt: &Attempt| {
                attempt.actor.as_deref() == Some(&*run.user) && since.is_some() && attempt.started_at >= since
            };
            let is_lost = |attempt: &Attempt| {
                attempt.cause == Some(Cause::Lost)
                    && attempt.trigger == Trigger::Manual
                    && since.is_some()
                    && attempt.ended_at >= since
            };
            match record.attempts.last() {
                Some(last) if is_lost(last) => ChangedBy::LostAttempt(info.status),
                _ => run_if(record.attempts.iter().any(is_own)),
            }
        }
        Act::Archive => run_if(info.status == Status::Archived),
        Act::Restore => run_if(info.status != Status::Archived),
        Act::Resume => run_if(info.status != Status::Exhausted),
        Act::Purge => ChangedBy::Other,
    }
}

/// Why a letter is skipped; `None` if the retry failed for another reason.
const fn skip_reason(error: &ProcessorError) -> Option<&'static str> {
    let ProcessorError::Store(StoreError::Rejected(rejection)) = error else { return None };
    match rejection {
        Rejection::NoSuchLetter(_) => Some("gone"),
        Rejection::LetterDamaged(_) => Some("damaged"),
        Rejection::LetterConflict { status: Status::Retrying, .. } => Some("conflict"),
        Rejection::LetterConflict { .. } | Rejection::LetterChanged { .. } => Some("changed"),
        _ => None,
    }
}

fn failure(seen: LetterRevision, retried: &Retried, attempt: &Attempt) -> FailedRetry {
    FailedRetry {
        id: seen.id.to_string(),
        error: retried.letter.last_error().to_owned(),
        category: attempt.category.map(|category| category.to_string()).unwrap_or_default(),
        status: retried.status().map(|status| status.to_string()).unwrap_or_default(),
    }
}
