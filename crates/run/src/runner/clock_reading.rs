//! What the clock shows at one moment of the loop.

use redrive_core::{MonotonicTime, Time};
use redrive_store::Clock;

/// The time of day is for what is due and what is recorded. All that the loop itself waits for, timeouts, breakers, pauses,
/// extensions and the drain, is monotonic: nobody's stepping of the clock makes it longer or shorter.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClockReading {
    pub(super) time: Time,
    pub(super) monotonic: MonotonicTime,
}

impl ClockReading {
    pub(super) fn of(clock: &dyn Clock) -> Self {
        Self { time: clock.now(), monotonic: clock.monotonic() }
    }

    /// When it will be a time of day, as things stand now.
    pub(super) const fn monotonic_at(self, at: Time) -> MonotonicTime {
        self.monotonic.saturating_add(at.since(self.time))
    }

    /// What time of day it will be then, as things stand now.
    pub(super) const fn time_at(self, at: MonotonicTime) -> Time {
        self.time.saturating_add(at.since(self.monotonic))
    }
}
