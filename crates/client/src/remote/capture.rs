//! Failures that become letters, between a store's words and the wire's.

use redrive_core::{LetterId, PolicySource};
use redrive_model::{CaptureContext, Captured, Content, NewLetter};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::{CaptureLetter, CapturedLetter, Fault, Header, Origin};
use redrive_store::StoreError;

use super::item::{count, number};

/// What a letter carries, as the wire tells it. What it failed with, and how it is retried, is left open.
pub(super) fn letter_of(source_id: &str, content: &Content, context: &CaptureContext) -> CaptureLetter {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let header = |header: &redrive_model::Header| Header { name: header.name.clone(), value: header.value.clone() };
    CaptureLetter {
        source_id: source_id.to_owned(),
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        reference: content.reference.clone(),
        bytes: content.payload.clone(),
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
        depends_on: context.depends_on.iter().map(ToString::to_string).collect(),
        parts: context.parts.clone(),
        metadata: context.metadata.clone().into_iter().collect(),
        reply_to: text(&context.reply_to),
        trace_id: text(&context.trace_id),
        request_id: text(&context.request_id),
        ..CaptureLetter::default()
    }
}

/// A letter as the wire tells it. A server classifies it by itself: it is given the category, and no evidence.
pub(super) fn capture_letter(letter: &NewLetter) -> Result<CaptureLetter, StoreError> {
    if letter.context.death.is_some() {
        return Err(StoreError::NotOffered("a letter of an item that died in its queue"));
    }
    let fault = Fault {
        error: letter.attempt.error.clone(),
        error_type: letter.attempt.error_type.clone().unwrap_or_default(),
        category: category(letter),
        ..Fault::default()
    };
    Ok(CaptureLetter {
        fault: Some(fault),
        attempts: 1,
        retry_policy: retry_policy(letter),
        max_retries: Some(number(letter.max_retries)),
        priority: letter.priority.to_string(),
        failed_at: Some(letter.failed_at.into()),
        destination: letter.destination.to_string(),
        ..letter_of(&letter.source_id, &letter.content, &letter.context)
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
