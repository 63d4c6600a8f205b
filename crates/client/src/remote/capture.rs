//! Failures that become letters, between a store's words and the wire's.

use redrive_core::{LetterId, PolicySource};
use redrive_model::{Attempt, Captured, NewLetter};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::{CaptureLetter, CapturedLetter, Fault, Header, Origin};
use redrive_store::StoreError;

use super::item::{count, number};

/// A failure as the wire tells it. A server classifies it by itself: it is given the category, and the evidence as far as
/// the rule tells what it was.
pub(super) fn capture_letter(letter: &NewLetter) -> Result<CaptureLetter, StoreError> {
    let (content, context) = (&*letter.content, &letter.context);
    if context.death.is_some() {
        return Err(StoreError::NotOffered("a letter of an item that died in its queue"));
    }
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let header = |header: &redrive_model::Header| Header { name: header.name.clone(), value: header.value.clone() };
    Ok(CaptureLetter {
        source_id: letter.source_id.to_string(),
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        reference: content.reference.clone(),
        bytes: content.payload.clone(),
        utf8: String::new(),
        key: content.key.clone(),
        headers: content.headers.iter().map(header).collect(),
        origin: Some(Origin {
            transport: context.origin.transport.clone(),
            name: context.origin.name.clone(),
            consumer: text(&context.origin.consumer),
            partition: context.origin.partition,
            offset: context.origin.offset,
            timestamp: context.origin.timestamp.map(Timestamp::from),
            message_id: text(&context.origin.message_id),
        }),
        fault: Some(Fault { category: category(letter), ..fault(&letter.attempt) }),
        attempts: 1,
        retry_policy: retry_policy(letter),
        max_retries: letter.max_retries.map(number),
        priority: letter.priority.to_string(),
        depends_on: context.depends_on.iter().map(ToString::to_string).collect(),
        parts: context.parts.clone(),
        metadata: context.metadata.clone().into_iter().collect(),
        reply_to: text(&context.reply_to),
        trace_id: text(&context.trace_id),
        request_id: text(&context.request_id),
        failed_at: Some(letter.failed_at.into()),
        destination: letter.destination.to_string(),
    })
}

/// A category that is named keeps the queue's default policy away.
fn category(letter: &NewLetter) -> String {
    if letter.policy_source == PolicySource::Default { String::new() } else { letter.category.to_string() }
}

/// What the category suggests is left to the server: so it goes on following the newest failure.
fn retry_policy(letter: &NewLetter) -> String {
    let is_derived =
        letter.policy_source != PolicySource::Explicit && letter.policy == letter.category.derived_policy();
    if is_derived { String::new() } else { letter.policy.to_string() }
}

/// The rule of typed evidence names it: `http:503`, `grpc:14`, `sqlstate:40P01`.
fn fault(attempt: &Attempt) -> Fault {
    let (source, value) = attempt.rule.as_deref().and_then(|rule| rule.split_once(':')).unwrap_or_default();
    Fault {
        error: attempt.error.clone(),
        error_type: attempt.error_type.clone().unwrap_or_default(),
        http_status: if source == "http" { value.parse().ok() } else { None },
        grpc_status: if source == "grpc" { value.parse().ok() } else { None },
        sqlstate: if source == "sqlstate" { value.to_owned() } else { String::new() },
        category: String::new(),
    }
}

pub(super) fn captured(letter: &CapturedLetter) -> Option<Captured> {
    Some(Captured {
        letter: LetterId::new(letter.id.parse().ok()?),
        generation: count(letter.generation)?,
        status: letter.status.parse().ok()?,
        policy: letter.retry_policy.parse().ok()?,
        max_retries: count(letter.max_retries)?,
        reason: letter.reason.parse().ok()?,
    })
}
