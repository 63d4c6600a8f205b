//! The status of one queue, as the API shows it.

use redrive_core::{Status, Time};
use redrive_model::{Event, LifetimeCounts, PartitionStats, RateEvent};
use redrive_proto::redrive::v1::{QueueStatus, StatusTotals};

use super::queue_pass::SeenQueue;
use crate::auth::namespace_of;
use crate::wire::big_count;

pub(super) fn queue_status(queue: &SeenQueue<'_>, now: Time) -> QueueStatus {
    let SeenQueue { settings, stats, .. } = queue;
    let sum = |count: fn(&PartitionStats) -> u64| stats.partitions.iter().map(count).sum::<u64>();
    let (total, leased, stranded) = (sum(|part| part.total), sum(|part| part.leased), sum(|part| part.stranded));
    let (scheduled, damaged) = (sum(|part| part.scheduled), sum(|part| part.damaged));
    let arrived = arrived(&stats.counts);
    let rate = |events: [RateEvent; 2]| {
        let sum: f64 = events.into_iter().map(|event| stats.rates.per_minute(event, now)).sum();
        (sum * 100.0).round() / 100.0
    };
    QueueStatus {
        queue_name: settings.name.to_string(),
        namespace: namespace_of(settings).to_owned(),
        is_paused: settings.is_paused,
        ready: big_count(total.saturating_sub(leased + stranded)),
        leased: big_count(leased),
        scheduled: big_count(scheduled),
        stranded: big_count(stranded),
        damaged: big_count(damaged),
        dead: big_count(stats.letters.live()),
        exhausted: big_count(stats.letters.of(Status::Exhausted)),
        overdue: big_count(stats.overdue),
        limit: stats.max_size.map(big_count),
        oldest_at: stats.oldest_pending_at.or(stats.oldest_ready_at).map(Into::into),
        average_age_ms: big_count(average_age_ms(&stats.partitions)),
        in_total: big_count(arrived),
        out_total: big_count(arrived.saturating_sub(total + scheduled + damaged)),
        in_per_minute: rate([RateEvent::Arrived, RateEvent::Made]),
        out_per_minute: rate([RateEvent::Left, RateEvent::Succeeded]),
        waiting: big_count(stats.waiting),
        dead_queue: settings.dead_queue.as_ref().map(ToString::to_string).unwrap_or_default(),
        target: queue.target.clone(),
    }
}

/// Adds a queue to the sums over all queues.
pub(super) const fn add(totals: &mut StatusTotals, queue: &QueueStatus) {
    totals.queues += 1;
    totals.paused += queue.is_paused as i64;
    totals.ready += queue.ready;
    totals.leased += queue.leased;
    totals.scheduled += queue.scheduled;
    totals.stranded += queue.stranded;
    totals.damaged += queue.damaged;
    totals.dead += queue.dead;
    totals.exhausted += queue.exhausted;
    totals.overdue += queue.overdue;
}

/// Items and letters that arrived from callers and from other queues.
fn arrived(counts: &LifetimeCounts) -> u64 {
    counts.of(Event::Produced) + counts.of(Event::Imported) + counts.of(Event::LetterMade)
}

/// The average over all partitions, weighted by their items.
fn average_age_ms(partitions: &[PartitionStats]) -> u128 {
    let micros: u128 =
        partitions.iter().map(|part| u128::from(part.average_age.as_micros()) * u128::from(part.total)).sum();
    let items: u128 = partitions.iter().map(|part| u128::from(part.total)).sum();
    micros.checked_div(items).unwrap_or(0) / 1_000
}
