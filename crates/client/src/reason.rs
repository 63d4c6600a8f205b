//! Why a call is made, as the server hears it.

use http::{HeaderName, HeaderValue};

use crate::{BuildError, Client};

pub(crate) const REASON: HeaderName = HeaderName::from_static("x-redrive-reason");

/// A server reads only what is plain, and passes over the rest as if nothing had been said: what it would not hear is
/// refused here.
pub(crate) fn header_of(reason: &str) -> Result<HeaderValue, BuildError> {
    let most = Client::REASON_BYTES_MAX;
    let reason = reason.trim();
    let is_plain = reason.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    let is_heard = is_plain && (1..=most).contains(&reason.len());
    let value = is_heard.then(|| HeaderValue::from_str(reason).ok()).flatten();
    value.ok_or(BuildError::Reason { most })
}
