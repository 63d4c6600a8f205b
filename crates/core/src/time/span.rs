//! A duration.
//!
//! The text form is Go's (`300ms`, `1.5h`, `2h45m`): the queue API uses it, and configuration, wire and messages share
//! one notation. The texts of the parse errors are part of that API.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::as_text::serde_as_text;

/// A duration in whole microseconds. Never negative; sums and products saturate.
///
/// ```
/// use redrive_core::Span;
///
/// let span: Span = "1.5h".parse().unwrap();
/// assert_eq!(span, Span::from_mins(90));
/// assert_eq!(span.to_string(), "1h30m0s");
/// assert_eq!(Span::from_millis(1500).to_string(), "1.5s");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

/// The error of a text that is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    #[error("time: invalid duration \"{0}\"")]
    Invalid(String),
    #[error("time: missing unit in duration \"{0}\"")]
    MissingUnit(String),
    #[error("time: unknown unit \"{unit}\" in duration \"{text}\"")]
    UnknownUnit { unit: String, text: String },
    #[error("time: negative duration \"{0}\"")]
    Negative(String),
}

impl Span {
    pub const ZERO: Self = Self(0);
    /// 292 years: the longest duration that the text form can represent.
    pub const MAX: Self = Self(i64::MAX as u64 / 1_000);

    pub const fn from_micros(micros: u64) -> Self {
        if micros > Self::MAX.0 { Self::MAX } else { Self(micros) }
    }

    pub const fn from_millis(millis: u64) -> Self {
        Self::from_micros(millis.saturating_mul(1_000))
    }

    pub const fn from_secs(secs: u64) -> Self {
        Self::from_micros(secs.saturating_mul(1_000_000))
    }

    pub const fn from_mins(mins: u64) -> Self {
        Self::from_secs(mins.saturating_mul(60))
    }

    pub const fn from_hours(hours: u64) -> Self {
        Self::from_secs(hours.saturating_mul(3_600))
    }

    pub const fn from_days(days: u64) -> Self {
        Self::from_hours(days.saturating_mul(24))
    }

    /// Parses a duration with days (`d`, 24 hours) and weeks (`w`) in addition to the units of [`FromStr`]: the form of
    /// the command line and of filters. The queue API accepts Go's units only.
    ///
    /// ```
    /// use redrive_core::Span;
    ///
    /// assert_eq!(Span::parse_with_days("1w2d12h"), Ok(Span::from_hours((7 + 2) * 24 + 12)));
    /// assert!("2d".parse::<Span>().is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not a duration.
    pub fn parse_with_days(text: &str) -> Result<Self, SpanError> {
        parse(text, |unit| match unit {
            "d" => Some(86_400_000_000_000),
            "w" => Some(7 * 86_400_000_000_000),
            unit => unit_nanos(unit),
        })
    }

    pub const fn as_micros(self) -> u64 {
        self.0
    }

    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self::from_micros(self.0.saturating_add(other.0))
    }

    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    #[must_use]
    pub const fn saturating_mul(self, times: u64) -> Self {
        Self::from_micros(self.0.saturating_mul(times))
    }
}

impl From<Span> for Duration {
    fn from(span: Span) -> Self {
        Self::from_micros(span.0)
    }
}

impl From<Duration> for Span {
    fn from(duration: Duration) -> Self {
        Self::from_micros(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0;
        match micros {
            0 => f.write_str("0s"),
            1..1_000 => write!(f, "{micros}µs"),
            1_000..1_000_000 => decimal(f, micros / 1_000, micros % 1_000, 3, "ms"),
            _ => {
                let (secs, rest) = (micros / 1_000_000, micros % 1_000_000);
                let (hours, mins) = (secs / 3_600, secs / 60 % 60);
                if hours > 0 {
                    write!(f, "{hours}h")?;
                }
                if secs >= 60 {
                    write!(f, "{mins}m")?;
                }
                decimal(f, secs % 60, rest, 6, "s")
            }
        }
    }
}

/// `whole.fraction` without trailing zeros, then the unit.
fn decimal(f: &mut fmt::Formatter<'_>, whole: u64, fraction: u64, digits: usize, unit: &str) -> fmt::Result {
    if fraction == 0 {
        return write!(f, "{whole}{unit}");
    }
    let fraction = format!("{fraction:0digits$}");
    write!(f, "{whole}.{}{unit}", fraction.trim_end_matches('0'))
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        parse(text, unit_nanos)
    }
}

/// Parses a duration with the units whose nanoseconds `nanos_of` knows.
fn parse(text: &str, nanos_of: impl Fn(&str) -> Option<u128>) -> Result<Span, SpanError> {
    let (unsigned, is_negative) = match text.as_bytes().first() {
        Some(b'+') => (&text[1..], false),
        Some(b'-') => (&text[1..], true),
        _ => (text, false),
    };
    let span = parse_unsigned(unsigned, text, nanos_of)?;
    // Go accepts `-0s` as zero.
    if is_negative && !span.is_zero() { Err(SpanError::Negative(text.to_owned())) } else { Ok(span) }
}

/// Parses the text after the sign; errors quote `whole`.
fn parse_unsigned(mut rest: &str, whole: &str, nanos_of: impl Fn(&str) -> Option<u128>) -> Result<Span, SpanError> {
    let invalid = || SpanError::Invalid(whole.to_owned());
    if rest == "0" {
        return Ok(Span::ZERO);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut nanos: u128 = 0;
    while !rest.is_empty() {
        let (number, after) = split_number(rest).ok_or_else(invalid)?;
        let unit_end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, next) = after.split_at(unit_end);
        if unit.is_empty() {
            return Err(SpanError::MissingUnit(whole.to_owned()));
        }
        let unit_nanos =
            nanos_of(unit).ok_or_else(|| SpanError::UnknownUnit { unit: unit.to_owned(), text: whole.to_owned() })?;
        nanos = number.times(unit_nanos).and_then(|part| nanos.checked_add(part)).ok_or_else(invalid)?;
        if nanos > NANOS_MAX {
            return Err(invalid());
        }
        rest = next;
    }
    Ok(Span::from_micros(u64::try_from(nanos / 1_000).unwrap_or(u64::MAX)))
}

/// Go's durations are 63 bits of nanoseconds; longer ones are rejected here, too.
const NANOS_MAX: u128 = i64::MAX as u128;

fn unit_nanos(unit: &str) -> Option<u128> {
    Some(match unit {
        "ns" => 1,
        // The micro sign (U+00B5) and the Greek letter mu (U+03BC) are both common.
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// An unparsed decimal number.
struct Number<'a> {
    whole: &'a str,
    fraction: &'a str,
}

impl Number<'_> {
    /// The number times a unit, rounded down; `None` on overflow.
    fn times(&self, unit: u128) -> Option<u128> {
        // Further digits are below a nanosecond in every unit.
        const FRACTION_DIGITS_MAX: usize = 18;
        let whole: u128 = if self.whole.is_empty() { 0 } else { self.whole.parse().ok()? };
        let digits = &self.fraction[..self.fraction.len().min(FRACTION_DIGITS_MAX)];
        let fraction: u128 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        let scale = 10u128.pow(u32::try_from(digits.len()).ok()?);
        whole.checked_mul(unit)?.checked_add(fraction * unit / scale)
    }
}

/// Splits a leading `12`, `1.5`, `.5` or `1.` off the text; `None` if there is no digit.
fn split_number(text: &str) -> Option<(Number<'_>, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = text.split_at(digits(text));
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(after_point) => after_point.split_at(digits(after_point)),
        None => ("", rest),
    };
    let is_number = !(whole.is_empty() && fraction.is_empty());
    is_number.then_some((Number { whole, fraction }, rest))
}

serde_as_text!(Span);
