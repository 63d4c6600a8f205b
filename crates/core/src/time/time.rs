//! A point in time.
//!
//! It is an integer because a store holds a hundred million of them and every hot path compares them. Calendar
//! arithmetic is needed only for text forms, and [`jiff`] does it.

use std::fmt;
use std::str::FromStr;

use super::Span;
use crate::as_text::serde_as_text;
use crate::{Invalid, Problem};
use jiff::SignedDuration;
use jiff::civil::DateTime;
use jiff::fmt::temporal::{Pieces, PiecesOffset};

/// A point in time: microseconds since 1970-01-01T00:00:00Z, between the years 1 and 9999.
///
/// Sums saturate at [`Time::MAX`]: a delay beyond the calendar means "never automatically", and must not wrap round to
/// "immediately".
///
/// ```
/// use redrive_core::{Span, Time};
///
/// let now: Time = "2026-11-15T12:00:00Z".parse().unwrap();
/// assert_eq!(now.saturating_add(Span::from_secs(5)).to_string(), "2026-11-15T12:00:05.000Z");
/// assert_eq!(Time::MAX.saturating_add(Span::from_secs(1)), Time::MAX);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// 0001-01-01T00:00:00Z, which the queue API sends for "not set".
    pub const MIN: Self = Self(-62_135_596_800_000_000);
    pub const EPOCH: Self = Self(0);
    /// 9999-12-31T23:59:59.999Z.
    pub const MAX: Self = Self(253_402_300_799_999_000);

    /// The time `micros` after the epoch, clamped to `MIN..=MAX`.
    pub const fn from_micros(micros: i64) -> Self {
        if micros < Self::MIN.0 {
            Self::MIN
        } else if micros > Self::MAX.0 {
            Self::MAX
        } else {
            Self(micros)
        }
    }

    pub const fn from_secs(secs: i64) -> Self {
        Self::from_micros(secs.saturating_mul(1_000_000))
    }

    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Whole seconds since the epoch, rounded towards the past.
    pub const fn as_secs(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    #[must_use]
    pub const fn saturating_add(self, span: Span) -> Self {
        Self::from_micros(self.0.saturating_add_unsigned(span.as_micros()))
    }

    #[must_use]
    pub const fn saturating_sub(self, span: Span) -> Self {
        Self::from_micros(self.0.saturating_sub_unsigned(span.as_micros()))
    }

    /// The time elapsed since `earlier`; zero if `earlier` is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        if self.0 <= earlier.0 { Span::ZERO } else { Span::from_micros(self.0.abs_diff(earlier.0)) }
    }
}

/// The epoch as a calendar time. The range of [`jiff::Timestamp`] would end a day before [`Time::MAX`].
const CALENDAR_EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

impl fmt::Display for Time {
    /// ISO 8601 in UTC with milliseconds: the format of times in letters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match CALENDAR_EPOCH.checked_add(SignedDuration::from_micros(self.0)) {
            Ok(date_time) => write!(f, "{date_time:.3}Z"),
            // Unreachable for a value in `MIN..=MAX`; the number is still correct.
            Err(_) => write!(f, "{}µs", self.0),
        }
    }
}

impl FromStr for Time {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        parse(text).ok_or_else(|| {
            Invalid::new("time", Problem::Malformed, text, "RFC 3339 with a zone, as in 2026-11-15T12:00:00Z")
        })
    }
}

fn parse(text: &str) -> Option<Time> {
    let pieces = Pieces::parse(text).ok()?;
    let offset = match pieces.offset()? {
        PiecesOffset::Numeric(numeric) => numeric.offset(),
        _ => jiff::tz::Offset::UTC,
    };
    let local = pieces.date().to_datetime(pieces.time()?);
    let since_epoch = local.duration_since(CALENDAR_EPOCH) - SignedDuration::from_secs(i64::from(offset.seconds()));
    Some(Time::from_micros(i64::try_from(since_epoch.as_micros()).ok()?))
}

serde_as_text!(Time);
