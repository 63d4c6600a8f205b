//! The metrics of the runners that retry letters: one series for each queue that has a target.

use redrive_core::{Category, QueueName};
use redrive_run::{DurationCounts, Processor, RunnerNumbers};

use super::page::Page;

type Gauge = fn(&RunnerNumbers) -> u64;
type Durations = fn(&RunnerNumbers) -> &DurationCounts;

const GAUGES: [(&str, &str, Gauge); 3] = [
    ("redrive_run_open_breakers", "Circuit breakers that are open or half-open", |numbers| numbers.open_breakers),
    ("redrive_run_running", "Running handlers", |numbers| numbers.running),
    ("redrive_run_finishing", "Results that the source has not accepted yet", |numbers| numbers.finishing),
];

const HISTOGRAMS: [(&str, &str, Durations); 2] = [
    ("redrive_run_attempt_seconds", "Duration of attempts", |numbers| &numbers.attempts),
    ("redrive_run_lateness_seconds", "Time from the due time of an attempt to its start", |numbers| &numbers.lateness),
];

pub(super) fn render(processor: &Processor) -> String {
    let runners: Vec<(&QueueName, RunnerNumbers)> = processor.numbers().collect();
    let mut page = Page::default();
    if runners.is_empty() {
        return page.into_text();
    }
    counters(&mut page, &runners);
    for (name, means, gauge) in GAUGES {
        let series = runners.iter().map(|(queue, numbers)| ([("runner", queue.as_str())], gauge(numbers)));
        page.metric(name, "gauge", means, series);
    }
    for (name, means, durations) in HISTOGRAMS {
        page.begin(name, "histogram", means);
        for (queue, numbers) in &runners {
            let durations = durations(numbers);
            let buckets = DurationCounts::BOUNDS.iter().copied().zip(durations.within);
            page.histogram(name, &[("runner", queue.as_str())], buckets, (durations.total, durations.count()));
        }
    }
    page.into_text()
}

fn counters(page: &mut Page, runners: &[(&QueueName, RunnerNumbers)]) {
    let outcomes = runners.iter().flat_map(|(queue, numbers)| {
        numbers.outcomes.map(|(outcome, count)| ([("runner", queue.as_str()), ("outcome", outcome)], count))
    });
    page.metric("redrive_run_attempts_total", "counter", "Deliveries, by outcome", outcomes);
    let failures = runners.iter().flat_map(|(queue, numbers)| {
        let labels = |category: &Category| [("runner", queue.as_str()), ("category", category.as_str())];
        let counted = Category::ALL.iter().zip(numbers.failures);
        counted.map(move |(category, count)| (labels(category), count))
    });
    page.metric("redrive_run_failures_total", "counter", "Failed attempts, by category", failures);
    let transitions = runners.iter().flat_map(|(queue, numbers)| {
        let counts = [("open", numbers.opened), ("closed", numbers.closed)];
        counts.map(|(to, count)| ([("runner", queue.as_str()), ("to", to)], count))
    });
    let help = "Transitions of circuit breakers to open and to closed";
    page.metric("redrive_run_breaker_transitions_total", "counter", help, transitions);
}
