//! Numbers about a queue. None of them is counted when it is asked for.

use redrive_core::{QueueName, Span, Time};

use crate::queue::{LetterCounts, Partition, Queue, Tally};
use crate::{Refusal, State};

/// The numbers of a queue.
#[derive(Debug, Clone)]
pub struct Stats {
    pub queue: QueueName,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueStats {
    pub partitions: Vec<PartitionStats>,
    pub tally: Tally,
    pub letters: LetterCounts,
    /// How many different faults the live letters have.
    pub faults: u64,
    /// Leases and claims that wait; known to the store that holds them.
    pub waiting: u64,
    /// When the next letter is retried by itself, past times included.
    pub next_due_at: Option<Time>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartitionStats {
    pub partition: u32,
    /// Everything but what is scheduled.
    pub total: u64,
    pub leased: u64,
    pub scheduled: u64,
    /// Items that died, and wait for their missing dead queue.
    pub stranded: u64,
    pub average_age: Span,
    pub average_leased_age: Span,
}

impl Stats {
    pub fn view(&self, state: &State, now: Time) -> Result<QueueStats, Refusal> {
        let (_, queue) = state.named(&self.queue)?;
        let partitions = queue.partitions.iter().zip(0..);
        Ok(QueueStats {
            partitions: partitions.map(|(partition, number)| PartitionStats::of(number, partition, now)).collect(),
            tally: queue.tally,
            letters: queue.letters,
            faults: queue.groups.len() as u64,
            waiting: 0,
            next_due_at: queue.next_due(),
        })
    }
}

impl PartitionStats {
    fn of(number: u32, partition: &Partition, now: Time) -> Self {
        let leased = partition.leased.len();
        Self {
            partition: number,
            total: partition.total(),
            leased,
            scheduled: partition.scheduled.len(),
            stranded: partition.stranded.len(),
            average_age: mean_age(partition.created_sum(), partition.total(), now),
            average_leased_age: mean_age(partition.leased.created_sum(), leased, now),
        }
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

/// What came in, what is there and how the rest ended, over the whole store. The sums are equal, always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conservation {
    /// Produced, imported and captured.
    pub arrived: u64,
    /// Items and letters that are there, finished letters included.
    pub present: u64,
    /// Completed, expired, dropped or purged.
    pub ended: u64,
}

impl Conservation {
    pub fn of(state: &State) -> Self {
        let tallies = || state.queues.values().map(|queue: &Queue| &queue.tally).chain([&state.past]);
        Self {
            arrived: tallies().map(Tally::arrived).sum(),
            present: state.present(),
            ended: tallies().map(Tally::ended_in_all).sum(),
        }
    }

    pub const fn holds(&self) -> bool {
        self.arrived == self.present + self.ended
    }
}
