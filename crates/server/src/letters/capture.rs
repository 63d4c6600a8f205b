//! Keep failures as letters.

use std::sync::Arc;

use redrive_core::{
    CaptureReason, Classifier, Fingerprint, LetterId, PersistOutcome, QueueName, RequestedRetry, RetryPolicy,
    RetryTerms, Time, Trigger,
};
use redrive_model::{Attempt, CaptureContext, Captured, Content, GetQueue, Header, NewLetter, Origin, Templates};
use redrive_proto::redrive::v1::{
    CaptureLetter, CapturedLetter, LettersCaptureRequest, LettersCaptureResponse, Origin as SentOrigin,
};

use super::fields::{failure, letter_id, max_retries, one_of, refused, retry_policy};
use super::strict::Strict;
use crate::app::App;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
use crate::queue::payload;
use crate::settings::Settings;
use crate::wire::{count, time};

#[derive(Debug)]
pub(crate) struct Capture;

impl Endpoint for Capture {
    type Request = LettersCaptureRequest;
    type Answer = LettersCaptureResponse;

    const PATH: &'static str = "/v1/letters.capture";

    fn body_max(settings: &Settings) -> usize {
        settings.produce_body_max
    }

    /// Each request is counted once: those that are taken below, those that are not here, since many are refused before
    /// anybody looks at what they say.
    fn refused(app: &App, fault: &Fault) {
        app.metrics.captures.count(PersistOutcome::Rejected, reason_against(fault));
    }

    async fn call(desk: &Desk, request: LettersCaptureRequest) -> Result<LettersCaptureResponse, Fault> {
        let queue = QueueName::new(&request.queue_name).ok();
        let answer = capture(desk, request).await;
        let captures = &desk.app.metrics.captures;
        match &answer {
            Ok(taken) => {
                let is_durable = desk.store().is_durable();
                let outcome = if is_durable { PersistOutcome::Persisted } else { PersistOutcome::InMemory };
                captures.count(outcome, reason_of(&taken.letters));
            }
            Err(fault) => {
                let reason = reason_against(fault);
                // A name that is no queue's has no numbers.
                let is_a_queues = fault.code != Code::NotFound && fault.code != Code::Forbidden;
                queue.filter(|_| is_a_queues).iter().for_each(|queue| captures.refused(queue, reason));
            }
        }
        answer
    }
}

/// What is said of a request by what became of its letters: that there are new ones goes before all else.
fn reason_of(letters: &[CapturedLetter]) -> CaptureReason {
    let all = [CaptureReason::Enqueued, CaptureReason::Merged, CaptureReason::Duplicate];
    let is_any = |reason: &CaptureReason| letters.iter().any(|letter| letter.reason == reason.to_string());
    all.into_iter().find(is_any).unwrap_or(CaptureReason::Duplicate)
}

fn reason_against(fault: &Fault) -> CaptureReason {
    match fault.code {
        // What a queue does not want is told by its own name.
        Code::Conflict if fault.reason == Some("disabled") => CaptureReason::Disabled,
        Code::Conflict if fault.reason == Some("skipped_by_strategy") => CaptureReason::SkippedByStrategy,
        Code::TooMany => CaptureReason::QueueFull,
        Code::Conflict => CaptureReason::Duplicate,
        Code::Unauthorized | Code::Forbidden => CaptureReason::Denied,
        Code::BadRequest | Code::NotFound | Code::ContentError => CaptureReason::Invalid,
        _ => CaptureReason::PersistFailed,
    }
}

async fn capture(desk: &Desk, request: LettersCaptureRequest) -> Result<LettersCaptureResponse, Fault> {
    let queue = desk.dead_queue(&request.queue_name, Permission::LettersEnqueue).await?;
    if request.letters.is_empty() {
        return Err(Fault::bad("letters is invalid; cannot be empty").because("invalid"));
    }
    let settings = desk.store().queue(GetQueue { name: queue.clone() }).await.map_err(refused)?.letters;
    let has_custom = settings.over(&desk.settings().letters).custom_backoff.is_some();
    let known = Known { templates: &settings.templates, has_custom };
    let (now, by) = (desk.app.deadlines.now(), &*desk.caller.user);
    let letters = request.letters.into_iter().map(|letter| new_letter(letter, &known, now, by));
    let letters: Vec<NewLetter> = letters.collect::<Result<_, _>>().map_err(|fault| fault.because("invalid"))?;
    let told: Vec<Told> = letters.iter().map(Told::of).collect();
    let strict = Strict::of(desk);
    strict.before().await?;
    let capture = redrive_model::Capture::new(queue.clone(), letters);
    let captured = desk.store().capture(capture).await.map_err(refused)?;
    strict.after(&queue, &captured).await?;
    let letters = captured.into_iter().zip(told).map(|(captured, told)| told.answer(&captured)).collect();
    Ok(LettersCaptureResponse { letters })
}

/// What a queue says of failures like those before.
struct Known<'q> {
    templates: &'q Templates,
    /// Whether it has delays of its own.
    has_custom: bool,
}

fn new_letter(sent: CaptureLetter, known: &Known<'_>, now: Time, by: &str) -> Result<NewLetter, Fault> {
    let fault = sent.fault.unwrap_or_default();
    let failure = {
        let mut failure = failure(&fault)?;
        failure.parts.clone_from(&sent.parts);
        failure.metadata.extend(sent.metadata.clone());
        failure
    };
    let attempts = u32::try_from(sent.attempts.max(1)).unwrap_or(1);
    let mut found = Classifier::built_in().classify(&failure, attempts);
    // Who knows better says so.
    found.category = one_of("category", &fault.category)?.unwrap_or(found.category);
    // What the capture itself says goes before the template, and that before what the failure suggests.
    let matched = known.templates.matched(&failure, attempts);
    let template = matched.template;
    let of_template = RequestedRetry {
        // The delays that a template counts on may have been the server's, and be gone: no failure is refused for that.
        policy: template
            .and_then(|template| template.policy)
            .filter(|policy| *policy != RetryPolicy::Custom || known.has_custom),
        max_retries: template.and_then(|template| template.max_retries),
    };
    let wanted = RequestedRetry {
        policy: retry_policy(&sent.retry_policy)?.or(of_template.policy),
        max_retries: max_retries(sent.max_retries)?.or(of_template.max_retries),
    };
    let terms = RetryTerms::of(&found, wanted, RetryTerms::MAX_RETRIES);
    let is_named = !fault.category.is_empty();
    let failed_at = time("failed_at", sent.failed_at)?.unwrap_or(now);
    let mut attempt = Attempt::failed(Trigger::Automatic, &failure, &found);
    attempt.ended_at = Some(failed_at);
    let origin = origin(sent.origin.unwrap_or_default())?;
    let route = template.and_then(|template| template.route.as_deref());
    let named = Some(&*sent.destination).filter(|named| !named.is_empty());
    let destination: Arc<str> = Arc::from(named.or(route).unwrap_or(&origin.name));
    let depends_on = sent.depends_on.iter().map(|id| letter_id(id)).collect::<Result<Vec<LetterId>, _>>()?;
    let text = |text: String| (!text.is_empty()).then_some(text);
    let content = Content {
        kind: sent.kind,
        encoding: sent.encoding,
        reference: sent.reference,
        key: sent.key,
        headers: sent.headers.into_iter().map(|header| Header { name: header.name, value: header.value }).collect(),
        payload: payload(sent.bytes, sent.utf8),
    };
    let mut context = CaptureContext {
        origin,
        death: None,
        parts: sent.parts,
        metadata: sent.metadata.into_iter().collect(),
        depends_on,
        reply_to: text(sent.reply_to),
        trace_id: text(sent.trace_id),
        request_id: text(sent.request_id),
        submitted_by: text(by.to_owned()),
        note: None,
    };
    context.mark_template(matched);
    // A guard that stands before another program says that nobody did it by hand.
    let is_by_hand = !context.is_automatic();
    context.mark_enqueued(now, is_by_hand, text(fault.error_type));
    let terms = if is_by_hand && !is_named { terms.of_unnamed() } else { terms };
    Ok(NewLetter {
        source_id: sent.source_id.into_boxed_str(),
        content: Arc::new(content),
        attempt,
        category: found.category,
        fingerprint: Fingerprint::of(&failure),
        policy: terms.policy,
        policy_source: terms.source,
        max_retries: wanted.max_retries.or(found.overrides.max_retries),
        priority: one_of("priority", &sent.priority)?.unwrap_or_default(),
        destination,
        failed_at,
        context,
    })
}

fn origin(sent: SentOrigin) -> Result<Origin, Fault> {
    let text = |text: String| (!text.is_empty()).then_some(text);
    Ok(Origin {
        transport: sent.transport,
        name: sent.name,
        consumer: text(sent.consumer),
        partition: sent.partition,
        offset: sent.offset,
        timestamp: time("timestamp", sent.timestamp)?,
        message_id: text(sent.message_id),
    })
}

/// What was made of a failure, for its caller.
struct Told {
    category: String,
    rule: String,
    template: String,
    broken_template: String,
}

impl Told {
    fn of(letter: &NewLetter) -> Self {
        let noted = |key: &str| letter.context.metadata.get(key).cloned().unwrap_or_default();
        Self {
            category: letter.category.to_string(),
            rule: letter.attempt.rule.clone().unwrap_or_default(),
            template: noted(CaptureContext::MATCHED_TEMPLATE),
            broken_template: noted(CaptureContext::BROKEN_TEMPLATE),
        }
    }

    fn answer(self, captured: &Captured) -> CapturedLetter {
        CapturedLetter {
            id: captured.letter.to_string(),
            generation: count(captured.generation),
            status: captured.status.to_string(),
            created: captured.reason == CaptureReason::Enqueued,
            reason: captured.reason.to_string(),
            category: self.category,
            rule: self.rule,
            template: self.template,
            broken_template: self.broken_template,
            retry_policy: captured.policy.to_string(),
            max_retries: count(captured.max_retries),
        }
    }
}
