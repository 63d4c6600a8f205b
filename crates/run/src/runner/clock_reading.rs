//! One reading of the clock.

use redrive_core::{MonotonicTime, Time};
use redrive_store::Clock;

/// The time of day and the monotonic time, read together.
///
/// The time of day is for due times and records. Everything that the loop itself waits for (timeouts, breakers, pauses,
/// extensions and the drain) uses the monotonic time, so that a step of the system clock makes no wait longer or
/// shorter.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClockReading {
    pub(super) time: Time,
    pub(super) monotonic: MonotonicTime,
}

impl ClockReading {
    pub(super) fn of(clock: &dyn Clock) -> Self {
        Self { time: clock.now(), monotonic: clock.monotonic() }
    }

    /// The monotonic time at which it will be this time of day, unless the system clock is stepped.
    pub(super) const fn monotonic_at(self, at: Time) -> MonotonicTime {
        self.monotonic.saturating_add(at.since(self.time))
    }

    /// The time of day at this monotonic time, unless the system clock is stepped.
    pub(super) const fn time_at(self, at: MonotonicTime) -> Time {
        self.time.saturating_add(at.since(self.monotonic))
    }
}
