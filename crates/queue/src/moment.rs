//! The moment in which an operation happens.

use redrive_core::Time;

/// All that an operation may know of the world: the time, and a random number.
///
/// Both are recorded with what they decided, so recovery needs neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub now: Time,
    /// Any uniformly distributed number; jitter and ids look at it.
    pub random: u64,
}

impl Moment {
    pub const fn new(now: Time, random: u64) -> Self {
        Self { now, random }
    }

    /// The moment for the so-manieth of several things that happen in it, with a random number of its own: letters that
    /// come in one request must not come back together.
    pub(crate) const fn of(self, number: u64) -> Self {
        let mut mixed = self.random.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self { now: self.now, random: mixed ^ (mixed >> 31) }
    }
}
