//! A partition as a plain list of its delivered records. Every answer is a scan of the list.

use bytes::Bytes;
use redrive_core::{Span, Time};

use crate::log::{CompletionMap, Partition, SlotState};
use crate::record::Record;
use crate::settings::OrderingMode;

#[derive(Debug)]
pub(super) struct ModelPartition {
    /// The index of the broker's partition.
    pub(super) broker: usize,
    ordering: OrderingMode,
    pub(super) is_draining: bool,
    /// All delivered records, in their order.
    pub(super) records: Vec<ModelRecord>,
    /// What the last commit says about offsets above its position.
    restored: CompletionMap,
    pub(super) confirmed: Option<(i64, String)>,
    pub(super) client_position: Option<i64>,
    /// The first open record, and since when it is the first.
    first: Option<usize>,
    pub(super) blocked_since: Time,
}

#[derive(Debug)]
pub(super) struct ModelRecord {
    pub(super) offset: i64,
    timestamp: Option<i64>,
    key: Option<Bytes>,
    bytes: u64,
    pub(super) state: ModelState,
    pub(super) attempts: u32,
    pub(super) is_claim_charged: bool,
    pub(super) deliveries: u32,
    pub(super) is_hand_over_only: bool,
    /// It blocked its partition for too long, and fails without an attempt.
    pub(super) is_forced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelState {
    /// May run, or waits for an earlier record only.
    Ready,
    Waiting(Time),
    Claimed,
    HandingOver,
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelArrival {
    Open,
    Skipped,
    Repeated,
    Regressed,
}

impl ModelPartition {
    pub(super) fn new(
        broker: usize,
        ordering: OrderingMode,
        committed: Option<(i64, CompletionMap, String)>,
        now: Time,
    ) -> Self {
        let (restored, confirmed) = match committed {
            Some((position, map, metadata)) => (map, Some((position, metadata))),
            None => (CompletionMap::default(), None),
        };
        Self {
            broker,
            ordering,
            is_draining: false,
            records: Vec::new(),
            restored,
            confirmed,
            client_position: None,
            first: None,
            blocked_since: now,
        }
    }

    /// Whether records may be skipped because an earlier assignment has done them.
    pub(super) const fn has_map(&self) -> bool {
        !self.restored.is_empty()
    }

    pub(super) fn deliver(&mut self, record: &Record) -> ModelArrival {
        let offset = record.offset;
        if let Some(last) = self.records.last().filter(|last| offset <= last.offset) {
            let is_last = (offset, record.timestamp) == (last.offset, last.timestamp);
            return if is_last { ModelArrival::Repeated } else { ModelArrival::Regressed };
        }
        let committed = self.confirmed.as_ref().map(|(position, _)| *position);
        if self.records.is_empty() && committed.is_some_and(|committed| offset < committed) {
            self.restored = CompletionMap::default();
            self.confirmed = None;
        }
        let is_done = self.restored.contains(offset);
        self.records.push(ModelRecord {
            offset,
            timestamp: record.timestamp,
            key: record.content.key.clone(),
            bytes: record.bytes(),
            state: if is_done { ModelState::Done } else { ModelState::Ready },
            attempts: 0,
            is_claim_charged: false,
            deliveries: 0,
            is_hand_over_only: false,
            is_forced: false,
        });
        if is_done { ModelArrival::Skipped } else { ModelArrival::Open }
    }

    /// Makes records ready whose time has come.
    pub(super) fn wake(&mut self, now: Time) {
        for record in &mut self.records {
            if matches!(record.state, ModelState::Waiting(at) if at <= now) {
                record.state = ModelState::Ready;
            }
        }
    }

    /// Notes when another record becomes the first open one.
    pub(super) fn note_first(&mut self, now: Time) {
        let first = self.first_open();
        if first != self.first {
            (self.first, self.blocked_since) = (first, now);
        }
    }

    /// When the first record has blocked the partition for this long; `None` if it is held, or will fail anyway.
    pub(super) fn forced_at(&self, longest: Span) -> Option<Time> {
        let first = &self.records[self.first_open()?];
        let is_free = matches!(first.state, ModelState::Ready | ModelState::Waiting(_));
        let may_be_forced = is_free && !first.is_hand_over_only && !first.is_forced && !self.is_draining;
        may_be_forced.then(|| self.blocked_since.saturating_add(longest))
    }

    /// Lets the first record fail if it has blocked the partition for this long. Returns whether it does.
    pub(super) fn force(&mut self, longest: Span, now: Time) -> bool {
        let is_due = self.forced_at(longest).is_some_and(|at| at <= now);
        if let Some(first) = self.first_open().filter(|_| is_due) {
            self.records[first].is_forced = true;
            self.records[first].state = ModelState::Ready;
        }
        is_due
    }

    fn open(&self) -> Vec<&ModelRecord> {
        self.records.iter().filter(|record| record.state != ModelState::Done).collect()
    }

    pub(super) fn first_open(&self) -> Option<usize> {
        self.records.iter().position(|record| record.state != ModelState::Done)
    }

    fn shares_order(&self, one: &ModelRecord, other: &ModelRecord) -> bool {
        match self.ordering {
            OrderingMode::Key => one.key.is_some() && one.key == other.key,
            OrderingMode::Partition => true,
            OrderingMode::Unordered => false,
        }
    }

    /// The offsets of the records that may be claimed.
    pub(super) fn runnable(&self) -> Vec<i64> {
        let open = self.open();
        let is_first = |(index, record): &(usize, &&ModelRecord)| {
            !open[..*index].iter().any(|earlier| self.shares_order(earlier, record))
        };
        let ready = |(_, record): &(usize, &&ModelRecord)| record.state == ModelState::Ready;
        let runnable = open.iter().enumerate().filter(ready).filter(is_first);
        runnable.map(|(_, record)| record.offset).collect()
    }

    pub(super) fn load(&self) -> (usize, u64) {
        let open = self.open();
        (open.len(), open.iter().map(|record| record.bytes).sum())
    }

    pub(super) fn held(&self) -> usize {
        let is_held = |record: &&ModelRecord| matches!(record.state, ModelState::Claimed | ModelState::HandingOver);
        self.records.iter().filter(is_held).count()
    }

    pub(super) fn next_time(&self) -> Option<Time> {
        let times = self.records.iter().filter_map(|record| match record.state {
            ModelState::Waiting(at) => Some(at),
            _ => None,
        });
        times.min()
    }

    /// The position of a commit, with the records of these indexes as if they were done.
    fn position(&self, letters: &[usize]) -> Option<i64> {
        let is_done = |index: usize| self.records[index].state == ModelState::Done || letters.contains(&index);
        let end = self.records.last().map(|last| last.offset + 1);
        match (0..self.records.len()).find(|index| !is_done(*index)) {
            None => end.max(self.client_position),
            Some(0) => Some(self.records[0].offset),
            Some(open) => Some(self.records[open - 1].offset + 1),
        }
    }

    /// Checks the next commit, or that none is needed. The records of these indexes count as done.
    pub(super) fn check_commit(&self, next: Option<&(i64, String)>, letters: &[usize], map: MapRule) {
        let confirmed = self.confirmed.as_ref();
        assert!(next.is_none() || next != confirmed, "the same commit a second time");
        let expected = self.position(letters);
        // A position never goes back.
        let Some(expected) = expected.filter(|expected| confirmed.is_none_or(|(before, _)| before <= expected)) else {
            return assert_eq!(next, None, "a commit before the first record: {self:?}");
        };
        let (position, metadata) = next.or(confirmed).expect("the first commit");
        assert_eq!(*position, expected, "{self:?}");
        assert!(map != MapRule::None || metadata.is_empty());
        let completed = CompletionMap::decode(*position, metadata).unwrap();
        for (index, record) in self.records.iter().enumerate() {
            let is_done = record.state == ModelState::Done || letters.contains(&index);
            let is_completed = record.offset < *position || completed.contains(record.offset);
            assert!(is_done || !is_completed, "{} is open and committed: {self:?}", record.offset);
            assert!(map != MapRule::Whole || is_completed || !is_done, "{} is not in the map: {self:?}", record.offset);
        }
        // Of what was not delivered yet, an earlier assignment may have done some.
        let unread = self.records.last().map_or(*position, |last| last.offset + 1);
        for offset in unread..unread + 40 {
            let (is_done, is_completed) = (self.restored.contains(offset), completed.contains(offset));
            assert!(is_done || !is_completed, "{offset} was not read and is committed: {self:?}");
            assert!(map != MapRule::Whole || is_completed || !is_done, "{offset} is lost from the map: {self:?}");
        }
    }

    /// Compares everything that the log counts.
    pub(super) fn compare(&self, real: &Partition) {
        let count = |wanted: fn(ModelState) -> bool| self.records.iter().filter(|record| wanted(record.state)).count();
        let found = |wanted: fn(SlotState) -> bool| real.slots().filter(|slot| wanted(slot.state)).count();
        let runnable = self.runnable().len();
        assert_eq!(found(|state| state == SlotState::Runnable), runnable, "{self:?}");
        let ready = count(|state| state == ModelState::Ready);
        assert_eq!(found(|state| state == SlotState::Queued), ready - runnable, "{self:?}");
        assert_eq!(real.may_yield(), runnable > 0 && !self.is_draining);
        let claimed = count(|state| state == ModelState::Claimed);
        assert_eq!(found(|state| state == SlotState::Claimed), claimed, "{self:?}");
        let handing_over = count(|state| state == ModelState::HandingOver);
        assert_eq!(found(|state| state == SlotState::HandingOver), handing_over, "{self:?}");
        let waiting = count(|state| matches!(state, ModelState::Waiting(_)));
        assert_eq!(found(|state| matches!(state, SlotState::Waiting(_))), waiting, "{self:?}");
        assert_eq!((real.open(), real.bytes), self.load());
        assert_eq!(real.held(), self.held());
        assert!(self.open().is_empty() || real.blocked_since == self.blocked_since, "{self:?}");
        assert_eq!(real.is_draining, self.is_draining);
        assert_eq!(real.cancel.is_withdrawn(), self.is_draining);
        assert!(!real.cancel.is_cancelled(), "the claims of an assignment are valid until it ends");
        assert_eq!(real.next_offset(), self.records.last().map(|last| last.offset + 1));
        assert_eq!(real.confirmed_position(), self.confirmed.as_ref().map(|(position, _)| *position));
        let first = self.first_open();
        let first_offset = first.map(|first| self.records[first].offset);
        assert_eq!(real.first_open().map(|(_, slot)| slot.record.offset), first_offset);
        let after_first = first.map_or(&[][..], |first| &self.records[first..]);
        let starts_run = |pair: &&[ModelRecord]| pair[0].state != ModelState::Done && pair[1].state == ModelState::Done;
        assert_eq!(real.gaps(), after_first.windows(2).filter(starts_run).count());
    }
}

/// What the completion map of a commit contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MapRule {
    None,
    /// All records that are done.
    Whole,
    /// Records that are done, as many as fit.
    Part,
}
