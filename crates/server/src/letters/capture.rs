//! Capture failures as letters.

use std::sync::Arc;

use redrive_core::{CaptureReason, CapturedBy, LetterId, Metadata, PersistOutcome, QueueName, RequestedRetry, Time};
use redrive_model::capture::FailedWork;
use redrive_model::{CaptureContext, Content, Origin};
use redrive_proto::redrive::v1::{
    CaptureLetter, CapturedLetter, LettersCaptureRequest, LettersCaptureResponse, Origin as SentOrigin,
};

use redrive_run::{LetterBox, Posted};

use super::fields::{failure, letter_error, max_retries, one_of, retry_policy};
#[cfg(feature = "search")]
use super::strict::StrictCapture;
use crate::api_error::{ApiError, Code};
use crate::app::App;
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::problems::Problems;
use crate::queue::payload;
use crate::request_context::RequestContext;
use crate::wire::{count, time};

pub(crate) struct Capture;

impl Endpoint for Capture {
    type Request = LettersCaptureRequest;
    type Answer = LettersCaptureResponse;

    const PATH: &'static str = "/v1/letters.capture";
    const NEEDS: Permission = Permission::LettersEnqueue;
    const BODY_MAX: BodyLimit = BodyLimit::Produce;

    /// Counts rejected requests here, since many are rejected before `call` runs; `call` counts the others.
    fn on_rejected(app: &App, error: &ApiError) {
        app.metrics.captures.count(PersistOutcome::Rejected, rejection_reason(error));
    }

    async fn call(ctx: &RequestContext, request: LettersCaptureRequest) -> Result<LettersCaptureResponse, ApiError> {
        let queue = QueueName::new(&request.queue_name).ok();
        let answer = capture(ctx, request).await;
        let captures = &ctx.app.metrics.captures;
        match &answer {
            Ok(captured) => {
                let is_durable = ctx.store().is_durable();
                let outcome = if is_durable { PersistOutcome::Persisted } else { PersistOutcome::InMemory };
                captures.count(outcome, capture_reason(&captured.letters));
            }
            Err(error) => {
                let reason = rejection_reason(error);
                // Counted by queue only if the queue exists and the caller may use it.
                let is_of_queue = error.code != Code::NotFound && error.code != Code::Forbidden;
                queue.filter(|_| is_of_queue).iter().for_each(|queue| captures.count_rejection(queue, reason));
            }
        }
        answer
    }
}

/// The reason under which a request is counted: `enqueued` if it created a letter, else `merged` if it merged one, else
/// `duplicate`.
fn capture_reason(letters: &[CapturedLetter]) -> CaptureReason {
    let all = [CaptureReason::Enqueued, CaptureReason::Merged, CaptureReason::Duplicate];
    let is_any = |reason: &CaptureReason| letters.iter().any(|letter| letter.reason == reason.to_string());
    all.into_iter().find(is_any).unwrap_or(CaptureReason::Duplicate)
}

fn rejection_reason(error: &ApiError) -> CaptureReason {
    match error.code {
        Code::Conflict if error.reason == "disabled" => CaptureReason::Disabled,
        Code::Conflict if error.reason == "skipped_by_strategy" => CaptureReason::SkippedByStrategy,
        Code::TooMany => CaptureReason::QueueFull,
        Code::Conflict => CaptureReason::Duplicate,
        Code::Unauthorized | Code::Forbidden => CaptureReason::Denied,
        Code::BadRequest | Code::NotFound | Code::ContentError => CaptureReason::Invalid,
        _ => CaptureReason::PersistFailed,
    }
}

async fn capture(ctx: &RequestContext, request: LettersCaptureRequest) -> Result<LettersCaptureResponse, ApiError> {
    let queue = ctx.dead_queue(&request.queue_name, Capture::NEEDS).await?;
    if request.letters.is_empty() {
        return Err(ApiError::bad("letters is invalid; cannot be empty").of_field("letters"));
    }
    let work = all_work(ctx, &queue, request.letters).await?;
    #[cfg(feature = "search")]
    let strict = StrictCapture::of(ctx);
    #[cfg(feature = "search")]
    strict.check_index().await?;
    let posted = ctx.app.letter_box.post_all(&queue, &ctx.settings().policy, &work).await;
    let posted = posted.map_err(|not_captured| match letter_error(not_captured.error) {
        full if full.code == Code::TooMany => full.with("queue", &queue),
        error => error,
    })?;
    #[cfg(feature = "search")]
    strict.wait_indexed(&queue, posted.iter().map(|posted| posted.captured.letter).collect()).await?;
    Ok(LettersCaptureResponse { letters: posted.into_iter().map(captured_letter).collect() })
}

/// The failures to capture. The error of wrong ones names the fields of all letters.
async fn all_work(
    ctx: &RequestContext,
    queue: &QueueName,
    letters: Vec<CaptureLetter>,
) -> Result<Vec<FailedWork>, ApiError> {
    let (now, by) = (ctx.app.deadlines.now(), &*ctx.caller.user);
    let mut problems = Problems::default();
    let mut work = Vec::with_capacity(letters.len());
    for (number, letter) in letters.into_iter().enumerate() {
        let depends_on = match dependencies(ctx, queue, &letter.depends_on).await {
            // Not about the request alone, as when the store fails.
            Err(error) if error.code != Code::BadRequest => return problems.finish(()).and(Err(error)),
            checked => problems.field(format_args!("letters[{number}].depends_on"), checked),
        };
        let checked = failed_work(letter, depends_on, now, by).map_err(|error| error.grouped("invalid"));
        work.extend(problems.field(format_args!("letters[{number}]"), checked.map(Some)));
    }
    problems.finish(work)
}

/// The letters that must be completed first. A missing one makes the request invalid.
async fn dependencies(ctx: &RequestContext, queue: &QueueName, names: &[String]) -> Result<Vec<LetterId>, ApiError> {
    let mut letters = Vec::with_capacity(names.len());
    for name in names {
        letters.push(ctx.letter(queue, name).await.map_err(|error| match error.code {
            Code::NotFound => ApiError { code: Code::BadRequest, ..error.grouped("invalid") },
            _ => error,
        })?);
    }
    Ok(letters)
}

fn failed_work(sent: CaptureLetter, depends_on: Vec<LetterId>, now: Time, by: &str) -> Result<FailedWork, ApiError> {
    let mut problems = Problems::default();
    let fault = sent.fault.unwrap_or_default();
    let category = problems.field("fault.category", one_of("category", &fault.category));
    let mut failure = problems.field("fault", failure(fault).map(Some)).unwrap_or_default();
    failure.parts.clone_from(&sent.parts);
    let metadata: Metadata = sent.metadata.into_iter().map(|(name, value)| (name, value.into())).collect();
    failure.metadata.clone_from(&metadata);
    let text = |text: String| (!text.is_empty()).then_some(text);
    let content = Content {
        kind: sent.kind,
        encoding: sent.encoding,
        reference: sent.reference,
        key: sent.key,
        headers: sent.headers.into_iter().map(Into::into).collect(),
        payload: payload(sent.bytes, sent.utf8),
    };
    let context = CaptureContext {
        origin: problems.field("origin", origin(sent.origin.unwrap_or_default()).map(Some)).unwrap_or_default(),
        death: None,
        parts: sent.parts,
        metadata,
        depends_on,
        reply_to: text(sent.reply_to),
        trace_id: text(sent.trace_id),
        request_id: text(sent.request_id),
        submitted_by: text(by.to_owned()),
        note: None,
    };
    let work = FailedWork {
        content: Arc::new(content),
        attempt: u32::try_from(sent.attempts.max(1)).unwrap_or(1),
        failed_at: problems.field("failed_at", time("failed_at", sent.failed_at)).unwrap_or(now),
        requested: RequestedRetry {
            policy: problems.field("retry_policy", retry_policy(&sent.retry_policy)),
            max_retries: problems.field("max_retries", max_retries(sent.max_retries)),
        },
        category,
        destination: text(sent.destination).map(Arc::from),
        priority: problems.field("priority", one_of("priority", &sent.priority)),
        // A guard marks the captures that it makes as automatic.
        by: if context.is_automatic() { CapturedBy::Automatic } else { CapturedBy::Explicit },
        context,
        ..FailedWork::new(sent.source_id, failure, now)
    };
    problems.finish(work)
}

fn origin(sent: SentOrigin) -> Result<Origin, ApiError> {
    let text = |text: String| (!text.is_empty()).then_some(text);
    let mut problems = Problems::default();
    let replays = u32::try_from(sent.replays).map_err(|_| {
        ApiError::bad(format!("origin.replays is invalid; must be 0 or more, but {} was given", sent.replays))
    });
    let origin = Origin {
        transport: sent.transport.into(),
        name: sent.name.into(),
        consumer: text(sent.consumer).map(Arc::from),
        partition: sent.partition,
        offset: sent.offset,
        timestamp: problems.field("timestamp", time("timestamp", sent.timestamp)),
        message_id: text(sent.message_id),
        replays: problems.field("replays", replays),
        // Only a route of this server knows it.
        server: None,
    };
    problems.finish(origin)
}

fn captured_letter(posted: Posted) -> CapturedLetter {
    let Posted { captured, category, rule, template, broken_template, broken_rule } = posted;
    CapturedLetter {
        id: captured.letter.to_string(),
        generation: count(captured.generation),
        status: captured.status.to_string(),
        created: captured.reason == CaptureReason::Enqueued,
        reason: captured.reason.to_string(),
        category: category.to_string(),
        rule,
        template: template.unwrap_or_default(),
        broken_template: broken_template.unwrap_or_default(),
        broken_rule: broken_rule.unwrap_or_default(),
        retry_policy: captured.policy.to_string(),
        max_retries: count(captured.max_retries),
    }
}
