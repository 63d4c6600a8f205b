//! The delay that a target asks for.

use std::time::SystemTime;

use redrive_core::{Span, Time};

/// Parses the value of a `Retry-After` header: seconds, or a date in one of the three formats of HTTP.
pub(crate) fn retry_after(value: &str, now: Time) -> Option<Span> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit()) {
        // A number that does not fit is as good as infinite.
        return Some(Span::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let at = httpdate::parse_http_date(value).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let at = Time::from_secs(i64::try_from(at.as_secs()).unwrap_or(i64::MAX));
    Some(at.since(now))
}

#[cfg(test)]
mod tests {
    use redrive_core::{Span, Time};

    use super::retry_after;

    // Sun, 06 Nov 1994 08:49:37 GMT
    const THEN: Time = Time::from_secs(784_111_777);

    #[test]
    fn seconds_of_any_size_are_accepted() {
        assert_eq!(retry_after("120", THEN), Some(Span::from_secs(120)));
        assert_eq!(retry_after(" 0 ", THEN), Some(Span::ZERO));
        assert_eq!(retry_after(&"9".repeat(40), THEN), Some(Span::MAX));
    }

    #[test]
    fn dates_are_accepted_in_all_three_formats() {
        for date in ["Sun, 06 Nov 1994 08:50:07 GMT", "Sunday, 06-Nov-94 08:50:07 GMT", "Sun Nov  6 08:50:07 1994"] {
            assert_eq!(retry_after(date, THEN), Some(Span::from_secs(30)), "{date}");
        }
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:00:00 GMT", THEN), Some(Span::ZERO), "the date is in the past");
    }

    #[test]
    fn other_values_are_ignored() {
        for value in ["", "soon", "-1", "1.5", "Sun, 31 Foo 1994 08:50:07 GMT"] {
            assert_eq!(retry_after(value, THEN), None, "{value}");
        }
    }
}
