//! What a target is told about the work, beside its payload.

use bytes::Bytes;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::trace::traceparent;
use crate::Work;

/// What of a text is written as `%` and two digits; so is all that is not ASCII.
const TEXT: &AsciiSet = &CONTROLS.add(b' ').add(b'%');
/// Parts stand in a list.
const PART: &AsciiSet = &TEXT.add(b',');

/// Names and values that every target gets, in lower case and in an order that does not change.
pub(super) fn fields(work: &Work) -> Vec<(&'static str, String)> {
    let text = |text: &str| utf8_percent_encode(text, TEXT).to_string();
    let mut fields = vec![
        ("redrive-id", text(&work.id.to_string())),
        ("redrive-attempt", work.attempt.to_string()),
        ("redrive-deliveries", work.deliveries.to_string()),
        ("idempotency-key", text(&work.idempotency_key())),
    ];
    if let Some(trace_id) = &work.trace_id {
        fields.push(("redrive-trace-id", text(trace_id)));
        fields.extend(traceparent(trace_id, work).map(|parent| ("traceparent", parent)));
    }
    fields.extend(work.request_id.as_deref().map(|id| ("redrive-request-id", text(id))));
    if !work.parts.is_empty() {
        let parts: Vec<_> = work.parts.iter().map(|part| utf8_percent_encode(part, PART).to_string()).collect();
        fields.push(("redrive-parts", parts.join(",")));
    }
    fields
}

/// The key of the work: bytes, which a header can carry as they are, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key<'w> {
    /// For `redrive-key`.
    Plain(&'w str),
    /// For `redrive-key-bin`.
    Binary(&'w Bytes),
}

pub(super) fn key(work: &Work) -> Option<Key<'_>> {
    let key = work.content.key.as_ref()?;
    // Whoever reads a header leaves spaces at its ends out.
    let is_plain = key.iter().all(|byte| matches!(byte, b' '..=b'~')) && key.trim_ascii().len() == key.len();
    match std::str::from_utf8(key) {
        Ok(text) if is_plain => Some(Key::Plain(text)),
        _ => Some(Key::Binary(key)),
    }
}
