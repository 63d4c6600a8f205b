//! Compact keys without padding: there are millions of them, and an alignment of eight bytes would waste a third.

use redrive_core::{Ksuid, LetterId, Time};

/// A number above all slots.
const LAST: u32 = u32::MAX;

/// A slot ordered by a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RankKey {
    rank: PackedU64,
    pub(crate) slot: u32,
}

impl RankKey {
    pub(crate) const fn new(rank: u64, slot: u32) -> Self {
        Self { rank: PackedU64::of(rank), slot }
    }

    pub(crate) const fn rank(self) -> u64 {
        self.rank.whole()
    }
}

/// A slot ordered by a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TimeKey {
    at: PackedU64,
    pub(crate) slot: u32,
}

impl TimeKey {
    pub(crate) const fn new(at: Time, slot: u32) -> Self {
        Self { at: PackedU64::of_time(at), slot }
    }

    pub(crate) const fn at(self) -> Time {
        self.at.time()
    }
}

/// A letter ordered by the time of its retry, then by its age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DueKey {
    at: PackedU64,
    serial: PackedU64,
    pub(crate) slot: u32,
}

impl DueKey {
    pub(crate) const fn new(at: Time, serial: u64, slot: u32) -> Self {
        Self { at: PackedU64::of_time(at), serial: PackedU64::of(serial), slot }
    }

    /// At or below all keys that are due at `at` or later, and above all earlier ones.
    pub(crate) const fn begin_of(at: Time) -> Self {
        Self::new(at, 0, 0)
    }

    /// Above all keys that are due at or before `at`, and below all later ones.
    pub(crate) const fn end_of(at: Time) -> Self {
        Self::new(at, u64::MAX, LAST)
    }

    pub(crate) const fn at(self) -> Time {
        self.at.time()
    }
}

/// A letter ordered by its letter id, which is arbitrary for a reinstated letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LetterOrderKey {
    pub(crate) id: LetterId,
    pub(crate) slot: u32,
}

impl LetterOrderKey {
    pub(crate) const FIRST: Self = Self { id: LetterId::new(Ksuid::MIN), slot: 0 };
    pub(crate) const LAST: Self = Self { id: LetterId::new(Ksuid::MAX), slot: LAST };
}

/// A `u64` with an alignment of four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PackedU64 {
    high: u32,
    low: u32,
}

impl PackedU64 {
    #[allow(clippy::cast_possible_truncation, reason = "each half is extracted")]
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
