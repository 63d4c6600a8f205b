//! The metrics of the runners that retry letters: one series for each queue that has a target.

use redrive_core::{Category, QueueName, Span};
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
        page.begin(name, "gauge", means);
        for (queue, numbers) in &runners {
            page.value(name, &[("runner", queue.as_str())], gauge(numbers));
        }
    }
    for (name, means, durations) in HISTOGRAMS {
        page.begin(name, "histogram", means);
        for (queue, numbers) in &runners {
            histogram(&mut page, name, queue.as_str(), durations(numbers));
        }
    }
    page.into_text()
}

fn counters(page: &mut Page, runners: &[(&QueueName, RunnerNumbers)]) {
    let name = "redrive_run_attempts_total";
    page.begin(name, "counter", "Deliveries, by outcome");
    for (queue, numbers) in runners {
        for (outcome, count) in numbers.outcomes {
            page.value(name, &[("runner", queue.as_str()), ("outcome", outcome)], count);
        }
    }
    let name = "redrive_run_failures_total";
    page.begin(name, "counter", "Failed attempts, by category");
    for (queue, numbers) in runners {
        for (category, count) in Category::ALL.iter().zip(numbers.failures) {
            page.value(name, &[("runner", queue.as_str()), ("category", category.as_str())], count);
        }
    }
    let name = "redrive_run_breaker_transitions_total";
    page.begin(name, "counter", "Transitions of circuit breakers to open and to closed");
    for (queue, numbers) in runners {
        for (to, count) in [("open", numbers.opened), ("closed", numbers.closed)] {
            page.value(name, &[("runner", queue.as_str()), ("to", to)], count);
        }
    }
}

fn histogram(page: &mut Page, name: &str, runner: &str, durations: &DurationCounts) {
    let bucket = format!("{name}_bucket");
    let mut sum = 0;
    for (bound, count) in DurationCounts::BOUNDS.iter().zip(durations.within) {
        sum += count;
        page.value(&bucket, &[("runner", runner), ("le", &seconds(*bound).to_string())], sum);
    }
    page.value(&bucket, &[("runner", runner), ("le", "+Inf")], durations.count());
    page.value(&format!("{name}_sum"), &[("runner", runner)], seconds(durations.total));
    page.value(&format!("{name}_count"), &[("runner", runner)], durations.count());
}

#[expect(clippy::cast_precision_loss, reason = "a metric is a float")]
fn seconds(span: Span) -> f64 {
    span.as_micros() as f64 / 1e6
}
