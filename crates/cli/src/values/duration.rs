//! Durations and points in time as arguments.

use redrive_core::{Span, Time, TimeOrAge};

/// Parses a duration. Every option with a duration uses this.
pub(crate) fn parse_duration(text: &str) -> Result<Span, &'static str> {
    Span::parse_with_days(text).map_err(|_| "expected a duration, as in 300ms, 90s, 1h30m, 3d or 1w")
}

/// Checks a time or its age, and keeps its spelling: the age is by the clock of the server.
pub(crate) fn parse_time_or_age(text: &str) -> Result<String, String> {
    let checked = text.parse::<TimeOrAge>();
    checked.map(|_| text.to_owned()).map_err(|invalid| format!("expected {}", invalid.allowed))
}

/// Parses a point in time.
pub(crate) fn parse_time(text: &str) -> Result<Time, &'static str> {
    text.parse().map_err(|_| "expected a time, as in 2026-11-15T12:00:00Z")
}
