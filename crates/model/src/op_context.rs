//! The time and the randomness of an operation.

use redrive_core::Time;

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
}
