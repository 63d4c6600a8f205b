//! A point in time, or the age of one.

use std::fmt;
use std::str::FromStr;

use redrive_client::Span;
use redrive_core::Time;
use redrive_store::{Clock, SystemClock};

/// A time such as `2026-11-15T12:00:00Z`, or how long ago it is, such as `2h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeOrAge {
    Time(Time),
    Age(Span),
}

impl TimeOrAge {
    /// The time, by the clock of this machine.
    pub(super) fn time(self) -> Time {
        match self {
            Self::Time(time) => time,
            Self::Age(age) => SystemClock.now().saturating_sub(age),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotATime;

impl fmt::Display for NotATime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a time, as in 2026-11-15T12:00:00Z, or how long ago it is, as in 2h or 3d")
    }
}

impl std::error::Error for NotATime {}

impl FromStr for TimeOrAge {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        let time = text.parse().map(Self::Time);
        time.or_else(|_| Span::parse_with_days(text).map(Self::Age)).map_err(|_| NotATime)
    }
}
