//! The time and the random number of an operation.

use redrive_core::Time;

/// All external input of an operation: the time, and a random number.
///
/// The facts of an operation record the values derived from both, so recovery needs neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpContext {
    pub now: Time,
    /// Any uniformly distributed number; jitter and ids use it.
    pub random: u64,
}

impl OpContext {
    pub const fn new(now: Time, random: u64) -> Self {
        Self { now, random }
    }
}
