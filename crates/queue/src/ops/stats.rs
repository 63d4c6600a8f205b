//! Numbers about a queue. None of them is counted when it is asked for.

use redrive_core::{QueueName, Span, Status, Time};

use crate::queue::{LetterCounts, Pace, Partition, Queue, Tally};
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
    /// What was counted since the store was opened.
    pub since_start: Tally,
    /// How much happened to letters in the last minutes.
    pub pace: Pace,
    pub letters: LetterCounts,
    /// How many different faults the live letters have.
    pub faults: u64,
    /// Leases and claims that wait; known to the store that holds them.
    pub waiting: u64,
    /// When the next letter is retried by itself, past times included.
    pub next_due_at: Option<Time>,
    /// Letters that could be retried by themselves by now, and are not.
    pub overdue: u64,
    /// When the oldest pending letter came.
    pub oldest_pending_at: Option<Time>,
    /// How many live letters captures may make.
    pub max_size: Option<u64>,
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
            since_start: queue.tally.since(&queue.tally_at_start),
            pace: queue.pace,
            letters: queue.letters,
            faults: queue.groups.len() as u64,
            waiting: 0,
            next_due_at: queue.next_due(),
            overdue: queue.overdue_at(now).count(),
            oldest_pending_at: state.oldest_pending(queue),
            max_size: queue.settings.letters.over(&state.treatment).max_size,
        })
    }

    /// Passes the letters that became overdue since somebody last asked, so that nobody has to pass them again.
    pub fn catch_up(&self, state: &mut State, now: Time) {
        let queue = state.number_of(&self.queue).and_then(|number| state.queues.get_mut(&number));
        if let Some(queue) = queue {
            queue.overdue = queue.overdue_at(now);
        }
    }
}

impl State {
    fn oldest_pending(&self, queue: &Queue) -> Option<Time> {
        let oldest = queue.by_status[Status::Pending as usize].first()?;
        self.items.get(oldest.slot).map(|item| item.created_at)
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
    /// Produced, imported, captured and put back.
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
