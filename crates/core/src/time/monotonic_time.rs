//! A time on the monotonic clock.

use super::Span;

/// Microseconds on a monotonic clock, since an unspecified start.
///
/// Use it to measure durations and timeouts. It says nothing about the time of day: that is a [`Time`](super::Time),
/// which an operator or a time server may step. A wait of 3 s measured by it would last 23 s if it were stepped back by
/// 20 s. They are two types so that one is never compared with the other.
///
/// ```
/// use redrive_core::{MonotonicTime, Span};
///
/// let begin = MonotonicTime::ZERO;
/// let deadline = begin.saturating_add(Span::from_secs(3));
/// assert_eq!(deadline.since(begin), Span::from_secs(3));
/// assert_eq!(begin.since(deadline), Span::ZERO);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MonotonicTime(u64);

impl MonotonicTime {
    pub const ZERO: Self = Self(0);

    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    pub const fn as_micros(self) -> u64 {
        self.0
    }

    #[must_use]
    pub const fn saturating_add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.as_micros()))
    }

    /// The time elapsed since `earlier`; zero if `earlier` is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span::from_micros(self.0.saturating_sub(earlier.0))
    }
}
