//! What a target is told about the work, beside its payload.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::trace::traceparent;
use crate::Work;

/// What of a text is written as `%` and two digits; so is all that is not ASCII.
const TEXT: &AsciiSet = &CONTROLS.add(b' ').add(b'%');
/// Parts stand in a list.
const PART: &AsciiSet = &TEXT.add(b',');

/// Names and values that every target gets.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// All values, one behind the other.
    text: String,
    /// Each name, and where its value ends.
    ends: Vec<(HeaderName, usize)>,
}

const ID: HeaderName = HeaderName::from_static("redrive-id");
const ATTEMPT: HeaderName = HeaderName::from_static("redrive-attempt");
const DELIVERIES: HeaderName = HeaderName::from_static("redrive-deliveries");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const TRACE_ID: HeaderName = HeaderName::from_static("redrive-trace-id");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const REQUEST_ID: HeaderName = HeaderName::from_static("redrive-request-id");
const PARTS: HeaderName = HeaderName::from_static("redrive-parts");

impl Fields {
    pub(super) fn of(work: &Work) -> Self {
        let mut fields = Self { text: String::with_capacity(128), ends: Vec::with_capacity(8) };
        fields.add(ID, &work.id);
        fields.add(ATTEMPT, work.attempt);
        fields.add(DELIVERIES, work.deliveries);
        fields.add(IDEMPOTENCY_KEY, work.idempotency_key());
        if let Some(trace_id) = &work.trace_id {
            fields.add(TRACE_ID, trace_id);
            if let Some(parent) = traceparent(trace_id, work) {
                fields.add(TRACEPARENT, parent);
            }
        }
        if let Some(id) = &work.request_id {
            fields.add(REQUEST_ID, id);
        }
        if !work.parts.is_empty() {
            let parts: Vec<_> = work.parts.iter().map(|part| utf8_percent_encode(part, PART).to_string()).collect();
            fields.text.push_str(&parts.join(","));
            fields.ends.push((PARTS, fields.text.len()));
        }
        fields
    }

    /// Tells a text, percent-encoded.
    fn add(&mut self, name: HeaderName, value: impl Display) {
        let start = self.text.len();
        if write!(self.text, "{value}").is_err() {
            // What cannot be written is not told, and is no part of what is told next.
            return self.text.truncate(start);
        }
        // Hardly ever is there anything to encode.
        if let Cow::Owned(encoded) = Cow::from(utf8_percent_encode(&self.text[start..], TEXT)) {
            self.text.truncate(start);
            self.text.push_str(&encoded);
        }
        self.ends.push((name, self.text.len()));
    }

    /// Tells them one after the other.
    pub(super) fn put_into(self, headers: &mut HeaderMap) {
        // One buffer for all: a value is a part of it.
        let text = Bytes::from(self.text);
        let mut start = 0;
        for (name, end) in self.ends {
            // Percent-encoded: always a value.
            if let Ok(value) = HeaderValue::from_maybe_shared(text.slice(start..end)) {
                headers.insert(name, value);
            }
            start = end;
        }
    }
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
