//! The message for a point in time.

use std::fmt;

use redrive_core::Time;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// protobuf's `Timestamp`: seconds and nanoseconds since 1970, from the year 1 to the year 9999.
#[derive(Clone, Copy, PartialEq, Eq, Hash, prost::Message)]
pub struct Timestamp {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

impl Timestamp {
    /// 0001-01-01T00:00:00Z: an unset time in the Querator API. Clients would decode an omitted time as 1970.
    pub const UNSET: Self = Self { seconds: -62_135_596_800, nanos: 0 };

    /// The time, truncated to microseconds. `None` if it is unset or not [valid](Self::is_valid).
    pub fn time(self) -> Option<Time> {
        let micros = self.seconds.checked_mul(1_000_000)?.checked_add(i64::from(self.nanos / 1_000))?;
        let time = Time::from_micros(micros);
        (self.is_valid() && time > Time::MIN).then_some(time)
    }

    /// Whether the time lies within the years 1 to 9999 and the nanoseconds within one second.
    pub const fn is_valid(self) -> bool {
        let is_in_calendar = self.seconds >= Self::UNSET.seconds && self.seconds <= LAST_SECOND;
        is_in_calendar && self.nanos >= 0 && self.nanos < 1_000_000_000
    }
}

impl From<Time> for Timestamp {
    fn from(time: Time) -> Self {
        let seconds = time.as_secs();
        let micros = time.as_micros().rem_euclid(1_000_000);
        Self { seconds, nanos: i32::try_from(micros * 1_000).unwrap_or(0) }
    }
}

/// `None` becomes [`Timestamp::UNSET`].
impl From<Option<Time>> for Timestamp {
    fn from(time: Option<Time>) -> Self {
        time.map_or(Self::UNSET, Self::from)
    }
}

/// The last second of the year 9999.
const LAST_SECOND: i64 = 253_402_300_799;

/// The Unix epoch as a calendar date.
const EPOCH: jiff::civil::DateTime = jiff::civil::DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

impl fmt::Display for Timestamp {
    /// RFC 3339 in UTC, with zero, three, six or nine fractional digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date_time =
            EPOCH.checked_add(jiff::SignedDuration::new(self.seconds, self.nanos)).map_err(|_| fmt::Error)?;
        let digits = match self.nanos {
            0 => 0,
            nanos if nanos % 1_000_000 == 0 => 3,
            nanos if nanos % 1_000 == 0 => 6,
            _ => 9,
        };
        write!(f, "{date_time:.digits$}Z")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TimestampVisitor;

        impl Visitor<'_> for TimestampVisitor {
            type Value = Timestamp;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an RFC 3339 time such as 2026-11-15T12:00:00Z")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Timestamp, E> {
                parse(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_str(TimestampVisitor)
    }
}

/// Parses strict RFC 3339: `jiff` alone also accepts other separators and time zone notations.
fn parse(text: &str) -> Option<Timestamp> {
    let is_separated = text.as_bytes().get(10) == Some(&b'T');
    let zone = text.get(19..)?.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let is_zoned =
        zone == "Z" || (zone.len() == 6 && zone.starts_with(['+', '-']) && zone.as_bytes().get(3) == Some(&b':'));
    if !is_separated || !is_zoned {
        return None;
    }
    let pieces = jiff::fmt::temporal::Pieces::parse(text).ok()?;
    let offset = match pieces.offset()? {
        jiff::fmt::temporal::PiecesOffset::Numeric(numeric) => numeric.offset(),
        _ => jiff::tz::Offset::UTC,
    };
    let since = pieces.date().to_datetime(pieces.time()?).duration_since(EPOCH);
    let since = since.checked_sub(jiff::SignedDuration::from_secs(i64::from(offset.seconds())))?;
    let (seconds, nanos) = match (since.as_secs(), since.subsec_nanos()) {
        (seconds, nanos) if nanos < 0 => (seconds - 1, nanos + 1_000_000_000),
        whole => whole,
    };
    let is_in_calendar = (Timestamp::UNSET.seconds..=LAST_SECOND).contains(&seconds);
    is_in_calendar.then_some(Timestamp { seconds, nanos })
}
