//! Payloads are bytes. As text they are shown as such, else in base64.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;

use crate::console::excerpt;

/// So much of a payload has a place in a table; `--output json` has all of it.
const SHOWN_CHARS_MAX: usize = 100;

/// One of two fields, so that a program need not guess which it is.
pub(super) fn fields(payload: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(payload) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(BASE64_STANDARD.encode(payload))),
    }
}

/// The bytes that the fields were made of; none, if they are not of that form.
pub(super) fn bytes(text: Option<String>, base64: Option<String>) -> Option<Bytes> {
    match (text, base64) {
        (Some(_), Some(_)) => None,
        (Some(text), None) => Some(text.into()),
        (None, Some(base64)) => BASE64_STANDARD.decode(base64).ok().map(Bytes::from),
        (None, None) => Some(Bytes::new()),
    }
}

/// The beginning of it, for people.
pub(super) fn cell(payload: &[u8]) -> String {
    match std::str::from_utf8(payload) {
        Ok(text) => excerpt(text, SHOWN_CHARS_MAX),
        // Three bytes are four characters.
        Err(_) => {
            let head = &payload[..payload.len().min(SHOWN_CHARS_MAX / 4 * 3)];
            let more = if head.len() < payload.len() { "…" } else { "" };
            format!("base64:{}{more}", BASE64_STANDARD.encode(head))
        }
    }
}
