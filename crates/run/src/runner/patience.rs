//! How long to leave somebody alone who does not answer.

use std::fmt::Display;

use redrive_core::{MonotonicTime, Span};

use super::clock_reading::ClockReading;
use super::health::RunnerTrouble;

/// Asks less and less often while nothing comes of it, and remembers since when.
#[derive(Debug, Default)]
pub(super) struct Patience {
    trouble: Option<RunnerTrouble>,
    rests: u32,
    not_before: Option<MonotonicTime>,
}

impl Patience {
    /// There was an answer.
    pub(super) fn went_well(&mut self) {
        *self = Self::default();
    }

    pub(super) fn went_wrong(&mut self, error: &impl Display, now: ClockReading) {
        let since = self.trouble.as_ref().map_or(now.time, |trouble| trouble.since);
        self.trouble = Some(RunnerTrouble { since, error: error.to_string() });
        self.rest(now.monotonic);
    }

    /// A tenth of a second, doubled each time, up to 5 s.
    pub(super) fn rest(&mut self, now: MonotonicTime) {
        let pause = Span::from_millis(100).saturating_mul(1 << self.rests.min(6)).min(Span::from_secs(5));
        self.not_before = Some(now.saturating_add(pause));
        self.rests = self.rests.saturating_add(1);
    }

    /// Whether it is time to ask.
    pub(super) fn is_over(&mut self, now: MonotonicTime) -> bool {
        // A time that is past is no time to wait for.
        self.not_before = self.not_before.filter(|not_before| now < *not_before);
        self.not_before.is_none()
    }

    /// Asks at once, whatever went wrong before.
    pub(super) const fn hurry(&mut self) {
        self.not_before = None;
    }

    pub(super) const fn until(&self) -> Option<MonotonicTime> {
        self.not_before
    }

    pub(super) const fn trouble(&self) -> Option<&RunnerTrouble> {
        self.trouble.as_ref()
    }
}
