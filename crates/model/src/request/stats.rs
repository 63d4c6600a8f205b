//! Numbers about a queue. None of them is counted when it is asked for.

use redrive_core::{QueueName, Span, Time};

use crate::{LetterCounts, LifetimeCounts, RecentRates};

/// Asks for the numbers of a queue.
#[derive(Debug, Clone)]
pub struct GetStats {
    pub queue: QueueName,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueStats {
    pub partitions: Vec<PartitionStats>,
    pub tally: LifetimeCounts,
    /// What was counted since the store was opened.
    pub since_start: LifetimeCounts,
    /// How much happened to letters in the last minutes.
    pub pace: RecentRates,
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
    /// Everything but what is scheduled or damaged.
    pub total: u64,
    pub leased: u64,
    pub scheduled: u64,
    /// Items that died, and wait for their missing dead queue.
    pub stranded: u64,
    /// Items and letters that were set aside because their records are damaged.
    pub damaged: u64,
    pub average_age: Span,
    pub average_leased_age: Span,
}

/// Asks for the sums over the whole store.
#[derive(Debug, Clone, Copy)]
pub struct GetConservation;

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
    pub const fn holds(&self) -> bool {
        self.arrived == self.present + self.ended
    }
}
