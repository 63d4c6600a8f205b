//! What a runner counts for others: names and labels from the configuration, none from the data.

use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};
use redrive_core::{BreakerChange, BreakerState, Category};

use super::report::RunReport;

/// The counters of one runner. See `docs/metrics.md`.
#[derive(Debug, Clone)]
pub(super) struct Meters {
    runner: String,
    done: Counter,
    retried: Counter,
    dead_lettered: Counter,
    dropped: Counter,
    deferred: Counter,
    aborted: Counter,
    lost: Counter,
    condemned: Counter,
    failures: [Counter; Category::ALL.len()],
    opened: Counter,
    closed: Counter,
    running: Gauge,
    finishing: Gauge,
    pub(super) seconds: Histogram,
    /// What was told before.
    told: RunReport,
}

impl Meters {
    pub(super) fn of(runner: &str) -> Self {
        let outcome =
            |outcome| counter!("redrive_run_attempts_total", "runner" => runner.to_owned(), "outcome" => outcome);
        let failures = std::array::from_fn(|index| {
            let category = Category::ALL[index].as_str();
            counter!("redrive_run_failures_total", "runner" => runner.to_owned(), "category" => category)
        });
        let breaker = |to: BreakerState| counter!("redrive_run_breaker_transitions_total", "runner" => runner.to_owned(), "to" => to.as_str());
        Self {
            done: outcome("done"),
            retried: outcome("retried"),
            dead_lettered: outcome("dead_lettered"),
            dropped: outcome("dropped"),
            deferred: outcome("deferred"),
            aborted: outcome("aborted"),
            lost: outcome("lost"),
            condemned: outcome("condemned"),
            failures,
            opened: breaker(BreakerState::Open),
            closed: breaker(BreakerState::Closed),
            running: gauge!("redrive_run_running", "runner" => runner.to_owned()),
            finishing: gauge!("redrive_run_finishing", "runner" => runner.to_owned()),
            seconds: histogram!("redrive_run_attempt_seconds", "runner" => runner.to_owned()),
            runner: runner.to_owned(),
            told: RunReport::default(),
        }
    }

    pub(super) fn failed(&self, category: Category) {
        self.failures[category as usize].increment(1);
    }

    pub(super) fn changed(&self, destination: &str, change: BreakerChange) {
        let (from, to) = (change.from, change.to);
        tracing::warn!(runner = %self.runner, destination, %from, %to, "a breaker changed");
        match to {
            BreakerState::Open => self.opened.increment(1),
            BreakerState::Closed => self.closed.increment(1),
            BreakerState::HalfOpen => {}
        }
    }

    /// Tells how it stands, and what happened since the last time.
    #[expect(clippy::cast_precision_loss, reason = "there are no more than a few thousand of them")]
    pub(super) fn tell(&mut self, report: &RunReport, running: usize, finishing: usize) {
        self.running.set(running as f64);
        self.finishing.set(finishing as f64);
        let told = std::mem::replace(&mut self.told, *report);
        for (counter, now, before) in [
            (&self.done, report.done, told.done),
            (&self.retried, report.retried, told.retried),
            (&self.dead_lettered, report.dead_lettered, told.dead_lettered),
            (&self.dropped, report.dropped, told.dropped),
            (&self.deferred, report.deferred, told.deferred),
            (&self.aborted, report.aborted, told.aborted),
            (&self.lost, report.lost, told.lost),
            (&self.condemned, report.condemned, told.condemned),
        ] {
            if now > before {
                counter.increment(now - before);
            }
        }
    }
}
