//! The deliveries that a runner holds, from the claim until the source has taken the result.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use redrive_core::{KeyedPermit, MonotonicTime, Span, Time};
use slab::Slab;

use super::clock_reading::ClockReading;
use super::judge::Judged;
use crate::{Call, Cancel, Work};

/// A held delivery.
#[derive(Debug)]
pub(super) struct DeliveryEntry<F> {
    /// Distinguishes successive entries with the same key.
    pub(super) seq: u64,
    pub(super) fence: F,
    /// Length of the claim, which determines how often it is extended; `None` if claims do not expire.
    pub(super) lease: Option<Span>,
    /// When the claim expires by this process's clock. The source's clock decides.
    pub(super) deadline: Option<MonotonicTime>,
    /// When the entry is processed next.
    pub(super) timer: Option<MonotonicTime>,
    pub(super) state: EntryState,
}

#[derive(Debug)]
pub(super) enum EntryState {
    /// The delivery waits for a free slot, or for its destination to be called.
    Waiting(Box<WaitingEntry>),
    /// The attempt has failed, and the row of its destination decides what that means.
    Undecided(Box<Undecided>),
    /// The handler is running.
    Running(Attempting),
    /// The result is being sent to the source.
    Finishing,
}

/// What is needed to start the attempt.
#[derive(Debug)]
pub(super) struct WaitingEntry {
    pub(super) work: Arc<Work>,
    pub(super) cancel: Option<Cancel>,
    pub(super) due: Option<Time>,
}

/// Work whose attempt has failed in a row that has not ended.
#[derive(Debug)]
pub(super) struct Undecided {
    pub(super) work: Arc<Work>,
    pub(super) cancel: Option<Cancel>,
    /// The result if the work is charged.
    pub(super) judged: Judged,
    /// When the work is retried if it is not charged.
    pub(super) spared_until: Time,
    /// When the work may be called again before its row has ended.
    pub(super) due: MonotonicTime,
    /// Its calls in this row.
    pub(super) calls: u32,
}

/// An attempt in progress.
#[derive(Debug)]
pub(super) struct Attempting {
    pub(super) call: Call,
    pub(super) cancel: Option<Cancel>,
    pub(super) started_at: ClockReading,
    pub(super) extend_at: Option<MonotonicTime>,
    pub(super) claim_until: Option<MonotonicTime>,
    pub(super) beats: u32,
    pub(super) permit: Option<KeyedPermit>,
    /// What an earlier call in the same row has left undecided.
    pub(super) undecided: Option<Box<Undecided>>,
    /// Why the attempt was stopped, while its task has not ended yet.
    pub(super) stopped: Option<Stop>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    TimedOut,
    /// The claim has expired or was revoked.
    Lost,
}

/// All held deliveries, by key and by timer.
#[derive(Debug)]
pub(super) struct DeliveryEntries<F> {
    slab: Slab<DeliveryEntry<F>>,
    timers: BTreeSet<(MonotonicTime, usize)>,
    /// When attempts time out, in order. All have the same length, so the first to begin is the first to time out.
    timeouts: VecDeque<AttemptTimeout>,
    running: usize,
    next: u64,
}

#[derive(Debug, Clone, Copy)]
struct AttemptTimeout {
    at: MonotonicTime,
    key: usize,
    seq: u64,
}

impl<F> DeliveryEntries<F> {
    pub(super) const fn new() -> Self {
        Self { slab: Slab::new(), timers: BTreeSet::new(), timeouts: VecDeque::new(), running: 0, next: 0 }
    }

    /// The key and the sequence number of the next entry.
    pub(super) fn vacant(&mut self) -> (usize, u64) {
        self.next += 1;
        (self.slab.vacant_key(), self.next)
    }

    /// Inserts an entry under the key that [`vacant`](Self::vacant) returned.
    pub(super) fn insert(&mut self, entry: DeliveryEntry<F>) -> usize {
        self.running += usize::from(matches!(entry.state, EntryState::Running(_)));
        let timer = entry.timer;
        let key = self.slab.insert(entry);
        self.timers.extend(timer.map(|at| (at, key)));
        key
    }

    pub(super) fn get(&self, key: usize) -> Option<&DeliveryEntry<F>> {
        self.slab.get(key)
    }

    pub(super) fn get_mut(&mut self, key: usize) -> Option<&mut DeliveryEntry<F>> {
        self.slab.get_mut(key)
    }

    /// Makes an entry wait for a free slot.
    pub(super) fn wait(&mut self, key: usize, waiting: WaitingEntry) {
        if let Some(entry) = self.slab.get_mut(key) {
            entry.state = EntryState::Waiting(Box::new(waiting));
        }
    }

    /// Takes what is needed to start the attempt of a waiting entry; `None` if the entry does not wait.
    pub(super) fn take_waiting(&mut self, key: usize) -> Option<WaitingEntry> {
        let entry = self.slab.get_mut(key)?;
        match std::mem::replace(&mut entry.state, EntryState::Finishing) {
            EntryState::Waiting(waiting) => Some(*waiting),
            other @ (EntryState::Running(_) | EntryState::Undecided(_) | EntryState::Finishing) => {
                entry.state = other;
                None
            }
        }
    }

    /// Takes what an entry waits for the end of a row with; `None` if the entry is not undecided.
    pub(super) fn take_undecided(&mut self, key: usize) -> Option<Box<Undecided>> {
        let entry = self.slab.get_mut(key)?;
        match std::mem::replace(&mut entry.state, EntryState::Finishing) {
            EntryState::Undecided(undecided) => Some(undecided),
            other @ (EntryState::Running(_) | EntryState::Waiting(_) | EntryState::Finishing) => {
                entry.state = other;
                None
            }
        }
    }

    /// Marks an attempt as started, which times out at `timeout_at`.
    pub(super) fn start(&mut self, key: usize, attempting: Attempting, timeout_at: MonotonicTime) {
        let timer = attempting.next_timer();
        if let Some(entry) = self.slab.get_mut(key) {
            self.timeouts.push_back(AttemptTimeout { at: timeout_at, key, seq: entry.seq });
            entry.state = EntryState::Running(attempting);
            self.running += 1;
        }
        self.set_timer(key, timer);
    }

    /// Ends an attempt; `None` if the key belongs to another entry by now or no attempt is running.
    pub(super) fn finish(&mut self, key: usize, seq: u64) -> Option<Attempting> {
        let entry = self.slab.get_mut(key).filter(|entry| entry.seq == seq)?;
        match std::mem::replace(&mut entry.state, EntryState::Finishing) {
            EntryState::Running(attempting) => {
                self.running -= 1;
                self.forget_ended();
                Some(attempting)
            }
            other @ (EntryState::Finishing | EntryState::Waiting(_) | EntryState::Undecided(_)) => {
                entry.state = other;
                None
            }
        }
    }

    pub(super) fn remove(&mut self, key: usize) -> Option<DeliveryEntry<F>> {
        let entry = self.slab.try_remove(key)?;
        self.running -= usize::from(matches!(entry.state, EntryState::Running(_)));
        if let Some(at) = entry.timer {
            self.timers.remove(&(at, key));
        }
        Some(entry)
    }

    /// Removes the timeouts of attempts that have ended: those in front, and all when they are the most.
    fn forget_ended(&mut self) {
        while self.timeouts.front().is_some_and(|first| !self.is_running(*first)) {
            self.timeouts.pop_front();
        }
        if self.timeouts.len() > 2 * self.running + 64 {
            let mut timeouts = std::mem::take(&mut self.timeouts);
            timeouts.retain(|timeout| self.is_running(*timeout));
            self.timeouts = timeouts;
        }
    }

    fn is_running(&self, timeout: AttemptTimeout) -> bool {
        let entry = self.slab.get(timeout.key).filter(|entry| entry.seq == timeout.seq);
        entry.is_some_and(|entry| matches!(entry.state, EntryState::Running(_)))
    }

    /// The key of a running attempt that has timed out, if there is one. Each is returned once.
    pub(super) fn timed_out(&mut self, now: MonotonicTime) -> Option<usize> {
        while let Some(first) = self.timeouts.pop_front_if(|first| first.at <= now) {
            if self.is_running(first) {
                return Some(first.key);
            }
        }
        None
    }

    /// Makes a running attempt time out later.
    pub(super) fn postpone_timeout(&mut self, key: usize, at: MonotonicTime) {
        let Some(entry) = self.slab.get(key) else { return };
        let place = self.timeouts.partition_point(|other| other.at <= at);
        self.timeouts.insert(place, AttemptTimeout { at, key, seq: entry.seq });
    }

    pub(super) fn set_timer(&mut self, key: usize, timer: Option<MonotonicTime>) {
        let Some(entry) = self.slab.get_mut(key) else { return };
        if let Some(before) = std::mem::replace(&mut entry.timer, timer) {
            self.timers.remove(&(before, key));
        }
        self.timers.extend(timer.map(|at| (at, key)));
    }

    /// An entry whose timer has expired.
    pub(super) fn due(&self, now: MonotonicTime) -> Option<usize> {
        self.timers.first().filter(|(at, _)| *at <= now).map(|(_, key)| *key)
    }

    pub(super) fn next_timer(&self) -> Option<MonotonicTime> {
        let timer = self.timers.first().map(|(at, _)| *at);
        let timeout = self.timeouts.front().map(|first| first.at);
        [timer, timeout].into_iter().flatten().min()
    }

    pub(super) const fn running(&self) -> usize {
        self.running
    }

    pub(super) fn len(&self) -> usize {
        self.slab.len()
    }

    pub(super) fn attempts(&self) -> impl Iterator<Item = (usize, u64, &Attempting)> {
        self.slab.iter().filter_map(|(key, entry)| match &entry.state {
            EntryState::Running(attempting) => Some((key, entry.seq, attempting)),
            EntryState::Finishing | EntryState::Waiting(_) | EntryState::Undecided(_) => None,
        })
    }
}

impl<F> DeliveryEntry<F> {
    /// Notes that the claim was extended until `deadline`.
    pub(super) fn extended(&mut self, deadline: Option<Time>, now: ClockReading) {
        self.deadline = deadline.map(|deadline| now.monotonic_at(deadline));
        self.lease = deadline.map(|deadline| deadline.since(now.time));
        if let EntryState::Running(attempting) = &mut self.state {
            attempting.claim_until = self.deadline;
        }
    }
}

impl Attempting {
    /// When the attempt is processed next, apart from its timeout: its next extension or the end of its claim.
    pub(super) fn next_timer(&self) -> Option<MonotonicTime> {
        // A claim holds up to and including its deadline.
        let lost_at = self.claim_until.map(|until| until.saturating_add(Span::from_micros(1)));
        [self.extend_at, lost_at].into_iter().flatten().min()
    }

    /// When the attempt times out. Work that has not begun does so in a whole timeout at the earliest.
    pub(super) fn times_out_at(&self, now: MonotonicTime, timeout: Span) -> MonotonicTime {
        let counted_from = if self.call.is_held() { now } else { self.begun_at() };
        counted_from.saturating_add(timeout)
    }

    /// When the work began: later than the attempt if it had to wait.
    pub(super) fn begun_at(&self) -> MonotonicTime {
        self.call.begun_at().unwrap_or(self.started_at.monotonic)
    }

    /// Stops the attempt. It needs no further timer: its task ends, or its claim does.
    pub(super) fn stop(&mut self, why: Stop) -> Option<MonotonicTime> {
        self.stopped = Some(why);
        self.call.stop();
        None
    }
}
