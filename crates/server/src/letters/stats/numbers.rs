//! Numbers that are derived from the counts of a queue.

use redrive_core::{Span, Time};
use redrive_model::{Event, LifetimeCounts, QueueStats};

/// Live letters in percent of the queue's limit; 0 without a limit.
pub(crate) fn utilization_percent(stats: &QueueStats) -> f64 {
    stats.max_size.map_or(0.0, |most| percent(stats.letters.live(), most).unwrap_or(0.0))
}

/// The age of the oldest pending letter; 0 if there is none.
pub(crate) fn oldest_pending(stats: &QueueStats, now: Time) -> Span {
    stats.oldest_pending_at.map_or(Span::ZERO, |at| now.since(at))
}

/// Letters created minus those present and those removed. Anything but 0 is a bug.
pub(crate) fn unaccounted(stats: &QueueStats) -> i64 {
    let of = |why| i128::from(stats.counts.of(why));
    let present: i128 = stats.letters.by_status.iter().map(|count| i128::from(*count)).sum();
    let difference = of(Event::LetterMade) - present - of(Event::LetterCleared) - of(Event::LetterForgotten);
    i64::try_from(difference).unwrap_or(i64::MAX)
}

/// Successful retries in percent of finished ones; `None` before the first. A lost attempt counts as not successful.
pub(super) fn success_percent(counts: &LifetimeCounts) -> Option<f64> {
    let success = counts.of(Event::LetterCompleted);
    percent(success, success + counts.of(Event::RetryCharged) + counts.of(Event::AttemptLost))
}

/// A percentage with two decimals; `None` if the total is 0.
#[expect(clippy::cast_precision_loss, reason = "a percentage is a rough number")]
fn percent(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| rounded(part as f64 * 100.0 / of as f64))
}

pub(super) fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// The statistics of a queue. Without a target no letter is due, because none is retried.
pub(crate) fn planned_stats(stats: QueueStats, has_target: bool) -> QueueStats {
    if has_target { stats } else { QueueStats { next_due_at: None, overdue: 0, ..stats } }
}
