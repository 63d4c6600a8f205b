//! The metrics of letters, under the names that dead letter dashboards commonly use.

use redrive_core::{Category, Status, Time};
use redrive_model::{Event, LifetimeCounts, QueueStats};

use super::page::{Page, seconds};
use crate::letters::{oldest_pending, unaccounted, utilization_percent};

type Count = fn(&LifetimeCounts) -> u64;

const COUNTERS: [(&str, &str, Count); 8] = [
    ("dlq_messages_total", "Letters created", |counts| counts.of(Event::LetterMade)),
    ("dlq_messages_sent_total", "Letters created", |counts| counts.of(Event::LetterMade)),
    ("dlq_messages_processed_total", "Finished retries", |counts| {
        counts.of(Event::LetterCompleted) + counts.of(Event::RetryCharged) + counts.of(Event::AttemptLost)
    }),
    ("dlq_messages_replayed_total", "Letters whose retry succeeded", |counts| counts.of(Event::LetterCompleted)),
    ("dlq_messages_discarded_total", "Letters removed by a caller", |counts| counts.of(Event::LetterCleared)),
    ("redrive_dlq_exhausted_total", "Times that a letter became exhausted", |counts| counts.of(Event::Exhausted)),
    ("redrive_dlq_deferred_total", "Times that a letter was deferred without an attempt", |counts| {
        counts.of(Event::LetterDeferred)
    }),
    ("redrive_dlq_rejected_total", "Captures rejected by a full queue", |counts| counts.of(Event::CaptureRejected)),
];

/// Finished retries: trigger, outcome and count.
const RETRIES: [(&str, &str, Count); 4] = [
    ("automatic", "success", |counts| counts.of(Event::LetterCompleted) - counts.of(Event::SucceededByHand)),
    ("automatic", "failure", |counts| counts.of(Event::RetryCharged) - counts.of(Event::ChargedByHand)),
    ("manual", "success", |counts| counts.of(Event::SucceededByHand)),
    ("manual", "failure", |counts| counts.of(Event::ChargedByHand)),
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
    let of_letters: Vec<_> = queues.iter().filter(|(_, stats)| stats.counts.of(Event::LetterMade) > 0).collect();
    // Also of queues without letters: the first letter of a queue begins a group, and a series that begins with 1 does not
    // increase.
    let new_groups = queues.iter().map(|(queue, stats)| ([("queue", queue.as_str())], stats.new_groups));
    let means = "Captured letters that began a group: no live letter of the queue had their fingerprint";
    page.metric("redrive_dlq_new_groups_total", "counter", means, new_groups);
    let by_status = of_letters.iter().flat_map(|(queue, stats)| {
        let series =
            |status: &Status| ([("queue", queue.as_str()), ("status", status.as_str())], stats.letters.of(*status));
        Status::ALL.iter().map(series)
    });
    page.metric("redrive_queue_letters", "gauge", "Letters of a queue, by status", by_status);
    let by_category = of_letters.iter().flat_map(|(queue, stats)| {
        let counts = &stats.letters.by_category;
        let labels = |category: &Category| [("queue", queue.as_str()), ("category", category.as_str())];
        Category::ALL.iter().map(move |category| (labels(category), counts[*category as usize]))
    });
    page.metric("redrive_dlq_letters", "gauge", "Live letters of a queue, by category", by_category);
    for (name, means, figure) in GAUGES {
        let series = of_letters.iter().map(|(queue, stats)| ([("queue", queue.as_str())], figure(stats, now)));
        page.metric(name, "gauge", means, series);
    }
    for (name, means, count) in COUNTERS {
        let series = of_letters.iter().map(|(queue, stats)| ([("queue", queue.as_str())], count(&stats.counts)));
        page.metric(name, "counter", means, series);
    }
    let retries = of_letters.iter().flat_map(|(queue, stats)| {
        RETRIES.map(|(trigger, outcome, count)| {
            ([("queue", queue.as_str()), ("trigger", trigger), ("outcome", outcome)], count(&stats.counts))
        })
    });
    page.metric("redrive_dlq_retries_total", "counter", "Finished retries, by trigger and outcome", retries);
}
