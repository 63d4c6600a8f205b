//! Keys that take no more room than what is in them: there are millions, and eight bytes of alignment are a third of one.

use redrive_core::{LetterId, Time};

/// A number above all slots of the same rank.
const LAST: u32 = u32::MAX;

/// A slot by a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RankKey {
    rank: Halves,
    pub(crate) slot: u32,
}

impl RankKey {
    pub(crate) const fn new(rank: u64, slot: u32) -> Self {
        Self { rank: Halves::of(rank), slot }
    }

    pub(crate) const fn rank(self) -> u64 {
        self.rank.whole()
    }
}

/// A slot by a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TimeKey {
    at: Halves,
    pub(crate) slot: u32,
}

impl TimeKey {
    pub(crate) const fn new(at: Time, slot: u32) -> Self {
        Self { at: Halves::of_time(at), slot }
    }

    pub(crate) const fn at(self) -> Time {
        self.at.time()
    }
}

/// A letter by the time of its retry, then by its age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DueKey {
    at: Halves,
    serial: Halves,
    pub(crate) slot: u32,
}

impl DueKey {
    pub(crate) const fn new(at: Time, serial: u64, slot: u32) -> Self {
        Self { at: Halves::of_time(at), serial: Halves::of(serial), slot }
    }

    /// Above all that are due by then, and below all that are due later.
    pub(crate) const fn end_of(at: Time) -> Self {
        Self::new(at, u64::MAX, LAST)
    }

    pub(crate) const fn at(self) -> Time {
        self.at.time()
    }
}

/// A letter by its own id: one that came from elsewhere may have any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LetterOrderKey {
    pub(crate) id: LetterId,
    pub(crate) slot: u32,
}

/// A number of eight bytes that need not lie at every eighth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Halves {
    high: u32,
    low: u32,
}

impl Halves {
    #[allow(clippy::cast_possible_truncation, reason = "each half is taken by itself")]
    const fn of(number: u64) -> Self {
        Self { high: (number >> 32) as u32, low: number as u32 }
    }

    const fn whole(self) -> u64 {
        (self.high as u64) << 32 | self.low as u64
    }

    const fn of_time(at: Time) -> Self {
        Self::of(at.as_micros().abs_diff(Time::MIN.as_micros()))
    }

    const fn time(self) -> Time {
        Time::from_micros(Time::MIN.as_micros().saturating_add_unsigned(self.whole()))
    }
}
