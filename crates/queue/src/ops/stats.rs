//! Statistics of a queue, read from counters without a scan.

use redrive_core::{Span, Status, Time};
use redrive_model::{Conservation, GetStats, LifetimeCounts, PartitionStats, QueueStats, Rejection};

use crate::State;
use crate::queue::{Order, Partition, Queue};

impl State {
    /// The statistics of a queue.
    pub fn stats(&self, stats: &GetStats, now: Time) -> Result<QueueStats, Rejection> {
        let (_, queue) = self.named(&stats.queue)?;
        let partitions = queue.partitions.iter().zip(0..);
        Ok(QueueStats {
            partitions: partitions.map(|(partition, number)| partition_stats(number, partition, now)).collect(),
            counts: queue.counts,
            since_start: queue.counts.since(&queue.counts_at_start),
            rates: queue.rates,
            letters: queue.letters,
            scheduled_letters: queue.scheduled_letters,
            failure_groups: queue.groups.len() as u64,
            new_groups: queue.new_groups,
            waiting: 0,
            next_due_at: queue.next_due(),
            overdue: queue.overdue_at(now).count(),
            oldest_pending_at: self.oldest_pending(queue),
            oldest_ready_at: self.oldest_ready(queue),
            max_size: queue.letter_settings.max_size,
        })
    }

    /// Advances the count of overdue letters to `now`, so that later requests do not visit the same letters again.
    pub fn catch_up(&mut self, stats: &GetStats, now: Time) {
        let queue = self.number_of(&stats.queue).and_then(|number| self.queues.get_mut(&number));
        if let Some(queue) = queue {
            queue.overdue = queue.overdue_at(now);
        }
    }

    fn oldest_pending(&self, queue: &Queue) -> Option<Time> {
        let oldest = queue.by_status[Status::Pending as usize].first()?;
        self.items.get(oldest.slot).map(|item| item.created_at)
    }

    fn oldest_ready(&self, queue: &Queue) -> Option<Time> {
        let heads = queue.partitions.iter().flat_map(|partition| &partition.ready).filter_map(Order::first);
        heads.filter_map(|slot| self.items.get(slot)).map(|item| item.created_at).min()
    }

    /// The conservation sums over the whole store.
    pub fn conservation(&self) -> Conservation {
        let all_counts = || self.queues.values().map(|queue: &Queue| &queue.counts).chain([&self.past]);
        Conservation {
            arrived: all_counts().map(LifetimeCounts::arrived).sum(),
            present: self.present(),
            ended: all_counts().map(LifetimeCounts::ended_in_all).sum(),
        }
    }
}

fn partition_stats(number: u32, partition: &Partition, now: Time) -> PartitionStats {
    let leased = partition.leased.len();
    PartitionStats {
        partition: number,
        total: partition.total(),
        leased,
        scheduled: partition.scheduled.len(),
        stranded: partition.stranded.len(),
        damaged: partition.damaged.len(),
        average_age: mean_age(partition.created_sum(), partition.total(), now),
        average_leased_age: mean_age(partition.leased.created_sum(), leased, now),
    }
}

fn mean_age(created_sum: i128, count: u64, now: Time) -> Span {
    if count == 0 {
        return Span::ZERO;
    }
    let created = created_sum.div_euclid(i128::from(count));
    let age = i128::from(now.as_micros()) - created;
    Span::from_micros(u64::try_from(age).unwrap_or(0))
}
