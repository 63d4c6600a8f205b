//! The metadata of the work that every target gets as headers.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::trace::traceparent;
use crate::Work;

/// The ASCII characters that are percent-encoded in a value; so is everything that is not ASCII.
const TEXT: &AsciiSet = &CONTROLS.add(b' ').add(b'%');
/// The names of parts are in a comma-separated list.
const PART: &AsciiSet = &TEXT.add(b',');

/// Names and values of the headers.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// All values, concatenated.
    text: String,
    /// Each name with the end of its value in `text`.
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

    /// Adds a value, percent-encoded.
    fn add(&mut self, name: HeaderName, value: impl Display) {
        let start = self.text.len();
        if write!(self.text, "{value}").is_err() {
            // Leaves out a value that cannot be formatted.
            return self.text.truncate(start);
        }
        // Values rarely need encoding.
        if let Cow::Owned(encoded) = Cow::from(utf8_percent_encode(&self.text[start..], TEXT)) {
            self.text.truncate(start);
            self.text.push_str(&encoded);
        }
        self.ends.push((name, self.text.len()));
    }

    /// Inserts all fields into `headers`.
    pub(super) fn put_into(self, headers: &mut HeaderMap) {
        // All values share one buffer.
        let text = Bytes::from(self.text);
        let mut start = 0;
        for (name, end) in self.ends {
            // Percent-encoded text is always a valid value.
            if let Ok(value) = HeaderValue::from_maybe_shared(text.slice(start..end)) {
                headers.insert(name, value);
            }
            start = end;
        }
    }
}

/// The key of the work. Not all bytes are allowed in a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key<'w> {
    /// For `redrive-key`.
    Plain(&'w str),
    /// For `redrive-key-bin`.
    Binary(&'w Bytes),
}

pub(super) fn key(work: &Work) -> Option<Key<'_>> {
    let key = work.content.key.as_ref()?;
    // Receivers trim the spaces at both ends of a header value.
    let is_plain = key.iter().all(|byte| matches!(byte, b' '..=b'~')) && key.trim_ascii().len() == key.len();
    match std::str::from_utf8(key) {
        Ok(text) if is_plain => Some(Key::Plain(text)),
        _ => Some(Key::Binary(key)),
    }
}
