//! The metrics of queues and of the store, which keeps the counts: they are read when the page is rendered.

use redrive_core::{QueueName, Time};
use redrive_model::{EndReason, Event, GetStats, LifetimeCounts, ListQueues, PartitionStats, QueueStats};
use redrive_store::{Store, StoreError, StoreStatus, SyncTimes};

use super::page::Page;
use crate::auth::{INTERNAL, namespace_of};
use crate::disk_space::DiskSpace;
use crate::letters::planned_stats;

/// Maximum number of queues with their own series, in the order of their names: labels must not be unbounded.
const QUEUES_MAX: usize = 1_000;

type Count = fn(&LifetimeCounts) -> u64;
type CountItems = fn(&PartitionStats) -> u64;

/// The counters of a queue since its creation.
const COUNTERS: [(&str, &str, Count); 9] = [
    ("redrive_queue_produced_total", "Items produced", |counts| counts.of(Event::Produced)),
    ("redrive_queue_imported_total", "Items imported", |counts| counts.of(Event::Imported)),
    ("redrive_queue_leased_total", "Times that an item was leased", |counts| counts.of(Event::Leased)),
    ("redrive_queue_completed_total", "Items completed", |counts| counts.ended(EndReason::Completed)),
    ("redrive_queue_retried_total", "Times that an item was requeued for a retry", |counts| counts.of(Event::Retried)),
    ("redrive_queue_lease_expired_total", "Leases that expired", |counts| counts.of(Event::LeaseExpired)),
    ("redrive_queue_expired_total", "Items that expired without a dead queue", |counts| {
        counts.ended(EndReason::Expired)
    }),
    ("redrive_queue_dead_lettered_total", "Items moved to a dead queue", |counts| counts.of(Event::DeadLettered)),
    ("redrive_queue_dropped_total", "Items dropped because the queue has no dead queue", |counts| {
        counts.ended(EndReason::Dropped)
    }),
];

/// The states of items, with their counts.
const STATES: [(&str, CountItems); 5] = [
    ("ready", |stats| stats.total - stats.leased - stats.stranded),
    ("leased", |stats| stats.leased),
    ("scheduled", |stats| stats.scheduled),
    ("stranded", |stats| stats.stranded),
    ("damaged", |stats| stats.damaged),
];

pub(crate) async fn render(
    store: &dyn Store,
    now: Time,
    has_target: impl Fn(&QueueName) -> bool,
) -> Result<String, StoreError> {
    let mut queues = Vec::new();
    let mut paused = Vec::new();
    let list = ListQueues { limit: QUEUES_MAX, ..ListQueues::default() };
    let listed = store.queues(list).await?;
    for settings in listed.into_iter().filter(|settings| namespace_of(settings) != INTERNAL) {
        // A queue that was deleted meanwhile is skipped.
        if let Ok(stats) = store.stats(GetStats { queue: settings.name.clone() }).await {
            queues.push((settings.name.to_string(), planned_stats(stats, has_target(&settings.name))));
            paused.push(settings.is_paused);
        }
    }
    let mut page = Page::default();
    items(&mut page, &queues);
    let paused =
        queues.iter().zip(paused).map(|((queue, _), is_paused)| ([("queue", queue.as_str())], u8::from(is_paused)));
    page.metric("redrive_queue_paused", "gauge", "1 if the queue is paused: it grants no leases", paused);
    super::letters::render(&mut page, &queues, now);
    for (name, means, count) in COUNTERS {
        let series = queues.iter().map(|(queue, stats)| ([("queue", queue.as_str())], count(&stats.counts)));
        page.metric(name, "counter", means, series);
    }
    if let Some(status) = store.status() {
        store_status(&mut page, &status);
    }
    Ok(page.into_text())
}

fn items(page: &mut Page, queues: &[(String, QueueStats)]) {
    let items = queues.iter().flat_map(|(queue, stats)| {
        STATES.map(|(state, count)| {
            ([("queue", queue.as_str()), ("state", state)], stats.partitions.iter().map(count).sum::<u64>())
        })
    });
    page.metric("redrive_queue_items", "gauge", "Items of a queue, by state", items);
    let waiting = queues.iter().map(|(queue, stats)| ([("queue", queue.as_str())], stats.waiting));
    page.metric("redrive_queue_waiting", "gauge", "Lease requests waiting for an item", waiting);
}

/// The space of the disk with the data.
pub(super) fn disk(page: &mut Page, space: &DiskSpace) {
    let gauges = [
        ("redrive_store_disk_free_bytes", "Free space of the file system with the data", space.free),
        ("redrive_store_disk_size_bytes", "Size of the file system with the data", space.total),
        ("redrive_store_disk_low_bytes", "Free space below which the disk is low", space.low),
    ];
    for (name, means, value) in gauges {
        page.metric(name, "gauge", means, [([], value)]);
    }
}

fn store_status(page: &mut Page, status: &StoreStatus) {
    let gauges = [
        ("redrive_store_poisoned", "1 if the disk failed: only reads are answered", u64::from(status.is_poisoned)),
        ("redrive_store_full", "1 if the disk is full: only requests that free space work", u64::from(status.is_full)),
        ("redrive_store_damaged_items", "Items and letters with damaged records", status.damaged),
        ("redrive_store_live_bytes", "Bytes of live documents", status.live_bytes),
        ("redrive_store_log_bytes", "Size of the journal in bytes", status.log_bytes),
    ];
    for (name, means, value) in gauges {
        page.metric(name, "gauge", means, [([], value)]);
    }
    let counters = [
        ("redrive_store_requests_total", "Requests processed by the store", status.requests),
        ("redrive_store_batches_total", "Batches made durable", status.batches),
        ("redrive_store_facts_total", "Facts in durable batches", status.facts),
        ("redrive_store_relocated_total", "Documents relocated by compaction", status.relocated),
        ("redrive_store_dropped_files_total", "Journal files dropped", status.dropped),
    ];
    for (name, means, value) in counters {
        page.metric(name, "counter", means, [([], value)]);
    }
    let (name, syncs) = ("redrive_journal_sync_seconds", &status.syncs);
    page.begin(name, "histogram", "Time until a batch was durable");
    page.histogram(name, &[], SyncTimes::BOUNDS.iter().copied().zip(syncs.within), (syncs.total, syncs.count()));
}
