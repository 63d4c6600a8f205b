//! The numbers of letters, by the names that those who watch dead letters know.

use redrive_core::{Category, Span, Status, Time};
use redrive_model::{Event, LifetimeCounts, QueueStats};

use super::page::Page;
use crate::letters::{oldest_pending, unaccounted, utilization_percent};

type Count = fn(&LifetimeCounts) -> u64;

const COUNTERS: [(&str, &str, Count); 8] = [
    ("dlq_messages_total", "Letters that came to be", |tally| tally.of(Event::LetterMade)),
    ("dlq_messages_sent_total", "Letters that came to be", |tally| tally.of(Event::LetterMade)),
    ("dlq_messages_processed_total", "Retries that came to an end", |tally| {
        tally.of(Event::LetterCompleted) + tally.of(Event::RetryCharged) + tally.of(Event::AttemptLost)
    }),
    ("dlq_messages_replayed_total", "Letters whose retry succeeded", |tally| tally.of(Event::LetterCompleted)),
    ("dlq_messages_discarded_total", "Letters that somebody removed", |tally| tally.of(Event::LetterCleared)),
    ("redrive_dlq_exhausted_total", "Times that a letter became exhausted", |tally| tally.of(Event::Exhausted)),
    ("redrive_dlq_deferred_total", "Times that a letter was given back untried", |tally| {
        tally.of(Event::LetterDeferred)
    }),
    ("redrive_dlq_rejected_total", "Captures that a full queue refused", |tally| tally.of(Event::CaptureRejected)),
];

/// Retries that came to an end: by whom, how, and how many.
const RETRIES: [(&str, &str, Count); 4] = [
    ("automatic", "success", |tally| tally.of(Event::LetterCompleted) - tally.of(Event::SucceededByHand)),
    ("automatic", "failure", |tally| tally.of(Event::RetryCharged) - tally.of(Event::ChargedByHand)),
    ("manual", "success", |tally| tally.of(Event::SucceededByHand)),
    ("manual", "failure", |tally| tally.of(Event::ChargedByHand)),
];

type Figure = fn(&QueueStats, Time) -> f64;

#[expect(clippy::cast_precision_loss, reason = "a metric is a float")]
const GAUGES: [(&str, &str, Figure); 5] = [
    ("dlq_queue_depth", "Letters that are pending, retrying or exhausted", |stats, _| stats.letters.live() as f64),
    ("dlq_age_seconds", "For how long the oldest pending letter has waited", |stats, now| {
        seconds(oldest_pending(stats, now))
    }),
    ("redrive_dlq_utilization_percent", "How full a queue is, where it has a limit", |stats, _| {
        utilization_percent(stats)
    }),
    ("redrive_dlq_overdue", "Letters that could be retried by themselves by now", |stats, _| stats.overdue as f64),
    ("redrive_dlq_unaccounted", "Letters that came, and are neither there nor gone: always 0", |stats, _| {
        unaccounted(stats) as f64
    }),
];

/// The lines of queues that have letters, or had some.
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
    page.begin(name, "counter", "Retries that came to an end, by who asked for them");
    for (queue, stats) in &of_letters {
        for (trigger, outcome, count) in RETRIES {
            page.value(name, &[("queue", queue), ("trigger", trigger), ("outcome", outcome)], count(&stats.tally));
        }
    }
}

fn by_status(page: &mut Page, queues: &[&(String, QueueStats)]) {
    let name = "redrive_queue_letters";
    page.begin(name, "gauge", "Letters of a queue, by their status");
    for (queue, stats) in queues {
        for status in Status::ALL {
            page.value(name, &[("queue", queue), ("status", &status.to_string())], stats.letters.of(*status));
        }
    }
}

fn by_category(page: &mut Page, queues: &[&(String, QueueStats)]) {
    let name = "redrive_dlq_letters";
    page.begin(name, "gauge", "Live letters of a queue, by the kind of their fault");
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
