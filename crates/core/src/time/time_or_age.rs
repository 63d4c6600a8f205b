//! A point in time, written as such or by its age.

use std::str::FromStr;

use crate::{Invalid, Problem, Span, Time};

/// A time such as `2026-11-15T12:00:00Z`, or how long ago it is, such as `2h`.
///
/// ```
/// use redrive_core::{Time, TimeOrAge};
///
/// let now: Time = "2026-11-15T12:00:00Z".parse()?;
/// assert_eq!("2h".parse::<TimeOrAge>()?.at(now), "2026-11-15T10:00:00Z".parse()?);
/// assert_eq!("2026-11-14T00:00:00Z".parse::<TimeOrAge>()?.at(now), "2026-11-14T00:00:00Z".parse()?);
/// assert!("yesterday".parse::<TimeOrAge>().is_err());
/// # Ok::<(), redrive_core::Invalid>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeOrAge {
    Time(Time),
    Age(Span),
}

impl TimeOrAge {
    /// The point in time.
    pub fn at(self, now: Time) -> Time {
        match self {
            Self::Time(time) => time,
            Self::Age(age) => now.saturating_sub(age),
        }
    }
}

impl FromStr for TimeOrAge {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let time = text.parse().map(Self::Time).ok();
        let time = time.or_else(|| Span::parse_with_days(text).map(Self::Age).ok());
        time.ok_or_else(|| {
            let allowed = "a time, as in 2026-11-15T12:00:00Z, or how long ago it is, as in 2h or 3d";
            Invalid::new("time", Problem::Malformed, text, allowed)
        })
    }
}
