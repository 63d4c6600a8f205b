//! The records of one assignment of a partition.
//!
//! Every delivered record has a sequence number; offsets that were never delivered (compacted, aborted, trimmed) have
//! none, and so nothing waits for them. Records that are done leave the partition.

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use redrive_core::{Failure, Span, Time};
use redrive_run::Cancel;

use super::claimed_record::ClaimedRecord;
use super::completion_map::CompletionMap;
use super::done_runs::DoneRuns;
use super::slot::{Slot, SlotState};
use super::{RecordFence, TopicPartition};
use crate::record::Record;
use crate::settings::OrderingMode;

#[derive(Debug)]
pub(crate) struct Partition {
    pub(crate) at: TopicPartition,
    pub(crate) epoch: u64,
    /// Shared by all claims of the assignment.
    pub(crate) cancel: Cancel,
    /// The partition was revoked: nothing more is yielded.
    pub(crate) is_draining: bool,
    ordering: OrderingMode,
    /// The open records by sequence number. The first of them is the first that is not done.
    open: HashMap<u64, Slot, RandomState>,
    done: DoneRuns,
    next_seq: u64,
    /// The offset after the last delivered record, and the timestamp of that record.
    next_offset: Option<i64>,
    last_timestamp: Option<i64>,
    /// The last open record of each chain: of the records that are processed one after the other.
    tails: HashMap<u64, u64, RandomState>,
    runnable: VecDeque<u64>,
    /// Records that are due for another attempt. They take turns with the others, so that neither a crowd of retries nor a
    /// backlog holds up the other.
    due_again: VecDeque<u64>,
    was_due_again: bool,
    /// The offsets that an earlier assignment has done.
    restored: CompletionMap,
    committed_before: Option<i64>,
    /// When the first open record became the first.
    pub(crate) blocked_since: Time,
    counts: [usize; SlotState::COUNT],
    pub(crate) bytes: u64,
    /// The last commit that the broker confirmed.
    confirmed: Option<(i64, String)>,
    /// The position of the client, which is past trailing offsets without records.
    client_position: Option<i64>,
    /// The completion map nearly fills the metadata of a commit: no more records are accepted.
    pub(crate) is_map_full: bool,
    pub(crate) map_bytes: usize,
}

/// What became of a delivered record.
#[derive(Debug)]
pub(super) enum Arrival {
    Open,
    /// An earlier assignment has done it.
    Skipped,
    /// It is the last delivered record once more. The client may yield it again after a rebalance in which it paused the
    /// partition while it yielded the record.
    Repeated,
    /// Its offset is not above those delivered before: the topic was created again, or truncated.
    Regressed(Record),
}

impl Partition {
    pub(super) fn new(at: TopicPartition, epoch: u64, ordering: OrderingMode, now: Time) -> Self {
        Self {
            at,
            epoch,
            cancel: Cancel::new(),
            is_draining: false,
            ordering,
            open: HashMap::default(),
            done: DoneRuns::default(),
            next_seq: 0,
            next_offset: None,
            last_timestamp: None,
            tails: HashMap::default(),
            runnable: VecDeque::new(),
            due_again: VecDeque::new(),
            was_due_again: false,
            restored: CompletionMap::default(),
            committed_before: None,
            blocked_since: now,
            counts: [0; SlotState::COUNT],
            bytes: 0,
            confirmed: None,
            client_position: None,
            is_map_full: false,
            map_bytes: 0,
        }
    }

    /// Skips the offsets that an earlier assignment has done, when they are delivered.
    pub(super) fn restore(&mut self, committed: i64, map: CompletionMap, metadata: String) {
        self.committed_before = Some(committed);
        self.restored = map;
        self.confirmed = Some((committed, metadata));
    }

    // Arrival

    pub(super) fn deliver(&mut self, record: Record, now: Time) -> Arrival {
        let offset = record.offset;
        match self.next_offset {
            Some(next) if offset.saturating_add(1) == next && record.timestamp == self.last_timestamp => {
                return Arrival::Repeated;
            }
            Some(next) if offset < next => return Arrival::Regressed(record),
            Some(_) => {}
            None => {
                // Delivery below the committed offset means that offsets are used a second time.
                if self.committed_before.is_some_and(|committed| offset < committed) {
                    self.restored = CompletionMap::default();
                    self.confirmed = None;
                }
                self.done.start_at(offset);
            }
        }
        let seq = self.next_seq;
        self.next_seq += 1;
        self.next_offset = Some(offset.saturating_add(1));
        self.last_timestamp = record.timestamp;
        if self.restored.contains(offset) {
            if self.done.add(seq, offset) {
                self.blocked_since = now;
            }
            return Arrival::Skipped;
        }
        let chain = self.chain_of(&record);
        let before = chain.and_then(|chain| self.tails.insert(chain, seq));
        if self.open.is_empty() {
            self.blocked_since = now;
        }
        let state = match before.and_then(|before| self.open.get_mut(&before)) {
            Some(before) => {
                before.next = Some(seq);
                SlotState::Queued
            }
            None => {
                self.runnable.push_back(seq);
                SlotState::Runnable
            }
        };
        self.counts[state.index()] += 1;
        self.bytes += record.bytes();
        self.open.insert(seq, Slot::new(record, chain, state, now));
        Arrival::Open
    }

    /// The chain of a record. Two keys with the same hash are one chain: that costs nothing but parallelism.
    fn chain_of(&self, record: &Record) -> Option<u64> {
        match self.ordering {
            OrderingMode::Key => record.content.key.as_ref().map(|key| self.tails.hasher().hash_one(key)),
            OrderingMode::Partition => Some(0),
            OrderingMode::Unordered => None,
        }
    }

    // Claims

    /// Claims the first open record, if it may run.
    pub(super) fn claim_first(&mut self) -> Option<ClaimedRecord> {
        let seq = self.done.first();
        let claimed = self.claim(seq)?;
        self.runnable.pop_front_if(|first| *first == seq);
        Some(claimed)
    }

    /// Claims the next record that may run.
    pub(super) fn claim_next(&mut self) -> Option<ClaimedRecord> {
        while let Some(seq) = self.next_runnable() {
            // A record that was claimed as the first one may still be in a list.
            if let Some(claimed) = self.claim(seq) {
                return Some(claimed);
            }
        }
        None
    }

    fn next_runnable(&mut self) -> Option<u64> {
        let again = if self.was_due_again { None } else { self.due_again.pop_front() };
        self.was_due_again = again.is_some();
        again.or_else(|| self.runnable.pop_front()).or_else(|| self.due_again.pop_front())
    }

    fn claim(&mut self, seq: u64) -> Option<ClaimedRecord> {
        let slot = self.open.get_mut(&seq).filter(|slot| slot.state == SlotState::Runnable)?;
        slot.state = SlotState::Claimed;
        slot.claimed();
        self.counts[SlotState::Runnable.index()] -= 1;
        self.counts[SlotState::Claimed.index()] += 1;
        let fence = RecordFence { epoch: self.epoch, seq, delivery: slot.deliveries };
        Some(ClaimedRecord::new(fence, self.at.clone(), slot, self.cancel.clone()))
    }

    pub(super) fn may_yield(&self) -> bool {
        !self.is_draining && self.counts[SlotState::Runnable.index()] > 0
    }

    pub(super) fn first_is_runnable(&self) -> bool {
        self.first_open().is_some_and(|(_, slot)| slot.state == SlotState::Runnable)
    }

    pub(super) fn slot(&self, seq: u64) -> Option<&Slot> {
        self.open.get(&seq)
    }

    pub(super) fn slot_mut(&mut self, seq: u64) -> Option<&mut Slot> {
        self.open.get_mut(&seq)
    }

    pub(crate) fn first_open(&self) -> Option<(u64, &Slot)> {
        let first = self.done.first();
        self.open.get(&first).map(|slot| (first, slot))
    }

    // Ends

    /// Ends a claim; the record becomes available at `at`, or at once.
    pub(super) fn give_back(&mut self, seq: u64, at: Option<Time>, is_charged: bool) {
        if let Some(slot) = self.open.get_mut(&seq) {
            if !is_charged {
                slot.uncharge();
            }
            // A later attempt may fail for another reason.
            if let Some(history) = slot.history.as_mut().filter(|history| !history.is_hand_over_only) {
                history.dead = None;
            }
        }
        match at {
            Some(at) => self.set_state(seq, SlotState::Waiting(at)),
            None => self.make_runnable(seq),
        }
    }

    /// The time of a record's next attempt has come.
    pub(super) fn make_due(&mut self, seq: u64) {
        self.set_state(seq, SlotState::Runnable);
        self.due_again.push_back(seq);
    }

    /// Puts a record at the front of the list: it was yielded before.
    pub(super) fn make_runnable(&mut self, seq: u64) {
        self.set_state(seq, SlotState::Runnable);
        self.runnable.push_front(seq);
    }

    /// Removes a record that is done, and lets the next one of its key run.
    pub(super) fn finish(&mut self, seq: u64, now: Time) -> Option<Slot> {
        let slot = self.open.remove(&seq)?;
        self.counts[slot.state.index()] -= 1;
        self.bytes -= slot.record.bytes();
        match slot.next {
            Some(next) => {
                self.set_state(next, SlotState::Runnable);
                self.runnable.push_back(next);
            }
            // It was the last of its chain.
            None => {
                if let Some(chain) = slot.chain {
                    self.tails.remove(&chain);
                }
            }
        }
        if self.done.add(seq, slot.record.offset) {
            self.blocked_since = now;
        }
        Some(slot)
    }

    pub(super) fn set_state(&mut self, seq: u64, state: SlotState) {
        let Some(slot) = self.open.get_mut(&seq) else { return };
        self.counts[slot.state.index()] -= 1;
        slot.state = state;
        self.counts[state.index()] += 1;
    }

    /// Lets the first record fail without an attempt, if it blocks the partition for longer than `longest` and is not
    /// held. Returns whether it does.
    pub(super) fn force_first(&mut self, longest: Span, now: Time) -> bool {
        if self.is_draining || self.blocked_until(longest).is_none_or(|until| now < until) {
            return false;
        }
        let seq = self.done.first();
        let Some(first) = self.open.get_mut(&seq) else { return false };
        let failure = Failure::new(format!("the record blocked its partition for longer than {longest}"));
        first.history_mut().unrun = Some(Box::new(failure));
        self.make_runnable(seq);
        true
    }

    /// When the first record has blocked the partition for `longest`; `None` if it is held, or will fail anyway.
    pub(super) fn blocked_until(&self, longest: Span) -> Option<Time> {
        let (_, first) = self.first_open()?;
        let is_given_up =
            first.history.as_ref().is_some_and(|history| history.is_hand_over_only || history.unrun.is_some());
        (!first.state.is_held() && !is_given_up).then(|| self.blocked_since.saturating_add(longest))
    }

    // Commits

    /// The position and the metadata of the next commit, if they differ from the last confirmed ones. Records in
    /// `handed_over` count as done: the same transaction commits their letters.
    pub(super) fn commit(
        &mut self,
        handed_over: &[u64],
        metadata_max: usize,
        keeps_map: bool,
    ) -> Option<(i64, String)> {
        let with_letters =
            self.done.with(handed_over.iter().filter_map(|seq| Some((*seq, self.open.get(seq)?.record.offset))));
        let done = with_letters.as_ref().unwrap_or(&self.done);
        let position = self.position_with(done, self.open.len() == handed_over.len())?;
        if self.confirmed.as_ref().is_some_and(|(confirmed, _)| position < *confirmed) {
            return None;
        }
        let mut map = done.completion_map();
        // What an earlier assignment has done and this one has not read yet.
        self.restored.from(self.next_offset.unwrap_or(position)).for_each(|range| map.push(range));
        let (metadata, is_whole) = if keeps_map { map.encode(position, metadata_max) } else { (String::new(), true) };
        self.map_bytes = metadata.len();
        let share = if self.is_map_full { 2 } else { 3 };
        self.is_map_full = keeps_map && (!is_whole || metadata.len() * 4 >= metadata_max * share);
        let next = (position, metadata);
        (self.confirmed.as_ref() != Some(&next)).then_some(next)
    }

    pub(super) fn confirm(&mut self, position: i64, metadata: String) {
        self.confirmed = Some((position, metadata));
    }

    pub(super) fn set_client_position(&mut self, position: i64) {
        self.client_position = Some(position);
    }

    // Numbers

    pub(super) fn open(&self) -> usize {
        self.open.len()
    }

    pub(super) fn held(&self) -> usize {
        self.counts[SlotState::Claimed.index()] + self.counts[SlotState::HandingOver.index()]
    }

    /// The position of a commit. If nothing is open, it is past trailing offsets without records.
    fn position_with(&self, done: &DoneRuns, is_all_done: bool) -> Option<i64> {
        let client = self.client_position.filter(|_| is_all_done);
        [done.position(), client].into_iter().flatten().max()
    }

    /// Runs of open records below the highest done one.
    pub(crate) fn gaps(&self) -> usize {
        self.done.len()
    }

    pub(crate) fn position(&self) -> Option<i64> {
        self.position_with(&self.done, self.open.is_empty())
    }

    pub(crate) const fn next_offset(&self) -> Option<i64> {
        self.next_offset
    }

    pub(crate) fn confirmed_position(&self) -> Option<i64> {
        self.confirmed.as_ref().map(|(position, _)| *position)
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.open.values()
    }
}
