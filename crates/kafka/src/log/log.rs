//! All assigned partitions of a consumer: which records may run, which are done, and what can be committed.
//!
//! Pure state without a client and without a clock. An assignment is identified by its epoch, a number that is used
//! once in a process: a result of an earlier assignment of the same partition finds no partition and is stale.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redrive_core::Time;
use redrive_model::Attempt;
use redrive_run::{DeadWork, SettleError};

use super::claimed_record::ClaimedRecord;
use super::completion_map::CompletionMap;
use super::partition::{Arrival, Partition};
use super::slot::{Slot, SlotState};
use super::{RecordFence, TopicPartition};
use crate::KafkaSettings;
use crate::record::Record;
use crate::settings::OffsetMetadata;

/// Counts the assignments of this process.
static EPOCHS: AtomicU64 = AtomicU64::new(0);

#[derive(Debug)]
pub(crate) struct Log {
    settings: Arc<KafkaSettings>,
    /// By epoch.
    partitions: BTreeMap<u64, Partition>,
    /// The records that wait for a time.
    timers: BTreeSet<(Time, u64, u64)>,
    /// The epoch after which the next claim starts, so that every partition has its turn.
    turn: u64,
    is_over: bool,
    /// Records may have become available since the last call of [`take_wake`](Self::take_wake).
    is_woken: bool,
    pub(crate) totals: LogTotals,
}

/// What was counted since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LogTotals {
    pub(crate) restored_skipped: u64,
    pub(crate) stale_results: u64,
    pub(crate) forced: u64,
}

/// What is to be committed for a partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommitPoint {
    pub(crate) epoch: u64,
    pub(crate) at: TopicPartition,
    pub(crate) position: i64,
    pub(crate) metadata: String,
}

/// A record whose letter is handed over.
#[derive(Debug, Clone)]
pub(crate) struct HandOver {
    pub(crate) fence: RecordFence,
    pub(crate) at: TopicPartition,
    pub(crate) record: Record,
    pub(crate) attempts: u32,
    pub(crate) dead: Box<DeadWork>,
    pub(crate) newest: Option<Attempt>,
    pub(crate) parts: Vec<String>,
    /// The DLQ topic has the letter, and the dead queue not yet.
    pub(crate) is_published: bool,
}

impl Log {
    pub(crate) fn new(settings: Arc<KafkaSettings>) -> Self {
        Self {
            settings,
            partitions: BTreeMap::new(),
            timers: BTreeSet::new(),
            turn: 0,
            is_over: false,
            is_woken: false,
            totals: LogTotals::default(),
        }
    }

    // Assignments

    /// Adds an assigned partition, with the committed position and its completion map if there is one.
    pub(crate) fn assign(
        &mut self,
        at: &TopicPartition,
        committed: Option<(i64, CompletionMap, String)>,
        now: Time,
    ) -> u64 {
        let epoch = EPOCHS.fetch_add(1, Ordering::Relaxed) + 1;
        let mut partition = Partition::new(at.clone(), epoch, self.settings.ordering_mode, now);
        if let Some((position, map, metadata)) = committed {
            partition.restore(position, map, metadata);
        }
        self.partitions.insert(epoch, partition);
        epoch
    }

    /// The current assignment of a partition.
    pub(crate) fn epoch_of(&self, at: &TopicPartition) -> Option<u64> {
        let mut current = self.partitions.values().rev().filter(|partition| !partition.is_draining);
        current.find(|partition| partition.at == *at).map(|found| found.epoch)
    }

    pub(crate) fn assigned(&self) -> impl Iterator<Item = TopicPartition> {
        self.partitions.values().filter(|partition| !partition.is_draining).map(|partition| partition.at.clone())
    }

    /// Yields no more records of these assignments; records that the runner has not begun are not begun.
    pub(crate) fn withdraw(&mut self, epochs: &[u64]) {
        for epoch in epochs {
            if let Some(partition) = self.partitions.get_mut(epoch) {
                partition.is_draining = true;
                partition.cancel.withdraw();
            }
        }
    }

    /// Whether the runner and the hand-overs hold no record of these assignments any more.
    pub(crate) fn is_drained(&self, epochs: &[u64]) -> bool {
        epochs.iter().filter_map(|epoch| self.partitions.get(epoch)).all(|partition| partition.held() == 0)
    }

    /// Ends assignments: all their claims are stale from now on.
    pub(crate) fn remove(&mut self, epochs: &[u64]) {
        for partition in epochs.iter().filter_map(|epoch| self.partitions.remove(epoch)) {
            partition.cancel.cancel();
        }
    }

    pub(crate) fn epochs(&self) -> Vec<u64> {
        self.partitions.keys().copied().collect()
    }

    // Arrival

    /// Adds records of one partition, in their order. Returns the epoch of the partition, which is another one if the
    /// offsets went back.
    pub(crate) fn deliver(&mut self, mut epoch: u64, records: impl IntoIterator<Item = Record>, now: Time) -> u64 {
        for record in records {
            let Some(partition) = self.partitions.get_mut(&epoch).filter(|partition| !partition.is_draining) else {
                break;
            };
            match partition.deliver(record, now) {
                Arrival::Open => self.is_woken = true,
                Arrival::Repeated => {}
                Arrival::Skipped => self.totals.restored_skipped += 1,
                Arrival::Regressed(record) => {
                    let at = partition.at.clone();
                    tracing::warn!(%at, offset = record.offset, "offsets went back; the partition starts again");
                    self.remove(&[epoch]);
                    epoch = self.assign(&at, None, now);
                    if let Some(partition) = self.partitions.get_mut(&epoch) {
                        partition.deliver(record, now);
                    }
                    self.is_woken = true;
                }
            }
        }
        epoch
    }

    // Claims

    /// Claims records that may run: first those that block a partition, the longest blocked first, then in turn.
    pub(crate) fn claim(&mut self, count: usize, now: Time) -> Vec<ClaimedRecord> {
        self.wake(now);
        let mut claimed = Vec::new();
        let mut blocking: Vec<(Time, u64)> = self
            .partitions
            .values()
            .filter(|partition| !partition.is_draining && partition.first_is_runnable())
            .map(|partition| (partition.blocked_since, partition.epoch))
            .collect();
        blocking.sort_unstable();
        for (_, epoch) in blocking.into_iter().take(count) {
            claimed.extend(self.partitions.get_mut(&epoch).and_then(Partition::claim_first));
        }
        while claimed.len() < count {
            let may_yield = |(_, partition): &(&u64, &mut Partition)| partition.may_yield();
            let mut partitions = self.partitions.iter_mut().filter(may_yield);
            let left = count - claimed.len();
            // A share for every partition, so that a long queue does not starve the others.
            let share = left.div_ceil(16).max(8).min(left);
            let turn = self.turn;
            let next = partitions.find(|(epoch, _)| **epoch > turn);
            let next = match next {
                Some(next) => Some(next),
                None => {
                    self.turn = 0;
                    self.partitions.iter_mut().find(may_yield)
                }
            };
            let Some((epoch, partition)) = next else { break };
            self.turn = *epoch;
            claimed.extend(std::iter::from_fn(|| partition.claim_next()).take(share));
        }
        claimed
    }

    /// The record of a claim that holds, and its partition.
    pub(crate) fn claimed(&self, fence: RecordFence) -> Option<(&Partition, &Slot)> {
        let partition = self.partitions.get(&fence.epoch)?;
        let slot = partition.slot(fence.seq).filter(|slot| slot.deliveries == fence.delivery)?;
        (slot.state == SlotState::Claimed).then_some((partition, slot))
    }

    /// Whether claims that wait should look again.
    pub(crate) fn take_wake(&mut self) -> bool {
        let may_yield = || self.partitions.values().any(Partition::may_yield) || !self.timers.is_empty();
        std::mem::take(&mut self.is_woken) && may_yield()
    }

    /// Makes records available whose time has come.
    fn wake(&mut self, now: Time) {
        while let Some((at, epoch, seq)) = self.timers.first().copied().filter(|(at, ..)| *at <= now) {
            self.timers.remove(&(at, epoch, seq));
            if let Some(partition) = self.partitions.get_mut(&epoch)
                && partition.slot(seq).is_some_and(|slot| slot.state == SlotState::Waiting(at))
            {
                partition.make_due(seq);
            }
        }
        if let Some(longest) = self.settings.blocking_limit() {
            for partition in self.partitions.values_mut() {
                self.totals.forced += u64::from(partition.force_first(longest, now));
            }
        }
    }

    /// When a record may become available without any event.
    pub(crate) fn next_time(&self) -> Option<Time> {
        let timer = self.timers.first().map(|(at, ..)| *at);
        let forced = self.settings.blocking_limit().and_then(|longest| {
            let open = self.partitions.values().filter(|partition| !partition.is_draining);
            open.filter_map(|partition| partition.blocked_until(longest)).min()
        });
        [timer, forced].into_iter().flatten().min()
    }

    // Results

    fn held(&mut self, fence: RecordFence, state: SlotState) -> Result<&mut Partition, SettleError> {
        let mut held = None;
        if let Some(partition) = self.partitions.get_mut(&fence.epoch) {
            held = partition.slot(fence.seq).filter(|slot| slot.deliveries == fence.delivery).map(|slot| slot.state);
            if held == Some(state) {
                return Ok(partition);
            }
        }
        // The end of a running hand-over decides about the claim.
        if held != Some(SlotState::HandingOver) {
            self.totals.stale_results += 1;
        }
        Err(SettleError::Stale)
    }

    /// The record is done. It is returned, to be dropped outside of the lock.
    pub(crate) fn finish(&mut self, fence: RecordFence, now: Time) -> Result<Option<Slot>, SettleError> {
        let slot = self.held(fence, SlotState::Claimed)?.finish(fence.seq, now);
        self.is_woken = true;
        Ok(slot)
    }

    /// Whether a hand-over of the record is running, whose end decides about this claim.
    pub(crate) fn is_handing_over(&self, fence: RecordFence) -> bool {
        let slot = self.partitions.get(&fence.epoch).and_then(|partition| partition.slot(fence.seq));
        slot.is_some_and(|slot| slot.deliveries == fence.delivery && slot.state == SlotState::HandingOver)
    }

    /// The attempt failed, or none was made: the record is available at `at`, or at once.
    pub(crate) fn give_back(
        &mut self,
        fence: RecordFence,
        at: Option<Time>,
        is_charged: bool,
        attempt: Option<&Attempt>,
        now: Time,
    ) -> Result<(), SettleError> {
        let at = at.filter(|at| *at > now);
        let partition = self.held(fence, SlotState::Claimed)?;
        if let Some(slot) = partition.slot_mut(fence.seq) {
            slot.record_failure(attempt);
        }
        partition.give_back(fence.seq, at, is_charged);
        self.timers.extend(at.map(|at| (at, fence.epoch, fence.seq)));
        self.is_woken = true;
        Ok(())
    }

    /// The hand-over failed: the record is delivered again at `at`, for its hand-over only.
    pub(crate) fn redeliver_for_hand_over(
        &mut self,
        fence: RecordFence,
        at: Time,
        attempt: Option<&Attempt>,
        now: Time,
    ) -> Result<(), SettleError> {
        let partition = self.held(fence, SlotState::Claimed)?;
        if let Some(slot) = partition.slot_mut(fence.seq) {
            slot.history_mut().is_hand_over_only = true;
        }
        self.give_back(fence, Some(at), true, attempt, now)
    }

    /// Starts a hand-over: the claim holds, and only the hand-over can end it.
    pub(crate) fn start_hand_over(
        &mut self,
        fence: RecordFence,
        dead: &DeadWork,
        attempt: Option<&Attempt>,
    ) -> Result<HandOver, SettleError> {
        let partition = self.held(fence, SlotState::Claimed)?;
        partition.set_state(fence.seq, SlotState::HandingOver);
        let at = partition.at.clone();
        let slot = partition.slot_mut(fence.seq).ok_or(SettleError::Stale)?;
        slot.record_failure(attempt);
        let attempts = slot.attempts;
        let record = slot.record.clone();
        let history = slot.history_mut();
        // The reason of the first hand-over: a later one only knows that there was one.
        let mut dead = history.dead.get_or_insert_with(|| Box::new(dead.clone())).clone();
        let (newest, parts) = (history.newest.clone(), history.parts.clone());
        let of_attempt = if history.is_hand_over_only { newest.as_ref() } else { attempt };
        if let Some(attempt) = of_attempt {
            dead.failure.error.message.clone_from(&attempt.error);
        }
        let is_published = history.is_published;
        Ok(HandOver { fence, at, record, attempts, dead, newest, parts, is_published })
    }

    /// The DLQ topic has the letter: a hand-over that is repeated does not write it again.
    pub(crate) fn published(&mut self, fence: RecordFence) -> Result<(), SettleError> {
        let slot = self.held(fence, SlotState::HandingOver)?.slot_mut(fence.seq).ok_or(SettleError::Stale)?;
        slot.history_mut().is_published = true;
        Ok(())
    }

    /// The letter is durable: the record is done.
    pub(crate) fn handed_over(&mut self, fence: RecordFence, now: Time) -> Result<(), SettleError> {
        drop(self.held(fence, SlotState::HandingOver)?.finish(fence.seq, now));
        self.is_woken = true;
        Ok(())
    }

    /// The letter is not durable: the claim is as before.
    pub(crate) fn hand_over_failed(&mut self, fence: RecordFence, error: &str) -> Result<(), SettleError> {
        let partition = self.held(fence, SlotState::HandingOver)?;
        partition.set_state(fence.seq, SlotState::Claimed);
        if let Some(slot) = partition.slot_mut(fence.seq) {
            let history = slot.history_mut();
            history.hand_overs_failed = history.hand_overs_failed.saturating_add(1);
            history.hand_over_error = Some(error.to_owned());
        }
        Ok(())
    }

    /// Whether the claim still holds.
    pub(crate) fn is_held(&self, fence: RecordFence) -> bool {
        let slot = self.partitions.get(&fence.epoch).and_then(|partition| partition.slot(fence.seq));
        slot.is_some_and(|slot| slot.deliveries == fence.delivery && slot.state.is_held())
    }

    // Commits

    /// What differs from the last confirmed commits, of these assignments or of all. Records in `handed_over` count as
    /// done: the same transaction commits their letters, and so their positions too.
    pub(crate) fn commits(&mut self, of: Option<&[u64]>, handed_over: &[RecordFence]) -> Vec<CommitPoint> {
        let metadata_max = self.settings.offset_metadata_bytes;
        let keeps_map = self.settings.offset_metadata == OffsetMetadata::CompletionMap;
        let chosen = self.partitions.values_mut().filter(|partition| match of {
            Some(epochs) => epochs.contains(&partition.epoch),
            None => !partition.is_draining,
        } || handed_over.iter().any(|fence| fence.epoch == partition.epoch));
        let point = |partition: &mut Partition| {
            let letters = handed_over.iter().filter(|fence| fence.epoch == partition.epoch).map(|fence| fence.seq);
            let letters: Vec<u64> = letters.collect();
            let (position, metadata) = partition.commit(&letters, metadata_max, keeps_map)?;
            Some(CommitPoint { epoch: partition.epoch, at: partition.at.clone(), position, metadata })
        };
        chosen.filter_map(point).collect()
    }

    /// Whether a commit says that this record is done.
    pub(crate) fn is_covered(&self, fence: RecordFence, point: &CommitPoint) -> bool {
        let slot = self.partitions.get(&fence.epoch).and_then(|partition| partition.slot(fence.seq));
        let Some(offset) = slot.map(|slot| slot.record.offset).filter(|_| point.epoch == fence.epoch) else {
            return false;
        };
        let in_map = || CompletionMap::decode(point.position, &point.metadata).is_ok_and(|map| map.contains(offset));
        offset < point.position || in_map()
    }

    /// The broker has confirmed a commit.
    pub(crate) fn confirm(&mut self, point: CommitPoint) {
        if let Some(partition) = self.partitions.get_mut(&point.epoch) {
            partition.confirm(point.position, point.metadata);
        }
    }

    pub(crate) fn set_client_position(&mut self, at: &TopicPartition, position: i64) {
        if let Some(partition) = self.epoch_of(at).and_then(|epoch| self.partitions.get_mut(&epoch)) {
            partition.set_client_position(position);
        }
    }

    // Back-pressure

    /// Whether no more records are accepted for now. Between the two limits the answer stays as it was.
    pub(crate) fn is_over(&mut self) -> bool {
        let (open, bytes) = self.load();
        let KafkaSettings { queue_max_messages: open_max, queue_max_bytes: bytes_max, resume_percent, .. } =
            *self.settings;
        let percent = u64::from(resume_percent);
        self.is_over = if self.is_over {
            open as u64 * 100 > open_max as u64 * percent
                || bytes.saturating_mul(100) > bytes_max.saturating_mul(percent)
        } else {
            open >= open_max || bytes >= bytes_max
        };
        self.is_over
    }

    fn load(&self) -> (usize, u64) {
        self.partitions
            .values()
            .fold((0, 0), |(open, bytes), partition| (open + partition.open(), bytes + partition.bytes))
    }

    /// The partitions whose completion map is nearly full.
    pub(crate) fn full_maps(&self) -> impl Iterator<Item = TopicPartition> {
        self.partitions.values().filter(|partition| partition.is_map_full).map(|partition| partition.at.clone())
    }

    pub(crate) fn partitions(&self) -> impl Iterator<Item = &Partition> {
        self.partitions.values()
    }
}
