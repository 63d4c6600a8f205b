//! Times relative to now.

use redrive_client::proto::Timestamp;
use redrive_core::{Span, Time};

const SECOND: u64 = 1_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const YEAR: u64 = 365 * DAY;

/// A duration in its largest unit, as in `57s`, `3m`, `26h` or `5d`.
pub(crate) fn rough(span: Span) -> String {
    match span.as_micros() {
        micros if micros < MINUTE => format!("{}s", micros / SECOND),
        micros if micros < HOUR => format!("{}m", micros / MINUTE),
        micros if micros < 2 * DAY => format!("{}h", micros / HOUR),
        micros if micros < 2 * YEAR => format!("{}d", micros / DAY),
        micros => format!("{}y", micros / YEAR),
    }
}

/// A time as seen from `now`, as in `3m ago` or `in 57s`; a dash if there is none.
pub(crate) fn relative(time: Option<Timestamp>, now: Option<Timestamp>) -> String {
    let Some(time) = time.and_then(Timestamp::time) else { return "-".to_owned() };
    match now.and_then(Timestamp::time) {
        Some(now) => relative_to(time, now),
        None => time.to_string(),
    }
}

fn relative_to(time: Time, now: Time) -> String {
    match time.as_micros().abs_diff(now.as_micros()) {
        micros if micros < SECOND => "now".to_owned(),
        micros if time < now => format!("{} ago", rough(Span::from_micros(micros))),
        micros => format!("in {}", rough(Span::from_micros(micros))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_its_largest_unit() {
        let now = Time::from_secs(1_800_000_000);
        let minute = Span::from_mins(1);
        for (span, text) in [
            (Span::from_millis(999), "now"),
            (Span::from_secs(59), "59s ago"),
            (minute, "1m ago"),
            (Span::from_hours(1), "1h ago"),
            (Span::from_hours(47), "47h ago"),
            (Span::from_hours(48), "2d ago"),
            (Span::from_days(729), "729d ago"),
            (Span::from_days(730), "2y ago"),
        ] {
            assert_eq!(relative_to(now.saturating_sub(span), now), text);
        }
        assert_eq!(relative_to(now.saturating_add(minute), now), "in 1m");
        assert_eq!(relative(None, Some(now.into())), "-");
        assert_eq!(relative(Some(now.into()), None), "2027-01-15T08:00:00.000Z", "a server that does not say the time");
    }
}
