//! Durations and points in time as arguments.

use redrive_core::{Span, Time};

/// Parses a duration. Every option with a duration uses this.
pub(crate) fn parse_duration(text: &str) -> Result<Span, &'static str> {
    Span::parse_with_days(text).map_err(|_| "expected a duration, as in 300ms, 90s, 1h30m, 3d or 1w")
}

/// Checks a duration before now, or a time, and keeps its spelling: now is the time of the server.
pub(crate) fn parse_moment(text: &str) -> Result<String, &'static str> {
    let is_valid = Span::parse_with_days(text).is_ok() || text.parse::<Time>().is_ok();
    let allowed = "expected a duration before now, as in 2h or 3d, or a time, as in 2026-11-15T12:00:00Z";
    is_valid.then(|| text.to_owned()).ok_or(allowed)
}

/// Parses a point in time.
pub(crate) fn parse_time(text: &str) -> Result<Time, &'static str> {
    text.parse().map_err(|_| "expected a time, as in 2026-11-15T12:00:00Z")
}
