//! The delay before the next try of a call that failed.

use std::fmt::Display;

use redrive_core::{Backoff, MonotonicTime, Span};
use redrive_store::random_seed;

use super::clock_reading::ClockReading;
use super::health::RunnerTrouble;

/// A growing delay between tries, and the time and text of the failure that caused it.
#[derive(Debug, Default)]
pub(super) struct RetryDelay {
    trouble: Option<RunnerTrouble>,
    delays: u32,
    not_before: Option<MonotonicTime>,
}

impl RetryDelay {
    /// Ends the delay and forgets the failure, after a success.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    pub(super) fn failed(&mut self, error: &impl Display, now: ClockReading) {
        let since = self.trouble.as_ref().map_or(now.time, |trouble| trouble.since);
        self.trouble = Some(RunnerTrouble { since, error: error.to_string() });
        self.back_off(now.monotonic);
    }

    /// Starts the next delay: 100 ms, doubled each time, up to 5 s.
    pub(super) fn back_off(&mut self, now: MonotonicTime) {
        self.delays = self.delays.saturating_add(1);
        let backoff = Backoff::reconnect(Span::from_millis(100), Span::from_secs(5));
        self.not_before = backoff.delay(self.delays, random_seed()).map(|delay| now.saturating_add(delay));
    }

    pub(super) fn has_elapsed(&mut self, now: MonotonicTime) -> bool {
        // A time in the past is cleared: `until` is only a time to wait for.
        self.not_before = self.not_before.filter(|not_before| now < *not_before);
        self.not_before.is_none()
    }

    /// Ends the delay now; the failure is kept.
    pub(super) const fn skip(&mut self) {
        self.not_before = None;
    }

    pub(super) const fn until(&self) -> Option<MonotonicTime> {
        self.not_before
    }

    pub(super) const fn trouble(&self) -> Option<&RunnerTrouble> {
        self.trouble.as_ref()
    }
}
