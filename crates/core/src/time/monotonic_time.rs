//! A point on a clock that is never set.

use super::Span;

/// Microseconds on a clock that only goes forward, since a beginning of its own.
///
/// It says how long something has taken or may take, and nothing about the time of day. That is a [`Time`](super::Time), which
/// an operator or a time server may step: a wait of 3 s that was measured by it lasts 23 s where it is stepped back by 20 s.
/// Two types, so that one is never compared with the other.
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

    /// How long ago `earlier` was; zero when it is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span::from_micros(self.0.saturating_sub(earlier.0))
    }
}
