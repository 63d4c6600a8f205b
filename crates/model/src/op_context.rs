//! The time and the randomness of an operation.

use redrive_core::Time;

use crate::Stamp;

/// All that an operation may know of the world: the time, and a random number.
///
/// Both are recorded with what they decided, so recovery needs neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpContext {
    pub now: Time,
    /// Any uniformly distributed number; jitter and ids look at it.
    pub random: u64,
}

impl OpContext {
    pub const fn new(now: Time, random: u64) -> Self {
        Self { now, random }
    }

    /// The same with another random number for each stamp: the letters of one request must not be retried together.
    #[must_use]
    pub const fn for_stamp(self, stamp: Stamp) -> Self {
        let mut mixed = self.random.wrapping_add(stamp.serial.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self { now: self.now, random: mixed ^ (mixed >> 31) }
    }
}
