//! Conversion of captured failures between the model and the API.

use redrive_core::CapturedBy;
use redrive_model::capture::FailedWork;
use redrive_model::{Captured, Rejection, RejectionFields};
use redrive_proto::redrive::v1::{CaptureLetter, CapturedLetter, Fault};
use redrive_run::Posted;

use super::{count, headers, number, text};

const DEATH: &str = "death is invalid; only the server makes letters of items that died in a queue";

/// Rejects the letter of an item that died in its queue.
pub(crate) fn capture_letter(work: &FailedWork) -> Result<CaptureLetter, Rejection> {
    if work.context.death.is_some() {
        return Err(Rejection::from_parts("invalid", RejectionFields::new(), DEATH));
    }
    let error_type = work.failure.error.kind.as_ref().map(ToString::to_string);
    let mut context = work.context.clone();
    context.mark_enqueued(work.reported_at, work.by == CapturedBy::Explicit, error_type);
    let content = &work.content;
    Ok(CaptureLetter {
        source_id: work.source_id.to_string(),
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        reference: content.reference.clone(),
        bytes: content.payload.clone(),
        utf8: String::new(),
        key: content.key.clone(),
        headers: headers(content),
        origin: Some(context.origin.into()),
        fault: Some(Fault {
            category: work.category.map(|category| category.to_string()).unwrap_or_default(),
            ..Fault::from(&work.failure)
        }),
        attempts: number(work.attempt),
        retry_policy: work.requested.policy.map(|policy| policy.to_string()).unwrap_or_default(),
        max_retries: work.requested.max_retries.map(number),
        priority: work.priority.map(|priority| priority.to_string()).unwrap_or_default(),
        depends_on: context.depends_on.iter().map(ToString::to_string).collect(),
        parts: context.parts,
        metadata: context.metadata.into_iter().map(|(name, value)| (name, value.into())).collect(),
        reply_to: context.reply_to.unwrap_or_default(),
        trace_id: context.trace_id.unwrap_or_default(),
        request_id: context.request_id.unwrap_or_default(),
        failed_at: Some(work.failed_at.into()),
        destination: work.destination.as_deref().unwrap_or_default().to_owned(),
    })
}

pub(crate) fn posted(letter: CapturedLetter) -> Option<Posted> {
    let captured = Captured {
        letter: letter.id.parse().ok()?,
        generation: count(letter.generation)?,
        status: letter.status.parse().ok()?,
        policy: letter.retry_policy.parse().ok()?,
        max_retries: count(letter.max_retries)?,
        reason: letter.reason.parse().ok()?,
    };
    Some(Posted {
        captured,
        category: letter.category.parse().ok()?,
        rule: letter.rule,
        template: text(letter.template),
        broken_template: text(letter.broken_template),
        broken_rule: text(letter.broken_rule),
    })
}
