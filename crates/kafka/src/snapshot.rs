//! What a consumer holds, and what it waits for: the answer to "why does the commit not move?".

use bytes::Bytes;
use redrive_core::{Span, Time};

use crate::delivery::SourcePurpose;
use crate::log::{History, Log, Partition, Slot, SlotState, TopicPartition};
use crate::shared::Shared;
use crate::trouble::{ConsumerTrouble, TroubleKind};

/// The state of a consumer at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConsumerSnapshot {
    pub partitions: Vec<PartitionSnapshot>,
    /// Records that the runner holds.
    pub running: usize,
    /// Records that could run, or wait for an earlier record of their key.
    pub queued: usize,
    /// Records that wait for their next attempt.
    pub waiting: usize,
    /// Records whose letter is not confirmed yet.
    pub dlq_pending: usize,
    pub bytes: u64,
    /// Partitions that are not read because too many records are open.
    pub paused_partitions: usize,
    /// Time since the last confirmed commit.
    pub commit_age: Option<Span>,
    pub commits: u64,
    pub letters: u64,
    /// Results of an earlier assignment that were dropped.
    pub stale_results: u64,
    /// Records that an earlier assignment had done.
    pub restored_skipped: u64,
    /// Records that failed because they blocked their partition for too long.
    pub forced: u64,
    pub troubles: Vec<ConsumerTrouble>,
}

/// The state of an assigned partition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartitionSnapshot {
    pub at: TopicPartition,
    pub epoch: u64,
    /// The position that the next commit names; `None` before the first record.
    pub position: Option<i64>,
    /// The position of the last confirmed commit.
    pub committed: Option<i64>,
    /// The offset after the last record that was read.
    pub next_offset: Option<i64>,
    /// Records between the position and the end of the partition, if the end is known.
    pub lag: Option<i64>,
    pub running: usize,
    pub queued: usize,
    pub waiting: usize,
    pub dlq_pending: usize,
    /// Runs of open records below the highest one that is done.
    pub gaps: usize,
    /// The record that the commit waits for.
    pub blocking: Option<BlockingRecord>,
    /// The record blocks for longer than `blocking_warn_seconds`.
    pub is_blocked: bool,
    /// Length of the completion map in the metadata of the commit.
    pub metadata_bytes: usize,
    /// The partition is not read until the completion map is shorter.
    pub is_map_full: bool,
    /// The partition was revoked and its running records finish.
    pub is_draining: bool,
}

/// The first open record of a partition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockingRecord {
    pub offset: i64,
    pub key: Option<Bytes>,
    pub state: RecordState,
    /// Number of the current or the last attempt; 0 before the first.
    pub attempt: u32,
    /// How long it has been the first.
    pub age: Span,
    /// The newest error, if it has failed.
    pub error: Option<String>,
}

/// What an open record waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordState {
    /// For an earlier record of its key.
    Queued,
    /// For a free handler.
    Runnable,
    /// For its handler.
    Running,
    /// For its next attempt, at this time.
    Retry(Time),
    /// For the confirmation of its letter.
    HandingOver,
    /// For the next hand-over of its letter, at this time.
    HandOverRetry(Time),
}

impl ConsumerSnapshot {
    pub(crate) fn of(shared: &Shared) -> Self {
        let now = shared.clock.now();
        let log = shared.log();
        // The trouble lasts while a letter that was refused is not durable.
        let is_ingest = shared.purpose == SourcePurpose::Ingest;
        let is_refused = |slot: &Slot| {
            let is_refused = |history: &History| history.hand_overs_failed > 0 || is_ingest && history.newest.is_some();
            slot.history.as_deref().is_some_and(is_refused)
        };
        if !log.partitions().any(|partition| partition.slots().any(is_refused)) {
            shared.troubles.clear(TroubleKind::HandOver);
        }
        let partitions: Vec<PartitionSnapshot> =
            log.partitions().map(|partition| of_partition(shared, partition, now)).collect();
        let sum = |of: fn(&PartitionSnapshot) -> usize| partitions.iter().map(of).sum();
        Self {
            running: sum(|partition| partition.running),
            queued: sum(|partition| partition.queued),
            waiting: sum(|partition| partition.waiting),
            dlq_pending: sum(|partition| partition.dlq_pending),
            bytes: bytes(&log),
            paused_partitions: shared.numbers.paused(),
            commit_age: shared.numbers.committed_at().map(|at| now.since(at)),
            commits: shared.numbers.commits(),
            letters: shared.numbers.letters(),
            stale_results: log.totals.stale_results,
            restored_skipped: log.totals.restored_skipped,
            forced: log.totals.forced,
            troubles: shared.troubles.all(),
            partitions,
        }
    }

    /// Whether the consumer does its work: false after a fatal error, while a right is missing, while letters are not
    /// taken, while commits fail, and while a record blocks its partition for longer than `blocking_warn_seconds`.
    pub fn is_healthy(&self) -> bool {
        let is_blocked = self.partitions.iter().any(|partition| partition.is_blocked);
        !is_blocked && self.troubles.iter().all(|trouble| trouble.kind == TroubleKind::Client)
    }

    /// The snapshot of a consumer that has given its partitions back.
    pub(crate) fn ended(self) -> Self {
        Self { partitions: Vec::new(), running: 0, queued: 0, waiting: 0, dlq_pending: 0, bytes: 0, ..self }
    }
}

fn bytes(log: &Log) -> u64 {
    log.partitions().map(|partition| partition.bytes).sum()
}

fn of_partition(shared: &Shared, partition: &Partition, now: Time) -> PartitionSnapshot {
    let at = partition.at.clone();
    let lag = shared.numbers.end_of(&at).zip(partition.position()).map(|(end, position)| (end - position).max(0));
    let (mut running, mut queued, mut waiting, mut dlq_pending) = (0, 0, 0, 0);
    for slot in partition.slots() {
        let count = match slot.state {
            SlotState::HandingOver => &mut dlq_pending,
            _ if slot.has_letter() => &mut dlq_pending,
            SlotState::Claimed => &mut running,
            SlotState::Queued | SlotState::Runnable => &mut queued,
            SlotState::Waiting(_) => &mut waiting,
        };
        *count += 1;
    }
    let blocking = blocking(partition, now);
    PartitionSnapshot {
        lag,
        epoch: partition.epoch,
        position: partition.position(),
        committed: partition.confirmed_position(),
        next_offset: partition.next_offset(),
        running,
        queued,
        waiting,
        dlq_pending,
        gaps: partition.gaps(),
        is_blocked: blocking.as_ref().is_some_and(|record| record.age >= shared.blocking_max),
        blocking,
        metadata_bytes: partition.map_bytes,
        is_map_full: partition.is_map_full,
        is_draining: partition.is_draining,
        at,
    }
}

fn blocking(partition: &Partition, now: Time) -> Option<BlockingRecord> {
    let (_, slot) = partition.first_open()?;
    let state = match slot.state {
        SlotState::Queued => RecordState::Queued,
        SlotState::Runnable => RecordState::Runnable,
        SlotState::Claimed => RecordState::Running,
        SlotState::HandingOver => RecordState::HandingOver,
        SlotState::Waiting(at) if slot.is_hand_over_only() => RecordState::HandOverRetry(at),
        SlotState::Waiting(at) => RecordState::Retry(at),
    };
    let history = slot.history.as_ref();
    let of_attempt = || history.and_then(|history| history.newest.as_ref()).map(|attempt| attempt.error.clone());
    Some(BlockingRecord {
        offset: slot.record.offset,
        key: slot.record.content.key.clone(),
        state,
        attempt: slot.attempts,
        age: now.since(partition.blocked_since),
        error: history.and_then(|history| history.hand_over_error.clone()).or_else(of_attempt),
    })
}
