//! The metrics of letters, under the names that dead letter dashboards commonly use.

use redrive_core::{Category, Span, Status, Time};
use redrive_model::{Event, LifetimeCounts, QueueStats};

use super::page::Page;
use crate::letters::{oldest_pending, unaccounted, utilization_percent};

type Count = fn(&LifetimeCounts) -> u64;

const COUNTERS: [(&str, &str, Count); 8] = [
    ("dlq_messages_total", "Letters created", |tally| tally.of(Event::LetterMade)),
    ("dlq_messages_sent_total", "Letters created", |tally| tally.of(Event::LetterMade)),
    ("dlq_messages_processed_total", "Finished retries", |tally| {
        tally.of(Event::LetterCompleted) + tally.of(Event::RetryCharged) + tally.of(Event::AttemptLost)
    }),
    ("dlq_messages_replayed_total", "Letters whose retry succeeded", |tally| tally.of(Event::LetterCompleted)),
    ("dlq_messages_discarded_total", "Letters removed by a caller", |tally| tally.of(Event::LetterCleared)),
    ("redrive_dlq_exhausted_total", "Times that a letter became exhausted", |tally| tally.of(Event::Exhausted)),
    ("redrive_dlq_deferred_total", "Times that a letter was deferred without an attempt", |tally| {
        tally.of(Event::LetterDeferred)
    }),
    ("redrive_dlq_rejected_total", "Captures rejected by a full queue", |tally| tally.of(Event::CaptureRejected)),
];

/// Finished retries: trigger, outcome and count.
const RETRIES: [(&str, &str, Count); 4] = [
    ("automatic", "success", |tally| tally.of(Event::LetterCompleted) - tally.of(Event::SucceededByHand)),
    ("automatic", "failure", |tally| tally.of(Event::RetryCharged) - tally.of(Event::ChargedByHand)),
    ("manual", "success", |tally| tally.of(Event::SucceededByHand)),
    ("manual", "failure", |tally| tally.of(Event::ChargedByHand)),
];

type Figure = fn(&QueueStats, Time) -> f64;

#[expect(clippy::cast_precision_loss, reason = "a metric is a float")]
const GAUGES: [(&str, &str, Figure); 5] = [
    ("dlq_queue_depth", "Pending, retrying and exhausted letters", |stats, _| stats.letters.live() as f64),
    ("dlq_age_seconds", "Age of the oldest pending letter", |stats, now| seconds(oldest_pending(stats, now))),
    (
        "redrive_dlq_utilization_percent",
        "Live letters in percent of the queue's limit; 0 without a limit",
        |stats, _| utilization_percent(stats),
    ),
    ("redrive_dlq_overdue", "Letters due for an automatic retry", |stats, _| stats.overdue as f64),
    ("redrive_dlq_unaccounted", "Letters created minus those present and those removed: always 0", |stats, _| {
        unaccounted(stats) as f64
    }),
];

/// Renders the metrics of all queues that have or had letters.
pub(super) fn render(page: &mut Page, queues: &[(String, QueueStats)], now: Time) {
    let of_letters: Vec<_> = queues.iter().filter(|(_, stats)| stats.tally.of(Event::LetterMade) > 0).collect();
    by_status(page, &of_letters);
    by_category(page, &of_letters);
    for (name, means, figure) in GAUGES {
        page.begin(name, "gauge", means);
        for (queue, stats) in &of_letters {
            page.value(name, &[("queue", queue)], figure(stats, now));
        }
    }
    for (name, means, count) in COUNTERS {
        page.begin(name, "counter", means);
        for (queue, stats) in &of_letters {
            page.value(name, &[("queue", queue)], count(&stats.tally));
        }
    }
    let name = "redrive_dlq_retries_total";
    page.begin(name, "counter", "Finished retries, by trigger and outcome");
    for (queue, stats) in &of_letters {
        for (trigger, outcome, count) in RETRIES {
            page.value(name, &[("queue", queue), ("trigger", trigger), ("outcome", outcome)], count(&stats.tally));
        }
    }
}

fn by_status(page: &mut Page, queues: &[&(String, QueueStats)]) {
    let name = "redrive_queue_letters";
    page.begin(name, "gauge", "Letters of a queue, by status");
    for (queue, stats) in queues {
        for status in Status::ALL {
            page.value(name, &[("queue", queue), ("status", &status.to_string())], stats.letters.of(*status));
        }
    }
}

fn by_category(page: &mut Page, queues: &[&(String, QueueStats)]) {
    let name = "redrive_dlq_letters";
    page.begin(name, "gauge", "Live letters of a queue, by category");
    for (queue, stats) in queues {
        for category in Category::ALL {
            let count = stats.letters.by_category[*category as usize];
            page.value(name, &[("queue", queue), ("category", &category.to_string())], count);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a metric is a float")]
fn seconds(span: Span) -> f64 {
    span.as_micros() as f64 / 1e6
}
