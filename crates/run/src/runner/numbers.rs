//! Counters and gauges of the runners of one source, for callers that show them without a metrics exporter.
//!
//! All runners of one source share one set of numbers, which survives a restart of a runner: counters only grow, and
//! each runner adds its share to the gauges and takes it away again.

use std::sync::atomic::{AtomicU64, Ordering};

use redrive_core::{Category, Span};

use super::report::RunReport;

/// The names of the outcomes of deliveries, in the order of [`RunnerNumbers::outcomes`].
pub(super) const OUTCOMES: [&str; 8] =
    ["done", "retried", "dead_lettered", "dropped", "deferred", "aborted", "lost", "condemned"];

/// A snapshot of the counters and gauges of the runners of one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerNumbers {
    /// Number of deliveries by outcome.
    pub outcomes: [(&'static str, u64); OUTCOMES.len()],
    /// Number of failed attempts by category, in the order of [`Category::ALL`].
    pub failures: [u64; Category::ALL.len()],
    /// How often circuit breakers opened, and closed.
    pub opened: u64,
    pub closed: u64,
    /// Attempts that outages gave back to their work.
    pub refunded: u64,
    /// Destinations whose circuit breaker is not closed now.
    pub open_breakers: u64,
    /// Running handlers.
    pub running: u64,
    /// Results that the source has not taken yet.
    pub finishing: u64,
    /// How long attempts took.
    pub attempts: DurationCounts,
    /// How long after their due time attempts started.
    pub lateness: DurationCounts,
}

/// A histogram of durations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DurationCounts {
    /// Count per bucket: at most this one of [`DurationCounts::BOUNDS`], and more than the one before.
    pub within: [u64; DurationCounts::BOUNDS.len()],
    /// Count above the last bound.
    pub beyond: u64,
    /// Sum of all durations.
    pub total: Span,
}

impl DurationCounts {
    pub const BOUNDS: [Span; 14] = [
        Span::from_millis(1),
        Span::from_millis(5),
        Span::from_millis(10),
        Span::from_millis(25),
        Span::from_millis(50),
        Span::from_millis(100),
        Span::from_millis(250),
        Span::from_secs(1),
        Span::from_millis(2_500),
        Span::from_secs(5),
        Span::from_secs(10),
        Span::from_secs(30),
        Span::from_secs(60),
        Span::from_secs(300),
    ];

    pub fn count(&self) -> u64 {
        self.within.iter().sum::<u64>() + self.beyond
    }
}

/// The gauges of one runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RunnerGauges {
    pub(super) running: usize,
    pub(super) finishing: usize,
    pub(super) open_breakers: usize,
}

/// The shared counters behind [`RunnerNumbers`].
#[derive(Debug, Default)]
pub(crate) struct RunnerCounters {
    outcomes: [AtomicU64; OUTCOMES.len()],
    failures: [AtomicU64; Category::ALL.len()],
    pub(super) opened: AtomicU64,
    pub(super) closed: AtomicU64,
    refunded: AtomicU64,
    running: AtomicU64,
    finishing: AtomicU64,
    open_breakers: AtomicU64,
    pub(super) attempts: DurationCounters,
    pub(super) lateness: DurationCounters,
}

#[derive(Debug, Default)]
pub(super) struct DurationCounters {
    within: [AtomicU64; DurationCounts::BOUNDS.len()],
    beyond: AtomicU64,
    micros: AtomicU64,
}

impl DurationCounters {
    pub(super) fn add(&self, took: Span) {
        let bound = DurationCounts::BOUNDS.iter().position(|bound| took <= *bound);
        let counter = bound.and_then(|bound| self.within.get(bound)).unwrap_or(&self.beyond);
        counter.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(took.as_micros(), Ordering::Relaxed);
    }

    fn counts(&self) -> DurationCounts {
        DurationCounts {
            within: self.within.each_ref().map(loaded),
            beyond: loaded(&self.beyond),
            total: Span::from_micros(loaded(&self.micros)),
        }
    }
}

impl RunnerCounters {
    pub(super) fn failed(&self, category: Category) {
        self.failures[category as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Adds what a runner did since `before`.
    pub(super) fn add_report(&self, before: &RunReport, now: &RunReport) {
        for ((counter, before), now) in self.outcomes.iter().zip(by_outcome(before)).zip(by_outcome(now)) {
            counter.fetch_add(now.saturating_sub(before), Ordering::Relaxed);
        }
        self.refunded.fetch_add(now.refunded.saturating_sub(before.refunded), Ordering::Relaxed);
    }

    /// Replaces one runner's share of the gauges.
    pub(super) fn replace_gauges(&self, before: RunnerGauges, now: RunnerGauges) {
        let gauges = [
            (&self.running, before.running, now.running),
            (&self.finishing, before.finishing, now.finishing),
            (&self.open_breakers, before.open_breakers, now.open_breakers),
        ];
        for (gauge, before, now) in gauges {
            gauge.fetch_add(now as u64, Ordering::Relaxed);
            gauge.fetch_sub(before as u64, Ordering::Relaxed);
        }
    }

    pub(crate) fn numbers(&self) -> RunnerNumbers {
        let counts = self.outcomes.each_ref().map(loaded);
        RunnerNumbers {
            outcomes: std::array::from_fn(|index| (OUTCOMES[index], counts[index])),
            failures: self.failures.each_ref().map(loaded),
            opened: loaded(&self.opened),
            closed: loaded(&self.closed),
            refunded: loaded(&self.refunded),
            open_breakers: loaded(&self.open_breakers),
            running: loaded(&self.running),
            finishing: loaded(&self.finishing),
            attempts: self.attempts.counts(),
            lateness: self.lateness.counts(),
        }
    }
}

fn loaded(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

/// The counts of a report, in the order of [`OUTCOMES`].
pub(super) const fn by_outcome(report: &RunReport) -> [u64; OUTCOMES.len()] {
    let RunReport { done, retried, dead_lettered, dropped, deferred, aborted, lost, hand_over_pending, .. } = *report;
    [done, retried, dead_lettered, dropped, deferred, aborted, lost, hand_over_pending]
}
