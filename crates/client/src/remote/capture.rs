//! Conversion of captured failures between the model and the API.

use redrive_core::LetterId;
use redrive_model::{CaptureContext, Captured, Content};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::{CaptureLetter, CapturedLetter, Header, Origin};

use super::item::count;

/// The content and context of a letter, without its failure and retry settings.
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
        metadata: context.metadata.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect(),
        reply_to: text(&context.reply_to),
        trace_id: text(&context.trace_id),
        request_id: text(&context.request_id),
        ..CaptureLetter::default()
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
