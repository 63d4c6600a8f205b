//! The settings of a breaker.

use crate::{Invalid, Problem, Span};

/// When a breaker opens, for how long, and how it probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerConfig {
    threshold: u32,
    pub(super) open_for: Span,
    probes_max: u32,
    pub(super) probe_for: Span,
}

impl Default for BreakerConfig {
    /// Opens after 5 failures in a row, for 10 s, then one probe at a time.
    fn default() -> Self {
        Self { threshold: 5, open_for: Span::from_secs(10), probes_max: 1, probe_for: Self::PROBE_FOR }
    }
}

impl BreakerConfig {
    /// `threshold` failures in a row open the breaker for `open_for`; then it admits up to `probes_max` probes at a
    /// time.
    pub fn new(threshold: u32, open_for: Span, probes_max: u32) -> Result<Self, Invalid> {
        let out_of_range =
            |field, value: String, allowed| Err(Invalid::new(field, Problem::OutOfRange, value, allowed));
        if !(1..=1_000).contains(&threshold) {
            return out_of_range("breaker.threshold", threshold.to_string(), "1 to 1000");
        }
        if !(Span::from_secs(1)..=Span::from_hours(1)).contains(&open_for) {
            return out_of_range("breaker.open_for", open_for.to_string(), "1s to 1h");
        }
        if !(1..=100).contains(&probes_max) {
            return out_of_range("breaker.probes", probes_max.to_string(), "1 to 100");
        }
        Ok(Self { threshold, open_for, probes_max, probe_for: Self::PROBE_FOR })
    }

    /// The default timeout of an attempt.
    const PROBE_FOR: Span = Span::from_mins(5);

    /// Sets the probe timeout: a probe without a result after this time frees its slot. It should not be shorter than
    /// the timeout of an attempt: otherwise a slow destination gets more than `probes_max` probes at a time.
    #[must_use]
    pub const fn with_probes_given_up_after(mut self, span: Span) -> Self {
        self.probe_for = span;
        self
    }

    /// The same settings with another number of failures in a row that open the breaker.
    pub fn with_threshold(self, threshold: u32) -> Result<Self, Invalid> {
        Ok(Self { probe_for: self.probe_for, ..Self::new(threshold, self.open_for, self.probes_max)? })
    }

    /// How many failures in a row open the breaker.
    pub const fn threshold(&self) -> u32 {
        self.threshold
    }

    pub(super) const fn probes_max(&self) -> usize {
        self.probes_max as usize
    }
}
