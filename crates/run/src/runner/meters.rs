//! The metrics of a runner. Names and labels come from the configuration, never from the data.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};
use redrive_core::{BreakerState, Category, Span};

use super::RunnerTrouble;
use super::numbers::{OUTCOMES, RunnerCounters, RunnerGauges, by_outcome};
use super::report::RunReport;

/// The metrics of one runner, for the installed exporter and for the [`RunnerNumbers`](super::RunnerNumbers) of its
/// source. See `docs/metrics.md`.
#[derive(Debug, Clone)]
pub(super) struct Meters {
    runner: String,
    outcomes: [Counter; OUTCOMES.len()],
    failures: [Counter; Category::ALL.len()],
    opened: Counter,
    closed: Counter,
    refunded: Counter,
    running: Gauge,
    finishing: Gauge,
    open_breakers: Gauge,
    attempts: Histogram,
    lateness: Histogram,
    numbers: Arc<RunnerCounters>,
    /// What was last published.
    published_report: RunReport,
    published_gauges: RunnerGauges,
}

impl Meters {
    pub(super) fn of(runner: &str, numbers: Arc<RunnerCounters>) -> Self {
        let outcomes = OUTCOMES
            .map(|outcome| counter!("redrive_run_attempts_total", "runner" => runner.to_owned(), "outcome" => outcome));
        let failures = std::array::from_fn(|index| {
            let category = Category::ALL[index].as_str();
            counter!("redrive_run_failures_total", "runner" => runner.to_owned(), "category" => category)
        });
        let breaker = |to: BreakerState| counter!("redrive_run_breaker_transitions_total", "runner" => runner.to_owned(), "to" => to.as_str());
        Self {
            outcomes,
            failures,
            opened: breaker(BreakerState::Open),
            closed: breaker(BreakerState::Closed),
            refunded: counter!("redrive_run_refunded_attempts_total", "runner" => runner.to_owned()),
            running: gauge!("redrive_run_running", "runner" => runner.to_owned()),
            finishing: gauge!("redrive_run_finishing", "runner" => runner.to_owned()),
            open_breakers: gauge!("redrive_run_open_breakers", "runner" => runner.to_owned()),
            attempts: histogram!("redrive_run_attempt_seconds", "runner" => runner.to_owned()),
            lateness: histogram!("redrive_run_lateness_seconds", "runner" => runner.to_owned()),
            numbers,
            runner: runner.to_owned(),
            published_report: RunReport::default(),
            published_gauges: RunnerGauges::default(),
        }
    }

    pub(super) fn failed(&self, category: Category) {
        self.failures[category as usize].increment(1);
        self.numbers.failed(category);
    }

    /// Records how long after its due time an attempt started.
    pub(super) fn late(&self, by: Span) {
        self.lateness.record(seconds(by));
        self.numbers.lateness.add(by);
    }

    pub(super) fn attempted(&self, took: Span) {
        self.attempts.record(seconds(took));
        self.numbers.attempts.add(took);
    }

    /// A destination is paused.
    pub(super) fn paused(&self, destination: &str, trouble: Option<&RunnerTrouble>) {
        let error = trouble.map(|trouble| trouble.error.as_str());
        tracing::warn!(runner = %self.runner, destination, error, "destination paused: its calls fail");
        self.opened.increment(1);
        self.numbers.opened.fetch_add(1, Ordering::Relaxed);
    }

    /// The pause of a destination has ended.
    pub(super) fn resumed(&self, destination: &str) {
        tracing::warn!(runner = %self.runner, destination, "destination resumed: it serves calls again");
        self.closed.increment(1);
        self.numbers.closed.fetch_add(1, Ordering::Relaxed);
    }

    /// Publishes the gauges, and adds to the counters what happened since the last call.
    pub(super) fn publish(&mut self, report: &RunReport, now: RunnerGauges) {
        self.running.set(now.running as f64);
        self.finishing.set(now.finishing as f64);
        self.open_breakers.set(now.open_breakers as f64);
        self.numbers.replace_gauges(std::mem::replace(&mut self.published_gauges, now), now);
        let published = std::mem::replace(&mut self.published_report, *report);
        self.numbers.add_report(&published, report);
        if report.refunded > published.refunded {
            self.refunded.increment(report.refunded - published.refunded);
        }
        for ((counter, now), before) in self.outcomes.iter().zip(by_outcome(report)).zip(by_outcome(&published)) {
            if now > before {
                counter.increment(now - before);
            }
        }
    }
}

fn seconds(span: Span) -> f64 {
    span.as_micros() as f64 / 1e6
}
