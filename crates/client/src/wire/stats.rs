//! Conversion of statistics from the API to the model.

use redrive_model::{LetterCounts, LifetimeCounts, PartitionStats, QueueStats, RecentRates};
use redrive_proto::querator::{LogicalQueueStats, QueuePartitionStats};

use super::count;

/// The numbers of items and of waiting requests. The message has no others.
pub(crate) fn queue_stats(stats: &LogicalQueueStats) -> Option<QueueStats> {
    Some(QueueStats {
        partitions: stats.partitions.iter().map(partition_stats).collect::<Option<_>>()?,
        counts: LifetimeCounts::default(),
        since_start: LifetimeCounts::default(),
        rates: RecentRates::default(),
        letters: LetterCounts::default(),
        scheduled_letters: 0,
        failure_groups: 0,
        new_groups: 0,
        waiting: count(stats.lease_waiting)?.into(),
        next_due_at: None,
        overdue: 0,
        oldest_pending_at: None,
        oldest_ready_at: None,
        max_size: None,
    })
}

fn partition_stats(stats: &QueuePartitionStats) -> Option<PartitionStats> {
    Some(PartitionStats {
        partition: count(stats.partition)?,
        total: count(stats.total)?.into(),
        leased: count(stats.total_leased)?.into(),
        scheduled: count(stats.scheduled)?.into(),
        stranded: 0,
        damaged: count(stats.damaged)?.into(),
        average_age: stats.average_age.parse().ok()?,
        average_leased_age: stats.average_leased_age.parse().ok()?,
    })
}
