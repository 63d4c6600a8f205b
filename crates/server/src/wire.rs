//! Conversions between messages and the types of the store.

use redrive_core::{Span, Time, TimeOrAge};
use redrive_proto::Timestamp;

use crate::api_error::{ApiError, Code};

/// Reads a time. One outside the calendar is an error: it must not be read as unset, which means "now".
pub(crate) fn time(field: &str, sent: Option<Timestamp>) -> Result<Option<Time>, ApiError> {
    match sent {
        Some(sent) if !sent.is_valid() => {
            let message = format!("{field} is invalid; it must lie between the years 1 and 9999");
            Err(ApiError::new(Code::ContentError, message))
        }
        sent => Ok(sent.and_then(Timestamp::time)),
    }
}

/// Reads a time, or how long ago it is; `None` if the text is empty.
pub(crate) fn time_or_age(field: &str, text: &str, now: Time) -> Result<Option<Time>, ApiError> {
    if text.is_empty() {
        return Ok(None);
    }
    let read = text
        .parse::<TimeOrAge>()
        .map_err(|invalid| ApiError::bad(format!("{field} is invalid; '{text}' is not {}", invalid.allowed)))?;
    Ok(Some(read.at(now)))
}

/// Reads a duration; `None` if the text is empty. An error shows the examples.
pub(crate) fn span(field: &str, text: &str, examples: &str) -> Result<Option<Span>, ApiError> {
    if text.is_empty() {
        return Ok(None);
    }
    let parsed = text.parse::<Span>();
    parsed
        .map(Some)
        .map_err(|error| ApiError::bad(format!("{field} is invalid; {error} - expected format: {examples}")))
}

pub(crate) fn duration(field: &str, text: &str) -> Result<Option<Span>, ApiError> {
    span(field, text, "30s, 10m or 24h")
}

pub(crate) fn lease_timeout(text: &str) -> Result<Option<Span>, ApiError> {
    span("lease timeout", text, "8m, 15m or 1h")
}

pub(crate) fn expire_timeout(text: &str) -> Result<Option<Span>, ApiError> {
    span("expire timeout", text, "60m, 2h or 24h")
}

/// A count as `i64`, capped at its maximum.
pub(crate) fn big_count(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

/// Reads a value of a closed set; `None` if the text is empty.
pub(crate) fn one_of<T: std::str::FromStr>(field: &str, text: &str) -> Result<Option<T>, ApiError> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| ApiError::bad(format!("{field} is invalid; '{text}' is not known")))
}

/// A count as `i32`, capped at its maximum.
pub(crate) fn count(count: impl TryInto<i32>) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}
