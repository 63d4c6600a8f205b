//! The settings of a breaker.

use crate::{Invalid, Problem, Span};

/// When a breaker pauses its destination, and how it probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerConfig {
    threshold: u32,
    pub(super) longest_wait: Span,
    probes_max: u32,
    pub(super) probe_for: Span,
    pub(super) patience: Span,
    pub(super) calls_max: usize,
}

impl Default for BreakerConfig {
    /// Five pieces of work in the row, at most 10 s between probes, one probe at a time.
    fn default() -> Self {
        Self::of(5, Span::from_secs(10), 1)
    }
}

impl BreakerConfig {
    /// A row of this length pauses the destination, however few pieces of work it has.
    pub const ROW_FOR: Span = Span::from_secs(5);
    /// A row of this length with as many pieces of work as pause the destination was an outage, which charges nothing.
    pub const OUTAGE_FOR: Span = Span::from_secs(30);
    /// How many outages charge a piece of work nothing. Work that has failed in more of them is likely to cause them.
    pub const OUTAGES_FORGIVEN: u8 = 3;
    /// How many pieces of work that an earlier row has charged count as one that none has.
    pub const CHARGED_PIECES: usize = 4;
    /// The wait after the first failed probe, which each further one doubles.
    pub const FIRST_WAIT: Span = Span::from_millis(100);
    /// The time between probes of work that has just arrived.
    pub const ARRIVALS_EVERY: Span = Span::from_secs(1);
    /// The longest `Retry-After` of which a destination can delay its probes.
    pub const RETRY_AFTER_MAX: Span = Span::from_mins(5);
    /// After a longer pause, calls start slowly.
    pub const SHORT_PAUSE: Span = Span::from_secs(1);
    /// How long calls start slowly at least: with at most half of those that the caller makes at once.
    pub const SLOW_START_FOR: Span = Span::from_secs(1);
    /// How long a row waits for other work if an earlier one has charged all of its work.
    pub const CHARGED_PATIENCE: Span = Span::from_secs(10);
    /// The default timeout of an attempt.
    const PROBE_FOR: Span = Span::from_mins(5);
    const PATIENCE: Span = Span::from_mins(5);

    /// `threshold` different pieces of work in the row pause the destination. Then there are up to `probes_max` probes at
    /// a time, and at most `longest_wait` between them.
    pub fn new(threshold: u32, longest_wait: Span, probes_max: u32) -> Result<Self, Invalid> {
        let out_of_range =
            |field, value: String, allowed| Err(Invalid::new(field, Problem::OutOfRange, value, allowed));
        if !(1..=1_000).contains(&threshold) {
            return out_of_range("breaker.threshold", threshold.to_string(), "1 to 1000");
        }
        if !(Span::from_secs(1)..=Span::from_hours(1)).contains(&longest_wait) {
            return out_of_range("breaker.open_for", longest_wait.to_string(), "1s to 1h");
        }
        if !(1..=100).contains(&probes_max) {
            return out_of_range("breaker.probes", probes_max.to_string(), "1 to 100");
        }
        Ok(Self::of(threshold, longest_wait, probes_max))
    }

    const fn of(threshold: u32, longest_wait: Span, probes_max: u32) -> Self {
        Self {
            threshold,
            longest_wait,
            probes_max,
            probe_for: Self::PROBE_FOR,
            patience: Self::PATIENCE,
            calls_max: usize::MAX,
        }
    }

    /// Sets the probe timeout: a probe without a result after this time frees its slot. It should not be shorter than
    /// the timeout of an attempt: otherwise a slow destination gets more than `probes_max` probes at a time.
    #[must_use]
    pub const fn with_probes_given_up_after(mut self, span: Span) -> Self {
        self.probe_for = span;
        self
    }

    /// Sets how long a row waits for a call of other work before the policy decides about its work. Default: 5 min.
    #[must_use]
    pub const fn with_patience(mut self, span: Span) -> Self {
        self.patience = span;
        self
    }

    /// Sets how many calls the caller makes at a time: a start after a long pause begins with at most half of them.
    #[must_use]
    pub const fn for_calls_at_once(mut self, calls: usize) -> Self {
        self.calls_max = calls;
        self
    }

    /// The same settings with another number of pieces of work that pause the destination.
    pub fn with_threshold(self, threshold: u32) -> Result<Self, Invalid> {
        let Self { threshold, .. } = Self::new(threshold, self.longest_wait, self.probes_max)?;
        Ok(Self { threshold, ..self })
    }

    /// How many pieces of work in the row pause the destination.
    pub const fn threshold(&self) -> u32 {
        self.threshold
    }

    pub(super) const fn probes_max(&self) -> usize {
        self.probes_max as usize
    }
}
