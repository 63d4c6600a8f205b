//! Do what was planned, a part at a time.

use futures_util::StreamExt;
use redrive_core::LetterId;
use redrive_proto::redrive::v1::{LettersConfirmRequest, LettersConfirmResponse, SkippedLetter};
use redrive_queue::{Archive, GetLetter, Purge, Refusal};
use redrive_run::ProcessorError;
use redrive_store::{Operation, StoreError};

use super::act::Act;
use super::plans::{Planned, Progress};
use crate::audit::{AuditTarget, Change, Undone};
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
use crate::letters::archive;
use crate::letters::fields::{refused, targets};
use crate::letters::process::processor;
use crate::letters::retry;
use crate::settings::{SMALL_BODY_MAX, Settings};
use crate::wire::big_count;

/// So many letters are changed by one call. Retries take their time, so there are fewer of them.
const CHANGES: usize = 1_000;
const RETRIES: usize = 100;
/// So many letters are looked at, or retried, at the same time.
const AT_ONCE: usize = 16;
/// A letter that goes between the look and the act has all be looked at again; so often.
const LOOKS_MAX: usize = 5;

#[derive(Debug)]
pub(crate) struct Confirm;

impl Endpoint for Confirm {
    type Request = LettersConfirmRequest;
    type Answer = LettersConfirmResponse;

    const PATH: &'static str = "/v1/letters.confirm";

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
        let Ok(mut progress) = progress.try_lock() else {
            let message = "the plan is being worked on; wait for the answer of the other call";
            return Err(Fault::new(Code::Conflict, message).because("conflict"));
        };
        let skips = part(desk, &planned, &mut progress).await?;
        Ok(LettersConfirmResponse {
            changed: big_count(progress.changed),
            skipped: big_count(progress.skipped),
            failed: big_count(progress.failed),
            remaining: big_count(planned.letters.len() - progress.next),
            skips,
        })
    }
}

type Skips = Vec<SkippedLetter>;

/// Works on the next letters of a plan.
async fn part(desk: &Desk, planned: &Planned, progress: &mut Progress) -> Result<Skips, Fault> {
    let most = if planned.act == Act::Retry { RETRIES } else { CHANGES };
    let left = planned.letters.get(progress.next..).unwrap_or_default();
    let letters = &left[..left.len().min(most)];
    let (done, failed, skips) = match planned.act {
        Act::Retry => desk.while_open(retried(desk, planned, letters)).await?,
        Act::Archive | Act::Purge => changed(desk, planned, letters).await?,
    };
    progress.next += letters.len();
    progress.changed += done;
    progress.failed += failed;
    progress.skipped += skips.len() as u64;
    Ok(skips)
}

/// Archives or removes those that are as they were planned; the change and its record are one.
async fn changed(desk: &Desk, planned: &Planned, letters: &[(LetterId, u64)]) -> Result<(u64, u64, Skips), Fault> {
    for _ in 0..LOOKS_MAX {
        let (same, skips) = looked_at(desk, planned, letters).await?;
        if same.is_empty() {
            desk.change(|| async { Ok((record(planned, Change::of_keys(Vec::new())), ())) })
                .await
                .map_err(archive::undone)?;
            return Ok((0, 0, skips));
        }
        let (queue, letters) = (planned.queue.clone(), same.clone());
        let operation = match planned.act {
            Act::Purge => Operation::Purge(Purge { queue, letters }),
            Act::Archive | Act::Retry => Operation::Archive(Archive { queue, letters }),
        };
        let change = record(planned, Change::of(operation));
        match desk.change(|| async { Ok((change.clone(), ())) }).await {
            Ok(_) => return Ok((same.len() as u64, 0, skips)),
            // One of them went just now.
            Err(Undone::Store(StoreError::Refused(Refusal::NoSuchLetter(_)))) => {}
            Err(undone) => return Err(archive::undone(undone)),
        }
    }
    Err(Fault::new(Code::RetryRequest, "letters of the plan change all the time; confirm again"))
}

/// Tries those that are as they were planned. Who has one of them meanwhile keeps it.
async fn retried(desk: &Desk, planned: &Planned, letters: &[(LetterId, u64)]) -> Result<(u64, u64, Skips), Fault> {
    let (same, mut skips) = looked_at(desk, planned, letters).await?;
    let processor = processor(desk, &planned.queue)?;
    let tries = futures_util::stream::iter(same).map(|letter| {
        let processor = &processor;
        async move { (letter, processor.retry(&planned.queue, letter, &desk.caller.user).await) }
    });
    let mut tries = tries.buffer_unordered(AT_ONCE);
    let (mut done, mut failed, mut trouble) = (0, 0, None);
    while let Some((letter, outcome)) = tries.next().await {
        match outcome {
            Ok(retried) => {
                done += 1;
                failed += u64::from(!retried.is_success());
            }
            Err(ProcessorError::Store(StoreError::Refused(Refusal::NoSuchLetter(_)))) => {
                skips.push(skip(letter, "gone"));
            }
            Err(ProcessorError::Store(StoreError::Refused(Refusal::LetterConflict { .. }))) => {
                skips.push(skip(letter, "conflict"));
            }
            // Some were tried: that is recorded before anything is said of the others.
            Err(error) => trouble = Some(error),
        }
    }
    desk.change(|| async { Ok((record(planned, Change::of_keys(Vec::new())), ())) }).await.map_err(archive::undone)?;
    trouble.map_or(Ok((done, failed, skips)), |error| Err(retry::undone(error)))
}

fn record(planned: &Planned, change: Change) -> Change {
    let action = match planned.act {
        Act::Retry => "retry",
        Act::Archive => "archive",
        Act::Purge => "purge",
    };
    change.target("action", action).target("plan", &planned.digest)
}

/// Which letters are as they were planned; the others are passed over.
async fn looked_at(
    desk: &Desk,
    planned: &Planned,
    letters: &[(LetterId, u64)],
) -> Result<(Vec<LetterId>, Skips), Fault> {
    let looks = futures_util::stream::iter(letters.iter().copied()).map(|(letter, revision)| async move {
        let found = desk.store().letter(GetLetter { queue: planned.queue.clone(), letter }).await;
        (letter, revision, found)
    });
    let mut looks = looks.buffered(AT_ONCE);
    let (mut same, mut skips) = (Vec::new(), Vec::new());
    while let Some((letter, revision, found)) = looks.next().await {
        match found {
            Ok(record) if record.item.info.letter.as_ref().is_some_and(|now| now.revision == revision) => {
                same.push(letter);
            }
            Ok(_) => skips.push(skip(letter, "changed")),
            Err(StoreError::Refused(Refusal::NoSuchLetter(_))) => skips.push(skip(letter, "gone")),
            Err(error) => return Err(refused(error)),
        }
    }
    Ok((same, skips))
}

fn skip(letter: LetterId, reason: &str) -> SkippedLetter {
    SkippedLetter { id: letter.to_string(), reason: reason.to_owned() }
}
