//! Statistics of a queue, read from counters without a scan.

use redrive_core::{QueueName, Span, Time};

use crate::{LetterCounts, LifetimeCounts, RecentRates};

/// Reads the statistics of a queue.
#[derive(Debug, Clone)]
pub struct GetStats {
    pub queue: QueueName,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueStats {
    pub partitions: Vec<PartitionStats>,
    pub counts: LifetimeCounts,
    /// The counts since the store was opened.
    pub since_start: LifetimeCounts,
    /// The rates of events in the last minutes.
    pub rates: RecentRates,
    pub letters: LetterCounts,
    /// Live letters that wait for a time: that of an automatic retry, or that from which they can be leased.
    pub scheduled_letters: u64,
    /// The number of different fingerprints of the live letters.
    pub failure_groups: u64,
    /// Letters that were captured, since the store was opened, while no live letter had their fingerprint.
    pub new_groups: u64,
    /// Waiting leases and claims of the store that answers.
    pub waiting: u64,
    /// The due time of the next automatic retry; may be in the past.
    pub next_due_at: Option<Time>,
    /// Letters that are due for an automatic retry and not claimed.
    pub overdue: u64,
    /// The creation time of the oldest pending letter.
    pub oldest_pending_at: Option<Time>,
    /// The creation time of the oldest item at the head of a partition or priority. A retried item is behind newer ones.
    pub oldest_ready_at: Option<Time>,
    /// The maximum number of live letters for captures.
    pub max_size: Option<u64>,
}

impl QueueStats {
    /// All items and letters except damaged ones.
    pub fn items(&self) -> u64 {
        self.partitions.iter().map(|partition| partition.total + partition.scheduled).sum()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartitionStats {
    pub partition: u32,
    /// All items except scheduled and damaged ones.
    pub total: u64,
    pub leased: u64,
    pub scheduled: u64,
    /// Items that died and wait for their missing dead queue.
    pub stranded: u64,
    /// Items and letters that were set aside because their records are damaged.
    pub damaged: u64,
    pub average_age: Span,
    pub average_leased_age: Span,
}

/// Reads the sums over the whole store.
#[derive(Debug, Clone, Copy)]
pub struct GetConservation;

/// The conservation sums over the whole store: `arrived` always equals `present + ended`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conservation {
    /// Produced, imported, captured and reinstated.
    pub arrived: u64,
    /// Existing items and letters, including finished letters.
    pub present: u64,
    /// Completed, expired, dropped or purged.
    pub ended: u64,
}

impl Conservation {
    pub const fn holds(&self) -> bool {
        self.arrived == self.present + self.ended
    }
}
