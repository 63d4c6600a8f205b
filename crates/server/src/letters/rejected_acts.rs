//! What the server would answer now to the acts that fit the status of a letter, so that a page or a command advises none
//! that would fail. What the server decides is judged by the functions that accept the acts; what only the store decides
//! with the act (a paused or full queue, a source id that a live letter has) is looked up.

use redrive_core::{QueueName, Status};
use redrive_model::{FindLetters, FullLetter, ItemState, LetterInfo};
use redrive_proto::redrive::v1::RefusedAct;

use super::fields::letter_error;
use super::hand_back::{WayBack, WaysBack, check_space, no_way_back};
use super::process::{HEALTH_TIMEOUT, processor, processor_error};
use crate::api_error::{ApiError, Code};
use crate::auth::Permission;
use crate::request_context::RequestContext;

/// The acts that would be rejected, and where a retry would hand the letter back to.
pub(super) async fn rejected_acts(
    ctx: &RequestContext,
    queue: &QueueName,
    record: &FullLetter,
) -> Result<(Vec<RefusedAct>, Option<WayBack>), ApiError> {
    let (mut refused, mut hands_back_to) = (Vec::new(), None);
    let Some(letter) = record.info.letter.as_deref().filter(|_| record.info.state != ItemState::Damaged) else {
        return Ok((refused, hands_back_to));
    };
    let mut add = |action: &str, judged: Result<(), ApiError>| match judged {
        Ok(()) => Ok(()),
        // It says nothing about the act.
        Err(error) if matches!(error.code, Code::Internal | Code::RetryRequest) => Err(error),
        Err(error) => {
            let reason = error.group.unwrap_or(&error.reason).to_owned();
            refused.push(RefusedAct { action: action.to_owned(), reason, message: error.message.into_owned() });
            Ok(())
        }
    };
    if matches!(letter.status, Status::Pending | Status::Exhausted) {
        add("retry", retry(ctx, queue, record, letter, &mut hands_back_to).await)?;
    }
    if letter.status == Status::Exhausted {
        add("resume", resume(ctx, queue, letter).await)?;
    }
    // What somebody must do before the letter is retried, by itself or by hand.
    if letter.status == Status::Pending && ctx.app.has_target(queue) {
        add("process", ctx.dead_queue(queue.as_str(), Permission::LettersConfigure).await.map(drop))?;
    }
    if let Some(WayBack::Queue(to)) = &hands_back_to {
        add("resume_queue", ctx.queue(to.as_str(), Permission::QueueUpdate).await.map(drop))?;
    }
    if letter.status == Status::Archived {
        add("restore", restore(ctx, queue, record, letter).await)?;
    }
    Ok((refused, hands_back_to))
}

async fn retry(
    ctx: &RequestContext,
    queue: &QueueName,
    record: &FullLetter,
    letter: &LetterInfo,
    hands_back_to: &mut Option<WayBack>,
) -> Result<(), ApiError> {
    ctx.dead_queue(queue.as_str(), Permission::LettersRetry).await?;
    if ctx.app.has_target(queue) {
        let processor = processor(ctx, queue).await?;
        // A runner that does not answer must not keep a letter from being shown.
        let checked = tokio::time::timeout(HEALTH_TIMEOUT, processor.check_breaker(queue, letter.id)).await;
        return checked.unwrap_or(Ok(())).map_err(processor_error);
    }
    let to = WaysBack::new(ctx, queue.clone()).await?.of_record(record).await?;
    let to = to.ok_or_else(|| no_way_back(queue, record))?;
    *hands_back_to = Some(to.clone());
    let WayBack::Queue(to) = to else { return Ok(()) };
    check_space(ctx, &to).await
}

async fn resume(ctx: &RequestContext, queue: &QueueName, letter: &LetterInfo) -> Result<(), ApiError> {
    ctx.dead_queue(queue.as_str(), Permission::LettersRetry).await?;
    processor(ctx, queue).await?;
    if letter.max_retries == 0 {
        let message = "max_retries of the letter is 0; set it with letters.edit";
        return Err(ApiError::new(Code::Conflict, message).because("no_retries"));
    }
    Ok(())
}

async fn restore(
    ctx: &RequestContext,
    queue: &QueueName,
    record: &FullLetter,
    letter: &LetterInfo,
) -> Result<(), ApiError> {
    ctx.dead_queue(queue.as_str(), Permission::LettersArchive).await?;
    let Some(source_id) = record.info.source_id.as_deref() else { return Ok(()) };
    let statuses = Status::ALL.iter().copied().filter(|status| status.is_live()).collect();
    let find = FindLetters { source_id: Some(source_id.to_owned()), statuses, ..FindLetters::all(queue.clone(), 1) };
    let found = ctx.store().find_letters(find).await.map_err(letter_error)?;
    match found.letters.into_iter().find_map(|info| info.letter).filter(|live| live.id != letter.id) {
        Some(live) => {
            let message = format!("a live letter has the source id of the letter: '{}'", live.id);
            Err(ApiError::new(Code::Conflict, message).because("duplicate"))
        }
        None => Ok(()),
    }
}
